// The means of values that an index tensor sends to the same element: sums and counts in wider dtypes, divided and rounded once.
import { dtypes, isInteger } from "../../base/dtype.js";
import { contiguousStrides } from "../../geometry/layout.js";
import { release } from "../../geometry/view.js";
import { emptyTensor, type Tensor, windowOf } from "../tensor.js";
import { accumulatorOf } from "./scatter-kernels.js";
import { type LanesOfTarget, scatterLanes } from "./scatter-lanes.js";

/** Replaces a target's elements by means; each of them counts as `own` values. */
export function scatterMean(target: Tensor, write: Omit<LanesOfTarget, "joining">, own: 0 | 1): void {
  const { dtype, shape, device } = target;
  const whole = dtype.name === "uint64" ? dtype : dtypes.int64;
  const sum = isInteger(dtype) ? whole : accumulatorOf("sum", dtype);
  const sums = emptyTensor(shape, contiguousStrides(shape), sum, device).copy_(target);
  scatterLanes(sums, { ...write, joining: "sum", accumulator: sum });
  const counts = emptyTensor(shape, contiguousStrides(shape), whole, device).fill_(own);
  const one = emptyTensor([], [], whole, device).fill_(1);
  const { lanes } = write;
  const ones = windowOf(one, { shape: lanes, strides: lanes.map(() => 0), offset: 0 });
  scatterLanes(counts, { ...write, joining: "sum", source: { over: ones, step: 0 } });
  const divisors = counts.clampMin(1);
  const means = isInteger(dtype) ? sums.floorDivide(divisors) : sums.div(divisors);
  target.copy_(means);
  release(sums, counts, one, divisors, means);
}
