// A device's memory in segments, which blocks of all sizes share: a large request costs a device little more than a small
// one. Of a device without a size for segments, each block is a request of its own.
import { JitlabError } from "../base/errors.js";
import type { Allocator } from "./device.js";

interface Segment {
  readonly start: number;
  readonly bytes: number;
}

/** Free memory of a segment. */
interface Gap {
  readonly start: number;
  readonly bytes: number;
  readonly segment: Segment;
}

const alignment = 512;
// A new segment has this share of what is held already, so that their number stays small, and so does what is unused.
const growth = 1 / 8;
const largest = 2 ** 30;

/** The memory that a pool holds of a device, at most `limit` bytes. */
export class Segments {
  /** By address; neighbors in a segment are merged. */
  readonly #gaps: Gap[] = [];
  readonly #segments: Segment[] = [];
  #heldBytes = 0;
  readonly #unit: number;

  constructor(
    readonly allocator: Allocator,
    readonly limit: number,
  ) {
    this.#unit = allocator.segmentBytes ?? 0;
  }

  /** Bytes of all segments. */
  get heldBytes(): number {
    return this.#heldBytes;
  }

  /** The address of a free share; undefined if no segment has one. */
  take(bytes: number): number | undefined {
    const size = this.#rounded(bytes);
    let best = -1;
    let least = Number.POSITIVE_INFINITY;
    for (let i = 0; i < this.#gaps.length; i++) {
      const { bytes } = this.#gaps[i] as Gap;
      if (bytes < size || bytes >= least) continue;
      best = i;
      least = bytes;
      if (bytes === size) break;
    }
    return best < 0 ? undefined : this.#cut(best, size);
  }

  /** Asks the device for a segment that has so many bytes; false if it, or the limit, has no room. */
  grow(bytes: number): boolean {
    const size = this.#rounded(bytes);
    if (this.#unit > 0) {
      const share = Math.min(largest, this.#heldBytes * growth);
      const wanted = Math.ceil(Math.max(size, share) / this.#unit) * this.#unit;
      if (this.#add(wanted)) return true;
    }
    return this.#add(size);
  }

  /** Takes a share back. */
  free(start: number, bytes: number): void {
    const size = this.#rounded(bytes);
    const at = indexAfter(this.#gaps, start);
    const index = indexAfter(this.#segments, start) - 1;
    const segment = this.#segments[index] as Segment;
    if (this.#unit === 0) {
      this.#segments.splice(index, 1);
      this.#heldBytes -= segment.bytes;
      this.allocator.free(start);
      return;
    }
    const before = this.#gaps[at - 1];
    const after = this.#gaps[at];
    const joinsBefore = before?.segment === segment && before.start + before.bytes === start;
    const joinsAfter = after?.segment === segment && start + size === after.start;
    const first = joinsBefore ? before.start : start;
    const end = joinsAfter ? after.start + after.bytes : start + size;
    const gap = { start: first, bytes: end - first, segment };
    this.#gaps.splice(joinsBefore ? at - 1 : at, Number(joinsBefore) + Number(joinsAfter), gap);
  }

  /** Returns the segments without blocks to the device. */
  trim(): void {
    for (let i = this.#gaps.length - 1; i >= 0; i--) {
      const { bytes, segment } = this.#gaps[i] as Gap;
      if (bytes < segment.bytes) continue;
      const at = this.#segments.indexOf(segment);
      // Taken out before it is freed: after an interrupt in between it must not be used again.
      this.#gaps.splice(i, 1);
      this.#segments.splice(at, 1);
      this.#heldBytes -= bytes;
      this.allocator.free(segment.start);
    }
  }

  #rounded(bytes: number): number {
    return this.#unit === 0 ? bytes : Math.ceil(bytes / alignment) * alignment;
  }

  #add(bytes: number): boolean {
    if (this.#heldBytes + bytes > this.limit) return false;
    const start = this.#ask(bytes);
    if (start === undefined) return false;
    const segment = { start, bytes };
    const at = indexAfter(this.#gaps, start);
    const index = indexAfter(this.#segments, start);
    this.#segments.splice(index, 0, segment);
    this.#gaps.splice(at, 0, { start, bytes, segment });
    this.#heldBytes += bytes;
    return true;
  }

  #ask(bytes: number): number | undefined {
    try {
      return this.allocator.allocate(bytes);
    } catch (error) {
      if (error instanceof JitlabError && error.code === "out-of-memory") return undefined;
      throw error;
    }
  }

  #cut(at: number, size: number): number {
    const { start, bytes, segment } = this.#gaps[at] as Gap;
    if (bytes === size) this.#gaps.splice(at, 1);
    else this.#gaps[at] = { start: start + size, bytes: bytes - size, segment };
    return start;
  }
}

/** The index of the first entry behind an address. */
function indexAfter(sorted: readonly { readonly start: number }[], start: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] as { start: number }).start > start) high = middle;
    else low = middle + 1;
  }
  return low;
}
