// The plan of one step of a loop, and how all steps run by it: as one kernel where the step is one map, else launch by launch, over other
// addresses in each step.
import type { Device } from "../device/device.js";
import { allocate } from "../device/memory.js";
import type { PooledStorage } from "../device/pooled-storage.js";
import type { Parameter } from "../functor/functor.js";
import type { View } from "../geometry/view.js";
import { mayRepeat } from "../launch/repeated-launches.js";
import { isListed } from "../launch/sink.js";
import type { Scalar } from "../ops/op.js";
import { isMap, type Node, parametersIn, type Value, valuesIn } from "../program/operations/ir.js";
import { isTensor, windowOn } from "../program/operations/window.js";
import { valueAt } from "../program/schedule/binding.js";
import { compileKernels, listLaunches } from "../program/schedule/collect.js";
import type { Plan } from "../program/schedule/launches.js";
import { makePlan } from "../program/schedule/plan.js";
import { RepeatedPlan } from "../program/schedule/repeated-plan.js";
import { ComposedSteps, type RepeatedStep } from "./composed-steps.js";
import type { Recording } from "./loop-record.js";
import { type LoopCall, type Made, StepKernel, type StepSource } from "./step-kernel.js";

/** So many steps of a loop whose end its condition decides are launched one by one before they are composed. */
const stepsAlone = 8;

/** A planned step. */
export class LoopPlan implements RepeatedStep {
  readonly plan: Plan;
  readonly nodes: readonly Node[];
  readonly leaves: readonly Value[];
  /** Of the leaves, in their order; those outside by the numbers of the call's tensors. */
  readonly sources: readonly StepSource[];
  readonly carry: readonly Made[];
  readonly results: readonly Made[];
  /** The parameters whose values are the numbers of a call, and the place of the first one of each operation. */
  readonly parameters: readonly Parameter[];
  readonly firsts: readonly number[];
  readonly drawn: number;
  readonly #kernel: StepKernel | undefined;
  /** The launches of a step with the numbers of the latest call. */
  #repeated: RepeatedPlan;
  #isCompiled = false;
  /** Several steps as one piece of work, and whether there may be one. */
  #composed: ComposedSteps | undefined;
  #isComposable = true;
  readonly #device: Device;

  constructor(
    { tape, sources, carry, results, wanted, drawn }: Recording,
    readonly steps: number,
    readonly isReversed: boolean,
  ) {
    this.nodes = [...tape.nodes];
    this.leaves = [...tape.leaves];
    this.#device = tape.device;
    let outside = 0;
    this.sources = sources.map((source) =>
      source.kind === "outside" ? { kind: source.kind, index: outside++ } : source,
    );
    const made = [...carry, ...results].map((x, i): Made => {
      const { ref, bytes } = wanted[i] as Value;
      return { ref, bytes, window: windowOn(x) };
    });
    this.carry = made.slice(0, carry.length);
    this.results = made.slice(carry.length);
    let first = 0;
    this.firsts = this.nodes.map((node) => {
      const own = first;
      first += numbersOf(node).length;
      return own;
    });
    this.parameters = this.nodes.flatMap(numbersOf);
    this.drawn = drawn;
    this.plan = makePlan(wanted, tape.programs, tape, true);
    this.#kernel = StepKernel.of(this);
    this.#repeated = new RepeatedPlan(this.plan, this.nodes, []);
  }

  /** Runs all steps, or lists their kernels. */
  run(call: LoopCall): void {
    if (this.#kernel) this.#kernel.run(call);
    else if (isListed()) listLaunches(this.plan, { nodes: this.nodes, leaves: this.leaves });
    else this.#repeat(call);
  }

  /** Runs steps while the only result of one is true, at most all. */
  runWhile(call: LoopCall): { readonly last: readonly PooledStorage[]; readonly steps: number } {
    if (!this.#isCompiled) compileKernels(this.plan, { nodes: this.nodes, leaves: this.leaves });
    this.#isCompiled = true;
    const { run, turns, carryAt } = this.#stepper(call);
    const goes = (place: View | PooledStorage) => {
      const byte = new Uint8Array(1);
      this.#device.read(place.pointer, byte);
      return byte[0] !== 0;
    };
    let steps = 0;
    let composed = this.#usable();
    while (composed === undefined) {
      run(steps++);
      if (steps === this.steps || !goes(call.results[0] as View)) break;
      if (steps === stepsAlone) composed = this.#compose(call, 1, true);
    }
    const last = turns.map((pair) => pair[Math.max(0, steps - 1) % 2] as PooledStorage);
    if (composed) {
      const { memory } = composed;
      memory.copyIn(call, carryAt(steps));
      steps += composed.runWhile(this.steps - steps, () => goes(memory.goesOn as PooledStorage));
      memory.copyOut(last.map(({ pointer }) => pointer));
    }
    for (const storage of turns.flat()) if (!last.includes(storage)) storage.dispose();
    return { last, steps };
  }

  #repeat(call: LoopCall): void {
    const { steps } = this;
    const { run, turns, carryAt } = this.#stepper(call);
    const count = ComposedSteps.countOf(this);
    let k = 0;
    const alone = (end: number) => {
      for (; k < end; k++) run(k, k === steps - 1 ? call.last : undefined);
    };
    const known = this.#usable();
    if (known === undefined) alone(count);
    const composed = known ?? (steps >= k + count ? this.#compose(call, count, false) : undefined);
    if (composed) {
      composed.memory.copyIn(call, carryAt(k));
      k = composed.run(call, k, steps);
      composed.memory.copyOut(k === steps ? call.last.map(({ pointer }) => pointer) : turnsAt(turns, k - 1));
    }
    alone(steps);
    for (const storage of turns.flat()) storage.dispose();
  }

  /** What was composed by an earlier call. */
  #usable(): ComposedSteps | undefined {
    if (mayRepeat() && this.#composed?.isUsable) return this.#composed;
    return undefined;
  }

  /** Steps as one piece of work of the device; undefined where it has none. */
  #compose(call: LoopCall, count: number, mayEnd: boolean): ComposedSteps | undefined {
    if (count === 0 || this.drawn > 0 || !this.#isComposable || !mayRepeat()) return undefined;
    this.#composed?.release();
    // A step that is one kernel of maps may write where it reads.
    const isInPlace = mayEnd && this.#kernel !== undefined;
    const made = ComposedSteps.of(this, this.#device, this.#repeated, call, count, mayEnd, isInPlace);
    this.#composed = made;
    this.#isComposable = made !== undefined;
    return made;
  }

  /** What runs one step, whose carry goes to one place and back, or where it is given. */
  #stepper(call: LoopCall) {
    const { steps, isReversed, drawn } = this;
    const [memory, places] = this.#memory(call);
    const turns = this.carry.map((made) => [0, 1].map(() => allocate(this.#device, made.bytes)));
    let nodes = this.#nodesOf(call.scalars, 0);
    if (nodes.some((node, i) => node !== this.#repeated.nodes[i] && !draws(node))) {
      this.#repeated = new RepeatedPlan(this.plan, nodes, []);
      this.#composed?.release();
      this.#composed = undefined;
    }
    const run = (k: number, last?: readonly View[]): void => {
      const t = isReversed ? steps - 1 - k : k;
      for (const [ref, view, distance, bytes] of places) memory.set(ref, at(view, t * distance, bytes));
      this.leaves.forEach((_, i) => {
        const source = this.sources[i];
        if (source?.kind !== "carry" || k === 0) return;
        const turn = turns[source.index]?.[(k - 1) % 2] as PooledStorage;
        const { dtype, offset } = (this.carry[source.index] as Made).window;
        memory.set(
          -i - 1,
          offset === 0 ? turn : turn.share(offset * dtype.bytes, (this.leaves[i] as Value).bytes),
        );
      });
      this.carry.forEach((made, i) => {
        memory.set(
          made.ref,
          last ? at(last[i] as View, 0, made.bytes) : (turns[i]?.[k % 2] as PooledStorage),
        );
      });
      if (drawn > 0) nodes = this.#nodesOf(call.scalars, k);
      this.#repeated.run(nodes, memory);
    };
    /** Where the carry of a step begins. */
    const carryAt = (k: number): readonly number[] => {
      if (k === 0) return call.carry.map(({ pointer }) => pointer);
      return turnsAt(turns, k - 1).map((pointer, i) => {
        const { offset, dtype } = (this.carry[i] as Made).window;
        return pointer + offset * dtype.bytes;
      });
    };
    return { run, turns, carryAt };
  }

  /** The memory of values in all steps, by their numbers, and what lies elsewhere in each: a view, and the bytes between steps. */
  #memory({ carry, along, outside, results }: LoopCall) {
    const memory = new Map<number, PooledStorage>();
    const places: (readonly [ref: number, view: View, distance: number, bytes: number])[] = [];
    this.sources.forEach((source, i) => {
      const ref = -i - 1;
      const value = this.leaves[i] as Value;
      if (source.kind === "fresh") memory.set(ref, allocate(this.#device, value.bytes));
      else if (source.kind === "outside") memory.set(ref, at(outside[source.index] as View, 0, value.bytes));
      else if (source.kind === "carry") memory.set(ref, at(carry[source.index] as View, 0, value.bytes));
      else {
        const view = along[source.index] as View;
        places.push([ref, view, (view.strides[0] as number) * view.dtype.bytes, value.bytes]);
      }
    });
    this.results.forEach((made, i) => {
      const view = results[i] as View;
      // The results of all steps, or the place of each.
      places.push([made.ref, view, view.size === made.window.size ? 0 : made.bytes, made.bytes]);
    });
    for (const [ref, storage] of this.intermediates()) memory.set(ref, storage);
    return [memory, places] as const;
  }

  intermediates(): ReadonlyMap<number, PooledStorage> {
    const memory = new Map<number, PooledStorage>();
    const given = new Set([...this.carry, ...this.results].map(({ ref }) => ref));
    const { launches, scratch } = this.plan;
    for (const { ref, base } of launches.flatMap((launch) => launch.outputs)) {
      for (const one of [ref, ...(base ? [base.ref] : [])]) {
        if (memory.has(one) || given.has(one) || one < 0 || scratch?.parts.has(one)) continue;
        memory.set(one, allocate(this.#device, valueAt(this, one).bytes));
      }
    }
    return memory;
  }

  /** The operations of a step with the numbers of the call: other objects where these are not those of the latest call. */
  #nodesOf(scalars: readonly Scalar[], step: number): readonly Node[] {
    const { parameters, firsts, drawn } = this;
    const { nodes } = this.#repeated;
    const numberAt = (i: number): Scalar =>
      parameters[i]?.draw === "stream" ? Number(scalars[i]) + step * drawn : (scalars[i] as Scalar);
    return nodes.map((node, number) => {
      let at = firsts[number] as number;
      const count = numbersOf(node).length;
      if (count === 0) return node;
      const operands = isMap(node) && node.operands.map((one) => (isTensor(one) ? one : numberAt(at++)));
      const own = parametersIn(node).map(() => numberAt(at++));
      const isSame = (a: readonly unknown[], b: readonly unknown[]) =>
        a.every((one, i) => Object.is(one, b[i]));
      const isKnown =
        isSame(own, valuesIn(node)) && (!operands || (isMap(node) && isSame(operands, node.operands)));
      if (isKnown && !draws(node)) return node;
      return { ...node, ...(operands && { operands }), parameters: own } as Node;
    });
  }
}

/** True for an operation that has other numbers in each step. */
function draws(node: Node): boolean {
  return parametersIn(node).some(({ draw }) => draw === "stream");
}

/** The numbers of an operation: its operands, then its parameters. */
function numbersOf(node: Node): readonly Parameter[] {
  const operands = isMap(node) ? node.operands.filter((one) => !isTensor(one)) : [];
  return [
    ...operands.map((_, i): Parameter => ({ name: `operand${i}`, type: "number", value: 0 })),
    ...parametersIn(node),
  ];
}

/** Where a step puts its carry. */
function turnsAt(turns: readonly (readonly PooledStorage[])[], step: number): readonly number[] {
  return turns.map((pair) => (pair[step % 2] as PooledStorage).pointer);
}

/** The memory of a view from some bytes behind its first element on. */
function at({ storage, pointer }: View, distance: number, bytes: number): PooledStorage {
  const own = storage as PooledStorage;
  return own.share(pointer - own.pointer + distance, bytes);
}
