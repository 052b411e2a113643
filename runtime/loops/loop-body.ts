// A loop on a tape: its step is recorded once, and all steps are one operation.
import { contiguousStrides, sameNumbers, sizeOf } from "../geometry/layout.js";
import type { View } from "../geometry/view.js";
import type { MakeOutput } from "../launch/calls.js";
import { openGraph } from "../launch/graph.js";
import { type LoopOperation, type OpaqueDefinition, wholeOperation } from "../launch/operation.js";
import { perform } from "../launch/perform.js";
import type { Sink } from "../launch/sink.js";
import type { Window } from "../program/graph/window.js";
import type { Path } from "../program/tape/path.js";
import { Programs } from "../program/tape/programs.js";
import { Tape } from "../program/tape/tape.js";
import { undoingDraws } from "../tensor/generator-states.js";
import { keepStream, skipStreams } from "../tensor/random.js";
import { emptyTensor, Tensor } from "../tensor/tensor.js";
import { NoLoop } from "./body-tape.js";
import { LoopPlan } from "./loop-plan.js";
import { checkSame, layoutRefusal, type Recording, record } from "./loop-record.js";
import type { Made } from "./step-kernel.js";

/** The loops of one path of a step. */
interface Known {
  readonly plan: LoopPlan;
  readonly definition: OpaqueDefinition;
  readonly key: string;
}

/** The paths of the steps in a compiled function. */
const paths = new WeakMap<Programs, Programs>();
const known = new WeakMap<Path, Known[]>();
/** So many loops with steps on one path are remembered. */
const mostKnown = 8;

/** All steps of a loop as one operation of a tape; undefined where they have to run one by one. */
export function deferLoop<V extends View>(
  operation: LoopOperation,
  sink: unknown,
  make: MakeOutput<V>,
): readonly V[] | undefined {
  const { carry, along, steps } = operation;
  if (!(sink instanceof Tape) || !endsInTapes(sink) || openGraph() || steps < 2) return undefined;
  const [first] = carry as readonly [View];
  const isOdd = (x: View) => x.size === 0 || x.device !== first.device;
  if (carry.some(isOdd) || along.some(isOdd)) return undefined;
  const restore = keepStream();
  const recording = undoingDraws((undoOwn) => {
    const undo = () => {
      restore();
      undoOwn();
    };
    try {
      return settled(operation, sink, undo);
    } catch (error) {
      if (!(error instanceof NoLoop)) throw error;
      // It reads elements, tests indexes, writes what it has not made or draws from a generator of its own: the host takes part in
      // each step.
      undo();
      return undefined;
    }
  });
  if (recording === undefined) return undefined;
  skipStreams((steps - 1) * recording.drawn);
  const { plan, definition } = loopOf(recording, operation);
  recording.tape.close();
  const inputs = [
    ...carry.map((x, i) => inLayout(x as Tensor, recording.carry[i] as Tensor)),
    ...along,
    ...outsideOf(recording),
  ];
  const results = perform(wholeOperation(definition, inputs, undefined, recording.scalars), emptyTensor);
  const shown = ({ window }: Made, i: number, isEach: boolean): V => {
    const { shape, strides, dtype, size } = window;
    const { device, storage } = results[i] as Tensor;
    if (!isEach) return make(shape, strides, dtype, device, storage);
    return make([steps, ...shape], [Math.max(size, 1), ...strides], dtype, device, storage);
  };
  return [
    ...plan.carry.map((made, i) => shown(made, i, false)),
    ...plan.results.map((made, i) => shown(made, carry.length + i, true)),
  ];
}

/** True if nothing but tapes, and a list of kernels, receives the operations. */
function endsInTapes(sink: Sink): boolean {
  for (let one: Sink | undefined = sink; one !== undefined; one = one.outer)
    if (one.name !== "tape" && one.name !== "list") return false;
  return true;
}

/** Records the step until the layout of its carry stands, and then once more, to see that it does the same. */
function settled(operation: LoopOperation, tape: Tape, undo: () => void): Recording {
  const programs = pathsOf(tape.programs);
  const next = (strides: readonly (readonly number[])[]) => {
    undo();
    return record(operation, strides, programs, tape);
  };
  const layoutsOf = ({ carry }: Recording) => carry.map((x) => x.strides);
  const isSame = (a: readonly (readonly number[])[], b: readonly (readonly number[])[]) =>
    a.every((strides, i) => sameNumbers(strides, b[i] as readonly number[]));
  let strides: readonly (readonly number[])[] = operation.carry.map((x) => x.strides);
  let recording = next(strides);
  // The first step may settle a layout.
  if (!isSame(layoutsOf(recording), strides)) {
    strides = layoutsOf(recording);
    const second = next(strides);
    if (!isSame(layoutsOf(second), strides))
      throw layoutRefusal(operation.name, recording.carry, second.carry);
    recording.tape.close();
    recording = second;
  }
  const other = next(strides);
  checkSame(operation.name, recording, other);
  other.tape.close();
  return recording;
}

function pathsOf(programs: Programs): Programs {
  const own =
    paths.get(programs) ?? new Programs(programs.name, programs.backend, false, programs.exact, false);
  paths.set(programs, own);
  return own;
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

function loopOf(recording: Recording, { steps, isReversed, name, carry, along }: LoopOperation): Known {
  const { tape, wanted, sources } = recording;
  const list = known.get(tape.path) ?? [];
  known.set(tape.path, list);
  const kinds = sources.map((source) => `${source.kind}${"index" in source ? source.index : ""}`);
  const key = `${steps};${isReversed};${carry.length};${along.length};${wanted.map(({ ref }) => ref)};${kinds}`;
  const same = list.find((one) => one.key === key);
  if (same) return same;
  const plan = new LoopPlan(recording, steps, isReversed);
  const own = { plan, definition: definitionOf(name, plan, along.length), key };
  list.unshift(own);
  if (list.length > mostKnown) list.pop();
  return own;
}

function definitionOf(name: string, plan: LoopPlan, alongs: number): OpaqueDefinition {
  const { steps } = plan;
  const carries = plan.carry.length;
  const results = [
    ...plan.carry.map(({ window }) => [window.dtype, denseShape(window.shape, window.strides)] as const),
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

/** The shape of contiguous memory for elements in that layout. */
function denseShape(shape: readonly number[], strides: readonly number[]): readonly number[] {
  return sameNumbers(contiguousStrides(shape), strides) ? shape : [sizeOf(shape)];
}
