// Covariances and correlations of variables, whose observations are the columns of a matrix, with PyTorch's options.
import { numberOf, optionsOf } from "../../base/arguments.js";
import { JitlabError } from "../../base/errors.js";
import { formatShape } from "../../geometry/layout.js";
import { checkDevices } from "../same-device.js";
import { floating } from "../statistic-options.js";
import { type Tensor, tensorOf } from "../tensor.js";

/** Options of cov. */
export interface CovOptions {
  /** Subtracted from the number of observations; default 1, the sample estimate. */
  readonly correction?: number;
  /** How often each observation was made; integers. */
  readonly fweights?: Tensor;
  /** How much each observation counts. */
  readonly aweights?: Tensor;
}

/** A matrix of variables in rows, in a floating dtype. */
function variablesOf(what: string, value: unknown): Tensor {
  const given = tensorOf(what, value);
  const isWhole = given.dtype.kind !== "float" && given.dtype.kind !== "complex";
  const x = isWhole ? given.to("float32") : floating(what, given);
  if (x.ndim <= 2) return x.ndim === 2 ? x : x.reshape([1, -1]);
  throw new JitlabError(
    "bad-dimension",
    `${what}: the shape ${formatShape(x.shape)} is not that of a matrix.`,
    "Rows are variables and columns observations; a vector is one variable.",
  );
}

function weightsOf(what: string, x: Tensor, name: string, value: Tensor): Tensor {
  checkDevices(what, x, tensorOf(what, value), ["the tensor", name]);
  if (value.ndim === 1 && value.size === x.shape[1]) return value.to(x.dtype.name);
  throw new JitlabError(
    "shape-mismatch",
    `${what}: ${name} of shape ${formatShape(value.shape)}, for ${x.shape[1]} observations.`,
    "Give a vector with a weight for each observation.",
  );
}

/**
 * The covariance matrix of variables: rows are variables, columns observations. Of a vector, its variance.
 *
 * @example jl.tensor([[0, 1, 2], [2, 1, 0]]).cov().toArray() // [[1, -1], [-1, 1]]
 */
export function cov(x: Tensor, options?: CovOptions): Tensor {
  const what = "cov";
  const {
    correction = 1,
    fweights,
    aweights,
  } = optionsOf(what, options, ["correction", "fweights", "aweights"]);
  const values = variablesOf(what, x);
  const less = numberOf(what, "correction", correction);
  const each = [
    ...(fweights === undefined ? [] : [weightsOf(what, values, "fweights", fweights)]),
    ...(aweights === undefined ? [] : [weightsOf(what, values, "aweights", aweights)]),
  ];
  const own = x.dtype.kind === "float" || x.dtype.kind === "complex" ? x.dtype.name : values.dtype.name;
  const square = (centered: Tensor, weighted: Tensor, count: Tensor | number) => {
    const turned = centered.dtype.kind === "complex" ? centered.mT.conj() : centered.mT;
    return weighted
      .matmul(turned as never)
      .div(count)
      .squeeze()
      .to(own);
  };
  const [first, second] = each;
  if (first === undefined) {
    const centered = values.sub(values.mean(1, { keepdim: true }));
    return square(centered, centered, Math.max(0, (values.shape[1] as number) - less));
  }
  const weights = second === undefined ? first : first.mul(second);
  const total = weights.sum();
  const centered = values.sub(values.mul(weights).sum(1, { keepdim: true }).div(total));
  const importance = aweights === undefined ? undefined : weights.mul(each.at(-1) as Tensor).sum();
  const taken = importance === undefined ? less : importance.div(total).mul(less);
  return square(centered, centered.mul(weights), total.sub(taken).real().clampMin(0));
}

/**
 * The correlation coefficients of variables: rows are variables, columns observations.
 *
 * @example jl.tensor([[0, 1, 2], [4, 2, 0]]).corrcoef().toArray() // [[1, -1], [-1, 1]]
 */
export function corrcoef(x: Tensor): Tensor {
  const what = "corrcoef";
  const found = cov(variablesOf(what, x)).to(x.dtype.kind === "complex" ? x.dtype.name : x.dtype.compute);
  const wide = found.dtype.kind === "float" || found.dtype.kind === "complex" ? found : found.to("float32");
  if (wide.ndim < 2) return wide.div(wide);
  const size = wide.diagonal().real().sqrt();
  const scaled = wide.div(size.unsqueeze(1)).div(size);
  return scaled.dtype.kind === "complex" ? scaled : scaled.clampMin(-1).clampMax(1);
}
