// Trees of tensors as lists: parameters, gradients and the arguments of functions are trees.
import { checkFunction } from "../base/arguments.js";
import { isArray, JitlabError, show } from "../base/errors.js";
import { Tensor } from "../tensor/tensor.js";
import { withLeaves } from "../tensor/tree.js";

const what = "of a tree";
// Stands for a tensor, so that a structure keeps no memory.
const place = Symbol("tensor");
const trees = new WeakMap<object, unknown>();

/** A tree without its tensors, made by {@link flatten}. */
export interface TreeStructure {
  /** The number of its tensors. */
  readonly size: number;
}

/**
 * The tree with the result of a function for each tensor, which also gets the tensors at the same place of other trees. Arrays and plain
 * objects are copied; other values, also Map, Set and instances of classes, stay.
 *
 * @example jl.tree.map((w, g) => w.sub(g), { w: jl.ones([1]) }, { w: jl.ones([1]) }).w.toArray() // [0]
 */
export function map<T>(fn: (x: Tensor, ...others: Tensor[]) => unknown, tree: T, ...others: unknown[]): T {
  checkFunction("tree.map", "the function", fn);
  const lists = others.map((one) => flatten(one).leaves);
  const { size } = flatten(tree).structure;
  const odd = lists.find(({ length }) => length !== size);
  if (odd !== undefined) {
    throw new JitlabError(
      "bad-argument",
      `tree.map: one tree has ${size} tensors, and another ${odd.length}.`,
      "Pass trees of the same structure, such as parameters and their gradient.",
    );
  }
  let at = 0;
  return withLeaves(tree, what, (leaf) => {
    if (!(leaf instanceof Tensor)) return leaf;
    const beside = lists.map((list) => list[at] as Tensor);
    at++;
    return fn(leaf, ...beside);
  }) as T;
}

/**
 * The tensors of a tree, in order, and its structure.
 *
 * @example jl.tree.flatten({ w: jl.ones([2]), b: [jl.zeros([1])] }).leaves.length // 2
 */
export function flatten(tree: unknown): { leaves: Tensor[]; structure: TreeStructure } {
  const leaves: Tensor[] = [];
  const copy = withLeaves(tree, what, (leaf) => {
    if (!(leaf instanceof Tensor)) return leaf;
    leaves.push(leaf);
    return place;
  });
  const structure: TreeStructure = { size: leaves.length };
  trees.set(structure, copy);
  return { leaves, structure };
}

/**
 * The tree of a structure with these tensors, or other values, in order.
 *
 * @example (({ leaves, structure }) => jl.tree.unflatten(structure, leaves).w.toArray())(jl.tree.flatten({ w: jl.ones([1]) })) // [1]
 */
// biome-ignore lint/suspicious/noExplicitAny: a tree of any structure
export function unflatten(structure: TreeStructure, leaves: readonly unknown[]): any {
  if (typeof structure !== "object" || structure === null || !trees.has(structure)) {
    throw new JitlabError(
      "bad-argument",
      `tree.unflatten: ${show(structure)} is not a structure.`,
      "Pass the structure that jl.tree.flatten(tree) returns.",
    );
  }
  if (!isArray(leaves) || leaves.length !== structure.size) {
    throw new JitlabError(
      "bad-argument",
      `tree.unflatten: the structure has ${structure.size} tensors, but got ${isArray(leaves) ? leaves.length : show(leaves)}.`,
      "Pass a list with one value for each tensor of the tree, in order.",
    );
  }
  let at = 0;
  return withLeaves(trees.get(structure), what, (leaf) => (leaf === place ? leaves[at++] : leaf));
}
