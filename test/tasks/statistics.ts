// Numeric comparisons: statistics of rows with what is missing, and of all.
import { numbers } from "./numbers.js";

export function statistics() {
  const x = numbers(12 * 15, 23)
    .view(12, 15)
    .mul(10)
    .sub(4);
  const gaps = x.maskedFill(x.gt(5.5), Number.NaN);
  const { values, indices } = x.sort(1, { descending: true });
  return {
    mean: gaps.nanmean(1),
    sum: gaps.nansum(),
    middle: gaps.nanmedian(1).values,
    quartiles: x.quantile(0.25, 1),
    spread: x.std(1),
    variance: x.var(),
    soft: x.softmax(1),
    logs: x.logsumexp(0),
    running: x.cumsum(0),
    highest: x.cummax(1).values,
    values,
    indices,
    norm: x.norm(),
    correlation: x
      .sub(x.mean(0))
      .T.matmul(x.sub(x.mean(0)))
      .div(11),
  };
}
