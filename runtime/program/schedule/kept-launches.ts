// The launches of a plan that runs call after call. Those that only launch kernels are kept, so that later calls write addresses into
// their arguments, without geometry, views and keys.

import type { PooledStorage } from "../../device/pooled-storage.js";
import { mayRepeat, RepeatedLaunches } from "../../launch/repeated-launches.js";
import { testsIndexes } from "../graph/index-tests.js";
import { isMap, isOpaque, type Node } from "../graph/ir.js";
import { type Binding, nodeAt } from "./binding.js";
import type { Launch, Plan } from "./launches.js";

/** A launch of the plan. */
interface Kept {
  /** The values that it reads. */
  readonly refs: readonly number[];
  /** The addresses of what it reads, and then of its results. */
  readonly pointers: Float64Array;
  readonly scalars: readonly unknown[];
  /** What it launched over memory of different alignments, the latest first. */
  known: readonly Known[];
  /** False if it is not repeated. */
  isRepeatable: boolean;
}

/** Launches over some memory. */
interface Known {
  readonly launches: RepeatedLaunches;
  /** For each result the number of an earlier address that its memory has too, or -1. */
  readonly shared: readonly number[];
}

/** So many alignments of a launch's operands are remembered. */
const mostKnown = 4;

const plans = new WeakMap<Plan, KeptLaunches>();

/** The kept launches of a plan that has run before; undefined for another. */
export function keptIn(plan: Plan): KeptLaunches | undefined {
  const known = plans.get(plan);
  if (known !== undefined || !plan.timing?.runs) return known;
  const made = new KeptLaunches();
  plans.set(plan, made);
  return made;
}

/** The kept launches of a plan. */
class KeptLaunches {
  readonly #kept: (Kept | undefined)[] = [];

  /**
   * Makes launch `i` of the plan over the memory of a call, as `run` does. `read` returns the memory of what it reads; the memory of its
   * results shows no values.
   */
  launch(
    i: number,
    launch: Launch,
    binding: Binding,
    memory: readonly PooledStorage[],
    read: (ref: number) => PooledStorage,
    run: () => void,
  ): void {
    this.#kept[i] ??= keptOf(launch, binding);
    const kept = this.#kept[i] as Kept;
    if (!kept.isRepeatable || !mayRepeat()) {
      run();
      return;
    }
    if (!hasScalars(kept.scalars, launch, binding)) {
      // A scalar of one call.
      kept.isRepeatable = false;
      run();
      return;
    }
    const { refs, pointers } = kept;
    for (let k = 0; k < refs.length; k++) pointers[k] = read(refs[k] as number).pointer;
    for (let k = 0; k < memory.length; k++) {
      const storage = memory[k] as PooledStorage;
      pointers[refs.length + k] = storage.pointer;
      // What is deferred and reads such memory gets a copy of the earlier elements.
      storage.writing();
    }
    const known = kept.known;
    for (let k = 0; k < known.length; k++) {
      const { launches, shared } = known[k] as Known;
      if (isSharedAlike(shared, pointers) && launches.fits(pointers)) {
        launches.launch(pointers);
        return;
      }
    }
    const launches = RepeatedLaunches.of([...refs.map(read), ...memory], pointers, run);
    if (launches === undefined) {
      kept.isRepeatable = false;
      return;
    }
    const shared = memory.map((_, k) => sharedBy(refs.length + k, pointers));
    kept.known = [{ launches, shared }, ...known.filter((one) => one.launches.isLoaded)].slice(0, mostKnown);
  }
}

/** The first earlier address that is equal to one; -1 for none. */
function sharedBy(at: number, pointers: Float64Array): number {
  const found = pointers.indexOf(pointers[at] as number);
  return found < at ? found : -1;
}

/** True if the memory of the results has the addresses that it had before. */
function isSharedAlike(shared: readonly number[], pointers: Float64Array): boolean {
  const first = pointers.length - shared.length;
  for (let k = 0; k < shared.length; k++) if (sharedBy(first + k, pointers) !== shared[k]) return false;
  return true;
}

function keptOf(launch: Launch, binding: Binding): Kept {
  const refs = [...new Set(launch.operands.flatMap((one) => ("ref" in one ? [one.ref] : [])))];
  const scalars: unknown[] = [];
  eachScalar(launch, binding, (value) => scalars.push(value) > 0);
  const isRepeatable = !launch.nodes.some((number) => isTested(nodeAt(binding, number)));
  return {
    refs,
    pointers: new Float64Array(refs.length + launch.outputs.length),
    scalars,
    known: [],
    isRepeatable,
  };
}

/** True for an operation that may refuse elements: the host tests them. */
function isTested(node: Node): boolean {
  return testsIndexes(node) || (isOpaque(node) && (node.undo ?? node.check) !== undefined);
}

/** Visits the scalars of a launch's operations in a call, while that returns true; returns whether it did. */
function eachScalar({ nodes }: Launch, binding: Binding, visit: (value: unknown) => boolean): boolean {
  for (let n = 0; n < nodes.length; n++) {
    const node = nodeAt(binding, nodes[n] as number);
    if (!isMap(node)) continue;
    const { operands, parameters, values } = node;
    for (let k = 0; k < operands.length; k++) {
      if (values[k] === undefined && !visit(operands[k])) return false;
    }
    for (let k = 0; k < parameters.length; k++) if (!visit(parameters[k])) return false;
  }
  return true;
}

function hasScalars(scalars: readonly unknown[], launch: Launch, binding: Binding): boolean {
  let at = 0;
  return eachScalar(launch, binding, (value) => Object.is(scalars[at++], value)) && at === scalars.length;
}
