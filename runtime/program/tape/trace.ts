// What a call of a compiled function did: its operations with their scalars, the memory that it read and wrote, and its plan,
// without the elements. Another call can launch the plan again over its own arguments.

import type { Device } from "../../device/device.js";
import { allocate } from "../../device/memory.js";
import type { PooledStorage } from "../../device/pooled-storage.js";
import type { Storage } from "../../device/storage.js";
import type { IndexFlag } from "../../launch/index-check.js";
import { testsIndexes } from "../operations/index-tests.js";
import { isMap, type Node, valueIn, valuesIn } from "../operations/ir.js";
import { isAddress } from "../operations/reads.js";
import { deviceAt, type ResultClass, type Slot } from "../operations/slot.js";
import { isTensor } from "../operations/window.js";
import { mostResults } from "../schedule/binding.js";
import { describe, placed } from "../schedule/description.js";
import type { Launch, Plan } from "../schedule/launches.js";
import { eachRead } from "../schedule/overwriting.js";
import { RepeatedPlan } from "../schedule/repeated-plan.js";
import type { Cell } from "../schedule/scratch.js";
import { eachTaker } from "../schedule/taken-memory.js";
import { timed } from "../schedule/timed-run.js";
import type { EarlierValues } from "./earlier-values.js";
import type { Evaluation } from "./path.js";
import type { Tape } from "./tape.js";

/** Memory outside of a call: that of an argument, by its number among the arguments' storages, or one that the function holds. */
export type Source = number | PooledStorage;

/** The parts of a call that are known before it is computed. */
export interface Draft {
  readonly nodes: readonly Node[];
  /**
   * Of the leaves, in their order: "fresh" for uninitialized memory that the call made, undefined for memory that is gone, and
   * for tensors that the call made of numbers.
   */
  readonly sources: readonly (Source | "fresh" | undefined)[];
  /** The written memory, and the numbers of its new values. */
  readonly writes: readonly (readonly [source: Source, ref: number])[];
  /** Where its reads by index tensors mark an index out of bounds. */
  readonly flags: readonly IndexFlag[];
}

/** The draft of a tape's call with arguments in these storages; undefined if it cannot be repeated without its function. */
export function draftOf(tape: Tape, given: readonly PooledStorage[]): Draft | undefined {
  const written: EarlierValues = tape.written ?? new Map();
  const numbers = new Map(given.map((storage, i) => [storage, i]));
  const sourceOf = (storage: PooledStorage): Source => numbers.get(storage) ?? storage;
  const homes = new Map([...written].map(([storage, { value }]) => [value, storage]));
  for (const storage of given) if (!written.has(storage)) homes.set(valueIn(storage), storage);
  const sources = tape.leaves.map((leaf) => {
    if (tape.made?.has(leaf)) return leaf.holder === undefined ? "fresh" : undefined;
    const home = homes.get(leaf) ?? (leaf.home as PooledStorage | undefined);
    return home && sourceOf(home);
  });
  const writes = [...written.keys()].map((storage) => [sourceOf(storage), valueIn(storage).ref] as const);
  if ([...written.keys()].some(({ disposed }) => disposed)) return undefined;
  const flags = new Map(
    tape.nodes.flatMap((node) => (isMap(node) && node.check ? [[node.slot.device, node.check.flag]] : [])),
  );
  return { nodes: tape.nodes.map(withoutMemory), sources, writes, flags: [...flags.values()] };
}

/** The memory that a call reads or writes and that is no argument's. */
export function heldIn({ sources, writes }: Draft): PooledStorage[] {
  const all = [...sources, ...writes.map(([source]) => source)];
  return all.filter((source): source is PooledStorage => typeof source === "object");
}

/** Why the index tensors of a call cannot be tested where it is repeated; undefined if they can. */
export function untestable({ nodes, writes }: Draft, { plan }: Evaluation): string | undefined {
  const tested = nodes.flatMap((node, number) => (testsIndexes(node) ? [number] : []));
  if (tested.length === 0) return undefined;
  if (writes.length > 0)
    return "a tensor from outside is written, beside reads or writes by index tensors, which may be refused";
  const run = new Set(plan.launches.flatMap((launch) => launch.nodes));
  const indexes = (number: number) => indexesOf(nodes[number] as Node, number);
  const known = new Set(tested.filter((number) => run.has(number)).map(indexes));
  return tested.every((number) => known.has(indexes(number)))
    ? undefined
    : "elements are read or written by index tensors, but no result needs them";
}

/** Equal for reads by the same indexes of tensors of the same extents. */
function indexesOf(node: Node, number: number): string {
  if (!isMap(node)) return `${number}`;
  const { operands } = node.slot;
  const windows = operands.filter((_, i) => !isAddress(node, i)).map(({ ref, window }) => [ref, window]);
  return JSON.stringify([windows, node.parameters.map(String)]);
}

function withoutMemory(node: Node): Node {
  const bare = { ...node, values: [], made: [], bases: [], behind: undefined, check: undefined };
  if (!isMap(node)) return bare as Node;
  return { ...bare, operands: node.operands.map((one) => (isTensor(one) ? undefined : one)) } as Node;
}

/** A value of which only some elements are written: those of another value are in its memory, or in a copy of it. */
interface Patch {
  readonly ref: number;
  readonly base: number;
  readonly device: Device;
  readonly bytes: number;
  /** True if nothing reads the other value any more. */
  readonly isInPlace: boolean;
}

/** The memory that a call needs besides its plan's scratch memory. */
interface Parts {
  /** The leaves that the plan reads, and the results that it stores. */
  readonly leaves: readonly (readonly [ref: number, source: Source])[];
  readonly stored: readonly (readonly [ref: number, slot: Slot, result: ResultClass])[];
  /** The values that are written in part, in the order of the launches. */
  readonly patches: readonly Patch[];
}

/** The parts of a call that ended there; undefined if a kernel reads memory that is gone. */
function partsOf({ nodes, sources }: Draft, { launches, scratch }: Plan): Parts | undefined {
  const refs = new Set(
    launches.flatMap(({ operands }) => operands.flatMap((one) => ("ref" in one ? [one.ref] : []))),
  );
  const outputs = launches.flatMap((launch) => launch.outputs);
  const bases = outputs.flatMap(({ base }) => (base ? [base.ref] : []));
  const leaves: [number, Source][] = [];
  for (const ref of new Set([...refs, ...bases])) {
    if (ref >= 0) continue;
    const source = sources[-ref - 1];
    if (source === undefined || (source === "fresh" && refs.has(ref))) return undefined;
    if (source !== "fresh") leaves.push([ref, source]);
  }
  const reads = readsOf(nodes);
  const stored: [number, Slot, ResultClass][] = [];
  const patches: Patch[] = [];
  for (const { ref, base } of outputs) {
    if (scratch?.parts.has(ref)) continue;
    const { slot } = nodes[Math.floor(ref / mostResults)] as Node;
    const result = slot.results[ref % mostResults] as ResultClass;
    if (base === undefined) stored.push([ref, slot, result]);
    else {
      // As in the call itself: there readers outside of the plan need the elements.
      const isInPlace = reads.get(base.ref) === base.reads;
      patches.push({ ref, base: base.ref, device: slot.device, bytes: result.bytes, isInPlace });
    }
  }
  return { leaves, stored, patches };
}

/** A call that can be repeated. */
export class Trace {
  readonly #parts: Parts;
  /** The writes in the memory of the earlier elements, and those that replace it. */
  readonly #inPlace: Draft["writes"][number][] = [];
  readonly #replacing: Draft["writes"][number][] = [];
  /** The results before the last test of indexes, which overwrite nothing. */
  readonly #early: ReadonlySet<number>;
  readonly #repeated: RepeatedPlan;

  private constructor(
    readonly draft: Draft,
    readonly evaluation: Evaluation,
    { leaves, stored, patches }: Parts,
  ) {
    const { plan } = evaluation;
    const { launches } = plan;
    const isTesting = ({ nodes }: Launch) =>
      nodes.some((number) => testsIndexes(draft.nodes[number] as Node));
    const early = launches.slice(0, launches.findLastIndex(isTesting) + 1);
    this.#early = new Set(early.flatMap((launch) => launch.outputs.map(({ ref }) => ref)));
    // A donated argument's new elements are computed only where others need them.
    const made = new Set([...stored.map(([ref]) => ref), ...patches.map(({ ref }) => ref)]);
    const writes = draft.writes.filter(([, ref]) => made.has(ref));
    this.#sortWrites(writes, leaves);
    // Values of which parts are replaced need memory of their own only if they are seen after the call.
    const seen = new Set([...plan.wanted, ...writes.map(([, ref]) => ref), ...leaves.map(([ref]) => ref)]);
    const cells = cellsOf(patches).filter(({ refs }) => !refs.some((ref) => seen.has(ref)));
    const within = new Set(cells.flatMap(({ refs }) => refs));
    this.#parts = {
      leaves,
      stored: stored.filter(([ref]) => !within.has(ref)),
      patches: patches.filter(({ ref }) => !within.has(ref)),
    };
    const inPlace = new Set(patches.flatMap(({ ref, isInPlace }) => (isInPlace ? [ref] : [])));
    this.#repeated = new RepeatedPlan(plan, draft.nodes, draft.flags, cells, inPlace);
  }

  /** The trace of a call that ended there; undefined if a kernel reads memory that is gone. */
  static of(draft: Draft, evaluation: Evaluation): Trace | undefined {
    const parts = partsOf(draft, evaluation.plan);
    return parts && new Trace(draft, evaluation, parts);
  }

  #sortWrites(writes: Draft["writes"], read: Parts["leaves"]): void {
    const overwriting = new Set<number>();
    const leaves = new Map(read.map(([leaf, source]) => [source, leaf]));
    const sources = new Map(writes.map(([source, ref]) => [ref, source]));
    eachTaker(this.evaluation.plan, (ref, mayTake) => {
      const source = sources.get(ref);
      const leaf = source === undefined ? undefined : leaves.get(source);
      if (source !== undefined && (leaf === undefined || mayTake(leaf))) overwriting.add(ref);
    });
    for (const write of writes) (overwriting.has(write[1]) ? this.#inPlace : this.#replacing).push(write);
  }

  /** True if the memory that the function holds still exists, and what is written can be exchanged. */
  isUsable(given: readonly PooledStorage[]): boolean {
    for (const [, source] of this.#parts.leaves) {
      if (typeof source !== "number" && (source.disposed || source.shared)) return false;
    }
    return this.draft.writes.every(([source]) => {
      const storage = storageAt(source, given);
      return !storage.disposed && !storage.pinned;
    });
  }

  /**
   * Launches the plan over the memory of arguments, with these nodes' scalars, and replaces what is written. Results take the
   * memory of `donated` storages. Returns the memory of the results by their numbers; undefined if an index is out of bounds:
   * then it has written nothing.
   */
  run(
    given: readonly PooledStorage[],
    nodes: readonly Node[],
    donated: readonly Storage[],
  ): ReadonlyMap<number, PooledStorage> | undefined {
    const { plan } = this.evaluation;
    const memory = new Map<number, PooledStorage>();
    for (const [ref, source] of this.#parts.leaves) memory.set(ref, storageAt(source, given));
    if (plan.taken) {
      const free = new Set(donated);
      for (const [ref, leaf] of plan.taken) {
        const storage = memory.get(leaf);
        if (storage && free.has(storage) && !storage.pinned && !this.#early.has(ref))
          memory.set(ref, storage.share());
      }
    }
    for (const [source, ref] of this.#inPlace) memory.set(ref, storageAt(source, given));
    for (const [ref, slot, { bytes }] of this.#parts.stored) {
      if (!memory.has(ref)) memory.set(ref, allocate(deviceAt(slot, ref % mostResults), bytes));
    }
    for (const { ref, base, device, bytes, isInPlace } of this.#parts.patches) {
      const earlier = memory.get(base) ?? allocate(device, bytes);
      memory.set(base, earlier);
      memory.set(ref, isInPlace ? earlier : allocate(device, bytes));
    }
    let isInside = true;
    timed(plan, () => {
      isInside = this.#repeated.run(nodes, memory);
    });
    if (!isInside) return undefined;
    for (const [source, ref] of this.#replacing) {
      const [storage, own] = [storageAt(source, given), memory.get(ref) as PooledStorage];
      if (own !== storage) storage.replace(own);
    }
    return memory;
  }
}

/** The values that replace parts of each other in the same memory, with the one whose parts the first of them replaces. */
function cellsOf(patches: readonly Patch[]): readonly Cell[] {
  const cells = new Map<number, Cell & { readonly refs: number[] }>();
  for (const { ref, base, device, bytes, isInPlace } of patches) {
    const first = isInPlace ? base : ref;
    const cell = cells.get(first) ?? { refs: [first], device, bytes };
    if (isInPlace) cell.refs.push(ref);
    cells.set(first, cell).set(ref, cell);
  }
  return [...new Set(cells.values())];
}

/** How often the operations read each value, or keep elements of it. */
function readsOf(nodes: readonly Node[]): ReadonlyMap<number, number> {
  const reads = new Map<number, number>();
  for (const { slot } of nodes) eachRead(slot, (ref) => reads.set(ref, (reads.get(ref) ?? 0) + 1));
  return reads;
}

/** A source's storage among those of the arguments. */
export function storageAt(source: Source, given: readonly PooledStorage[]): PooledStorage {
  return typeof source === "number" ? (given[source] as PooledStorage) : source;
}

/** The first difference between two calls, in words; undefined if there is none. */
export function differenceOf(
  before: Draft,
  now: Draft,
  isFree: (node: Node, parameter: number) => boolean,
): string | undefined {
  const most = Math.max(before.nodes.length, now.nodes.length);
  for (let i = 0; i < most; i++) {
    const [a, b] = [before.nodes[i], now.nodes[i]];
    const what = `operation ${i + 1}`;
    if (a === undefined || b === undefined) {
      const more = placed((a ?? (b as Node)).slot);
      return a ? `${what}, ${more}, is missing` : `${what}, ${more}, is new`;
    }
    const texts = [a, b].map(({ slot }) => describe(slot, String));
    if (a.slot !== b.slot && texts[0] !== texts[1])
      return `${what} was ${placed(a.slot)}, now ${placed(b.slot)}`;
    const isMoved = a.slot.results.some((one, at) => one.before !== b.slot.results[at]?.before);
    if (isMoved || a.slot.operands.some(({ ref }, at) => ref !== b.slot.operands[at]?.ref)) {
      return `${what}, ${placed(b.slot)}, reads other results`;
    }
    const scalar = otherScalar(a, b, isFree);
    if (scalar) return `the number ${scalar[0]} of ${what}, ${placed(b.slot)}, is now ${scalar[1]}`;
    const read: number[] = [];
    eachRead(b.slot, (ref) => read.push(ref));
    if (read.some((ref) => ref < 0 && before.sources[-ref - 1] !== now.sources[-ref - 1]))
      return `${what}, ${placed(b.slot)}, reads another tensor, which is no argument`;
  }
  const isSame = ([source, ref]: Draft["writes"][number], i: number) => {
    const other = now.writes[i];
    return other !== undefined && other[0] === source && other[1] === ref;
  };
  return before.writes.length === now.writes.length && before.writes.every(isSame)
    ? undefined
    : "it writes into other tensors";
}

/** The first scalar that differs between two calls of an operation. */
function otherScalar(a: Node, b: Node, isFree: (node: Node, parameter: number) => boolean) {
  if (isMap(a) && isMap(b)) {
    const at = a.operands.findIndex((value, i) => !isSameScalar(value, b.operands[i]));
    if (at >= 0) return [a.operands[at], b.operands[at]] as const;
  }
  const [before, now] = [valuesIn(a), valuesIn(b)];
  const own = before.findIndex((value, i) => !isFree(a, i) && !isSameScalar(value, now[i]));
  return own < 0 ? undefined : ([before[own], now[own]] as const);
}

function isSameScalar(a: unknown, b: unknown): boolean {
  if (typeof a !== "object" || typeof b !== "object") return Object.is(a, b);
  return JSON.stringify(a) === JSON.stringify(b);
}
