// Trees of tensors: a tensor, or arrays and plain objects of trees; other values are leaves without tensors.
import { isRevoked } from "../base/errors.js";
import { Tensor } from "../tensor/tensor.js";

/** Calls `visit` with each tensor of a tree. */
export function eachTensor(tree: unknown, visit: (x: Tensor) => void): void {
  mapTree(tree, (x) => {
    visit(x);
    return x;
  });
}

/** A tree of the same structure with other values for its tensors, and undefined for its other leaves. */
export function mapTree(tree: unknown, change: (x: Tensor) => unknown, keepsLeaves = false): unknown {
  if (tree instanceof Tensor) return change(tree);
  if (Array.isArray(tree)) return tree.map((one) => mapTree(one, change, keepsLeaves));
  if (!isPlain(tree)) return keepsLeaves ? tree : undefined;
  return Object.fromEntries(
    Object.entries(tree).map(([key, one]) => [key, mapTree(one, change, keepsLeaves)]),
  );
}

function isPlain(value: unknown): value is object {
  if (typeof value !== "object" || value === null || isRevoked(value)) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
