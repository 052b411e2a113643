// Launches that are made again over the same memory, call after call, become one piece of work for a device that has such:
// a CUDA graph, which costs the host one launch.

import { JitlabError } from "../base/errors.js";
import type { ComposedWork, Device } from "../device/device.js";
import type { RepeatedLaunches } from "./repeated-launches.js";

// After so many calls over the same memory, and after twice as many each further time until what was composed is launched as often.
const firstPatience = 4;
const mostPatience = 2 ** 16;
const leastLaunches = 2;
const mostRuns = 64;

// Frees the device's objects of runs that became unreachable.
const dropped = new FinalizationRegistry<ComposedWork>((work) => work.release());

/** Consecutive launches as one piece of work. */
interface Run {
  readonly members: readonly RepeatedLaunches[];
  /** The addresses of all memory when it was made. */
  readonly pointers: Float64Array;
  readonly work: ComposedWork;
  /** How often it was launched. */
  launches: number;
}

/** The launches of a plan, of which some become one piece of work. */
export class ComposedLaunches {
  /** By the number of their first launch. */
  readonly #runs = new Map<number, Run>();
  /** What was launched last, each by number, over memory with these addresses, and in how many calls before. */
  readonly #launched: (RepeatedLaunches | undefined)[];
  readonly #pointers: Float64Array;
  readonly #calls: Uint32Array;
  #patience = firstPatience;

  constructor(count: number, addresses: number) {
    this.#launched = new Array(count).fill(undefined);
    this.#calls = new Uint32Array(count);
    this.#pointers = new Float64Array(addresses);
  }

  /** How many launches from this one on are one piece of work over memory with these addresses; 0 if none is. */
  from(first: number, pointers: Float64Array): number {
    const run = this.#runs.get(first);
    if (run === undefined) return 0;
    const { members, pointers: own } = run;
    for (let i = 0; i < members.length; i++) {
      const member = members[i] as RepeatedLaunches;
      if (!member.isLoaded || !member.isAlike(own, pointers)) return 0;
    }
    return members.length;
  }

  /** Launches them. */
  launch(first: number): void {
    const run = this.#runs.get(first) as Run;
    const { work, members } = run;
    work.launch();
    if (++run.launches === this.#patience) this.#patience = firstPatience;
    for (let i = 0; i < members.length; i++) (members[i] as RepeatedLaunches).count();
  }

  /** Notes a launch that was made by itself; undefined for one that cannot be repeated. */
  note(number: number, launches: RepeatedLaunches | undefined, pointers: Float64Array): void {
    const isSteady = launches === this.#launched[number] && launches?.isAlike(pointers, this.#pointers);
    this.#calls[number] = isSteady ? (this.#calls[number] as number) + 1 : 0;
    this.#launched[number] = launches;
  }

  /** Ends a call over memory with these addresses: composes what was launched over the same ones for long enough. */
  ended(pointers: Float64Array): void {
    this.#pointers.set(pointers);
    const [calls, patience] = [this.#calls, this.#patience];
    let isDue = false;
    for (let number = 0; number < calls.length; number++) {
      const own = calls[number] as number;
      // Others may soon belong to the same run.
      if (own > 0 && own < patience) return;
      isDue ||= own >= patience;
    }
    if (!isDue) return;
    for (let first = 0; first < calls.length; first++) {
      let end = first;
      while ((calls[end] ?? 0) >= patience && !this.#launched[end]?.spansDevices) end++;
      if (end - first < leastLaunches) continue;
      this.#compose(first, end);
      first = end;
      this.#patience = Math.min(2 * patience, mostPatience);
    }
  }

  #compose(first: number, end: number): void {
    this.#calls.fill(0, first, end);
    const members = this.#launched.slice(first, end) as RepeatedLaunches[];
    const pointers = this.#pointers.slice();
    const devices = [...new Set(members.map(({ device }) => device))];
    const work = together(
      devices.map((device) => {
        const own = members.filter((member) => member.device === device);
        return composed(device, own, pointers);
      }),
    );
    if (work === undefined) return;
    this.#end(first);
    const [oldest] = this.#runs.keys();
    if (this.#runs.size >= mostRuns) this.#end(oldest);
    this.#runs.set(first, { members, pointers, work, launches: 0 });
    dropped.register(this, work, work);
  }

  #end(first: number | undefined): void {
    const run = first === undefined ? undefined : this.#runs.get(first);
    if (first === undefined || run === undefined) return;
    this.#runs.delete(first);
    dropped.unregister(run.work);
    run.work.release();
  }
}

/** The work of several devices; undefined, and released, if that of one is missing. */
function together(works: readonly (ComposedWork | undefined)[]): ComposedWork | undefined {
  if (works.length === 1) return works[0];
  const all = {
    launch: () => {
      for (const work of works) work?.launch();
    },
    release: () => {
      for (const work of works) work?.release();
    },
  };
  if (!works.includes(undefined)) return all;
  all.release();
  return undefined;
}

/** Undefined where a device has no such work, or fails to make it. */
function composed(
  device: Device | undefined,
  members: readonly RepeatedLaunches[],
  pointers: Float64Array,
): ComposedWork | undefined {
  try {
    return device?.compose?.(() => {
      for (const member of members) member.queue(pointers);
    });
  } catch (error) {
    // Launched one by one they work, or report their own error.
    if (error instanceof JitlabError) return undefined;
    throw error;
  }
}
