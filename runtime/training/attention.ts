// Scaled dot product attention, composed of products and a softmax.
import { numberOf, optionsOf } from "../base/arguments.js";
import { JitlabError } from "../base/errors.js";
import { formatShape } from "../geometry/layout.js";
import { constant, openCasts } from "../launch/sink.js";
import { ones } from "../tensor/create.js";
import type { Generator } from "../tensor/random.js";
import { givenFloating, wide } from "../tensor/statistic-options.js";
import { type Tensor, tensorOf } from "../tensor/tensor.js";
import { dropout, shareOf } from "./dropout.js";
import { libraryAttention } from "./library-attention.js";

/** Options of scaledDotProductAttention. */
export interface AttentionOptions {
  /** A bool tensor that is true where a query sees a key, or a floating one that is added to the scores; it broadcasts. */
  readonly attnMask?: Tensor | undefined;
  /** The probability of {@link dropout} of the weights; default 0. */
  readonly dropoutP?: number;
  /** True: query i sees the keys up to i. */
  readonly isCausal?: boolean;
  /** The factor of the scores; default: 1 / sqrt of the last extent of the queries. */
  readonly scale?: number;
  /** Where the numbers of dropout come from. */
  readonly generator?: Generator | undefined;
}

/**
 * The values, averaged by the softmax of the products of queries and keys. The last two dimensions are positions and features.
 * A query that sees no key gives 0.
 *
 * @example jl.scaledDotProductAttention(jl.zeros([1, 2]), jl.zeros([2, 2]), jl.tensor([[1, 2], [3, 6]])).toArray() // [[2, 4]]
 */
export function scaledDotProductAttention(
  query: Tensor,
  key: Tensor,
  value: Tensor,
  options?: AttentionOptions,
): Tensor {
  const casts = openCasts();
  if (casts)
    return casts.call("scaledDotProductAttention", scaledDotProductAttention, [query, key, value, options]);
  const what = "scaledDotProductAttention";
  const {
    attnMask,
    dropoutP = 0,
    isCausal = false,
    scale,
    generator,
  } = optionsOf(what, options, ["attnMask", "dropoutP", "isCausal", "scale", "generator"]);
  const given = [query, key, value].map((one) => givenFloating(what, one, false)) as Three;
  for (const one of given) {
    if (one.ndim >= 2) continue;
    throw new JitlabError(
      "shape-mismatch",
      `${what}: a tensor has the shape ${formatShape(one.shape)}.`,
      "The last two dimensions are positions and features.",
    );
  }
  if (isCausal && attnMask) {
    throw new JitlabError(
      "bad-argument",
      `${what}: attnMask and isCausal are both given.`,
      "Pass one: join them as attnMask.logicalAnd(causal).",
    );
  }
  const factor =
    scale === undefined ? 1 / Math.sqrt(query.shape.at(-1) as number) : numberOf(what, "scale", scale);
  const whole = attnMask || dropoutP !== 0 ? undefined : libraryAttention(given, { scale: factor, isCausal });
  if (whole) return whole;
  const [q, k, v] = given.map(wide) as Three;
  // The queries are fewer elements than the scores.
  let scores = q.mul(factor).matmul(k.transpose(-2, -1));
  const [rows, columns] = [q.shape.at(-2) as number, k.shape.at(-2) as number];
  const seen = isCausal ? ones([rows, columns], { dtype: "bool", device: q.device.name }).tril() : attnMask;
  if (seen) {
    const { kind } = tensorOf(what, seen).dtype;
    if (kind !== "bool" && kind !== "float") {
      throw new JitlabError(
        "dtype-refused",
        `${what}: the mask is ${seen.dtype.name}.`,
        "It is bool, true where a query sees a key, or floating.",
      );
    }
    scores = kind === "bool" ? seen.where(scores, Number.NEGATIVE_INFINITY) : scores.add(wide(seen));
  }
  let weights = softmaxOf(scores);
  if (shareOf(what, "dropoutP", dropoutP) > 0) weights = dropout(weights, dropoutP, { generator });
  return weights.matmul(v).to(query.dtype.name);
}

type Three = [Tensor, Tensor, Tensor];

/** The softmax over the last dimension; 0 where all scores are -inf. */
function softmaxOf(scores: Tensor): Tensor {
  if (scores.size === 0) return scores;
  const over = { dim: -1, keepdim: true } as const;
  const top = constant(() => scores.max(over));
  const powers = scores.sub(top.eq(Number.NEGATIVE_INFINITY).where(0, top)).exp();
  const sum = powers.sum(over);
  return powers.div(sum.eq(0).where(1, sum));
}
