// The peak memory of a sequence of kernels or calls, if each result is freed after its last use.

/** A value in fresh memory, or in that of another value. */
export interface Made {
  readonly ref: number;
  readonly bytes: number;
  readonly into: number | undefined;
  /** The earlier value of its storage, whose memory is free after its last use. */
  readonly replaces?: number | undefined;
}

/** One kernel or call: the values that it computes and reads. */
export interface Turn {
  readonly makes: readonly Made[];
  readonly uses: readonly number[];
}

/** The peak beyond the memory in use before the first turn. Values of `kept` are not freed. */
export function peakOf(turns: readonly Turn[], kept: ReadonlySet<number>): number {
  // Values in one block share the number of the value for which it was allocated.
  const blocks = new Map<number, number>();
  const blockOf = (ref: number) => blocks.get(ref) ?? ref;
  const sizes = new Map<number, number>();
  const lastUses = new Map<number, number>();
  turns.forEach(({ makes, uses }, turn) => {
    for (const ref of uses) lastUses.set(blockOf(ref), Math.max(turn, lastUses.get(blockOf(ref)) ?? 0));
    for (const { ref, bytes, into, replaces } of makes) {
      if (into === undefined && replaces !== undefined) {
        sizes.set(blockOf(replaces), bytes);
        lastUses.set(blockOf(replaces), turn);
      }
      const block = into === undefined ? ref : blockOf(into);
      blocks.set(ref, block);
      if (into === undefined) sizes.set(block, bytes);
      lastUses.set(block, kept.has(ref) ? turns.length : turn);
    }
  });
  const freed = new Map<number, number>();
  for (const [block, turn] of lastUses) freed.set(turn, (freed.get(turn) ?? 0) + (sizes.get(block) ?? 0));
  let held = 0;
  let peak = 0;
  turns.forEach(({ makes }, turn) => {
    for (const { ref } of makes) held += sizes.get(ref) ?? 0;
    peak = Math.max(peak, held);
    held -= freed.get(turn) ?? 0;
  });
  return peak;
}
