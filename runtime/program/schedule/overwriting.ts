// In-place results: a result that replaces all elements of a tensor is written over them if no later kernel and no pending
// operation reads them. Without it each written tensor takes fresh memory at each call.

import type { Slot } from "../operations/slot.js";
import { mostResults } from "./binding.js";
import type { Plan } from "./launches.js";
import { eachTaker } from "./taken-memory.js";

/**
 * In the plan of a tape's end, lets the outputs that may be written over a leaf's elements name the leaf. `slots` are those of
 * all operations of the tape, in order; `pending` says which of them were not computed before, when elements were read.
 */
export function nameOverwritten(plan: Plan, slots: readonly Slot[], pending: readonly boolean[]): void {
  const replaced = replacedBy(slots);
  if (replaced.size === 0) return;
  const { launches, scratch } = plan;
  const stored = new Set(launches.flatMap(({ outputs }) => outputs.map(({ ref }) => ref)));
  for (const ref of scratch?.parts.keys() ?? []) stored.delete(ref);
  const reads = endingReads(slots, pending, stored, new Set(replaced.values()));
  // What was in scratch memory is computed again after a failure, from these.
  const needed = new Set(
    launches.flatMap(({ operands, outputs }) => {
      if (outputs.every(({ ref }) => stored.has(ref))) return [];
      return operands.flatMap((one) => ("ref" in one ? [one.ref] : []));
    }),
  );
  const outputs = new Map(launches.flatMap((one) => one.outputs.map((output) => [output.ref, output])));
  eachTaker(plan, (ref, mayTake) => {
    const leaf = leafOf(ref, replaced);
    const output = outputs.get(ref);
    if (leaf === undefined || output === undefined || needed.has(leaf) || !mayTake(leaf)) return;
    needed.add(leaf); // by this output: an earlier value of the storage may be stored too, for its readers
    output.over = { ref: leaf, reads: reads.get(leaf) ?? 0 };
  });
}

/** The number of the storage's earlier value, for every written result. */
function replacedBy(slots: readonly Slot[]): ReadonlyMap<number, number> {
  const replaced = new Map<number, number>();
  slots.forEach(({ results }, number) => {
    results.forEach(({ before }, i) => {
      if (before !== undefined) replaced.set(number * mostResults + i, before);
    });
  });
  return replaced;
}

/** The leaf whose storage shows a result; undefined for a fresh result. */
function leafOf(ref: number, replaced: ReadonlyMap<number, number>): number | undefined {
  let before: number | undefined = ref;
  while (before !== undefined && before >= 0) before = replaced.get(before);
  return before;
}

/**
 * For each value the number of reads that end with the plan: of pending operations whose results are stored, or replaced and
 * only read by such operations.
 */
function endingReads(
  slots: readonly Slot[],
  pending: readonly boolean[],
  stored: ReadonlySet<number>,
  replaced: ReadonlySet<number>,
): ReadonlyMap<number, number> {
  const all = new Map<number, number>();
  const ending = new Map<number, number>();
  const count = (reads: Map<number, number>, slot: Slot) => {
    eachRead(slot, (ref) => reads.set(ref, (reads.get(ref) ?? 0) + 1));
  };
  slots.forEach((slot, number) => {
    if (pending[number]) count(all, slot);
  });
  // Readers come after what they read.
  for (let number = slots.length - 1; number >= 0; number--) {
    if (!pending[number]) continue;
    const slot = slots[number] as Slot;
    const ends = slot.results.every((_, i) => {
      const ref = number * mostResults + i;
      return stored.has(ref) || (replaced.has(ref) && all.get(ref) === ending.get(ref));
    });
    if (ends) count(ending, slot);
  }
  return ending;
}

/** Calls `visit` with the numbers of the values that an operation reads or partly replaces, with repetitions. */
export function eachRead({ operands, results }: Slot, visit: (ref: number) => void): void {
  for (const { ref } of operands) if (ref !== undefined) visit(ref);
  for (const { patches, before } of results) if (patches) visit(before as number);
}
