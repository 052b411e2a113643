// Which result takes the memory of a leaf: of one of its size that no later launch reads. In the launch that computes the
// result, the leaf may only be read element by element, at the result's own places.

import type { Value } from "../operations/ir.js";
import { sameWindow } from "../operations/window.js";
import { numberOf, type OutputRef } from "./binding.js";
import type { Launch, Plan } from "./launches.js";

/** Called with a result that is stored, and a function that says whether it may take a leaf's memory. */
type Visit = (ref: number, mayTake: (leaf: number) => boolean) => void;

/** Visits the results of a plan that have memory of their own, in the order of its launches. */
export function eachTaker({ launches, scratch }: Plan, visit: Visit): void {
  const lastReads = new Map<number, number>();
  launches.forEach(({ operands, outputs }, at) => {
    for (const one of operands) if ("ref" in one) lastReads.set(one.ref, at);
    for (const { base } of outputs) if (base) lastReads.set(base.ref, Number.POSITIVE_INFINITY);
  });
  launches.forEach((launch, at) => {
    for (const part of launch.how.members ?? [launch]) {
      for (const output of part.outputs) {
        if (output.base || scratch?.parts.has(output.ref)) continue;
        visit(output.ref, (leaf) => {
          const last = lastReads.get(leaf) ?? -1;
          return last < at || (last === at && isInPlace(launch, part, leaf, output));
        });
      }
    }
  });
}

/**
 * The leaf whose memory each result takes, by their numbers, for donated leaves. `valueFor` returns one by its number. If
 * possible it is the leaf that a write in place would replace, so that it has the same memory after each step of a loop.
 */
export function takenMemory(
  plan: Plan,
  leaves: readonly number[],
  valueFor: (ref: number) => Pick<Value, "device" | "bytes">,
): ReadonlyMap<number, number> {
  const free = new Set(leaves);
  const taken = new Map<number, number>();
  const take = (leavesFor: (ref: number) => readonly number[]) =>
    eachTaker(plan, (ref, mayTake) => {
      if (taken.has(ref)) return;
      const { device, bytes } = valueFor(ref);
      const isAlike = (leaf: number) => valueFor(leaf).bytes === bytes && valueFor(leaf).device === device;
      const fits = (leaf: number) => free.has(leaf) && isAlike(leaf) && mayTake(leaf);
      const leaf = leavesFor(ref).find(fits);
      if (leaf === undefined) return;
      free.delete(leaf);
      taken.set(ref, leaf);
    });
  take((ref) => [firstOf(plan, ref)]);
  take(() => [...free]);
  return taken;
}

/** The leaf of a result's first operands. */
function firstOf({ slots }: Plan, result: number): number {
  let ref: number | undefined = result;
  let leaf = result;
  while (ref !== undefined) {
    leaf = ref;
    ref = slots.get(numberOf(leaf))?.operands.find((one) => one.ref !== undefined)?.ref;
  }
  return leaf;
}

/** True if a launch reads a leaf only where it writes the output, each element before that one is written. */
function isInPlace(launch: Launch, part: Launch, leaf: number, { window }: OutputRef): boolean {
  const { inPlaceFrom } = launch.how;
  if (inPlaceFrom === undefined) return false;
  const readsIn = (operands: Launch["operands"]) =>
    operands.filter((one) => "ref" in one && one.ref === leaf);
  const reads = readsIn(part.operands);
  return (
    readsIn(launch.operands.slice(0, inPlaceFrom)).length === 0 &&
    reads.length === readsIn(launch.operands).length &&
    reads.every((one) => "window" in one && sameWindow(one.window, window))
  );
}
