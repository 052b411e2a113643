// Trees of tensors: a tensor, or arrays and plain objects of trees; other values are leaves without tensors.
import { isRevoked } from "../base/errors.js";
import type { AnyDType } from "../tensor/element-types.js";
import { Tensor } from "../tensor/tensor.js";

/** True for a tensor that can be differentiated by. */
export function isFloat(x: Tensor): x is Tensor<AnyDType> {
  return x.dtype.kind === "float";
}

/** The tensors of a tree, in order. */
export function tensorsIn(tree: unknown): Tensor[] {
  const found: Tensor[] = [];
  mapTree(tree, (x) => found.push(x));
  return found;
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
