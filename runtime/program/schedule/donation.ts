// Donated arguments: their memory goes to results. A result takes the memory of an argument of its size that no later launch
// reads. In the launch that computes it, the argument may only be read element by element, at the result's own places.

import { donateTo } from "../../device/donated.js";
import { PooledStorage } from "../../device/pooled-storage.js";
import type { Storage } from "../../device/storage.js";
import { type Value, valueIn } from "../graph/ir.js";
import { sameWindow } from "../graph/window.js";
import type { Launch, OutputRef, Plan } from "./launches.js";

/** The arguments that a call gave away. */
export class Donation {
  readonly #values = new Set<Value>();

  /** Disposes of donated storages; the call's kernels may still read their elements. */
  constructor(
    readonly name: string,
    storages: readonly Storage[],
  ) {
    for (const storage of storages) {
      const isExchangeable = storage instanceof PooledStorage && !storage.pinned && !storage.disposed;
      if (isExchangeable) this.#values.add(valueIn(storage));
      donateTo(name, storage);
    }
  }

  /** True for a donated value. */
  has(value: Value): boolean {
    return this.#values.has(value);
  }

  /** Takes the memory of a value, which cannot be read any more; undefined if it is not donated. */
  take(value: Value): PooledStorage | undefined {
    const memory = this.has(value) ? value.holder : undefined;
    if (memory === undefined) return undefined;
    value.holder = undefined;
    value.takenBy = this.name;
    return memory;
  }
}

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
    for (const part of launch.members ?? [launch]) {
      for (const output of part.outputs) {
        if (output.base || scratch?.parts.has(output.ref)) continue;
        visit(output.ref, (leaf) => {
          const last = lastReads.get(leaf) ?? -1;
          return last < at || (last === at && isElementwise(launch, part, leaf, output));
        });
      }
    }
  });
}

/** The leaf whose memory each result takes, by their numbers, for donated leaves. `bytesOf` returns the size of a value. */
export function takenMemory(
  plan: Plan,
  leaves: readonly number[],
  bytesOf: (ref: number) => number,
): ReadonlyMap<number, number> {
  const free = new Set(leaves);
  const taken = new Map<number, number>();
  eachTaker(plan, (ref, mayTake) => {
    const leaf = [...free].find((one) => bytesOf(one) === bytesOf(ref) && mayTake(one));
    if (leaf === undefined) return;
    free.delete(leaf);
    taken.set(ref, leaf);
  });
  return taken;
}

/** True if a launch reads a leaf only where it writes the output, each element before that one is written. */
function isElementwise(launch: Launch, part: Launch, leaf: number, { window }: OutputRef): boolean {
  const { functor, reduction, scan, device } = launch;
  if (functor === undefined || reduction || scan) return false;
  // The stages of a processor's loop read their inputs again.
  if (functor.stages && device.target.dialect.grid === undefined) return false;
  const readsIn = ({ operands }: Launch) => operands.filter((one) => "ref" in one && one.ref === leaf);
  const reads = readsIn(part);
  if (reads.length !== readsIn(launch).length) return false;
  return reads.every((one) => "window" in one && sameWindow(one.window, window));
}
