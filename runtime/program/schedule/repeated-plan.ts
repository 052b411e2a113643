// A plan that is launched call after call over memory that is known. Its launches are kept, so that later calls only write
// addresses into their arguments.

import { allocate, smallBytes } from "../../device/memory.js";
import type { PooledStorage } from "../../device/pooled-storage.js";
import { ComposedLaunches } from "../../launch/composed-launches.js";
import type { IndexFlag } from "../../launch/index-check.js";
import { mayRepeat, RepeatedLaunches } from "../../launch/repeated-launches.js";
import { testsIndexes } from "../operations/index-tests.js";
import type { Node } from "../operations/ir.js";
import type { Binding } from "./binding.js";
import type { Launch, Plan, Scratch } from "./launches.js";
import { launchAgain } from "./run.js";
import { type Cell, sharesOf, withCells } from "./scratch.js";

/** A launch of the plan. */
interface Repeated {
  readonly launch: Launch;
  /** What it launched over memory of different alignments, the latest first. */
  known: readonly RepeatedLaunches[];
  /** False if it cannot be repeated. */
  isRepeatable: boolean;
}

/** The launches of a plan over memory that stays the same. */
export interface Again {
  /** Gives them to the device, without counting them. */
  queue(): void;
  /** Counts them, which the device has made. */
  count(): void;
  isLoaded(): boolean;
}

/** So many alignments of a launch's operands are remembered. */
const mostKnown = 4;

/** The launches of a plan over the memory of calls. */
export class RepeatedPlan {
  readonly #scratch: Scratch | undefined;
  readonly #launches: readonly Repeated[];
  /** The values outside of the scratch memory, and then those in it with their places. */
  readonly #refs: readonly number[];
  readonly #parts: readonly (readonly [ref: number, block: number, offset: number])[];
  readonly #written: readonly number[];
  /** The addresses of all values in a call. */
  readonly #pointers: Float64Array;
  readonly #composed: ComposedLaunches | undefined;

  constructor(
    readonly plan: Plan,
    /** The operations; a call has other objects for those with scalars of its own. */
    readonly nodes: readonly Node[],
    /** Where kernels mark an index out of bounds. */
    readonly flags: readonly IndexFlag[],
    /** Values besides those in the plan's scratch memory that nothing reads after a call. */
    cells: readonly Cell[] = [],
    /** The values that replace a part of another one in its memory. */
    inPlace: ReadonlySet<number> = new Set(),
  ) {
    const { launches } = plan;
    this.#scratch = withCells(plan.scratch, cells);
    const parts = this.#scratch?.parts ?? new Map<number, never>();
    const all = launches.flatMap(({ operands, outputs }) =>
      [...operands, ...outputs].flatMap((one) => ("ref" in one ? [one.ref] : [])),
    );
    this.#refs = [...new Set(all)].filter((ref) => !parts.has(ref));
    this.#parts = [...parts].map(([ref, { block, offset }]) => [ref, block, offset]);
    this.#pointers = new Float64Array(this.#refs.length + this.#parts.length);
    this.#launches = launches.map((launch): Repeated => {
      return { launch, known: [], isRepeatable: isWhole(launch, nodes, inPlace) };
    });
    const written = launches.flatMap(({ outputs }) => outputs.map(({ ref }) => ref));
    this.#written = written.filter((ref) => !parts.has(ref));
    if (launches.some(({ device }) => device.compose))
      this.#composed = new ComposedLaunches(launches.length, this.#pointers.length);
  }

  /**
   * Launches the plan up to an index out of bounds, at which it returns false. `memory` has every leaf and every result outside
   * of the scratch memory.
   */
  run(nodes: readonly Node[], memory: ReadonlyMap<number, PooledStorage>): boolean {
    const scratch = this.#scratch;
    // Alone in its block it often has the address of the last call.
    const least = this.#composed ? smallBytes + 1 : 0;
    const blocks = (scratch?.blocks ?? []).map(({ device, bytes }) =>
      allocate(device, Math.max(bytes, least)),
    );
    let shares: ReadonlyMap<number, PooledStorage> | undefined;
    const shared = () => {
      shares ??= scratch ? sharesOf(blocks, scratch) : new Map();
      return { nodes, leaves: [], scratch: new Map([...memory, ...shares]) };
    };
    try {
      if (!mayRepeat()) {
        const binding = shared();
        return this.#launches.every(({ launch }) => launchAgain(launch, binding, this.flags));
      }
      this.#place(memory, blocks);
      let binding: Binding | undefined;
      const [launches, composed, pointers] = [this.#launches, this.#composed, this.#pointers];
      for (let i = 0; i < launches.length; i++) {
        const run = composed?.from(i, pointers) ?? 0;
        if (run > 0) {
          composed?.launch(i);
          i += run - 1;
          continue;
        }
        const repeated = launches[i] as Repeated;
        const known = repeated.known.find((one) => one.fits(pointers));
        if (known) {
          known.launch(pointers);
        } else {
          binding ??= shared();
          if (!this.#first(repeated, binding)) return false;
        }
        composed?.note(i, known, pointers);
      }
      composed?.ended(pointers);
      return true;
    } finally {
      for (const share of shares?.values() ?? []) share.dispose();
      for (const block of blocks) block.dispose();
    }
  }

  /**
   * Its launches over this memory and scratch memory of their own, which nothing else uses until it is disposed of; undefined where one of
   * them cannot be made again.
   */
  over(memory: ReadonlyMap<number, PooledStorage>, blocks: readonly PooledStorage[]): Again | undefined {
    if (!mayRepeat()) return undefined;
    this.#place(memory, blocks);
    const pointers = this.#pointers.slice();
    const known = this.#launches.flatMap(({ known }) => known.find((one) => one.fits(pointers)) ?? []);
    if (known.length < this.#launches.length || known.some((one) => one.spansDevices)) return undefined;
    return {
      queue: () => {
        for (const one of known) one.queue(pointers);
      },
      count: () => {
        for (const one of known) one.count();
      },
      isLoaded: () => known.every((one) => one.isLoaded),
    };
  }

  /** Scratch memory for {@link over}. */
  blocks(): PooledStorage[] {
    return (this.#scratch?.blocks ?? []).map(({ device, bytes }) => allocate(device, bytes));
  }

  /** Computes pending memory and takes the addresses, which do not change until the end of the call. */
  #place(memory: ReadonlyMap<number, PooledStorage>, blocks: readonly PooledStorage[]): void {
    const [refs, parts, pointers, written] = [this.#refs, this.#parts, this.#pointers, this.#written];
    for (let i = 0; i < refs.length; i++)
      pointers[i] = (memory.get(refs[i] as number) as PooledStorage).pointer;
    // What is deferred and reads such memory gets a copy of the earlier elements. Pending memory is computed by now.
    for (let i = 0; i < written.length; i++) memory.get(written[i] as number)?.writing();
    const starts = blocks.map(({ pointer }) => pointer);
    for (let i = 0; i < parts.length; i++) {
      const [, block, offset] = parts[i] as (typeof parts)[number];
      pointers[refs.length + i] = (starts[block] as number) + offset;
    }
  }

  /** Makes a launch by its operations, and keeps it if it can be repeated. */
  #first(repeated: Repeated, binding: Binding): boolean {
    const { launch } = repeated;
    // A scalar of one call.
    if (launch.nodes.some((number) => binding.nodes[number] !== this.nodes[number]))
      repeated.isRepeatable = false;
    if (!repeated.isRepeatable) return launchAgain(launch, binding, this.flags);
    const refs = [...this.#refs, ...this.#parts.map(([ref]) => ref)];
    const memory = refs.map((ref) => binding.scratch?.get(ref) as PooledStorage);
    const seen = RepeatedLaunches.of(
      memory,
      this.#pointers,
      () => void launchAgain(launch, binding, this.flags),
    );
    if (seen === undefined) repeated.isRepeatable = false;
    else repeated.known = [seen, ...repeated.known.filter(({ isLoaded }) => isLoaded)].slice(0, mostKnown);
    return true;
  }
}

/** True for a launch that does nothing but launch: no elements are copied before it, and the host tests no indexes. */
function isWhole(
  { outputs, nodes: numbers }: Launch,
  nodes: readonly Node[],
  inPlace: ReadonlySet<number>,
): boolean {
  return (
    outputs.every(({ base, ref }) => base === undefined || inPlace.has(ref)) &&
    !numbers.some((number) => testsIndexes(nodes[number] as Node))
  );
}
