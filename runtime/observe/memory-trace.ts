// jl.traceMemory: the blocks of memory that code takes and gives back, with the lines that took them.
import { optionsOf } from "../base/arguments.js";
import { collectMemory, liveBytes } from "../device/memory.js";
import { type BlockTrace, traceBlocks } from "../device/pool.js";
import { callSite } from "../program/tape/call-site.js";

/** The memory that one line took. */
export interface MemoryLine {
  /** A file's name, line and column; empty for what the library keeps. */
  readonly place: string;
  readonly allocations: number;
  /** The bytes of all its blocks. */
  readonly bytes: number;
  /** What of them was owned at the peak, and is reachable at the end. */
  readonly peakBytes: number;
  readonly endBytes: number;
}

/** What {@link traceMemory} finds; bytes count whole blocks, as in `jl.memory.stats()`. */
export interface MemoryTimeline {
  /** What was owned when it began, at the peak, and is reachable at the end. */
  readonly startBytes: number;
  readonly peakBytes: number;
  readonly endBytes: number;
  /** What was owned at the end and not reachable: `using` or `dispose()` free it at once. */
  readonly garbageBytes: number;
  /** The lines, those that hold most at the peak first. */
  readonly lines: readonly MemoryLine[];
  /** The bytes that are owned after each block is taken or given back. */
  readonly owned: readonly number[];
  /** The place of the line that took each of those blocks; undefined for earlier code. */
  readonly places: readonly (string | undefined)[];
}

interface Held {
  readonly line: Draft;
  readonly bytes: number;
}

type Draft = { -readonly [K in keyof MemoryLine]: MemoryLine[K] } & { held: number };

/** Options of {@link traceMemory}. */
export interface MemoryTraceOptions {
  /** Finds and frees garbage before each block, which takes milliseconds: the peak is that of code which frees each tensor at once. */
  readonly collect?: boolean;
}

/** A trace that is open. */
export interface OpenMemoryTrace {
  /** Ends it, after a search for what is not reachable. */
  stop(): MemoryTimeline;
}

/**
 * Notes each block of device memory that is taken and given back from now on, with the line that takes it, until `stop()`.
 * With `{ collect: true }` garbage is freed before each block: the peak without it is measured, not estimated.
 *
 * @example jl.traceMemory().stop().lines // []
 */
export function traceMemory(options?: MemoryTraceOptions): OpenMemoryTrace {
  const { collect = false } = optionsOf("traceMemory", options, ["collect"]);
  const trace = new MemoryTrace(collect === true);
  const before = traceBlocks(trace);
  let found: MemoryTimeline | undefined;
  return {
    stop() {
      if (found === undefined) {
        found = trace.end();
        traceBlocks(before);
      }
      return found;
    },
  };
}

class MemoryTrace implements BlockTrace {
  readonly #start = liveBytes();
  readonly #lines = new Map<string, Draft>();
  readonly #blocks = new Map<string, Held>();
  readonly #owned: number[] = [];
  readonly #places: (string | undefined)[] = [];
  #peak = this.#start;

  constructor(readonly collects: boolean) {}

  owned({ id }: { readonly id: number }, slot: number, bytes: number): void {
    const place = callSite();
    const line = this.#lines.get(place) ?? {
      place,
      allocations: 0,
      bytes: 0,
      peakBytes: 0,
      endBytes: 0,
      held: 0,
    };
    this.#lines.set(place, line);
    line.allocations++;
    line.bytes += bytes;
    line.held += bytes;
    this.#blocks.set(`${id} ${slot}`, { line, bytes });
    const now = this.#note(place);
    if (now <= this.#peak) return;
    this.#peak = now;
    for (const one of this.#lines.values()) one.peakBytes = one.held;
  }

  freed({ id }: { readonly id: number }, slot: number): void {
    const key = `${id} ${slot}`;
    const held = this.#blocks.get(key);
    if (held) held.line.held -= held.bytes;
    this.#blocks.delete(key);
    this.#note(held?.line.place);
  }

  #note(place: string | undefined): number {
    const now = liveBytes();
    this.#places.push(place);
    this.#owned.push(now);
    return now;
  }

  end(): MemoryTimeline {
    const [owned, places] = [[...this.#owned], [...this.#places]];
    const before = liveBytes();
    collectMemory();
    const endBytes = liveBytes();
    const lines = [...this.#lines.values()].map(({ held, ...line }) => ({ ...line, endBytes: held }));
    return {
      startBytes: this.#start,
      peakBytes: this.#peak,
      endBytes,
      garbageBytes: before - endBytes,
      lines: lines.sort((a, b) => b.peakBytes - a.peakBytes),
      owned,
      places,
    };
  }
}
