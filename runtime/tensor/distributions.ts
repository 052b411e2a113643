// Random numbers of other distributions, from the same generator: each call uses a new stream. Functions that only compare
// and sort have the same bits on every device; logarithms may differ in their last bits.
import { countOf, integerOf, numberOf, optionsOf, orOptions } from "../base/arguments.js";
import { type DTypeName, dtypes } from "../base/dtype.js";
import { JitlabError, show } from "../base/errors.js";
import { roundedTo } from "../base/float-steps.js";
import { RecentValues } from "../base/recent-values.js";
import type { Walk } from "../codegen/walk-kernel.js";
import { broadcastShapes, formatShape } from "../geometry/layout.js";
import type { View } from "../geometry/view.js";
import type { OpaqueDefinition } from "../launch/operation.js";
import { isListed } from "../launch/sink.js";
import { launchWalk } from "../launch/walk-launch.js";
import { arange } from "./create.js";
import { placeNames, placeOf } from "./placement.js";
import {
  bitsLike,
  checkWhole,
  drawnBetween,
  drawnFrom,
  type Generator,
  keepStream,
  nextKey,
  type RandomOptions,
  rand,
  randint,
  randn,
} from "./random.js";
import { floating } from "./statistic-options.js";
import { newTensor, Tensor, tensorOf, windowOf } from "./tensor.js";
import { opaqueDefinition, wholeResults } from "./whole.js";

/** Which generator draws, for functions whose other arguments say the rest. */
export interface DrawOptions {
  /** Draws from this generator instead of the one that all calls share. */
  readonly generator?: Generator | undefined;
}

/** The generator of options that name nothing else. */
function generatorOf(what: string, options: DrawOptions | undefined): Generator | undefined {
  optionsOf(what, options, ["generator"]);
  return drawnFrom(what, options, ["generator"]).own;
}

/** Uniform numbers with a tensor's shape and dtype. */
function randBeside(x: Tensor, generator?: Generator): Tensor {
  return rand(x.shape, { dtype: x.dtype.name, device: x.device.name, generator });
}

/**
 * Normal numbers with a mean and a deviation: of a shape, or one per element if one of them is a tensor.
 *
 * @example jl.normal(5, 0.1, [2, 3]).shape // [2, 3]
 */
export function normal(
  mean: number | Tensor,
  std: number | Tensor,
  shape?: readonly number[] | RandomOptions,
  options?: RandomOptions,
): Tensor {
  const [wanted, placed] = orOptions(shape, options);
  const given = [mean, std].filter((one) => one instanceof Tensor);
  const [first] = given;
  if (first === undefined && wanted === undefined) {
    throw new JitlabError(
      "bad-argument",
      "normal: there is no shape.",
      "Pass one, as in jl.normal(0, 1, [2, 3]).",
    );
  }
  const lowest = [mean, std].find((one) => typeof one !== "number" && !(one instanceof Tensor));
  if (lowest !== undefined || (typeof std === "number" && !(std >= 0))) {
    throw new JitlabError(
      "bad-argument",
      `normal: ${lowest === undefined ? `the deviation is ${std}` : `${show(lowest)} is neither a number nor a tensor`}.`,
      "Pass a mean and a deviation from 0 on.",
    );
  }
  const extents =
    wanted ??
    broadcastShapes(
      "normal",
      given.map((one) => one.shape),
    );
  const place = optionsOf("normal", placed, [...placeNames, "generator"]);
  const own = first === undefined ? place : { dtype: first.dtype.name, device: first.device.name, ...place };
  return randn(extents, own).mul(std).add(mean);
}

/**
 * Exponential numbers of a rate; float32 by default.
 *
 * @example jl.exponential([2, 3]).shape // [2, 3]
 */
export function exponential(
  shape: readonly number[],
  rate?: number | RandomOptions,
  options?: RandomOptions,
): Tensor {
  const [by = 1, given] = orOptions(rate, options);
  const { own, rest } = drawnFrom("exponential", given);
  const { dtype, device } = placeOf("exponential", rest, "float32");
  return newTensor("exponential", shape, dtype, device).exponential_(by, { generator: own });
}

/**
 * Fills the tensor with exponential numbers of a rate.
 *
 * @example jl.zeros([9]).exponential_(2).ge(0).all().item() // true
 */
export function exponential_<D extends DTypeName>(
  x: Tensor<D>,
  rate?: number | DrawOptions,
  options?: DrawOptions,
): Tensor<D> {
  const [given = 1, rest] = orOptions(rate, options);
  const generator = generatorOf("exponential_", rest);
  const by = numberOf("exponential_", "the rate", given);
  if (!(by > 0)) {
    throw new JitlabError("bad-argument", `exponential_: the rate is ${by}.`, "Pass a number above 0.");
  }
  const steps = floating("exponential_", x, false);
  return x.copy_(randBeside(steps, generator).neg().log1p().div(-by));
}

/**
 * Fills the tensor with normal numbers.
 *
 * @example jl.zeros([9]).normal_(5, 0).toArray()[0] // 5
 */
export function normal_<D extends DTypeName>(
  x: Tensor<D>,
  mean?: number | DrawOptions,
  std?: number | DrawOptions,
  options?: DrawOptions,
): Tensor<D> {
  const [deviation = 1, rest] = orOptions(std, options);
  const [center = 0, given] = orOptions(mean, rest);
  const generator = generatorOf("normal_", given);
  const { shape } = floating("normal_", x, false);
  return x.copy_(normal(center, deviation, shape, { dtype: x.dtype.name, device: x.device.name, generator }));
}

/**
 * Fills the tensor with uniform numbers from `from` up to, not including, `to`.
 *
 * @example jl.zeros([2]).uniform_(2, 3).floor().toArray() // [2, 2]
 */
export function uniform_<D extends DTypeName>(
  x: Tensor<D>,
  from?: number | DrawOptions,
  to?: number | DrawOptions,
  options?: DrawOptions,
): Tensor<D> {
  const [end = 1, rest] = orOptions(to, options);
  const [start = 0, given] = orOptions(from, rest);
  const generator = generatorOf("uniform_", given);
  const { compute } = floating("uniform_", x, false).dtype;
  const [low, high] = [numberOf("uniform_", "from", start), numberOf("uniform_", "to", end)];
  const range = roundedTo(dtypes[compute], high - low);
  if (!(range >= 0 && range < Number.POSITIVE_INFINITY)) {
    throw new JitlabError(
      "bad-range",
      `uniform_: from ${low} to ${high} there is no interval in ${x.dtype.name}.`,
      "Pass finite numbers with from <= to.",
    );
  }
  return x.copy_(drawnBetween(x.shape, x.dtype, x.device.name, low, high, generator));
}

/**
 * Fills the tensor with integers from `from` up to, not including, `to`.
 *
 * @example jl.zeros([2]).random_(5, 6).toArray() // [5, 5]
 */
export function random_<D extends DTypeName>(
  x: Tensor<D>,
  from: number,
  to: number,
  options?: DrawOptions,
): Tensor<D> {
  const generator = generatorOf("random_", options);
  const { shape, dtype, device } = tensorOf("random_", x);
  return x.copy_(randint(from, to, shape, { dtype: dtype.name, device: device.name, generator }));
}

/**
 * Ones with the elements as probabilities, else zeros, in the tensor's dtype.
 *
 * @example jl.tensor([0, 1]).bernoulli().toArray() // [0, 1]
 */
export function bernoulli<D extends DTypeName>(x: Tensor<D>, options?: DrawOptions): Tensor<D> {
  const generator = generatorOf("bernoulli", options);
  const chances = floating("bernoulli", x, false);
  const undo = keepStream(generator);
  const [drawn] = wholeResults(bernoulliOperation, [chances, randBeside(chances, generator)], undo);
  return (drawn as Tensor).to(x.dtype.name) as Tensor<D>;
}

const bernoulliOperation = opaqueDefinition(
  "bernoulli",
  ([chances]) => [[(chances as View).dtype, (chances as View).shape]],
  ([given, uniforms], [out]) => {
    const chances = given as Tensor;
    refuseUnless(chances.ge(0).logicalAnd(chances.le(1)).all(), () => {
      return new JitlabError(
        "bad-argument",
        "bernoulli: an element is not a probability.",
        "Each must be from 0 to 1; sigmoid() gives such numbers.",
      );
    });
    (out as Tensor).copy_((uniforms as Tensor).lt(chances));
  },
  { core: [0, 0] },
);

/** Throws an error unless a bool is true; where kernels are only shown there are no elements. */
function refuseUnless(isFine: Tensor, error: () => JitlabError): void {
  if (!isListed() && !isFine.item()) throw error();
}

/**
 * Fills the tensor with ones with a probability, and zeros.
 *
 * @example jl.zeros([2]).bernoulli_(1).toArray() // [1, 1]
 */
export function bernoulli_<D extends DTypeName>(
  x: Tensor<D>,
  p?: number | DrawOptions,
  options?: DrawOptions,
): Tensor<D> {
  const [given = 0.5, rest] = orOptions(p, options);
  const generator = generatorOf("bernoulli_", rest);
  const { shape, device } = tensorOf("bernoulli_", x);
  const chance = numberOf("bernoulli_", "p", given);
  if (!(chance >= 0 && chance <= 1)) {
    throw new JitlabError("bad-argument", `bernoulli_: p is ${chance}.`, "Pass a probability, from 0 to 1.");
  }
  return x.copy_(rand(shape, { dtype: "float64", device: device.name, generator }).lt(chance));
}

/** The walk of Poisson numbers, by products of uniforms (Knuth) below a rate of 10, by rejection (Hoermann 1993) above. */
export const poissonWalk: Walk = {
  name: "poisson",
  operands: ["out", "rate", "at", "key"],
  numbers: [],
  needs: ["random"],
  uses: [dtypes.float64],
  heavy: true,
  body: [
    "  const double mean = cast<double>(*rate);",
    "  const int64 stream = key[0], seed = key[1];",
    "  int64 draw = *at << 20;",
    "  double result = 0;",
    "  if (!(mean > 0)) {",
    "    result = mean == 0 ? 0 : float_of(0x7ff8000000000000ull);",
    "  } else if (mean < 10) {",
    "    const double limit = exp(-mean);",
    "    double product = jl::uniform<double>::of(jl::random_bits(draw, stream, seed));",
    "    for (; product > limit; ++result) product *= jl::uniform<double>::of(jl::random_bits(++draw, stream, seed));",
    "  } else {",
    "    const double b = 0.931 + 2.53 * sqrt(mean), a = -0.059 + 0.02483 * b, inverse = 1.1239 + 1.1328 / (b - 3.4);",
    "    const double limit = 0.9277 - 3.6224 / (b - 2), level = log(mean);",
    "    for (;; draw += 2) {",
    "      const double u = jl::uniform<double>::of(jl::random_bits(draw, stream, seed)) - 0.5;",
    "      const double v = jl::uniform<double>::of(jl::random_bits(draw + 1, stream, seed)), side = 0.5 - fabs(u);",
    "      result = floor((2 * a / side + b) * u + mean + 0.43);",
    "      if (side >= 0.07 && v <= limit) break;",
    "      if (result < 0 || (side < 0.013 && v > side)) continue;",
    "      if (log(v) + log(inverse) - log(a / (side * side) + b) <= result * level - mean - lgamma(result + 1)) break;",
    "    }",
    "  }",
    "  *out = cast<T>(result);",
  ].join("\n"),
};

/**
 * Poisson numbers with the elements as rates, in the tensor's dtype.
 *
 * @example jl.tensor([0, 0]).poisson().toArray() // [0, 0]
 */
export function poisson<D extends DTypeName>(x: Tensor<D>, options?: DrawOptions): Tensor<D> {
  const generator = generatorOf("poisson", options);
  floating("poisson", x, false);
  const undo = keepStream(generator);
  return wholeResults(poissonOperation, [x, nextKey(x.device.name, generator)], undo)[0] as Tensor<D>;
}

const poissonOperation = opaqueDefinition(
  "poisson",
  ([rates]) => [[(rates as View).dtype, (rates as View).shape]],
  ([given, key], [out]) => {
    const rates = given as Tensor;
    const { shape, size, device } = rates;
    refuseUnless(rates.lt(0).any().logicalNot(), () => {
      return new JitlabError("bad-argument", "poisson: an element is below 0.", "Rates must be from 0 on.");
    });
    const at = arange(0, size, 1, { dtype: "int64", device: device.name }).view(shape);
    const both = windowOf(key as Tensor, { shape, strides: shape.map(() => 0), offset: 0 });
    launchWalk(poissonWalk, shape, [out as Tensor], [rates, at, both], []);
  },
  { core: [0, "all"], draws: true },
);

/** Options of multinomial. */
export interface MultinomialOptions extends DrawOptions {
  /** Whether an index may be drawn more than once. */
  readonly replacement?: boolean;
}

/**
 * Indexes drawn with the probabilities of a vector, or of each row of a matrix, which need not add up to 1.
 *
 * @example jl.tensor([0, 1, 0]).multinomial(2, { replacement: true }).toArray() // [1n, 1n]
 */
export function multinomial(x: Tensor, samples: number, options?: MultinomialOptions): Tensor<"int64"> {
  const { replacement = false } = optionsOf("multinomial", options, ["replacement", "generator"]);
  const generator = drawnFrom("multinomial", options, ["replacement", "generator"]).own;
  const count = integerOf("multinomial", "the number of samples", samples);
  const chances = floating("multinomial", x, false);
  if (x.ndim !== 1 && x.ndim !== 2) {
    throw new JitlabError(
      "bad-dimension",
      `multinomial: the shape ${formatShape(x.shape)} has ${x.ndim} dimensions.`,
      "It takes a vector, or a matrix with a row for each draw.",
    );
  }
  const columns = x.shape.at(-1) as number;
  const isPossible = count > 0 && x.size > 0 && (replacement || count <= columns);
  if (!isPossible) throw tooFew(count, x.shape);
  const [given] = wholeResults(chancesOperation(count, replacement), [chances], keepStream(generator));
  const usable = given as Tensor;
  if (!replacement) {
    // The smallest of exponential numbers over probabilities (Efraimidis and Spirakis 2006).
    const waits = exponential(x.shape, 1, { dtype: "float64", device: x.device.name, generator });
    return usable.div(waits).topk(count).indices;
  }
  const sums = usable.cumsum(-1);
  const total = sums.narrow(-1, columns - 1, 1);
  const place = { dtype: "float64", device: x.device.name, generator } as const;
  const points = rand(x.shape.with(-1, count), place).mul(total);
  return sums.contiguous().searchsorted(points, { right: true });
}

function tooFew(count: number, shape: readonly number[]): JitlabError {
  return new JitlabError(
    "bad-argument",
    `multinomial: ${count} samples of ${formatShape(shape)} probabilities.`,
    "Probabilities are finite and not negative, with one above 0 in each row; without replacement there are as many as samples.",
  );
}

const chancesOperations = new RecentValues<OpaqueDefinition>(256);

/** The probabilities in float64, if that many samples can be drawn with them. */
function chancesOperation(count: number, replacement: boolean): OpaqueDefinition {
  return chancesOperations.get(`${count} ${replacement}`, () =>
    opaqueDefinition(
      "chances",
      ([chances]) => [[dtypes.float64, (chances as View).shape]],
      ([given], [out]) => {
        const chances = given as Tensor;
        const usable = chances.ge(0).logicalAnd(chances.isfinite()).all();
        const positive = chances.gt(0).sum(-1).min();
        const isFine = usable.logicalAnd(positive.ge(replacement ? 1 : count));
        refuseUnless(isFine, () => tooFew(count, chances.shape));
        (out as Tensor).copy_(chances);
      },
      { core: [1] },
    ),
  );
}

/**
 * The integers from 0 up to, not including, `n` in random order; int64 by default.
 *
 * @example jl.randperm(5).sort().values.toArray() // [0n, 1n, 2n, 3n, 4n]
 */
export function randperm<D extends DTypeName = "int64">(n: number, options?: RandomOptions<D>): Tensor<D> {
  const count = countOf("randperm", "n", n);
  const { own, rest } = drawnFrom("randperm", options);
  const { dtype, device } = placeOf("randperm", rest, "int64");
  checkWhole("randperm", Math.max(0, count - 1), dtype);
  return bitsLike([count], device, own).argsort(0).to(dtype.name) as Tensor<D>;
}
