// When a pool looks for unreachable blocks. A collection costs time, garbage costs fresh memory; so:
// - A minor collection, which finds what died young, is due after `youngBytes` of new blocks, if the time since the last one
//   is `patience` times what that took; and in any case after `youngShare` of the device's memory, or a few blocks if they
//   are larger. After one that found less than half, the next waits twice as long: what survives two is not young any more.
// - A full one is due when the blocks that minor ones left have grown by as much, with the same patience, or by
//   `garbageShare`. Without minor ones it is due as early, counted from all new blocks.
const youngBytes = 2 ** 23;
const youngShare = 1 / 128;
const youngBlocks = 4;
const garbageShare = 1 / 16;
const patience = 10;
const mostWaits = 8;
// One collection that waits for other threads says little: at most twice the time before counts.
const firstMs = 0.1;
// Without minor collections.
const leastBytes = 2 ** 25;
const leastBlocks = 2 ** 13;
const shareWithoutMinor = 1 / 4;

/** The rule of one pool on a device, or within a limit, of `total` bytes. */
export class CollectionRule {
  // New and not disposed of since the last collection, when that ended, its duration, and how long to wait for the next.
  #newBytes = 0;
  #newBlocks = 0;
  #lastBytes = 0;
  #endedAt = 0;
  #ms = firstMs;
  #waits = 1;
  // The same of full ones, and what was owned then.
  #fullEndedAt = 0;
  #fullMs = 0;
  #ownedThen = 0;

  constructor(
    readonly total: number,
    readonly hasMinor: boolean,
  ) {}

  /** A block was allocated. */
  allocated(bytes: number): void {
    this.#newBytes += bytes;
    this.#newBlocks++;
    this.#lastBytes = bytes;
  }

  /** A block was disposed of, or found by a collection of V8's own. */
  freed(bytes: number): void {
    this.#newBytes = Math.max(0, this.#newBytes - bytes);
  }

  /** True if a minor collection is due. */
  get isMinorDue(): boolean {
    if (!this.hasMinor || this.#newBytes < youngBytes) return false;
    if (this.#newBytes > this.#mostYoung) return true;
    return performance.now() - this.#endedAt > patience * this.#waits * this.#ms;
  }

  get #mostYoung(): number {
    const few = Math.min(this.total * garbageShare, youngBlocks * this.#lastBytes);
    return Math.max(this.total * youngShare, few);
  }

  /** True if a full collection is due, while so many bytes are owned. */
  isFullDue(owned: number): boolean {
    if (!this.hasMinor) {
      if (this.#newBytes > this.total * shareWithoutMinor) return true;
      if (this.#newBytes < leastBytes && this.#newBlocks < leastBlocks) return false;
    } else {
      const grown = owned - this.#ownedThen;
      if (grown > this.total * garbageShare) return true;
      if (grown < this.#mostYoung) return false;
    }
    return performance.now() - this.#fullEndedAt > patience * this.#fullMs;
  }

  /** A collection that began at `start` has left so many bytes, of those that were owned before. */
  collected(kind: "minor" | "full", start: number, before: number, owned: number): void {
    const now = performance.now();
    if (kind === "full") {
      this.#fullEndedAt = now;
      this.#fullMs = now - start;
      this.#ownedThen = owned;
    } else {
      // What it found does not count as new any more.
      this.#waits = before - owned > this.#newBytes ? 1 : Math.min(mostWaits, this.#waits * 2);
      this.#ms = Math.min(now - start, 2 * this.#ms);
    }
    this.#endedAt = now;
    this.#newBytes = 0;
    this.#newBlocks = 0;
  }
}
