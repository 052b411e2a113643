// jl.scan: a loop whose steps hand on a carry. It is the plain loop; in a compiled function all its steps are one operation.
import { checkFunction, checkSynchronous, countOf, optionsOf } from "../base/arguments.js";
import { isArray, JitlabError, show } from "../base/errors.js";
import { formatShape } from "../geometry/layout.js";
import { perform } from "../launch/perform.js";
import { beneathCasts } from "../launch/sink.js";
import { zeros } from "../tensor/create.js";
import { keepStream } from "../tensor/random.js";
import { emptyTensor, Tensor } from "../tensor/tensor.js";
import { mapTree, tensorsIn, withLeaves } from "../tensor/tree.js";
import { alike, Carry, treeOf } from "./carry.js";
import { loopOf } from "./loop-body.js";

/** Options of scan. */
export interface ScanOptions {
  /** The number of steps; needed without `xs`. */
  readonly length?: number;
  /** From the last element of `xs` to the first; the results stand beside their elements. Default false. */
  readonly reverse?: boolean;
}

/** What a scan returns. */
export interface Scanned<C, Y> {
  /** The carry after the last step. */
  readonly carry: C;
  /** The second results of all steps, as tensors with one more dimension in front. */
  readonly ys: Y;
}

/**
 * Calls `f(carry, x)` for each element `x` of the first dimension of the tensors in `xs`; it returns the next carry and a result of
 * the step: `[carry, y]`. A carry keeps its structure, shapes and dtypes.
 *
 * @example jl.scan((sum, x) => [sum.add(x), sum], jl.tensor(0), jl.arange(1, 4)).ys.toArray() // [0, 1, 3]
 */
export function scan<C, Y = undefined>(
  f: (carry: C, x: undefined) => readonly [C, Y?],
  init: C,
  options: ScanOptions,
): Scanned<C, Y>;
export function scan<C, X = undefined, Y = undefined>(
  f: (carry: C, x: X) => readonly [C, Y?],
  init: C,
  xs?: X,
  options?: ScanOptions,
): Scanned<C, Y>;
export function scan<C, X, Y>(
  f: (carry: C, x: X) => readonly [C, Y?],
  init: C,
  given?: X,
  last?: ScanOptions,
): Scanned<C, Y> {
  const what = "scan";
  checkFunction(what, "the step", f);
  const isEarly = last === undefined && tensorsIn(given).length === 0;
  const [xs, options] = isEarly ? [undefined as X, given as ScanOptions | undefined] : [given, last];
  const { length, reverse = false } = optionsOf(what, options, ["length", "reverse"]);
  const steps = stepsOf(xs, length);
  const kept = new Carry(what, init);
  if (steps === 0) return { carry: init, ys: withoutSteps(f, init, xs as X) };
  return beneathCasts(f, (own) => {
    let y: Y | undefined;
    let calls = 0;
    const loop = loopOf({
      name: what,
      steps,
      isReversed: reverse,
      carry: tensorsIn(init),
      along: tensorsIn(xs),
      body: (carry, elements) => {
        const [next, result] = steppedBy(own(treeOf(init, carry), treeOf(xs as X, elements)));
        kept.check(next, ++calls);
        y = result;
        withResults(y, (x) => x);
        return [alike(what, next, init), tensorsIn(y)];
      },
    });
    const found = perform(loop, emptyTensor);
    const results = found.slice(loop.carry.length);
    let k = 0;
    return {
      carry: treeOf(init, found.slice(0, loop.carry.length)),
      ys: withResults(y, () => results[k++] as Tensor) as Y,
    };
  });
}

function stepsOf(xs: unknown, length: unknown): number {
  const given = length === undefined ? undefined : countOf("scan", "length", length);
  let steps = given;
  for (const { shape } of tensorsIn(xs)) {
    const [count] = shape;
    if (count === undefined) {
      throw new JitlabError(
        "bad-dimension",
        "scan: a tensor of xs has no dimensions, so it has no elements to go along.",
        "Read it from the surroundings of the step.",
      );
    }
    steps ??= count;
    if (count === steps) continue;
    throw new JitlabError(
      "shape-mismatch",
      `scan: a tensor of xs has the shape ${formatShape(shape)} for ${steps} steps${given === undefined ? ", as many as the first one has" : ""}.`,
      "All have as many elements in their first dimension as there are steps.",
    );
  }
  if (steps !== undefined) return steps;
  throw new JitlabError(
    "bad-argument",
    "scan: the number of steps is unknown.",
    "Pass tensors to go along, or the option length.",
  );
}

/** The carry and the result that a step returned. */
function steppedBy<C, Y>(value: readonly [C, Y?]): readonly [C, Y | undefined] {
  checkSynchronous("scan", value, "bad-argument", "Load data before, and pass it as an argument.");
  if (isArray(value) && (value.length === 1 || value.length === 2)) return [value[0] as C, value[1]];
  throw new JitlabError(
    "bad-argument",
    `scan: a step returned ${show(value)}.`,
    "It returns the next carry and a result: [carry, y]; undefined for no result.",
  );
}

/** The results of no steps: their shapes are those of a step that is not counted. */
function withoutSteps<C, X, Y>(f: (carry: C, x: X) => readonly [C, Y?], init: C, xs: X): Y {
  const undo = keepStream();
  try {
    const empty = (x: Tensor) => zeros([...x.shape.slice(1)], { dtype: x.dtype.name, device: x.device.name });
    const copy = mapTree(init, (x) => x.clone(), true) as C;
    const [, y] = steppedBy(f(copy, mapTree(xs, empty, true) as X));
    const none = (x: Tensor) => zeros([0, ...x.shape], { dtype: x.dtype.name, device: x.device.name });
    return withResults(y, none) as Y;
  } finally {
    undo();
  }
}

function withResults(tree: unknown, change: (x: Tensor) => Tensor): unknown {
  return withLeaves(tree, "in the result of a step of scan", (leaf) => {
    if (leaf instanceof Tensor) return change(leaf);
    if (leaf === undefined || leaf === null) return leaf;
    throw new JitlabError(
      "bad-argument",
      `scan: the result of a step has ${show(leaf)}, which is not a tensor.`,
      "Return tensors beside the carry, or undefined.",
    );
  });
}
