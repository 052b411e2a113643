// The order in which reductions join elements, for all kernels (docs/reductions.md). It depends only on shape, strides and
// dtype, not on alignment, threads or blocks.

/** The layout of one result's elements: a row, or a column next to those of other results. */
export type ReduceKind = "row" | "column";

/**
 * Element k of a part joins accumulator k mod `width`, in ascending order. The accumulators of a part are then joined in
 * pairs, and so are the values of the parts.
 */
export interface ReductionOrder {
  /** A power of two. */
  readonly width: number;
  /** Near: accumulator 0 is joined with neighbor 1 first, then 2 and 4. Far: first with the one half the width away. */
  readonly pairs: "near" | "far";
  /** Elements of a part; a multiple of `width`. */
  readonly part: number;
}

interface Row {
  readonly upTo: number;
  readonly width: number;
}

// A thread of a grid takes at least four elements of a row, so a width allows up to a quarter as many threads.
const gridWidths: Readonly<Record<ReduceKind, readonly Row[]>> = {
  row: [
    { upTo: 16, width: 4 },
    { upTo: 64, width: 16 },
    { upTo: 1024, width: 128 },
    { upTo: Number.POSITIVE_INFINITY, width: 1024 },
  ],
  column: [
    { upTo: 16, width: 4 },
    { upTo: Number.POSITIVE_INFINITY, width: 32 },
  ],
};
// The shortest and the longest part, and the number of parts between them.
const gridParts = {
  row: { least: 2 ** 13, most: 2 ** 16, parts: 2 ** 10 },
  column: { least: 2 ** 10, most: 2 ** 11, parts: 2 ** 9 },
};

/** The order on a device that runs a grid of threads. */
export function gridOrder(kind: ReduceKind, length: number): ReductionOrder {
  const { width } = gridWidths[kind].find(({ upTo }) => length <= upTo) as Row;
  const { least, most, parts } = gridParts[kind];
  const part = 2 ** Math.ceil(Math.log2(Math.max(length, 1) / parts));
  return { width, pairs: kind === "row" ? "near" : "far", part: Math.min(most, Math.max(least, part)) };
}

// Accumulators fill two of the widest vector registers, or more narrower ones; short rows have few.
const registerBytes = 128;
/** Rows of a processor have few accumulators below this length. */
export const shortRow = 16;
const roundsOfPart = 128;
const rowsOfPart = 256;

/** The order on a processor, whose vector registers hold the accumulators. */
export function hostOrder(kind: ReduceKind, length: number, accumulatorBytes: number): ReductionOrder {
  if (kind === "column") return { width: 1, pairs: "near", part: rowsOfPart };
  const full = Math.max(8, Math.min(32, registerBytes / accumulatorBytes));
  return { width: length < shortRow ? 4 : full, pairs: "far", part: full * roundsOfPart };
}

/** The order in which the values of parts are joined, on every device; few widths, for few kernels. */
export function partsOrder(parts: number): ReductionOrder {
  return { width: parts <= 16 ? 16 : parts <= 128 ? 128 : 1024, pairs: "near", part: 1024 };
}

/**
 * The places that a tree joins, in order, the second into the first: those `from` apart, then twice as far, below `to`. As
 * a text without loops, because an optimizer may leave an array of accumulators in memory for their sake.
 */
export function treeOf(count: number, from = 1, to = count): readonly (readonly [number, number])[] {
  const pairs: [number, number][] = [];
  for (let step = from; step < to; step *= 2)
    for (let at = 0; at < count; at += 2 * step) pairs.push([at, at + step]);
  return pairs;
}
