// The median of measured values. It is here because launches, the magics and the benchmarks measure.

/** The middle value, or the mean of the middle two; NaN without values. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const high = sorted[middle] ?? Number.NaN;
  const low = sorted[sorted.length % 2 === 1 ? middle : middle - 1] ?? Number.NaN;
  return (low + high) / 2;
}
