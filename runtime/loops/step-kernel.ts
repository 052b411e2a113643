// All steps of a loop as one kernel: where the step is one launch of maps, which compute each element of the next carry from the same
// element of the one before.
import { compose, isComposable } from "../codegen/composition/composer.js";
import type { Origin } from "../codegen/composition/composition.js";
import { steppedFunctor } from "../codegen/composition/step-loop.js";
import type { Functor, Parameter } from "../functor/functor.js";
import { sameNumbers } from "../geometry/layout.js";
import type { View } from "../geometry/view.js";
import { type LaunchSite, newSite } from "../launch/calls.js";
import { dispatch } from "../launch/map-launch.js";
import { isListed } from "../launch/sink.js";
import type { Scalar } from "../ops/op.js";
import type { MapNode, Node } from "../program/operations/ir.js";
import { sameWindow, viewAt, type Window } from "../program/operations/window.js";
import type { ReadRef, ScalarRef } from "../program/schedule/binding.js";
import { MapRun } from "../program/schedule/kinds/maps.js";
import type { Launch, Plan } from "../program/schedule/launches.js";

// A launch of so many steps times elements takes less than a second. An interrupt takes effect between two.
const mostWork = 2 ** 28;
const leastWork = 2 ** 10;

/** What a step makes: the number of its value, its bytes, and the layout of the elements in it. */
export interface Made {
  readonly ref: number;
  readonly bytes: number;
  readonly window: Window;
}

/** What a leaf of a step is; those outside by the numbers of the call's tensors. */
export type StepSource =
  | { readonly kind: "carry" | "along" | "outside"; readonly index: number }
  | { readonly kind: "fresh" };

/** A step with its plan. */
export interface PlannedStep {
  readonly steps: number;
  readonly isReversed: boolean;
  readonly plan: Plan;
  readonly nodes: readonly Node[];
  /** Of the leaves, in their order. */
  readonly sources: readonly StepSource[];
  readonly carry: readonly Made[];
  readonly results: readonly Made[];
  /** The parameters whose values are the numbers of a call, and the place of the first one of each operation. */
  readonly parameters: readonly Parameter[];
  readonly firsts: readonly number[];
  /** How many streams of random numbers a step draws. */
  readonly drawn: number;
}

/** All steps of a loop over the memory of a call: the carry, what it goes along, and what all steps read; the last carry and the results. */
export interface LoopCall {
  readonly carry: readonly View[];
  readonly along: readonly View[];
  readonly outside: readonly View[];
  readonly last: readonly View[];
  readonly results: readonly View[];
  readonly scalars: readonly Scalar[];
}

/** An input of the step: where its elements are. */
interface Input {
  readonly kind: "carry" | "along" | "outside";
  readonly index: number;
  readonly window: Window;
}

/** The functor of a launch of maps, with its operands in memory and its numbers; undefined if it cannot be a part of another. */
function composedOf({ operands, nodes: [number], how }: Launch, { nodes }: PlannedStep) {
  const { functor, parameters } = how as MapRun;
  const node = nodes[number as number] as MapNode;
  if (functor !== node.slot.functor)
    return {
      functor,
      reads: operands as readonly ReadRef[],
      scalars: parameters.map(([, scalar]) => scalar),
    };
  if (!isComposable(functor)) return undefined;
  const { compute, results, place } = node.slot;
  const reads = operands.filter((one): one is ReadRef => "ref" in one);
  const scalars = operands.filter((one): one is ScalarRef => !("ref" in one));
  const inputs = operands.map(
    (one): Origin =>
      "ref" in one
        ? { kind: "input", index: reads.indexOf(one) }
        : { kind: "scalar", index: scalars.indexOf(one) },
  );
  const own = parameters.map((_, i) => scalars.length + i);
  const stored = results.map(({ window }) => window.dtype);
  const composition = {
    inputs: reads.map(({ window }) => window.dtype),
    scalars: scalars.length + own.length,
    steps: [{ functor, compute, inputs, parameters: own, stored, place }],
    outputs: stored.map((_, output) => ({ step: 0, output })),
  };
  return {
    functor: compose(composition, true),
    reads,
    scalars: [...scalars, ...parameters.map(([, scalar]) => scalar)],
  };
}

/** One kernel for all steps. */
export class StepKernel {
  readonly #site: LaunchSite = newSite();

  private constructor(
    readonly loop: PlannedStep,
    readonly functor: Functor,
    readonly inputs: readonly Input[],
    /** The places of the step's numbers among those of a call. */
    readonly numbers: readonly number[],
    readonly shape: readonly number[],
  ) {}

  /** Undefined where the step is something else. */
  static of(loop: PlannedStep): StepKernel | undefined {
    const { plan, nodes, sources, carry, results, firsts, parameters } = loop;
    const [launch, ...others] = plan.launches;
    if (launch === undefined || others.length > 0 || !(launch.how instanceof MapRun)) return undefined;
    if (launch.isChecked || launch.outputs.some(({ base }) => base)) return undefined;
    const outputOf = ({ ref }: { ref: number }) => launch.outputs.findIndex((one) => one.ref === ref);
    const [last, each] = [carry.map(outputOf), results.map(outputOf)];
    const composed = composedOf(launch, loop);
    if (composed === undefined || [...last, ...each].includes(-1)) return undefined;
    const isInOrder = [...carry, ...results].every(({ window }, i) =>
      isOwnPlace(window, launch.outputs[[...last, ...each][i] as number]?.window),
    );
    if (!isInOrder) return undefined;
    const inputs = composed.reads.map(({ ref, window }): Input | undefined => {
      const source = ref < 0 ? sources[-ref - 1] : undefined;
      if (source === undefined || source.kind === "fresh") return undefined;
      if (source.kind === "carry" && !isOwnPlace(window, carry[source.index]?.window)) return undefined;
      return { kind: source.kind, index: source.index, window };
    });
    if (inputs.includes(undefined) || composed.functor.addressed) return undefined;
    const known = inputs as readonly Input[];
    const shape = launch.outputs[0]?.window.shape as readonly number[];
    const isPositioned = composed.functor.signature.some(({ role }) => role === "position");
    const isFlat = ({ window }: Input) => window.isContiguous && sameNumbers(window.shape, shape);
    if (isPositioned && !known.every(isFlat)) return undefined;
    const numbers = composed.scalars.map(({ node, at, isParameter }) => {
      const owner = nodes[node] as MapNode;
      const operands = owner.values.filter((value) => value === undefined).length;
      const before = isParameter
        ? operands + at
        : owner.values.slice(0, at).filter((one) => one === undefined).length;
      return (firsts[node] as number) + before;
    });
    const functor = steppedFunctor({
      step: composed.functor,
      inputs: known.map(({ kind, index }) =>
        kind === "carry" ? { kind: "state", output: last[index] as number } : { kind },
      ),
      last,
      each,
      streams: numbers.map((at) => parameters[at]?.draw === "stream"),
    });
    return new StepKernel(loop, functor, known, numbers, shape);
  }

  run({ carry, along, outside, last, results, scalars }: LoopCall): void {
    const { loop, inputs, numbers, functor, shape } = this;
    const { steps, isReversed, drawn, parameters } = loop;
    const out = loop.carry.map(({ window }, k) => atPlace(last[k] as View, 0, window));
    const [{ device, size }] = out as [View];
    const most = Math.max(1, Math.floor(mostWork / Math.max(size, leastWork)));
    for (let before = 0; before < steps; before += most) {
      if (before > 0) {
        if (isListed()) return;
        // An interrupt ends the wait, with little more work queued.
        device.synchronize();
      }
      const distances: number[] = [];
      const first = (view: View, distance: number, window: Window) => {
        distances.push((isReversed ? -distance : distance) / window.dtype.bytes);
        return atPlace(view, (isReversed ? steps - 1 - before : before) * distance, window);
      };
      const read = inputs.map(({ kind, index, window }) => {
        // The first carry may have another layout.
        if (kind === "carry") return (before === 0 ? carry[index] : out[index]) as View;
        if (kind === "outside") return atPlace(outside[index] as View, 0, window);
        const view = along[index] as View;
        return first(view, (view.strides[0] as number) * view.dtype.bytes, window);
      });
      const written = loop.results.map(({ window }, j) =>
        first(results[j] as View, window.size * window.dtype.bytes, window),
      );
      const own = numbers.map((at) => {
        const number = scalars[at] as Scalar;
        return parameters[at]?.draw === "stream" ? Number(number) + before * drawn : number;
      });
      dispatch(functor, [...read, ...written], noOutput, {
        out,
        isDisjoint: true,
        scalars: [...own, Math.min(most, steps - before), drawn, ...distances],
        site: this.#site,
        device,
        shape,
      });
    }
  }
}

/** True for a read of each element of a carry where it is computed. */
function isOwnPlace(window: Window, carry: Window | undefined): boolean {
  return carry !== undefined && sameWindow(window, carry);
}

/** What a window shows of the memory from some bytes behind a view's first element on. */
function atPlace({ pointer, device, storage }: View, distance: number, window: Window): View {
  return viewAt(pointer + distance, device, window, storage);
}

function noOutput(): never {
  throw new Error("A loop names its outputs.");
}
