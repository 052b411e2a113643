// How cotangents go back through a loop: its steps store what their pulls need, and a loop in the other direction pulls. Both are one
// operation where the steps of a loop are.
import type { View } from "../geometry/view.js";
import type { LoopOperation } from "../launch/operation.js";
import { perform } from "../launch/perform.js";
import { isDeferred, type Sink, sendingTo } from "../launch/sink.js";
import { NoLoop } from "../loops/body-tape.js";
import { loopOf } from "../loops/loop-body.js";
import { sameWindow, type Window } from "../program/operations/window.js";
import { full } from "../tensor/create.js";
import { cat } from "../tensor/join.js";
import { keepStream, streamState } from "../tensor/random.js";
import { emptyTensor, type Tensor } from "../tensor/tensor.js";
import { isFloat } from "../tensor/tree.js";
import type { Kept } from "./kept.js";
import { inSegments, mostStored, type Segments } from "./loop-segments.js";
import { type Closed, LoopStep } from "./loop-step.js";
import type { Active, Pull, Recording } from "./rule.js";
import { send } from "./send.js";

/** A recorder of one step, above the open sink. */
export interface StepRecorder extends Sink {
  watch(x: Tensor): Active;
  ends(results: readonly Tensor[]): ReadonlyMap<Tensor, Active>;
  pull(results: readonly (readonly [Tensor, Tensor])[], ends: ReadonlyMap<Tensor, Active>): void;
}

/** A recorded step. */
interface Recorded {
  readonly recorder: StepRecorder;
  readonly step: LoopStep;
  /** The carry, then what the loop goes along; undefined for what has no derivative. */
  readonly leaves: readonly (Active | undefined)[];
  readonly next: readonly Tensor[];
  readonly results: readonly Tensor[];
  readonly ends: ReadonlyMap<Tensor, Active>;
}

/** The results of a loop, and its pull if it has one. */
interface Differentiated {
  readonly results: readonly View[];
  readonly pull?: Pull;
}

/** Runs a loop by `run`, beneath a recorder; undefined where its steps have to run one by one. */
export function differentiated(
  around: Recording,
  operation: LoopOperation,
  run: (loop: LoopOperation) => readonly View[] | undefined,
  recorderOf: (step: LoopStep) => StepRecorder,
): Differentiated | undefined {
  if (!isDeferred()) return undefined;
  const { carry, along, name, steps, isReversed } = operation;
  const active = operation.inputs.map((x) => around.active(x));
  const layouts = new Set<string>();
  let latest: Recorded | undefined;
  const body: LoopOperation["body"] = (now, elements) => {
    const step = new LoopStep(around);
    const recorder = recorderOf(step);
    const given = [...now, ...elements] as Tensor[];
    step.owns(given);
    // A carry may depend on what is differentiated by from its first step on.
    const leaves = given.map((x, i) =>
      isFloat(x) && (i < now.length || active[i]) ? recorder.watch(x) : undefined,
    );
    const own = () => operation.body(now, elements) as readonly [readonly Tensor[], readonly Tensor[]];
    const [next, results] = sendingTo(recorder, own);
    const stored = step.stored();
    // What the first step keeps has another layout than what the later ones do.
    if (layouts.add(step.layouts).size > 1) throw new NoLoop();
    latest = { recorder, step, leaves, next, results, ends: recorder.ends([...next, ...results]) };
    return [next, [...results, ...stored]];
  };
  const undo = keepStream();
  const before = streamState().stream;
  const found = orUndone(undo, () =>
    run(loopOf({ name, steps, isReversed, isWhole: true, carry, along, body })),
  );
  if (found === undefined || latest === undefined) return undefined;
  // Steps that run again are recorded again.
  const recorded: Recorded = latest;
  const closed = recorded.step.closed();
  if (closed.length === 0 && active.every((one) => one === undefined)) {
    undo();
    const results = run(operation);
    return results && { results };
  }
  if (closed.length === 0 && carry.every((_, i) => recorded.leaves[i] === undefined)) {
    undo();
    return undefined;
  }
  const count = carry.length + recorded.results.length;
  const stored = found.slice(count);
  const bytes = stored.reduce((sum, { size, dtype }) => sum + size * dtype.bytes, 0);
  const { outside } = recorded.step;
  // What a step draws is stored with the rest.
  const segments =
    bytes > mostStored && streamState().stream === before
      ? inSegments({ around, operation, run, storing: body, count, outside: [...outside] })
      : undefined;
  const way =
    segments ??
    wholeWay(
      steps,
      stored.map((x) => around.keep(x)),
    );
  const pull = reversed(operation, active, recorded, closed, stored.length, way);
  return { results: segments?.results ?? found.slice(0, count), pull };
}

/** Back through all steps by what they stored, which is nothing where each is linear. */
function wholeWay(steps: number, stored: readonly Kept[]): Pick<Segments, "back"> {
  return {
    back: (begin, cotangents, back) =>
      back(begin, [...stored.map((one) => one.tensor()), ...cotangents], steps),
  };
}

/** Undefined, as before, if a step cannot be recorded. */
function orUndone<R>(undo: () => void, run: () => R): R | undefined {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof NoLoop)) throw error;
    undo();
    return undefined;
  }
}

/** The pull of a loop, whose steps stored so many tensors. */
function reversed(
  { name, steps, isReversed, carry }: LoopOperation,
  active: readonly (Active | undefined)[],
  { recorder, step, leaves, next, results, ends }: Recorded,
  closed: readonly Closed[],
  stored: number,
  way: Pick<Segments, "back">,
): Pull {
  const floats = carry.flatMap((_, i) => (leaves[i] ? [i] : []));
  const along = leaves.slice(carry.length).flatMap((leaf) => leaf ?? []);
  const activeAlong = active.slice(carry.length).filter((_, i) => leaves[carry.length + i]);
  const handed = [...floats.map((i) => leaves[i] as Active), ...closed.map(({ own }) => own)];
  const { device } = carry[0] as View;
  const filled = ({ shape, dtype }: Window, value: number) =>
    full([...shape], value, { dtype: dtype.name, device: device.name }) as Tensor;
  // Adding to it changes no number, not even a negative zero.
  const nothing = (window: Window) => filled(window, -0);
  // A result that is the next carry has its cotangent before those of the next step's operations, as beside them.
  const carried = results.map((x) => {
    const own = ends.get(x);
    if (own === undefined || leaves.some((leaf) => leaf?.adjoint === own.adjoint)) return -1;
    return floats.findIndex((i) => {
      const end = ends.get(next[i] as Tensor);
      return end?.adjoint === own.adjoint && sameWindow(end.window, own.window);
    });
  });
  return (cotangents) => {
    const given = results.map((_, j) => cotangents[carry.length + j]);
    const body: LoopOperation["body"] = (sums, elements) => {
      for (const { adjoint } of [...handed, ...along]) adjoint.clear();
      step.shown = (elements.slice(0, stored) as Tensor[]).map((x) => x.contiguous());
      for (const [i, { own }] of closed.entries())
        own.adjoint.add(own.window, sums[floats.length + i] as Tensor);
      let at = stored;
      const pairs = results.flatMap((x, j) => {
        if (given[j] === undefined) return [];
        const g = elements[at++] as Tensor;
        const to = handed[carried[j] as number];
        if (to === undefined) return [[x, g] as const];
        to.adjoint.add(to.window, g);
        return [];
      });
      recorder.pull([...pairs, ...floats.map((i, n) => [next[i], sums[n]] as [Tensor, Tensor])], ends);
      const found = (list: readonly Active[]) =>
        list.map(({ window, adjoint }) =>
          adjoint.isEmpty ? filled(window, 0) : inLayout(adjoint.of(window), window),
        );
      return [found(handed), found(along)];
    };
    const end = isReversed ? 0 : steps - 1;
    const begin = [
      ...floats.map((i, n) => {
        const { window } = leaves[i] as Active;
        const last = given.flatMap((g, j) => (g && carried[j] === n ? [g.select(0, end)] : []));
        const parts = [cotangents[i] ?? [], ...last].flat();
        return inLayout(parts.length > 0 ? parts.reduce((sum, g) => sum.add(g)) : nothing(window), window);
      }),
      ...closed.map(({ around: { window, adjoint } }) =>
        inLayout(adjoint.isEmpty ? nothing(window) : adjoint.of(window), window),
      ),
    ];
    const shown = given.flatMap((g, j) => {
      if (g === undefined) return [];
      const to = handed[carried[j] as number];
      return [to ? afterEach(g, nothing(to.window), isReversed) : g];
    });
    const all = way.back(begin, shown, (sums, along, count) => {
      const loop = loopOf({ name, steps: count, isReversed: !isReversed, carry: sums, along, body });
      return perform(loop, emptyTensor) as readonly Tensor[];
    });
    for (const [n, i] of floats.entries()) {
      const to = active[i];
      if (to) send(to, all[n] as Tensor);
    }
    for (const [i, { around }] of closed.entries()) replace(around, all[floats.length + i] as Tensor);
    // Cotangents of parts are added to zeros: a negative zero becomes a positive one.
    for (const [i, to] of activeAlong.entries()) if (to) send(to, (all[handed.length + i] as Tensor).add(0));
  };
}

/** For each step what the one before it has; `nothing` for the first. */
function afterEach(g: Tensor, nothing: Tensor, isReversed: boolean): Tensor {
  const first = nothing.unsqueeze(0);
  const others = g.narrow(0, isReversed ? 1 : 0, (g.shape[0] as number) - 1);
  return cat(isReversed ? [others, first] : [first, others]);
}

/** A cotangent with its dimensions in the order of a window's, as it has beside the operations of the steps. */
function inLayout(g: Tensor, { strides }: Window): Tensor {
  const order = strides.map((_, d) => d).sort((p, q) => (strides[q] as number) - (strides[p] as number));
  const back = order.map((_, d) => order.indexOf(d));
  return g.permute(order).contiguous().permute(back);
}

/** Sets the cotangent of a window, of which the earlier one is a part. */
function replace({ window, adjoint }: Active, g: Tensor): void {
  if (!adjoint.isEmpty) {
    const others = adjoint.without(window);
    adjoint.clear();
    adjoint.addAll(others);
  }
  adjoint.add(window, g);
}
