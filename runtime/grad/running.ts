// What jl.grad and its kin share: running a function with a recorder, and trees of what is watched.
import { checkSynchronous } from "../base/arguments.js";
import { JitlabError } from "../base/errors.js";
import { sameNumbers } from "../geometry/layout.js";
import { openGraph } from "../launch/graph.js";
import { openSink, type Sink, sendingTo } from "../launch/sink.js";
import { zeros } from "../tensor/create.js";
import type { Tensor } from "../tensor/tensor.js";
import { isFloat, mapTree, tensorsIn } from "../tensor/tree.js";
import { Recorder } from "./recorder.js";
import type { Active } from "./rule.js";

/** A function of any arguments. */
// biome-ignore lint/suspicious/noExplicitAny: a function of any arguments
export type Fn<R> = (...args: any[]) => R;

/** A tree with copies: a tensor that is also another argument, or that a function knows from elsewhere, is a constant there. */
export function copied(tree: unknown): unknown {
  return mapTree(tree, (x) => (isFloat(x) ? x.clone() : x), true);
}

/** Runs with a recorder, which is closed in every case. */
export function recorded<R>(what: string, run: (recorder: Recorder) => R): R {
  refuseGraph(what);
  const recorder = new Recorder(openSink());
  try {
    return run(recorder);
  } finally {
    recorder.release();
  }
}

/** Refuses to differentiate while a graph is recorded. */
export function refuseGraph(what: string): void {
  if (openGraph() === undefined) return;
  throw new JitlabError(
    "no-derivative",
    `${what} cannot be called while a graph is recorded.`,
    "Compile it instead: jl.compile(jl.valueAndGrad(f)).",
  );
}

/** Runs a function whose operations a recorder or an enclosure receives. */
export function runIn<R>(sink: Sink, what: string, run: () => R): R {
  const value = sendingTo(sink, run);
  const help = "What is differentiated runs without waiting: load data before, and pass it as an argument.";
  checkSynchronous(what, value, "no-derivative", help);
  return value;
}

/** The float tensors of a tree, with what is watched of each. */
export type Leaves = ReadonlyMap<Tensor, Active>;

/** Watches the float tensors of a tree. */
export function watched(recorder: Recorder, tree: unknown): Leaves {
  return new Map(
    tensorsIn(tree)
      .filter(isFloat)
      .map((x) => [x, recorder.watch(x)]),
  );
}

/** What was added for each float tensor of a tree, in its structure. */
export function derivatives(tree: unknown, leaves: Leaves): unknown {
  return mapTree(tree, (x) => {
    const own = leaves.get(x);
    if (own === undefined) return undefined;
    const { window, adjoint } = own;
    return adjoint.isEmpty
      ? zeros([...x.shape], { dtype: x.dtype.name, device: x.device.name })
      : adjoint.of(window);
  });
}

/** The results and their cotangents. */
export function pairsOf(what: string, value: unknown, cotangent: unknown): (readonly [Tensor, Tensor])[] {
  const floats = tensorsIn(value).filter(isFloat);
  const given = tensorsIn(cotangent);
  const isFit = floats.every(({ shape }, i) => sameNumbers(shape, given[i]?.shape ?? []));
  if (floats.length === given.length && isFit) return floats.map((x, i) => [x, given[i] as Tensor] as const);
  const shapes = (list: readonly Tensor[]) => list.map(({ shape }) => `[${shape.join(", ")}]`).join(", ");
  throw new JitlabError(
    "shape-mismatch",
    `${what} have the shapes ${shapes(given)} beside ${shapes(floats)}.`,
    "Pass a tensor for each floating tensor, in the same structure and shape.",
  );
}
