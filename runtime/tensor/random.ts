// Random tensors from a counter-based generator: each call uses a new stream, and an element's bits depend only on the seed,
// the stream and its position, so they are the same on every device.

import { checkOptions, isOptions } from "../base/arguments.js";
import { randomBytes } from "../base/builtins.js";
import { type DType, type DTypeName, dtypes, isHalf } from "../base/dtype.js";
import { isArray, JitlabError, show } from "../base/errors.js";
import { digitsOf, nextBelow, roundedTo } from "../base/float-steps.js";
import type { Functor, Parameter } from "../functor/functor.js";
import type { AnyDType } from "./element-types.js";
import { noteState } from "./generator-states.js";
import { checkRange, like, placeNames, placeOf, type TensorOptions } from "./placement.js";
import { make, positionFunctor } from "./position.js";
import type { Tensor } from "./tensor.js";

const streamParameters: readonly Parameter[] = [
  { name: "stream", type: dtypes.int64, value: 0, draw: "stream" },
  { name: "seed", type: dtypes.int64, value: 0, draw: "seed" },
];

/** The generator that all calls share: its seed, and the number of its next stream. */
const state: { seed: bigint | undefined; stream: number } = { seed: undefined, stream: 0 };
let seedings = 0;

/** Where a generator of random numbers is, made by `generator.state()`; `jl.generator` makes one there. */
export interface GeneratorState {
  readonly seed: bigint;
  /** The number of calls that drew from it. */
  readonly stream: number;
}

/** A generator of random numbers of its own, made by `jl.generator`. */
export class Generator {
  #state: GeneratorState;

  constructor(state: GeneratorState) {
    this.#state = state;
  }

  /** True for a generator; asks nothing of another value, which may be a revoked proxy. */
  static is(value: unknown): value is Generator {
    return typeof value === "object" && value !== null && #state in value;
  }

  /** Where it is: `jl.generator(state)` draws the same numbers from there on. */
  state(): GeneratorState {
    return this.#state;
  }

  /** Goes to a place. */
  go({ seed, stream }: GeneratorState): void {
    this.#state = { seed, stream };
  }
}

/**
 * A generator with a seed, for the option `generator` of functions that draw random numbers: it gives the numbers that
 * `manualSeed` with this seed gives, and is not changed by other calls. With the state of another one it goes on from there.
 *
 * @example jl.rand([2], { generator: jl.generator(7) }).equal(jl.rand([2], { generator: jl.generator(7) })) // true
 */
export function generator(seed: number | bigint | GeneratorState): Generator {
  if (typeof seed !== "object" || seed === null)
    return new Generator({ seed: seedOf("generator", seed), stream: 0 });
  const given: Partial<Record<keyof GeneratorState, unknown>> = isOptions(seed) ? seed : {};
  const { seed: own, stream } = given;
  if (
    typeof own === "bigint" &&
    BigInt.asIntN(64, own) === own &&
    Number.isSafeInteger(stream) &&
    (stream as number) >= 0
  )
    return new Generator({ seed: own, stream: stream as number });
  throw new JitlabError(
    "bad-seed",
    `generator: ${show(seed)} is not the state of a generator.`,
    "Pass what state() of a generator returned, or an integer.",
  );
}

/**
 * Seeds the generator: the same seed and the same calls give the same numbers, on every device.
 *
 * @example (jl.manualSeed(1), jl.rand([2])).equal((jl.manualSeed(1), jl.rand([2]))) // true
 */
export function manualSeed(seed: number | bigint): void {
  state.seed = seedOf("manualSeed", seed);
  state.stream = 0;
  seedings++;
}

function seedOf(what: string, seed: number | bigint): bigint {
  if (typeof seed === "bigint" || Number.isSafeInteger(seed)) return BigInt.asIntN(64, BigInt(seed));
  throw new JitlabError(
    "bad-seed",
    `${what}: ${show(seed)} is not an integer.`,
    "Pass a safe integer or a bigint.",
  );
}

/** Saves the state of a generator, by default of the one that all calls share; the returned function restores it. */
export function keepStream(own?: Generator): () => void {
  if (own !== undefined) {
    if (!Generator.is(own)) throw noGenerator("keepStream", own);
    const kept = own.state();
    return () => own.go(kept);
  }
  state.seed ??= anySeed();
  const { seed, stream } = state;
  return () => Object.assign(state, { seed, stream });
}

function anySeed(): bigint {
  return randomBytes(8).readBigInt64LE();
}

/** The next stream of a generator, by default of the one that all calls share. */
export function nextStream(own?: Generator): { stream: number; seed: bigint } {
  if (own) {
    const { seed, stream } = own.state();
    noteState(own, { seed, stream });
    own.go({ seed, stream: stream + 1 });
    // A replay, which draws later streams of the shared generator, does not know of others.
    seedings++;
    return { stream, seed };
  }
  state.seed ??= anySeed();
  return { stream: state.stream++, seed: state.seed };
}

/** Whether a functor's parameter is the generator's stream or seed; undefined for other parameters. */
export function streamPart({ draw }: Parameter): Parameter["draw"] {
  return draw;
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

function drawing(
  name: string,
  expression: string,
  result: "T" | DType = "T",
  own: Readonly<Record<string, number>> = {},
) {
  const type = result === "T" ? "T" : result.ctype;
  const parameters = [
    ...Object.entries(own).map(([name, value]): Parameter => ({ name, type: result, value })),
    ...streamParameters,
  ];
  const list = parameters.map((p) => `, ${p.type === "T" ? "T" : "int64"} ${p.name}`).join("");
  const text = `template <typename T>\n__device__ inline ${type} make_${name}(int64 i${list}) {\n  return ${expression};\n}`;
  return positionFunctor(name, text, parameters, result, ["random"]);
}

const uniform = drawing("rand", "jl::uniform<T>::of(jl::random_bits(i, stream, seed))");
// Rounding takes some results to the end of the interval, which does not belong to it.
const between = drawing(
  "uniform",
  "jl::at_most(low + range * jl::uniform<T>::of(jl::random_bits(i, stream, seed)), most)",
  "T",
  { low: 0, range: 1, most: 1 },
);
const normal = drawing("randn", "jl::normal<T>(i, stream, seed)");
const integer = drawing(
  "randint",
  "low + int64(jl::random_bits(i, stream, seed) % uint64(range))",
  dtypes.int64,
  { low: 0, range: 1 },
);

const bits = positionFunctor(
  "randbits",
  "template <typename T>\n__device__ inline int64 make_randbits(int64 i, int64 stream, int64 seed) {\n  return int64(jl::random_bits(i, stream, seed));\n}",
  streamParameters,
  dtypes.int64,
  ["random"],
);

/** Random 64-bit integers over the full range. */
export function bitsLike(shape: readonly number[], device: string | undefined, own?: Generator): Tensor {
  return make(bits, shape, dtypes.int64, device, nextStream(own));
}

const elementKeys = positionFunctor(
  "randkeys",
  "template <typename T>\n__device__ inline uint64 make_randkeys(int64 i, int64 stream, int64 seed) {\n  return jl::random_bits(i, stream, seed);\n}",
  streamParameters,
  dtypes.uint64,
  ["random"],
);

/** Random 64-bit words, one for each element of a functor that draws. */
export function keysLike(shape: readonly number[], device: string, own?: Generator): Tensor {
  return make(elementKeys, shape, dtypes.uint64, device, nextStream(own));
}

const keys = positionFunctor(
  "randkey",
  "template <typename T>\n__device__ inline int64 make_randkey(int64 i, int64 stream, int64 seed) {\n  return i == 0 ? stream : seed;\n}",
  streamParameters,
  dtypes.int64,
);

/** True for the functor of keys, which name a stream instead of drawing from it. */
export function drawsKey(functor: Functor): boolean {
  return functor === keys;
}

/** The next stream and the seed, as a tensor: for kernels that draw any number of times for an element. */
export function nextKey(device: string, own?: Generator): Tensor {
  return make(keys, [2], dtypes.int64, device, nextStream(own));
}

/** The options of functions that draw random numbers. */
export interface RandomOptions<D extends DTypeName = AnyDType> extends TensorOptions<D> {
  /** Draws from this generator instead of the one that all calls share. */
  readonly generator?: Generator | undefined;
}

/** The names of {@link RandomOptions}. */
export const randomNames: readonly string[] = [...placeNames, "generator"];

/** The generator among options of these names, and the others. */
export function drawnFrom<O extends { readonly generator?: Generator | undefined }>(
  what: string,
  options: O | undefined,
  names = randomNames,
): { own: Generator | undefined; rest: Omit<O, "generator"> | undefined } {
  if (isOptions(options)) checkOptions(what, options, names);
  if (!isOptions(options) || !("generator" in options)) return { own: undefined, rest: options };
  const { generator: own, ...rest } = options;
  if (own === undefined || Generator.is(own)) return { own, rest };
  throw noGenerator(what, own);
}

function noGenerator(what: string, value: unknown): JitlabError {
  return new JitlabError(
    "bad-argument",
    `${what}: generator is ${show(value)}.`,
    "Make one with jl.generator(seed), once, and pass it to each call.",
  );
}

function floating(what: string, options: RandomOptions | undefined) {
  const { own, rest } = drawnFrom(what, options);
  const place = placeOf(what, rest, "float32");
  const { dtype } = place;
  if (dtype.kind === "float") return { ...place, own };
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
  options?: RandomOptions<D>,
): Tensor<D> {
  const { dtype, device, own } = floating("rand", options);
  if (isHalf(dtype)) return drawnBetween(shape, dtype, device, 0, 1, own);
  return make(uniform, shape, dtype, device, nextStream(own));
}

/** Uniform numbers in [low, high), rounded to a floating dtype; all `low` where it has no other value in there. */
export function drawnBetween(
  shape: readonly number[],
  dtype: DType,
  device: string | undefined,
  low: number,
  high: number,
  own: Generator | undefined,
): Tensor {
  const most = Math.max(nextBelow(dtype, roundedTo(dtype, high)), roundedTo(dtype, low));
  return make(between, shape, dtype, device, { low, range: high - low, most, ...nextStream(own) });
}

/**
 * Normal numbers with mean 0 and deviation 1; float32 by default.
 *
 * @example jl.randn([4], { dtype: "float64" }).dtype.name // "float64"
 */
export function randn<D extends DTypeName = "float32">(
  shape: readonly number[],
  options?: RandomOptions<D>,
): Tensor<D> {
  const { dtype, device, own } = floating("randn", options);
  return make(normal, shape, dtype, device, nextStream(own));
}

/**
 * Integers from `low` (0 if it is left out) up to, not including, `high`; int32 by default.
 *
 * @example jl.randint(5, 6, [2]).toArray() // [5, 5]
 */
export function randint<D extends DTypeName = "int32">(
  low: number,
  high: number,
  shape: readonly number[],
  options?: RandomOptions<D>,
): Tensor<D>;
export function randint<D extends DTypeName = "int32">(
  high: number,
  shape: readonly number[],
  options?: RandomOptions<D>,
): Tensor<D>;
export function randint(...args: readonly unknown[]): Tensor {
  const [low, high, shape, options] = (isArray(args[1]) ? [0, ...args] : args) as [
    number,
    number,
    readonly number[],
    RandomOptions | undefined,
  ];
  if (!Number.isSafeInteger(low) || !Number.isSafeInteger(high) || high <= low) {
    throw new JitlabError(
      "bad-range",
      `randint: from ${show(low)} to ${show(high)} the range has no integers.`,
      "Pass integers with low < high.",
    );
  }
  const { own, rest } = drawnFrom("randint", options);
  const { dtype, device } = placeOf("randint", rest, "int32");
  for (const number of [low, high - 1]) checkWhole("randint", number, dtype);
  return make(integer, shape, dtype, device, { low, range: high - low, ...nextStream(own) });
}

/** Throws `scalar-overflow` if a dtype lacks a whole number or one below it, which random integers would be rounded to. */
export function checkWhole(what: string, number: number, dtype: DType): void {
  checkRange(what, number, dtype);
  if (dtype.kind !== "float" || Math.abs(number) <= 2 ** digitsOf(dtype)) return;
  throw new JitlabError(
    "scalar-overflow",
    `${what}: ${dtype.name} does not have every whole number up to ${number}, but up to ${2 ** digitsOf(dtype)}.`,
    'Pass { dtype: "int64" } or { dtype: "float64" }.',
  );
}

/** The shape, dtype and device of another tensor, with the generator of the options. */
function likeDrawn(
  what: string,
  source: Tensor,
  options: RandomOptions | undefined,
): [shape: readonly number[], options: RandomOptions] {
  const { own, rest } = drawnFrom(what, options);
  const [shape, place] = like(what, source, rest);
  return [shape, { ...place, generator: own }];
}

/**
 * As {@link rand}, with another tensor's shape, dtype and device.
 *
 * @example jl.randLike(jl.zeros([2, 3])).shape // [2, 3]
 */
export function randLike<D extends DTypeName, E extends DTypeName = D>(
  source: Tensor<D>,
  options?: RandomOptions<E>,
): Tensor<E> {
  return rand(...likeDrawn("randLike", source, options)) as Tensor<E>;
}

/**
 * As {@link randn}, with another tensor's shape, dtype and device.
 *
 * @example jl.randnLike(jl.zeros([2, 3])).shape // [2, 3]
 */
export function randnLike<D extends DTypeName, E extends DTypeName = D>(
  source: Tensor<D>,
  options?: RandomOptions<E>,
): Tensor<E> {
  return randn(...likeDrawn("randnLike", source, options)) as Tensor<E>;
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
  options?: RandomOptions<E>,
): Tensor<E> {
  return randint(low, high, ...likeDrawn("randintLike", source, options)) as Tensor<E>;
}
