// The recording of one step of a loop: its operations, what their leaves are, and which of their results are the next carry and the
// results of the step.
import { JitlabError } from "../base/errors.js";
import type { Device } from "../device/device.js";
import type { PooledStorage } from "../device/pooled-storage.js";
import { copyFunctor } from "../functor/functor.js";
import { formatShape, reach, sameNumbers } from "../geometry/layout.js";
import type { View } from "../geometry/view.js";
import { dispatch } from "../launch/map-launch.js";
import type { LoopOperation } from "../launch/operation.js";
import { type Sink, sendingTo } from "../launch/sink.js";
import type { Scalar } from "../ops/op.js";
import { isMap, type Node, type Value, valuesIn } from "../program/operations/ir.js";
import { isTensor, windowOn } from "../program/operations/window.js";
import { placed } from "../program/schedule/description.js";
import type { Programs } from "../program/tape/programs.js";
import { streamState } from "../tensor/random.js";
import { emptyTensor, Tensor } from "../tensor/tensor.js";
import { BodyTape, NoLoop, type Source } from "./body-tape.js";

/** A recorded step. */
export interface Recording {
  readonly tape: BodyTape;
  readonly sources: readonly Source[];
  readonly carry: readonly Tensor[];
  readonly results: readonly Tensor[];
  /** The values of the next carry, then those of the results. */
  readonly wanted: readonly Value[];
  /** The numbers of the call, in the order of the operations. */
  readonly scalars: readonly Scalar[];
  /** How many streams of random numbers it draws. */
  readonly drawn: number;
}

/** The bytes from the first element of a view to its last. */
export function spanOf({ shape, strides, dtype }: View): number {
  const [before, after] = reach(shape, strides);
  // Its memory would begin before its first element.
  if (before !== 0) throw new NoLoop();
  return (after + 1) * dtype.bytes;
}

/** Records a step for a carry with these strides. */
export function record(
  { carry, along, body }: LoopOperation,
  strides: readonly (readonly number[])[],
  programs: Programs,
  outer: Sink,
): Recording {
  const { device } = carry[0] as View;
  const tape = new BodyTape(programs, outer, device);
  const given = (kind: "carry" | "along", index: number, x: View) =>
    new Tensor(tape.standIn(spanOf(x), { kind, index }), 0, x.shape, x.strides, x.dtype);
  const before = streamState();
  const run = (): Recording => {
    const [next, results] = body(
      carry.map((x, i) => given("carry", i, { ...layoutOf(x, device), strides: strides[i] as number[] })),
      along.map((x, i) =>
        given("along", i, { ...layoutOf(x, device), shape: x.shape.slice(1), strides: x.strides.slice(1) }),
      ),
    ) as readonly [readonly Tensor[], readonly Tensor[]];
    const known = new Set<Value>();
    // A carry keeps its layout, also as a part of what the step has made; the results of all steps are one tensor.
    const own = (x: Tensor, isDense: boolean): Tensor => {
      const value = tape.resultOf(x);
      const fits = value && (!isDense || (x.isContiguous && value.isWhole(windowOn(x))));
      const made = !fits || known.has(value) ? copyOf(x, isDense) : x;
      known.add(tape.resultOf(made) as Value);
      return made;
    };
    const [carried, each] = [next.map((x) => own(x, false)), results.map((x) => own(x, true))];
    const after = streamState();
    // A generator of its own, or a seed.
    if (after.seedings !== before.seedings || !tape.untested.isEmpty) throw new NoLoop();
    return {
      tape,
      sources: tape.sources(),
      carry: carried,
      results: each,
      wanted: [...known],
      scalars: tape.nodes.flatMap(scalarsIn),
      drawn: after.stream - before.stream,
    };
  };
  try {
    return sendingTo(tape, run);
  } catch (error) {
    tape.close();
    throw error;
  }
}

function layoutOf({ shape, strides, dtype, size, isContiguous }: View, device: Device): View {
  return { pointer: 0, shape, strides, dtype, device, size, isContiguous };
}

function copyOf(x: Tensor, isDense: boolean): Tensor {
  if (isDense && !x.isContiguous) return x.contiguous();
  return dispatch(copyFunctor, [x], emptyTensor, {})[0] as Tensor;
}

/** The numbers of an operation's call: its operands, then its parameters. */
export function scalarsIn(node: Node): readonly Scalar[] {
  const operands = isMap(node) ? node.operands.filter((one) => !isTensor(one)) : [];
  return [...(operands as Scalar[]), ...valuesIn(node)];
}

/** Throws if two recordings of a step differ: a step is a function of its carry and its elements. */
export function checkSame(what: string, a: Recording, b: Recording): void {
  const difference = differenceOf(a, b);
  if (difference === undefined) return;
  throw new JitlabError(
    "impure-step",
    `${what}: the step does not do the same in each call: ${difference}.`,
    "In a compiled function a step is recorded once, for all steps. What changes from step to step belongs to the carry, or to xs.",
  );
}

function differenceOf(a: Recording, b: Recording): string | undefined {
  const most = Math.max(a.tape.nodes.length, b.tape.nodes.length);
  for (let i = 0; i < most; i++) {
    const [one, other] = [a.tape.nodes[i], b.tape.nodes[i]];
    if (one?.slot === other?.slot && one && other) {
      const [before, now] = [scalarsIn(one), scalarsIn(other)];
      const at = before.findIndex((value, k) => !isSameScalar(value, now[k] as Scalar));
      if (at >= 0) return `a number of ${placed(one.slot)} was ${text(before[at])}, then ${text(now[at])}`;
      continue;
    }
    if (one === undefined) return `${placed((other as Node).slot)} is new the second time`;
    if (other === undefined) return `${placed(one.slot)} is missing the second time`;
    return `operation ${i + 1} was ${placed(one.slot)}, then ${placed(other.slot)}`;
  }
  const odd = a.sources.findIndex((source, i) => !isSameSource(source, b.sources[i]));
  if (odd >= 0) {
    const reader = a.tape.nodes.find(({ slot }) => slot.operands.some(({ ref }) => ref === -odd - 1));
    return `${reader ? placed(reader.slot) : "it"} reads another tensor the second time`;
  }
  const [refs, others] = [a.wanted.map(({ ref }) => ref), b.wanted.map(({ ref }) => ref)];
  return sameNumbers(refs, others) ? undefined : "it returns other results the second time";
}

function text(value: Scalar | undefined): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function isSameScalar(a: Scalar, b: Scalar): boolean {
  return Object.is(a, b) || (typeof a === "object" && text(a) === text(b));
}

function isSameSource(a: Source, b: Source | undefined): boolean {
  if (a.kind !== b?.kind) return false;
  if (a.kind === "outside") {
    const other = (b as typeof a).storage;
    return a.storage === other || hasSameBytes(a.storage, other);
  }
  return a.kind === "fresh" || a.index === (b as typeof a).index;
}

/** True for equal tensors of numbers, which a step makes anew each time. */
function hasSameBytes(a: PooledStorage, b: PooledStorage): boolean {
  if (a.bytes !== b.bytes || a.pending || b.pending) return false;
  const [one, other] = [a, b].map((storage) => {
    const bytes = new Uint8Array(storage.bytes);
    storage.device.read(storage.pointer, bytes);
    return bytes;
  }) as [Uint8Array, Uint8Array];
  return Buffer.compare(one, other) === 0;
}

/** Throws where the layout of a carry does not stand. */
export function layoutRefusal(what: string, before: readonly View[], after: readonly View[]): JitlabError {
  const at = before.findIndex((x, i) => !sameNumbers(x.strides, (after[i] as View).strides));
  const [one, other] = [before[at] as View, after[at] as View];
  return new JitlabError(
    "bad-layout",
    `${what}: tensor ${at} of the carry, of shape ${formatShape(one.shape)}, has the strides ${formatShape(one.strides)} after one step, and ${formatShape(other.strides)} after the next.`,
    "Return it from each step in one layout: x.contiguous().",
  );
}
