// Runs a plan: binds its numbers to the nodes and leaves of one call, allocates the stored results, and launches.

import { JitlabError } from "../../base/errors.js";
import type { PooledStorage } from "../../device/pooled-storage.js";
import type { IndexFlag } from "../../launch/index-check.js";
import { mayRepeat } from "../../launch/repeated-launches.js";
import { testAfter, testBefore } from "../operations/index-tests.js";
import { eachSource, isMap, type Node, type Value } from "../operations/ir.js";
import type { Slot } from "../operations/slot.js";
import { viewOn } from "../operations/window.js";
import { type Binding, memoryAt, nodeAt, numberOf, type OutputRef, valueAt } from "./binding.js";
import type { Donation } from "./donation.js";
import { KnownLaunch } from "./known-launch.js";
import { located } from "./launch-errors.js";
import type { Launch, Plan, Views } from "./launches.js";
import { memoryOf, noteWritten, type Results, resultsOf, unwritten } from "./output-memory.js";
import { allocateScratch } from "./scratch.js";
import { takenMemory } from "./taken-memory.js";

/** Launches a plan and gives its computed values their memory. */
export function runPlan(plan: Plan, binding: Binding): void {
  if (plan.scratch === undefined && binding.donation === undefined) {
    runLaunches(plan, binding);
    return;
  }
  // Values in scratch memory keep their nodes, and are computed again when they are read.
  const scratch = plan.scratch ? allocateScratch(plan.scratch) : new Map<number, PooledStorage>();
  const given = binding.donation && takeMemory(plan, binding, binding.donation, scratch);
  try {
    runLaunches(plan, { nodes: binding.nodes, leaves: binding.leaves, scratch, given });
  } finally {
    for (const share of scratch.values()) share.dispose();
  }
}

/** Donated memory for results, by their numbers. The plan's kernels read the donated leaves in `scratch`. */
function takeMemory(
  plan: Plan,
  binding: Binding,
  donation: Donation,
  scratch: Map<number, PooledStorage>,
): ReadonlyMap<number, PooledStorage> {
  plan.taken ??= takenMemory(
    plan,
    binding.leaves.flatMap((leaf) => (donation.has(leaf) ? [leaf.ref] : [])),
    (ref) => valueAt(binding, ref),
  );
  const given = new Map<number, PooledStorage>();
  for (const [ref, leaf] of plan.taken) {
    const memory = donation.take(valueAt(binding, leaf));
    if (memory === undefined) continue;
    scratch.set(leaf, memory.share());
    given.set(ref, memory);
  }
  return given;
}

function runLaunches(plan: Plan, binding: Binding): void {
  const { launches } = plan;
  const known = mayRepeat() ? knownOf(plan, binding) : undefined;
  const all = new Array<Results>(launches.length);
  for (let i = 0; i < all.length; i++) all[i] = resultsOf(launches[i] as Launch, binding);
  for (let i = 0; i < all.length; i++) {
    const launch = launches[i] as Launch;
    const results = all[i] as Results;
    const memory = memoryOf(launch, binding, results);
    noteWritten(results, memory);
    const maps = launch.isChecked ? launch.nodes.map((number) => nodeAt(binding, number)).filter(isMap) : [];
    try {
      const tested = launch.isChecked ? testBefore(maps) : undefined;
      makeLaunch(launch, binding, memory, results.over ? undefined : known?.[i]);
      if (launch.isChecked) testAfter(maps, tested);
    } catch (error) {
      // Nothing was launched, or into fresh memory. Interrupts do not reach this line.
      unwritten(results);
      launch.how.ended?.(launch, binding, true);
      throw located(error, slotsOf(launch, binding));
    }
    settle(launch, binding, results, memory);
    launch.how.ended?.(launch, binding, false);
  }
}

const launched = new WeakMap<Plan, readonly KnownLaunch[]>();

/** What the launches of a plan have launched; undefined before its second run. */
function knownOf(plan: Plan, binding: Binding): readonly KnownLaunch[] | undefined {
  if (!plan.timing?.runs) return undefined;
  const known = launched.get(plan) ?? plan.launches.map((launch) => new KnownLaunch(launch, binding));
  launched.set(plan, known);
  return known;
}

/** True if numbers in a plan's launches were others in its last run than in the one before. */
export function hasOtherNumbers(plan: Plan): boolean {
  return launched.get(plan)?.some(({ hasChanged }) => hasChanged) ?? false;
}

/** Makes a launch into `memory`; as in an earlier call, if that is `known`. */
function makeLaunch(
  launch: Launch,
  binding: Binding,
  memory: readonly PooledStorage[],
  known: KnownLaunch | undefined,
): void {
  if (known?.again(binding, memory)) return;
  const run = () => launch.how.run(launch, binding, viewsOf(binding, memory));
  if (known) known.see(binding, memory, run);
  else run();
}

/**
 * Makes a launch over memory that is known: in `scratch` for every leaf and every result. A result with other memory than the
 * value that it partly replaces gets a copy of that value's elements. Returns false at an index out of bounds; kernels mark one
 * in `flags`.
 */
export function launchAgain(launch: Launch, binding: Binding, flags: readonly IndexFlag[]): boolean {
  const memory = launch.outputs.map(({ ref, base }) => {
    const own = memoryAt(binding, ref);
    const earlier = base && memoryAt(binding, base.ref);
    if (earlier && earlier.pointer !== own.pointer) own.device.copy(own.pointer, earlier.pointer, own.bytes);
    return own;
  });
  try {
    launch.how.run(launch, binding, viewsOf(binding, memory));
  } catch (error) {
    if (error instanceof JitlabError && error.code === "bad-index") return false;
    throw located(error, slotsOf(launch, binding));
  }
  return !launch.isChecked || !flags.some((flag) => flag.isMarked());
}

function slotsOf({ nodes }: Launch, binding: Binding): Slot[] {
  return nodes.map((number) => nodeAt(binding, number).slot);
}

/** The views of a launch that reads the values of a call and writes into that memory. */
function viewsOf(binding: Binding, memory: readonly PooledStorage[]): Views {
  return {
    read: ({ ref, window }) => viewOn(memoryAt(binding, ref), window),
    output: ({ window }, i) => viewOn(memory[i] as PooledStorage, window),
  };
}

/** Gives computed values their memory, and drops their nodes. */
function settle(
  { outputs }: Launch,
  binding: Binding,
  { values, over }: Results,
  memory: readonly PooledStorage[],
): void {
  const { scratch } = binding;
  const computed: Node[] = [];
  for (let i = 0; i < outputs.length; i++) {
    const { ref } = outputs[i] as OutputRef;
    if (scratch?.has(ref)) continue;
    const value = values[i] as Value;
    const storage = memory[i] as PooledStorage;
    const earlier = over?.[i];
    if (earlier?.holder === storage) earlier.holder = undefined;
    if (value.holder !== undefined) continue;
    value.settle(storage);
    const node = nodeAt(binding, numberOf(ref));
    if (isComputed(node)) computed.push(node);
  }
  for (let i = 0; i < computed.length; i++) eachSource(computed[i] as Node, release);
}

/** Releases what nodes read that nobody will compute. */
export function abandon(nodes: readonly Node[]): void {
  for (const node of nodes) if (!isComputed(node)) eachSource(node, release);
}

function isComputed({ made }: Node): boolean {
  for (let i = 0; i < made.length; i++) if (made[i]?.holder === undefined) return false;
  return true;
}

/** Removes a reader; memory without a reader or a storage is freed. */
function release(value: Value): void {
  value.readers--;
  if (value.readers > 0 || value.home !== undefined) return;
  value.holder?.dispose();
  value.holder = undefined;
}
