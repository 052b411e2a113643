// Trees of tensors: a tensor, or arrays and plain objects of trees. Everything else is a leaf without tensors: numbers and texts, but also
// Map, Set and instances of classes, which nobody but their owner can make again with other tensors.
import { types } from "node:util";
import { isRevoked, JitlabError } from "../base/errors.js";
import type { AnyDType } from "./element-types.js";
import { Tensor } from "./tensor.js";

/** True for a tensor that can be differentiated by. */
export function isFloat(leaf: Tensor): leaf is Tensor<AnyDType> {
  return leaf.dtype.kind === "float" || leaf.dtype.kind === "complex";
}

/** The tensors of a tree, in order. */
export function tensorsIn(tree: unknown): Tensor[] {
  const found: Tensor[] = [];
  mapTree(tree, (x) => found.push(x));
  return found;
}

/** So many levels a tree may have: more would overflow the stack. */
export const mostLevels = 1000;

/** A tree of the same structure with other values for its tensors, and undefined for its other leaves. */
export function mapTree(tree: unknown, change: (x: Tensor) => unknown, keepsLeaves = false): unknown {
  const changeLeaf = (leaf: unknown) =>
    leaf instanceof Tensor ? change(leaf) : keepsLeaves ? leaf : undefined;
  return withLeaves(tree, "that is differentiated by", changeLeaf);
}

/** A tree of the same structure with other leaves; errors say `what` the tree is. */
export function withLeaves(tree: unknown, what: string, change: (leaf: unknown) => unknown): unknown {
  const above = new Set<unknown>();
  const visit = (node: unknown): unknown => {
    if (!isBranch(node)) return change(node);
    if (above.has(node)) {
      throw new JitlabError(
        "bad-argument",
        `An array or object ${what} contains itself.`,
        "Pass a tree: tensors, arrays and objects that do not contain themselves.",
      );
    }
    if (above.size === mostLevels) {
      throw new JitlabError(
        "bad-argument",
        `An array or object ${what} has more than ${mostLevels} levels.`,
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

/**
 * The tensors that code can reach from a value without calling anything: also those in Map, Set and fields of instances, and in what
 * contains itself. Getters and proxies are not run.
 */
export function tensorsWithin(value: unknown): Tensor[] {
  // Most functions return one tensor.
  if (value instanceof Tensor) return [value];
  const found: Tensor[] = [];
  const seen = new Set<object>();
  const rest: unknown[] = [value];
  for (let one = rest.pop(); one !== undefined || rest.length > 0; one = rest.pop()) {
    if (typeof one !== "object" || one === null || seen.has(one) || types.isProxy(one)) continue;
    seen.add(one);
    if (one instanceof Tensor) {
      found.push(one);
    } else if (one instanceof Map) {
      for (const [key, part] of one) rest.push(key, part);
    } else if (one instanceof Set || Array.isArray(one)) {
      for (const part of one) rest.push(part);
    } else if (!ArrayBuffer.isView(one)) {
      for (const key of Object.keys(one)) rest.push(Object.getOwnPropertyDescriptor(one, key)?.value);
    }
  }
  return found;
}
