// The plan of one step of a loop, and how all steps run by it: as one kernel where the step is one map, else launch by launch, over other
// addresses in each step.
import type { Device } from "../device/device.js";
import { allocate } from "../device/memory.js";
import type { PooledStorage } from "../device/pooled-storage.js";
import type { Parameter } from "../functor/functor.js";
import type { View } from "../geometry/view.js";
import { isListed } from "../launch/sink.js";
import type { Scalar } from "../ops/op.js";
import { isMap, type Node, parametersIn, type Value, valuesIn } from "../program/operations/ir.js";
import { isTensor, windowOn } from "../program/operations/window.js";
import { valueAt } from "../program/schedule/binding.js";
import { compileKernels, listLaunches } from "../program/schedule/collect.js";
import type { Plan } from "../program/schedule/launches.js";
import { makePlan } from "../program/schedule/plan.js";
import { RepeatedPlan } from "../program/schedule/repeated-plan.js";
import type { Recording } from "./loop-record.js";
import { type LoopCall, type Made, type PlannedStep, StepKernel, type StepSource } from "./step-kernel.js";

/** A planned step. */
export class LoopPlan implements PlannedStep {
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
    const { run, turns } = this.#stepper(call);
    const { pointer } = call.results[0] as View;
    const goes = new Uint8Array(1);
    let steps = 0;
    do {
      run(steps++);
      this.#device.read(pointer, goes);
    } while (goes[0] !== 0 && steps < this.steps);
    const last = turns.map((pair) => pair[(steps - 1) % 2] as PooledStorage);
    for (const storage of turns.flat()) if (!last.includes(storage)) storage.dispose();
    return { last, steps };
  }

  #repeat(call: LoopCall): void {
    const { steps } = this;
    const { run, turns } = this.#stepper(call);
    for (let k = 0; k < steps; k++) run(k, k === steps - 1 ? call.last : undefined);
    for (const storage of turns.flat()) storage.dispose();
  }

  /** What runs one step, whose carry goes to one place and back, or where it is given. */
  #stepper(call: LoopCall) {
    const { steps, isReversed, drawn } = this;
    const [memory, places] = this.#memory(call);
    const turns = this.carry.map((made) => [0, 1].map(() => allocate(this.#device, made.bytes)));
    let nodes = this.#nodesOf(call.scalars, 0);
    if (nodes.some((node, i) => node !== this.#repeated.nodes[i] && !draws(node)))
      this.#repeated = new RepeatedPlan(this.plan, nodes, []);
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
    return { run, turns };
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
    const given = new Set([...this.carry, ...this.results].map(({ ref }) => ref));
    const { launches, scratch } = this.plan;
    for (const { ref, base } of launches.flatMap((launch) => launch.outputs)) {
      for (const one of [ref, ...(base ? [base.ref] : [])]) {
        if (memory.has(one) || given.has(one) || one < 0 || scratch?.parts.has(one)) continue;
        memory.set(one, allocate(this.#device, valueAt(this, one).bytes));
      }
    }
    return [memory, places] as const;
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

/** The memory of a view from some bytes behind its first element on. */
function at({ storage, pointer }: View, distance: number, bytes: number): PooledStorage {
  const own = storage as PooledStorage;
  return own.share(pointer - own.pointer + distance, bytes);
}
