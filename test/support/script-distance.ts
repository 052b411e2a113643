// Arguments for functions in TypeScript, and how far results are from what V8 computes.

/** The first arguments. */
export const xs = [-1e3, -7.5, -3, -2.5, -1, -0.5, -0, 0.125, 0.5, 1, 1.5, 2, 3.25, 10, 99.5];
/** The second arguments. */
export const ys = [0.5, -2, 3, 0, 1, -1.5, 7, -0.25, 2, 1, -8, 2.5, 1e3, 4, -0.5];

/** The distance in units in the last place; 0 for equal values. */
function distance(a: number, b: number): number {
  if (a === b || (Number.isNaN(a) && Number.isNaN(b))) return 0;
  const bits = new BigInt64Array(new Float64Array([a, b]).buffer);
  const [p, q] = [...bits].map((one) => (one < 0n ? -(one & 0x7fffffffffffffffn) : one)) as [bigint, bigint];
  return Number(p > q ? p - q : q - p);
}

/** The greatest distance of some results. */
export function worst(name: string, results: readonly unknown[], expected: readonly unknown[]): number {
  const distances = results.map((value, i) => distance(Number(value), Number(expected[i])));
  if (distances.some(Number.isNaN)) throw new Error(`${name}: no distance`);
  return Math.max(...distances);
}
