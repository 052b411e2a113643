// A plain program of the order in which reductions join elements (docs/reductions.md).
import {
  gridOrder,
  hostOrder,
  partsOrder,
  type ReduceKind,
  type ReductionOrder,
} from "../../dist/runtime/codegen/reductions/reduction-order.js";

/** Joins accumulators or parts two by two until one is left. */
function paired(values: readonly number[], pairs: ReductionOrder["pairs"]): number {
  if (values.length === 1) return values[0] as number;
  const half = values.length / 2;
  const partner = (i: number): number[] => (pairs === "near" ? [2 * i, 2 * i + 1] : [i, i + half]);
  const sums = Array.from({ length: half }, (_, i) => {
    const [a, b] = partner(i).map((k) => values[k] as number) as [number, number];
    return Math.fround(a + b);
  });
  return paired(sums, pairs);
}

/** The float32 sum of one row or column in the order of a grid of threads, or of a processor. */
export function sumInOrder(values: readonly number[], kind: ReduceKind, grid: boolean): number {
  let order = grid ? gridOrder(kind, values.length) : hostOrder(kind, values.length, 4);
  for (let current = values; ; order = partsOrder(current.length)) {
    const { width, pairs, part } = order;
    const parts: number[] = [];
    for (let begin = 0; begin === 0 || begin < current.length; begin += part) {
      const own = new Array<number>(width).fill(0);
      current.slice(begin, begin + part).forEach((value, k) => {
        own[k % width] = Math.fround((own[k % width] as number) + value);
      });
      parts.push(paired(own, pairs));
    }
    if (parts.length === 1) return parts[0] as number;
    current = parts;
  }
}
