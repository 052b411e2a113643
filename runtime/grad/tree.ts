// Trees of tensors: a tensor, or arrays and plain objects of trees; other values are leaves without tensors.
import { isRevoked, JitlabError } from "../base/errors.js";
import type { AnyDType } from "../tensor/element-types.js";
import { Tensor } from "../tensor/tensor.js";

/** True for a tensor that can be differentiated by. */
export function isFloat(x: Tensor): x is Tensor<AnyDType> {
  return x.dtype.kind === "float" || x.dtype.kind === "complex";
}

/** The tensors of a tree, in order. */
export function tensorsIn(tree: unknown): Tensor[] {
  const found: Tensor[] = [];
  mapTree(tree, (x) => found.push(x));
  return found;
}

// More would overflow the stack.
const mostLevels = 1000;

/** A tree of the same structure with other values for its tensors, and undefined for its other leaves. */
export function mapTree(tree: unknown, change: (x: Tensor) => unknown, keepsLeaves = false): unknown {
  const above = new Set<unknown>();
  const visit = (node: unknown): unknown => {
    if (node instanceof Tensor) return change(node);
    if (!isBranch(node)) return keepsLeaves ? node : undefined;
    if (above.has(node)) {
      throw new JitlabError(
        "bad-argument",
        "An array or object that is differentiated by contains itself.",
        "Pass a tree: tensors, arrays and objects that do not contain themselves.",
      );
    }
    if (above.size === mostLevels) {
      throw new JitlabError(
        "bad-argument",
        `An array or object that is differentiated by has more than ${mostLevels} levels.`,
        "List the tensors of a long chain in one array.",
      );
    }
    above.add(node);
    const changed = Array.isArray(node)
      ? node.map(visit)
      : Object.fromEntries(Object.entries(node).map(([key, one]) => [key, visit(one)]));
    above.delete(node);
    return changed;
  };
  return visit(tree);
}

/** True for an array or a plain object, whose parts belong to a tree. */
export function isBranch(value: unknown): value is object {
  if (typeof value !== "object" || value === null || isRevoked(value)) return false;
  if (Array.isArray(value)) return true;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
