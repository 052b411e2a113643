// Random tensors from a counter-based generator: each call uses a new stream, and an element's bits depend only on the seed,
// the stream and its position, so they are the same on every device.
import { randomBytes } from "../base/builtins.js";
import { type DTypeName, dtypes } from "../base/dtype.js";
import { JitlabError, show } from "../base/errors.js";
import type { Parameter } from "../functor/functor.js";
import { checkRange, like, placeOf, type TensorOptions } from "./placement.js";
import { make, positionFunctor } from "./position.js";
import type { Tensor } from "./tensor.js";

const streamParameters: readonly Parameter[] = [
  { name: "stream", type: dtypes.int64, value: 0 },
  { name: "seed", type: dtypes.int64, value: 0 },
];

const state: { seed: bigint | undefined; stream: number } = { seed: undefined, stream: 0 };
let seedings = 0;

/**
 * Seeds the generator: the same seed and the same calls give the same numbers, on every device.
 *
 * @example (jl.manualSeed(1), jl.rand([2])).equal((jl.manualSeed(1), jl.rand([2]))) // true
 */
export function manualSeed(seed: number | bigint): void {
  if (typeof seed !== "bigint" && !Number.isSafeInteger(seed)) {
    throw new JitlabError(
      "bad-seed",
      `manualSeed: ${show(seed)} is not an integer.`,
      "Pass a safe integer or a bigint.",
    );
  }
  state.seed = BigInt.asIntN(64, BigInt(seed));
  state.stream = 0;
  seedings++;
}

/** Saves the state of the generator; the returned function restores it. */
export function keepStream(): () => void {
  state.seed ??= anySeed();
  const { seed, stream } = state;
  return () => Object.assign(state, { seed, stream });
}

function anySeed(): bigint {
  return randomBytes(8).readBigInt64LE();
}

/** The next stream of the generator. */
export function nextStream(): { stream: number; seed: bigint } {
  state.seed ??= anySeed();
  return { stream: state.stream++, seed: state.seed };
}

/** Whether a functor's parameter is the generator's stream or seed; undefined for other parameters. */
export function streamPart(parameter: Parameter): "stream" | "seed" | undefined {
  const at = streamParameters.indexOf(parameter);
  return at < 0 ? undefined : (streamParameters[at]?.name as "stream" | "seed");
}

/** The number of the next stream, the seed, and how often one was set. */
export function streamState(): { stream: number; seed: bigint; seedings: number } {
  state.seed ??= anySeed();
  return { stream: state.stream, seed: state.seed, seedings };
}

/** Skips `count` streams, as if they were drawn. */
export function skipStreams(count: number): void {
  state.stream += count;
}

function generator(name: string, expression: string, parameters: readonly Parameter[] = []) {
  const list = [...parameters, ...streamParameters].map((p) => `, int64 ${p.name}`).join("");
  const returns = parameters.length > 0 ? "int64" : "T";
  const text = `template <typename T>\n__device__ inline ${returns} make_${name}(int64 i${list}) {\n  return ${expression};\n}`;
  const result = parameters.length > 0 ? dtypes.int64 : ("T" as const);
  return positionFunctor(name, text, [...parameters, ...streamParameters], result, ["random"]);
}

const uniform = generator("rand", "jl::uniform<T>::of(jl::random_bits(i, stream, seed))");
const normal = generator("randn", "jl::normal<T>(i, stream, seed)");
const integer = generator("randint", "low + int64(jl::random_bits(i, stream, seed) % uint64(range))", [
  { name: "low", type: dtypes.int64, value: 0 },
  { name: "range", type: dtypes.int64, value: 1 },
]);

const bits = positionFunctor(
  "randbits",
  "template <typename T>\n__device__ inline int64 make_randbits(int64 i, int64 stream, int64 seed) {\n  return int64(jl::random_bits(i, stream, seed));\n}",
  streamParameters,
  dtypes.int64,
  ["random"],
);

/** Random 64-bit integers over the full range. */
export function bitsLike(shape: readonly number[], device: string | undefined): Tensor {
  return make(bits, shape, dtypes.int64, device, nextStream());
}

const keys = positionFunctor(
  "randkey",
  "template <typename T>\n__device__ inline int64 make_randkey(int64 i, int64 stream, int64 seed) {\n  return i == 0 ? stream : seed;\n}",
  streamParameters,
  dtypes.int64,
);

/** The next stream and the seed, as a tensor: for kernels that draw any number of times for an element. */
export function nextKey(device: string): Tensor {
  return make(keys, [2], dtypes.int64, device, nextStream());
}

function floating(what: string, options: TensorOptions | undefined) {
  const place = placeOf(what, options, "float32");
  const { dtype } = place;
  if (dtype.kind === "float") return place;
  throw new JitlabError(
    "dtype-refused",
    `${what} does not make ${dtype.name}.`,
    "Use a floating dtype, or randint.",
  );
}

/**
 * Uniform numbers in [0, 1); float32 by default.
 *
 * @example jl.rand([2, 3]).lt(1).all().item() // true
 */
export function rand<D extends DTypeName = "float32">(
  shape: readonly number[],
  options?: TensorOptions<D>,
): Tensor<D> {
  const { dtype, device } = floating("rand", options);
  return make(uniform, shape, dtype, device, nextStream());
}

/**
 * Normal numbers with mean 0 and deviation 1; float32 by default.
 *
 * @example jl.randn([4], { dtype: "float64" }).dtype.name // "float64"
 */
export function randn<D extends DTypeName = "float32">(
  shape: readonly number[],
  options?: TensorOptions<D>,
): Tensor<D> {
  const { dtype, device } = floating("randn", options);
  return make(normal, shape, dtype, device, nextStream());
}

/**
 * Integers from `low` up to, not including, `high`; int32 by default.
 *
 * @example jl.randint(5, 6, [2]).toArray() // [5, 5]
 */
export function randint<D extends DTypeName = "int32">(
  low: number,
  high: number,
  shape: readonly number[],
  options?: TensorOptions<D>,
): Tensor<D> {
  if (!Number.isSafeInteger(low) || !Number.isSafeInteger(high) || high <= low) {
    throw new JitlabError(
      "bad-range",
      `randint: from ${show(low)} to ${show(high)} the range has no integers.`,
      "Pass integers with low < high.",
    );
  }
  const { dtype, device } = placeOf("randint", options, "int32");
  for (const number of [low, high - 1]) checkRange("randint", number, dtype);
  return make(integer, shape, dtype, device, { low, range: high - low, ...nextStream() });
}

/**
 * As {@link rand}, with another tensor's shape, dtype and device.
 *
 * @example jl.randLike(jl.zeros([2, 3])).shape // [2, 3]
 */
export function randLike<D extends DTypeName, E extends DTypeName = D>(
  source: Tensor<D>,
  options?: TensorOptions<E>,
): Tensor<E> {
  return rand(...like("randLike", source, options));
}

/**
 * As {@link randn}, with another tensor's shape, dtype and device.
 *
 * @example jl.randnLike(jl.zeros([2, 3])).shape // [2, 3]
 */
export function randnLike<D extends DTypeName, E extends DTypeName = D>(
  source: Tensor<D>,
  options?: TensorOptions<E>,
): Tensor<E> {
  return randn(...like("randnLike", source, options));
}

/**
 * As {@link randint}, with another tensor's shape, dtype and device.
 *
 * @example jl.randintLike(jl.zeros([2]), 5, 6).toArray() // [5, 5]
 */
export function randintLike<D extends DTypeName, E extends DTypeName = D>(
  source: Tensor<D>,
  low: number,
  high: number,
  options?: TensorOptions<E>,
): Tensor<E> {
  return randint(low, high, ...like("randintLike", source, options));
}
