// jl.vmap: the function over all lanes at once of a function of one lane.
import { checkFunction, checkSynchronous, optionsOf } from "../base/arguments.js";
import { isArray, JitlabError, show } from "../base/errors.js";
import { formatShape } from "../geometry/layout.js";
import { beneathCasts, openSink, sendingTo } from "../launch/sink.js";
import { emptyTensor, Tensor } from "../tensor/tensor.js";
import { isBranch, withLeaves } from "../tensor/tree.js";
import { LaneStorage, refusal } from "./lane-storage.js";
import { Lanes, type Randomness } from "./lanes.js";

/** Dimensions of the tensors of a tree: one for all, or a tree of them; null for a tensor that all lanes share. */
export type Dims = number | null | readonly Dims[] | { readonly [key: string]: Dims };

/** Options of vmap. */
export interface VmapOptions {
  /** The dimension of each argument that the lanes are along, or a list with one for each argument; null for none. Default 0. */
  readonly inDims?: Dims;
  /** The dimension of each result that the lanes are along. Default 0. */
  readonly outDims?: number | readonly Dims[] | { readonly [key: string]: Dims };
  /** Whether each lane draws random numbers of its own, by default, or all lanes the same. */
  readonly randomness?: Randomness;
}

/** A tensor, its dimension that the lanes are along, and where it stands among the arguments. */
type Change = (x: Tensor, dim: number | null, place: string) => unknown;

/**
 * The function that calls `fn` for each lane of its arguments, as one operation for all lanes where the loop has one for each. In `fn`
 * tensors have the shapes of one lane.
 *
 * @example jl.vmap((x, w) => x.dot(w), { inDims: [0, null] })(jl.ones([2, 3]), jl.ones([3])).toArray() // [3, 3]
 */
// biome-ignore lint/suspicious/noExplicitAny: a function of any arguments
export function vmap<F extends (...args: any[]) => unknown>(
  fn: F,
  options?: VmapOptions,
): (...args: Parameters<F>) => ReturnType<F> {
  checkFunction("vmap", "what to run", fn);
  const {
    inDims = 0,
    outDims = 0,
    randomness = "different",
  } = optionsOf("vmap", options, ["inDims", "outDims", "randomness"]);
  if (randomness !== "different" && randomness !== "same") {
    throw new JitlabError(
      "bad-argument",
      `vmap: randomness is ${show(randomness)}.`,
      'It is "different", or "same" for the same numbers in all lanes.',
    );
  }
  const run = (own: F, args: unknown[]) => mapped(own, args, inDims, outDims, randomness);
  return (...args) => beneathCasts(fn, (own) => run(own, args)) as ReturnType<F>;
}

function mapped(
  fn: (...args: never[]) => unknown,
  args: readonly unknown[],
  inDims: Dims,
  outDims: Dims,
  randomness: Randomness,
): unknown {
  if (isArray(inDims) && inDims.length !== args.length) {
    throw new JitlabError(
      "bad-argument",
      `vmap: inDims has ${inDims.length} elements for ${args.length} arguments.`,
      "Give one for each argument, null for those that all lanes share.",
    );
  }
  const each = (change: Change) =>
    args.map((arg, i) =>
      changed(arg, isArray(inDims) ? (inDims[i] as Dims) : inDims, `argument ${i}`, "inDims", change),
    );
  const lanes = new Lanes(openSink(), countOf(each), randomness);
  const given = each((x, dim) => (dim === null ? x : entered(lanes, x, dim)));
  try {
    const value = sendingTo(lanes, () => fn(...(given as never[])));
    checkSynchronous("vmap", value, "bad-vmap", "Load data before, and pass it as an argument.");
    if (value === undefined || value === null)
      throw refusal(
        `the function returned ${value}, not a tensor`,
        "Return a tensor, or arrays and objects of tensors.",
      );
    const left = new Set<unknown>();
    return changed(value, outDims, "the result", "outDims", (x, dim, place) => {
      if (dim === null) throw badDim("outDims", place, dim);
      return result(lanes, x, dim, place, left);
    });
  } finally {
    lanes.isOpen = false;
  }
}

/** The number of lanes. */
function countOf(each: (change: Change) => unknown): number {
  let first: { readonly count: number; readonly place: string } | undefined;
  each((x, dim, place) => {
    if (dim === null) return;
    const count = x.shape[dimOf(x, dim, place, "inDims")] as number;
    first ??= { count, place };
    if (count === first.count) return;
    throw new JitlabError(
      "shape-mismatch",
      `vmap: ${first.place} has ${first.count} lanes, and ${place} has ${count} along dimension ${dim} of its shape ${formatShape(x.shape)}.`,
      "All mapped dimensions have one extent; inDims names null for a tensor that all lanes share.",
    );
  });
  if (first !== undefined) return (first as { readonly count: number }).count;
  throw new JitlabError(
    "bad-argument",
    "vmap: no argument has lanes.",
    "inDims names a dimension of at least one tensor. Tensors are looked for in arrays and plain objects, not in a Map or an instance of a class.",
  );
}

/** A tensor of a lane of an argument. */
function entered(lanes: Lanes, x: Tensor, dim: number): Tensor {
  const d = dim < 0 ? dim + x.ndim : dim;
  const moved = d === 0 ? x : x.movedim(d, 0);
  const apart = Math.abs(moved.strides[0] as number);
  const isInside = moved.shape.some((n, k) => k > 0 && n > 1 && Math.abs(moved.strides[k] as number) > apart);
  const isCopied = isInside && moved.size > 0;
  const own = lanes.lane(isCopied ? moved.contiguous() : moved, true, emptyTensor, false);
  if (isCopied) (own.storage as LaneStorage).copiedFrom = d;
  return own;
}

/** The elements of all lanes of a result. */
function result(lanes: Lanes, x: Tensor, dim: number, place: string, left: Set<unknown>): Tensor {
  const d = dimOf({ shape: [0, ...x.shape] }, dim, place, "outDims");
  const isOwn = x.storage instanceof LaneStorage && x.storage.batch === lanes && x.storage.isMade;
  const all = lanes.spread(x);
  const isFree = isOwn && lanes.isMapped(x) && all.isContiguous && !left.has(x.storage);
  left.add(x.storage);
  const own = isFree ? all : all.clone();
  return d === 0 ? own : own.movedim(0, d);
}

function dimOf({ shape }: Pick<Tensor, "shape">, dim: number, place: string, option: string): number {
  const rank = shape.length;
  if (Number.isInteger(dim) && dim >= -rank && dim < rank) return dim < 0 ? dim + rank : dim;
  const what =
    option === "inDims" ? ` of shape ${formatShape(shape)}` : `, which has ${rank} dimensions with the lanes`;
  throw new JitlabError(
    "bad-dimension",
    `vmap: ${option} is ${show(dim)} for ${place}${what}.`,
    rank === 0
      ? "A tensor without dimensions has no lanes: pass null."
      : `Dimensions run from ${-rank} to ${rank - 1}.`,
  );
}

function badDim(option: string, place: string, dim: unknown): JitlabError {
  return new JitlabError(
    "bad-argument",
    `vmap: ${option} is ${show(dim)} for ${place}.`,
    option === "inDims"
      ? "It is the number of a dimension, null, or a tree of them in the structure of the arguments."
      : "It is the number of a dimension, or a tree of them in the structure of the result.",
  );
}

/** A tree with other tensors, each changed with its dimension. */
function changed(tree: unknown, dims: Dims, place: string, option: string, change: Change): unknown {
  if (dims === null || typeof dims === "number") {
    return withLeaves(tree, `in ${place} of vmap`, (leaf) => {
      if (leaf instanceof Tensor) return change(leaf, dims, place);
      // Derivatives of what is no tensor are undefined.
      if (option === "inDims" || leaf === undefined || leaf === null) return leaf;
      throw refusal(
        `${place} has ${show(leaf)}, which is not a tensor`,
        "Return a tensor, or arrays and objects of tensors.",
      );
    });
  }
  const isList = isArray(dims);
  const isTree = isBranch(dims) && isBranch(tree) && isList === Array.isArray(tree);
  const keys = isTree ? Object.keys(tree) : [];
  const other = isTree ? keys.find((key) => !Object.hasOwn(dims, key)) : undefined;
  if (!isTree || other !== undefined || Object.keys(dims).length !== keys.length) {
    const found = other === undefined ? "" : `, which has no ${show(other)}`;
    throw new JitlabError(
      "bad-argument",
      `vmap: ${option} is ${show(dims)} for ${place}${found}.`,
      "It has the structure of the tensors, or is one number or null for all of them.",
    );
  }
  const parts = dims as unknown as Readonly<Record<string, Dims>>;
  const entries = Object.entries(tree).map(
    ([key, one]) =>
      [
        key,
        changed(one, parts[key] as Dims, isList ? `${place}[${key}]` : `${place}.${key}`, option, change),
      ] as const,
  );
  return isList ? entries.map(([, one]) => one) : Object.fromEntries(entries);
}
