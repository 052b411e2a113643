// Makes launches from the values that are needed. A plan names nodes and leaves by numbers, so that a later call on the same
// path binds its own nodes and runs the plan unchanged.

import { compose } from "../../codegen/composition/composer.js";
import type { Origin, Step } from "../../codegen/composition/composition.js";
import { composeRows } from "../../codegen/composition/row-composer.js";
import type { PooledStorage } from "../../device/pooled-storage.js";
import { newSite } from "../../launch/sink.js";
import { isMap, isScan, type MapNode, type Node, pendingNodes, type Value, windowOf } from "../graph/ir.js";
import { gatheredFrom, isAddress, isGather, isSameRead, type Read } from "../graph/reads.js";
import type { ResultClass, Slot } from "../graph/slot.js";
import { groupedThroughViews } from "../passes/copies.js";
import { type Group, groupsOf, partsOf } from "../passes/grouping.js";
import { kernelGroups } from "../passes/kernel-groups.js";
import { originOf } from "../passes/moved-maps.js";
import { endingReads, patchedBy } from "../passes/patches.js";
import { partsOfReduction, type ReductionParts } from "../passes/reduce-group.js";
import { withoutRepeatedReductions } from "../passes/repeats.js";
import type { Rows } from "../passes/row-group.js";
import { batched, batchKey } from "./batching.js";
import type { Donation } from "./donation.js";
import type { Plan } from "./launches.js";
import {
  type Launch,
  mostResults,
  newLaunch,
  type OutputRef,
  type ReadRef,
  type ScalarRef,
  shapeFor,
} from "./launches.js";
import type { PlanOptions } from "./options.js";
import { nameOverwritten } from "./overwriting.js";
import { callOf, endsOf } from "./reduce-plan.js";
import { planRows } from "./row-plan.js";
import { planScan } from "./scan-plan.js";
import { scratchOf } from "./scratch.js";

/** The nodes and leaves that a plan's numbers name in one call. */
export interface Binding {
  readonly nodes: readonly Node[];
  readonly leaves: readonly Value[];
  /** The memory of values that only the plan's kernels need. */
  readonly scratch?: ReadonlyMap<number, PooledStorage>;
  /** Donated memory for results, by their numbers. */
  readonly given?: ReadonlyMap<number, PooledStorage> | undefined;
  /** The arguments that the call gave away. */
  readonly donation?: Donation | undefined;
}

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
  const plan = new Planner(nodes, values, numberOf, refOf, options).plan(isLast);
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
  const plan = new Planner(
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

/** The maps that compute a value of a tape, their functor and its arguments; undefined if they cannot share a kernel. */
export function composeMaps(
  value: Value,
  options: PlanOptions,
  tape: object,
  canShare: (nodes: readonly Node[]) => boolean,
) {
  const maps = pendingNodes([value], tape) as MapNode[];
  if (options.backend !== "fused" || !canShare(maps)) return undefined;
  const planner = new Planner(
    maps,
    [value],
    ({ number }) => number,
    (one) => one.ref,
    options,
  );
  return { maps, ...planner.composed(maps, new Set([value]), []) };
}

/** Writes the launches of nodes. */
class Planner {
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
    const isApart = this.options.backend === "steps";
    const patched = patchedBy(this.nodes);
    const [first] = this.nodes;
    // Only memory of the plan itself may have a value's elements in another order; it is on one device.
    const isMovable =
      isLast && !isApart && this.nodes.every(({ slot }) => slot.device === first?.slot.device);
    const kept = new Set([...roots, ...patched]);
    // The memory of what is read later may be freed after its own readers.
    const nodes = isApart || !isLast ? this.nodes : withoutRepeatedReductions(this.nodes, kept);
    const groups = isApart
      ? groupsOf(nodes, roots, true)
      : isMovable
        ? groupedThroughViews(nodes, kept, (moved) => kernelGroups(moved, roots, isLast))
        : kernelGroups(nodes, roots, isLast);
    const reads = endingReads(groups, (value) => !isLast || wanted.has(value) || patched.has(value));
    const launches = isApart
      ? groups.map((group) => this.#launch(group, reads))
      : this.#batched(groups, reads);
    const refs = this.wanted.map(this.refOf);
    return {
      launches,
      scratch: isLast
        ? scratchOf(launches, new Set([...refs, ...[...patched].map(this.refOf)]), this.#sizes())
        : undefined,
      slots: new Map(this.nodes.map((node) => [this.numberOf(node), node.slot])),
      wanted: refs,
    };
  }

  /** The bytes of each value that the nodes make. */
  #sizes(): (ref: number) => number {
    const made = this.nodes.flatMap((node) => node.made);
    const sizes = new Map(made.map((value) => [this.refOf(value), value.bytes]));
    return (ref) => sizes.get(ref) as number;
  }

  /**
   * Merges launches that differ only in their operands. Maps that share a kernel only because of their shape are separated
   * for that.
   */
  #batched(groups: readonly Group[], reads: ReadonlyMap<Value, number>): readonly Launch[] {
    const slots = new Map(this.nodes.map((node) => [this.numberOf(node), node.slot]));
    const keys = new Map<Launch, string | undefined>();
    const counts = new Map<string, number>();
    const note = (launch: Launch) => {
      const key = batchKey(launch, (number) => slots.get(number) as Slot);
      keys.set(launch, key);
      if (key !== undefined) counts.set(key, (counts.get(key) ?? 0) + 1);
    };
    const apart = groups.map((group) => {
      const own = partsOf(group).map((part) => this.#launch(part, reads));
      own.forEach(note);
      return own;
    });
    const isRepeated = (launch: Launch) => (counts.get(keys.get(launch) ?? "") ?? 0) > 1;
    const chosen = apart.flatMap((own, i) => {
      return own.length === 1 || own.every(isRepeated) ? own : [this.#launch(groups[i] as Group, reads)];
    });
    return batched(chosen, (launch) => keys.get(launch));
  }

  #launch(group: Group, reads: ReadonlyMap<Value, number>): Launch {
    const { nodes, rows } = group;
    if (nodes.some(isScan)) return planScan(this, group, reads);
    if (nodes.length === 1) return this.#alone(nodes[0] as Node, reads);
    if (rows) return this.#rows(group, rows, reads);
    return nodes.every(isMap) ? this.#mapped(group, reads) : this.#reduced(group, reads);
  }

  /** One operation by its own functor: the kernel of the separate call. */
  #alone(node: Node, reads: ReadonlyMap<Value, number>): Launch {
    const { slot, values } = node;
    const number = this.numberOf(node);
    const scalar = (at: number, isParameter: boolean): ScalarRef => ({ node: number, at, isParameter });
    const functor = slot.kind === "map" ? slot.functor : undefined;
    const operands = values.map((value, i): ReadRef | ScalarRef => {
      const window = windowOf(node, i);
      const isSource = functor?.addressed?.sources.includes(i);
      return value && window ? { ref: this.refOf(value), window, isSource } : scalar(i, false);
    });
    const outputs = node.made.map((_, i) => this.output(node, i, reads));
    return newLaunch({
      nodes: [number],
      operands,
      outputs,
      functor,
      reduction:
        slot.kind === "reduce"
          ? { call: slot.call, elements: (operands[0] as ReadRef).window, reads: 1, after: undefined }
          : undefined,
      opaque: slot.kind === "opaque" ? slot.form : undefined,
      rows: undefined,
      device: slot.device,
      dtype: slot.kind === "map" ? slot.dtype : undefined,
      parameters: (functor?.parameters ?? []).map(({ name }, i) => [name, scalar(i, true)] as const),
      shape: slot.kind === "map" ? shapeFor(slot.domain, operands, outputs) : undefined,
      isChecked: isGather(node),
      site: slot.kind === "map" ? newSite() : undefined,
    });
  }

  /** Maps over one domain. */
  #mapped({ nodes, stored }: Group, reads: ReadonlyMap<Value, number>): Launch {
    const maps = nodes as readonly MapNode[];
    const { results, inputs, ...composed } = this.composed(maps, stored, []);
    const outputs = results.map(({ step, output }) => this.output(maps[step] as MapNode, output, reads));
    const { slot } = nodes[0] as MapNode;
    return newLaunch({
      ...composed,
      nodes: this.numbersOf(nodes),
      operands: inputs,
      outputs,
      reduction: undefined,
      rows: undefined,
      device: slot.device,
      dtype: undefined,
      shape: shapeFor(slot.domain, inputs, outputs),
      isChecked: nodes.some(isGather),
      site: newSite(),
    });
  }

  /** A reduction after the maps that compute its elements, and before those that compute what is stored. */
  #reduced({ nodes, stored }: Group, reads: ReadonlyMap<Value, number>): Launch {
    const parts = partsOfReduction(nodes) as ReductionParts;
    const { before, reductions, after } = parts;
    const ends = endsOf(parts);
    const { elements, direct, results } = ends;
    const reduced = new Set(elements.map(({ value }) => value));
    const prologue = before.length > 0 ? this.composed(before, reduced, direct) : undefined;
    const made = prologue?.results.map(({ step, output }) => before[step]?.made[output] as Value) ?? [];
    const inputs =
      prologue?.inputs ?? direct.map(({ value, window }) => ({ ref: this.refOf(value), window }));
    const epilogue = after.length > 0 ? this.composed(after, stored, results) : undefined;
    const keeps = results.map(({ value }) => stored.has(value));
    const follows = epilogue !== undefined || reductions.length > 1;
    return newLaunch({
      nodes: this.numbersOf(nodes),
      operands: [...inputs, ...(epilogue?.inputs.slice(results.length) ?? [])],
      outputs: [
        ...reductions.flatMap((node, i) => (keeps[i] ? [this.output(node, 0, reads)] : [])),
        ...(epilogue?.results ?? []).map(({ step, output }) =>
          this.output(after[step] as MapNode, output, reads),
        ),
      ],
      functor: prologue?.functor,
      parameters: prologue?.parameters ?? [],
      reduction: {
        call: callOf(parts, ends, made),
        elements: (elements[0] as Read).window,
        reads: inputs.length,
        after: follows
          ? { functor: epilogue?.functor, parameters: epilogue?.parameters ?? [], keeps }
          : undefined,
      },
      rows: undefined,
      device: reductions[0].slot.device,
      dtype: undefined,
      shape: undefined,
      isChecked: nodes.some(isGather),
      site: undefined,
    });
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

  #rows({ nodes, stored }: Group, rows: Rows, reads: ReadonlyMap<Value, number>): Launch {
    const plan = planRows(nodes, stored, rows);
    const { slot } = nodes[0] as Node;
    return newLaunch({
      nodes: this.numbersOf(nodes),
      operands: plan.inputs.map(({ value, window, isSource }) => ({
        ref: this.refOf(value),
        window,
        isSource,
      })),
      outputs: plan.outputs.map(({ node, i }) => this.output(node, i, reads)),
      functor: undefined,
      reduction: undefined,
      rows: { body: composeRows(plan.composition), geometry: plan.geometry },
      device: slot.device,
      dtype: undefined,
      parameters: plan.scalars.map(
        ({ node, ...scalar }, i) => [`s${i}`, { node: this.numberOf(node), ...scalar }] as const,
      ),
      shape: undefined,
      isChecked: nodes.some(isGather),
      site: undefined,
    });
  }

  /** The numbers of nodes; copies have their original's. */
  numbersOf(nodes: readonly Node[]): number[] {
    return [...new Set(nodes.map(this.numberOf))];
  }

  output({ slot, made, bases }: Node, i: number, reads: ReadonlyMap<Value, number>): OutputRef {
    const base = bases[i];
    return {
      ref: this.refOf(made[i] as Value),
      window: (slot.results[i] as ResultClass).window,
      base: base && { ref: this.refOf(base), reads: reads.get(base) ?? 0 },
      over: undefined,
    };
  }
}
