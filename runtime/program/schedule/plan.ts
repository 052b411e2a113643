// Makes launches from the values that are needed. A plan names nodes and leaves by numbers, so that a later call on the same
// path binds its own nodes and runs the plan unchanged.

import { compose } from "../../codegen/composition/composer.js";
import type { Origin, Step } from "../../codegen/composition/composition.js";
import { type MapNode, type Node, pendingNodes, type Value, windowOf } from "../operations/ir.js";
import { gatheredFrom, isAddress, isSameRead, type Read } from "../operations/reads.js";
import type { ResultClass, Slot } from "../operations/slot.js";
import { separated } from "../passes/fusion.js";
import { fusing, unfused } from "../passes/list.js";
import type { Loop } from "../passes/loop.js";
import { originOf } from "../passes/moved-maps.js";
import { loopsAfter } from "../passes/pass.js";
import { endingReads, patchedBy } from "../passes/patches.js";
import { type Binding, mostResults, type OutputRef, type ReadRef, type ScalarRef } from "./binding.js";
import type { EndingReads, Kind, Planner } from "./kinds/kind.js";
import { maps } from "./kinds/maps.js";
import { batched } from "./kinds/merged.js";
import { opaque } from "./kinds/opaque.js";
import { reductions } from "./kinds/reductions.js";
import { rows } from "./kinds/rows.js";
import { scans } from "./kinds/scans.js";
import type { Launch, Plan } from "./launches.js";
import type { PlanOptions } from "./options.js";
import { nameOverwritten } from "./overwriting.js";
import { scratchOf } from "./scratch.js";

/** The kinds of launches; the first one that holds a loop computes it. */
const kinds: readonly Kind[] = [scans, opaque, rows, reductions, maps];

/**
 * The plan that computes values once, and its binding; the nodes may be of several tapes. `isLast` says that no other value
 * of these nodes is needed later.
 */
export function planOnce(
  values: readonly Value[],
  options: PlanOptions,
  isLast: boolean,
): { plan: Plan; binding: Binding } {
  const nodes = pendingNodes(values, undefined);
  const leaves: Value[] = [];
  const refs = new Map<Value, number>();
  const numbers = new Map(nodes.map(({ id }, number) => [id, number]));
  nodes.forEach(({ made }, number) => {
    made.forEach((value, i) => {
      refs.set(value, number * mostResults + i);
    });
  });
  const refOf = (value: Value): number => {
    const ref = refs.get(value) ?? -leaves.push(value);
    refs.set(value, ref);
    return ref;
  };
  const numberOf = ({ id }: Node) => numbers.get(id) as number;
  const plan = new Numbering(nodes, values, numberOf, refOf, options).plan(isLast);
  return { plan, binding: { nodes, leaves } };
}

/** The plan that computes values of one tape; the results of other tapes are leaves. */
export function makePlan(
  values: readonly Value[],
  options: PlanOptions,
  tape: Binding,
  isLast: boolean,
): Plan {
  const nodes = pendingNodes(values, tape);
  const plan = new Numbering(
    nodes,
    values,
    ({ number }) => number,
    ({ ref }) => ref,
    options,
  ).plan(isLast);
  if (!isLast) return plan;
  const pending = tape.nodes.map(({ made }) => made.some(({ node }) => node !== undefined));
  nameOverwritten(
    plan,
    tape.nodes.map(({ slot }) => slot),
    pending,
  );
  return plan;
}

/** Writes the launches of nodes. */
class Numbering implements Planner {
  readonly refOf: (value: Value) => number;

  constructor(
    readonly nodes: readonly Node[],
    readonly wanted: readonly Value[],
    readonly numberOf: (node: Node) => number,
    refOf: (value: Value) => number,
    readonly options: PlanOptions,
  ) {
    this.refOf = (value) => refOf(originOf(value)); // the number of a value that it replaces
  }

  plan(isLast: boolean): Plan {
    const wanted = new Set(this.wanted);
    const roots = new Set([...wanted, ...gatheredFrom(this.nodes)]);
    const patched = patchedBy(this.nodes);
    const kept = new Set([...roots, ...patched]);
    const isUnfused = this.options.backend === "steps";
    const graph = { nodes: this.nodes, loops: [], roots, kept, isLast };
    const loops = loopsAfter(isUnfused ? unfused : fusing, graph);
    const reads = endingReads(loops, (value) => !isLast || wanted.has(value) || patched.has(value));
    const launches = isUnfused ? loops.map((loop) => this.#launch(loop, reads)) : this.#batched(loops, reads);
    const refs = this.wanted.map(this.refOf);
    return {
      launches,
      scratch: isLast
        ? scratchOf(launches, new Set([...refs, ...[...patched].map(this.refOf)]), this.#made())
        : undefined,
      slots: new Map(this.nodes.map((node) => [this.numberOf(node), node.slot])),
      wanted: refs,
    };
  }

  /** The values that the nodes make, by their numbers. */
  #made(): (ref: number) => Value {
    const made = this.nodes.flatMap((node) => node.made);
    const values = new Map(made.map((value) => [this.refOf(value), value]));
    return (ref) => values.get(ref) as Value;
  }

  /**
   * Merges launches that differ only in their operands. Maps that share a kernel only because of their shape are separated
   * for that.
   */
  #batched(loops: readonly Loop[], reads: EndingReads): readonly Launch[] {
    const slots = new Map(this.nodes.map((node) => [this.numberOf(node), node.slot]));
    const keys = new Map<Launch, string | undefined>();
    const counts = new Map<string, number>();
    const note = (launch: Launch) => {
      const key = launch.how.mergeKey?.(launch, (number) => slots.get(number) as Slot);
      keys.set(launch, key);
      if (key !== undefined) counts.set(key, (counts.get(key) ?? 0) + 1);
    };
    const separate = loops.map((loop) => {
      const own = separated(loop).map((part) => this.#launch(part, reads));
      own.forEach(note);
      return own;
    });
    const isRepeated = (launch: Launch) => (counts.get(keys.get(launch) ?? "") ?? 0) > 1;
    const chosen = separate.flatMap((own, i) => {
      return own.length === 1 || own.every(isRepeated) ? own : [this.#launch(loops[i] as Loop, reads)];
    });
    return batched(chosen, (launch) => keys.get(launch));
  }

  #launch(loop: Loop, reads: EndingReads): Launch {
    const kind = kinds.find(({ holds }) => holds(loop)) as Kind;
    return kind.launchOf(this, loop, reads);
  }

  /** The functor of maps with the `stored` results as outputs, and its arguments; `first` are its first inputs. */
  composed(nodes: readonly MapNode[], stored: ReadonlySet<Value>, first: readonly Read[]) {
    const numbered = ({ value, window, isAddress }: Read) => {
      return { value, window, isAddress, ref: this.refOf(value) };
    };
    const inputs = first.map(numbered);
    const scalars: ScalarRef[] = [];
    const results: { step: number; output: number }[] = [];
    const made = new Map<Value, Origin>();
    const inputOf = (read: Read): number => {
      const known = inputs.findIndex(
        (one, i) => (i < first.length && one.value === read.value) || isSameRead(one, read),
      );
      return known >= 0 ? known : inputs.push(numbered(read)) - 1;
    };
    const steps = nodes.map((node, step): Step => {
      const number = this.numberOf(node);
      const scalarOf = (at: number, isParameter: boolean) =>
        scalars.push({ node: number, at, isParameter }) - 1;
      const origins = node.values.map((value, i): Origin => {
        const window = windowOf(node, i);
        if (!value || !window) return { kind: "scalar", index: scalarOf(i, false) };
        const index = () => inputOf({ value, window, isAddress: isAddress(node, i) });
        return made.get(value) ?? { kind: "input", index: index() };
      });
      const parameters = node.parameters.map((_, i) => scalarOf(i, true));
      node.made.forEach((value, output) => {
        if (node.bases[output] === undefined) made.set(value, { kind: "step", step, output });
        if (stored.has(value)) results.push({ step, output });
      });
      const { functor, compute, place: calledAt } = node.slot;
      const types = node.slot.results.map(({ window }) => window.dtype);
      return { functor, compute, inputs: origins, parameters, stored: types, place: calledAt };
    });
    const types = inputs.map(({ window }) => window.dtype);
    const composition = { inputs: types, scalars: scalars.length, steps, outputs: results };
    const functor = compose(composition, this.options.exact);
    return {
      functor,
      inputs: inputs.map(
        ({ ref, window }, i): ReadRef => ({
          ref,
          window,
          isSource: functor.addressed?.sources.includes(i),
        }),
      ),
      parameters: scalars.map((scalar, i) => [`s${i}`, scalar] as const),
      results,
    };
  }

  /** The numbers of nodes; copies have their original's. */
  numbersOf(nodes: readonly Node[]): number[] {
    return [...new Set(nodes.map(this.numberOf))];
  }

  output({ slot, made, bases }: Node, i: number, reads: EndingReads): OutputRef {
    const base = bases[i];
    return {
      ref: this.refOf(made[i] as Value),
      window: (slot.results[i] as ResultClass).window,
      base: base && { ref: this.refOf(base), reads: reads.get(base) ?? 0 },
      over: undefined,
    };
  }
}
