// A loop on a tape: its step is recorded once, and all steps are one operation.
import type { Storage } from "../device/storage.js";
import { contiguousStrides, sameNumbers } from "../geometry/layout.js";
import type { View } from "../geometry/view.js";
import { computing, openGraph } from "../launch/graph.js";
import { type LoopOperation, type OpaqueDefinition, wholeOperation } from "../launch/operation.js";
import { perform } from "../launch/perform.js";
import { openSink, type Sink } from "../launch/sink.js";
import type { Window } from "../program/operations/window.js";
import type { Path } from "../program/tape/path.js";
import { Programs } from "../program/tape/programs.js";
import { Tape } from "../program/tape/tape.js";
import { undoingDraws } from "../tensor/generator-states.js";
import { cat } from "../tensor/join.js";
import { keepStream, skipStreams } from "../tensor/random.js";
import { emptyTensor, Tensor } from "../tensor/tensor.js";
import { NoLoop } from "./body-tape.js";
import { LoopPlan } from "./loop-plan.js";
import { checkSame, layoutRefusal, type Recording, record } from "./loop-record.js";
import { stepByStep } from "./step-by-step.js";
import type { Made } from "./step-kernel.js";

/** The loops of one path of a step. */
interface Known {
  readonly plan: LoopPlan;
  readonly definition: OpaqueDefinition;
  readonly key: string;
}

/** The paths of the steps in a compiled function. */
const paths = new WeakMap<Programs, { programs: Programs; plans: number }>();
/** So many planned steps of one function are remembered; then all are forgotten. */
const mostPlans = 256;
const known = new WeakMap<Path, Known[]>();
/** So many loops with steps on one path are remembered. */
const mostKnown = 8;

/** What a loop is made of. */
type LoopParts = Pick<
  LoopOperation,
  "name" | "steps" | "isReversed" | "isWhole" | "carry" | "along" | "body"
>;

/** A loop of these parts. */
export function loopOf(parts: LoopParts): LoopOperation {
  const loop: LoopOperation = {
    ...parts,
    kind: "loop",
    out: [],
    inputs: [...parts.carry, ...parts.along],
    run: () => stepByStep(loop),
    defer: <V extends View>(tape: unknown) =>
      deferLoop(loop, tape) as readonly View[] as readonly V[] | undefined,
  };
  return loop;
}

/** All steps of a loop, of which some ran before, as one operation of a tape; undefined where they have to run one by one. */
function deferLoop(operation: LoopOperation, sink: unknown, before = 0): readonly Tensor[] | undefined {
  const recording = sink instanceof Tape ? recordingOf(operation, sink, before) : undefined;
  if (recording === undefined) return undefined;
  return recording === "unsettled"
    ? behindFirst(operation, sink as Tape, before)
    : recorded(operation, recording);
}

/** The recording of a step; undefined where the steps have to run one by one. */
function recordingOf(
  operation: LoopOperation,
  sink: Tape,
  before: number,
): Recording | "unsettled" | undefined {
  const { carry, along, steps } = operation;
  if (!endsInTapes(sink) || openGraph() || steps < 2) return undefined;
  const [first] = carry as readonly [View];
  const isOdd = (x: View) => x.size === 0 || x.device !== first.device;
  if (carry.some(isOdd) || along.some(isOdd)) return undefined;
  const restore = keepStream();
  return undoingDraws((undoOwn) => {
    const undo = () => {
      restore();
      undoOwn();
    };
    try {
      return settled(operation, sink, undo, before);
    } catch (error) {
      if (!(error instanceof NoLoop)) throw error;
      // It reads elements, tests indexes, writes what it has not made or draws from a generator of its own: the host takes part in
      // each step.
      undo();
      return undefined;
    }
  });
}

/** How a loop ended that may end before its last step. */
export interface Ended {
  readonly carry: readonly Tensor[];
  readonly steps: number;
}

/**
 * Runs steps of a loop in a compiled function, by a recorded one, while its only result is true. Undefined where they have to run one by
 * one, and `"unsettled"` where the first one does, which changes the layout of the carry.
 */
export function runWhile(operation: LoopOperation): Ended | "unsettled" | undefined {
  const sink = openSink();
  const recording = sink instanceof Tape ? recordingOf(operation, sink, 0) : undefined;
  if (recording === undefined || recording === "unsettled") return recording;
  const { plan } = knownOf(recording, operation);
  recording.tape.close();
  const { carry, outside } = inputsOf(operation, recording);
  return computing(() => {
    const [{ window }] = plan.results as readonly [Made];
    const results = [emptyTensor([], [], window.dtype, recording.tape.device)];
    const { scalars, drawn } = recording;
    const { last, steps } = plan.runWhile({ carry, along: [], outside, last: [], results, scalars });
    skipStreams((steps - 1) * drawn);
    const shown = ({ window: { offset, dtype, shape, strides } }: Made, i: number) =>
      new Tensor(last[i] as Storage, offset * dtype.bytes, shape, strides, dtype);
    return { carry: plan.carry.map(shown), steps };
  });
}

/** All steps by a recorded one. */
function recorded(operation: LoopOperation, recording: Recording): readonly Tensor[] {
  const { along, steps } = operation;
  skipStreams((steps - 1) * recording.drawn);
  const { plan, definition } = knownOf(recording, operation);
  recording.tape.close();
  const { carry, outside } = inputsOf(operation, recording);
  const inputs = [...carry, ...along, ...outside];
  const results = perform(wholeOperation(definition, inputs, undefined, recording.scalars), emptyTensor);
  const shown = ({ window }: Made, i: number, isEach: boolean): Tensor => {
    const { shape, strides, dtype, size, offset } = window;
    const { storage } = results[i] as Tensor;
    if (!isEach) return new Tensor(storage, offset * dtype.bytes, shape, strides, dtype);
    return new Tensor(storage, 0, [steps, ...shape], [size, ...strides], dtype);
  };
  return [
    ...plan.carry.map((made, i) => shown(made, i, false)),
    ...plan.results.map((made, i) => shown(made, carry.length + i, true)),
  ];
}

/** The first carry as the step reads it, and what all steps read. */
function inputsOf({ carry }: LoopOperation, recording: Recording) {
  const first = carry.map((x, i) => inLayout(x as Tensor, recording.carry[i] as Tensor));
  return { carry: first, outside: outsideOf(recording) };
}

/** The first step by itself, after which the carry may keep its layout, and then the others. */
function behindFirst(operation: LoopOperation, sink: Tape, before: number): readonly Tensor[] | undefined {
  const { steps, isReversed, carry, along, body } = operation;
  if (steps < 3) return undefined;
  const at = isReversed ? steps - 1 : 0;
  const all = along as readonly Tensor[];
  const [next, results] = body(
    carry,
    all.map((x) => x.select(0, at)),
  );
  const left = all.map((x) => x.narrow(0, isReversed ? 0 : 1, steps - 1));
  const { name } = operation;
  const rest = loopOf({ name, steps: steps - 1, isReversed, carry: next, along: left, body });
  const found = deferLoop(rest, sink, before + 1) ?? stepByStep(rest);
  const each = (results as readonly Tensor[]).map((x, i) => {
    const others = found[carry.length + i] as Tensor;
    return cat(isReversed ? [others, x.unsqueeze(0)] : [x.unsqueeze(0), others]);
  });
  return [...found.slice(0, carry.length), ...each];
}

/** True if nothing but tapes, and a list of kernels, receives the operations. */
function endsInTapes(sink: Sink): boolean {
  for (let one: Sink | undefined = sink; one !== undefined; one = one.outer)
    if (one.name !== "tape" && one.name !== "list") return false;
  return true;
}

/**
 * Records the step, and then once more to see that it does the same. The first steps of a loop may change the layout of the carry, on
 * which the order of sums depends: one tensor of it after the other, each by those that it is made of. Then it is not settled before.
 */
function settled(
  operation: LoopOperation,
  tape: Tape,
  undo: () => void,
  before: number,
): Recording | "unsettled" {
  const programs = pathsOf(tape.programs);
  const all: Recording[] = [];
  const next = (strides: readonly (readonly number[])[]) => {
    undo();
    const recording = record(operation, strides, programs, tape);
    all.push(recording);
    return recording;
  };
  let found: Recording | undefined;
  try {
    let strides = layoutsOf(operation);
    let recording = next(strides);
    if (!isSame(layoutsOf(recording), strides)) {
      if (before <= strides.length) {
        undo();
        return "unsettled";
      }
      const last = recording;
      strides = layoutsOf(last);
      // A carry with gaps, which is handed on as it is, has none where the loop keeps it.
      recording = next(strides);
      if (!isSame(layoutsOf(recording), strides))
        throw layoutRefusal(operation.name, last.carry, recording.carry);
    }
    checkSame(operation.name, recording, next(strides));
    found = recording;
    return recording;
  } finally {
    for (const { tape: own } of all) if (own !== found?.tape) own.close();
  }
}

function layoutsOf({ carry }: { readonly carry: readonly View[] }): readonly (readonly number[])[] {
  return carry.map((x) => x.strides);
}

function isSame(a: readonly (readonly number[])[], b: readonly (readonly number[])[]): boolean {
  return a.every((strides, i) => sameNumbers(strides, b[i] as readonly number[]));
}

function pathsOf(programs: Programs): Programs {
  const own = paths.get(programs);
  if (own && own.plans < mostPlans) return own.programs;
  const fresh = new Programs(programs.name, programs.backend, false, programs.exact, false);
  paths.set(programs, { programs: fresh, plans: 0 });
  return fresh;
}

/** The first carry in the layout of the later ones. */
function inLayout(x: Tensor, { strides, shape, dtype, device }: Tensor): Tensor {
  if (sameNumbers(x.strides, strides)) return x;
  return emptyTensor(shape, strides, dtype, device).copy_(x);
}

/** Tensors over the memory that all steps read. */
function outsideOf({ sources, tape }: Recording): Tensor[] {
  return sources.flatMap((source, i) => {
    if (source.kind !== "outside") return [];
    const windows = tape.nodes.flatMap(({ slot }) =>
      slot.operands.flatMap(({ ref, window }) => (ref === -i - 1 && window ? [window] : [])),
    );
    const { storage } = source;
    const { dtype } = windows[0] as Window;
    return [new Tensor(storage, 0, [storage.bytes / dtype.bytes], [1], dtype)];
  });
}

function knownOf(recording: Recording, { steps, isReversed, name, carry, along }: LoopOperation): Known {
  const { tape, wanted, sources } = recording;
  const list = known.get(tape.path) ?? [];
  known.set(tape.path, list);
  const kinds = sources.map((source) => `${source.kind}${"index" in source ? source.index : ""}`);
  const sizes = [steps, Number(isReversed), carry.length, along.length];
  const layouts = recording.carry.map(({ strides }) => `${strides}`).join(";");
  const key = `${name};${sizes};${wanted.map(({ ref }) => ref)};${kinds};${layouts}`;
  const same = list.find((one) => one.key === key);
  if (same) return same;
  const plan = new LoopPlan(recording, steps, isReversed);
  const own = { plan, definition: definitionOf(name, plan, along.length), key };
  const counts = paths.get((tape.outer as Tape).programs);
  if (counts) counts.plans++;
  list.unshift(own);
  if (list.length > mostKnown) list.pop();
  return own;
}

function definitionOf(name: string, plan: LoopPlan, alongs: number): OpaqueDefinition {
  const { steps } = plan;
  const carries = plan.carry.length;
  const results = [
    ...plan.carry.map((made) => [made.window.dtype, shapeOf(made)] as const),
    ...plan.results.map(({ window }) => [window.dtype, [steps, ...window.shape]] as const),
  ];
  return {
    kind: "opaque",
    name,
    results: () => results,
    parameters: plan.parameters,
    readsLayouts: true,
    run: (inputs, outputs, scalars) =>
      plan.run({
        carry: inputs.slice(0, carries),
        along: inputs.slice(carries, carries + alongs),
        outside: inputs.slice(carries + alongs),
        last: outputs.slice(0, carries),
        results: outputs.slice(carries),
        scalars,
      }),
  };
}

/** The shape of the memory of a carry. */
function shapeOf({ bytes, window: { shape, strides, dtype, size } }: Made): readonly number[] {
  const isDense = sameNumbers(contiguousStrides(shape), strides) && size * dtype.bytes === bytes;
  return isDense ? shape : [bytes / dtype.bytes];
}
