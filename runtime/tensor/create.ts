// Creates tensors: from host values, filled, counted and spaced. Functors of the element's position compute on the device,
// so that large tensors are not copied from the host.
import { countOf, numberOf, optionsOf, orOptions } from "../base/arguments.js";
import { type DType, type DTypeName, dtypeOf, dtypes, type TypedArray } from "../base/dtype.js";
import { JitlabError } from "../base/errors.js";
import { elementsToDevice } from "../device/host-copy.js";
import { codeOf, scalarParts } from "../functor/operand.js";
import type { Scalar } from "../ops/op.js";
import type { AnyDType, DTypeOfData, DTypeOfScalar } from "./element-types.js";
import { checkRange, like, placeNames, placeOf, type TensorOptions } from "./placement.js";
import { make, positionFunctor } from "./position.js";
import { newTensor, Tensor } from "./tensor.js";
import {
  complexLength,
  dtypeOfArray,
  encode,
  exactDType,
  flatten,
  shapeOf,
  type TensorData,
} from "./transfer.js";

/**
 * Creates a tensor from nested arrays, a typed array or one number. Default dtype: float32 for numbers, int64 for bigints, bool for booleans, a typed array's own.
 *
 * @example jl.tensor([[1, 2], [3, 4]]).shape // [2, 2]
 */
export function tensor<T extends TensorData | Tensor, D extends DTypeName = DTypeOfData<T>>(
  data: T,
  options?: TensorOptions<D>,
): Tensor<D>;
export function tensor(data: TensorData | Tensor, given?: TensorOptions): Tensor {
  const options = optionsOf("tensor", given, placeNames);
  if (data instanceof Tensor) {
    const there = options.device ? data.to(options.device) : data;
    const cast = options.dtype ? there.to(options.dtype) : there;
    return cast === data ? data.clone() : cast;
  }
  if (ArrayBuffer.isView(data)) return fromTypedArray(data as TypedArray, options);
  const shape = shapeOf(data);
  const elements = flatten(data, shape);
  const dtype = options.dtype === undefined ? exactDType("tensor", elements) : dtypeOf(options.dtype);
  return upload(encode(elements, dtype), shape, dtype, options.device);
}

function fromTypedArray(data: TypedArray, options: TensorOptions): Tensor {
  const own = dtypeOfArray(data);
  const dtype = options.dtype === undefined ? own : dtypeOf(options.dtype);
  if (dtype === undefined) {
    throw new JitlabError(
      "bad-element",
      `tensor: a ${data.constructor.name} does not determine a dtype.`,
      'Name one, for example { dtype: "int64" }.',
    );
  }
  if (dtype.kind === "complex") {
    const parts = new dtype.array(data.length);
    for (let i = 0; i < data.length; i++) parts[i] = Number(data[i]);
    return upload(parts, [complexLength(data)], dtype, options.device);
  }
  if (dtype === own) return upload(data, [data.length], dtype, options.device);
  return upload(
    encode(Array.from(data as Iterable<number | bigint>), dtype),
    [data.length],
    dtype,
    options.device,
  );
}

function upload(
  stored: TypedArray,
  shape: readonly number[],
  dtype: DType,
  device: string | undefined,
): Tensor {
  const result = newTensor("tensor", shape, dtype, device);
  if (stored.byteLength > 0) elementsToDevice(result.device, result.pointer, stored);
  return result;
}

/**
 * A tensor with uninitialized elements; float32 by default.
 *
 * @example jl.empty([2, 3]).shape // [2, 3]
 */
export function empty<D extends DTypeName = "float32">(
  shape: readonly number[],
  options?: TensorOptions<D>,
): Tensor<D> {
  const { dtype, device } = placeOf("empty", options, "float32");
  return newTensor("empty", shape, dtype, device);
}

function filled(
  what: string,
  shape: readonly number[],
  value: Scalar,
  options: TensorOptions | undefined,
  fallback: DTypeName = "float32",
): Tensor {
  const { dtype, device } = placeOf(what, options, fallback);
  const made = newTensor(what, shape, dtype, device);
  scalarParts(value, made.dtype, what);
  return made.fill_(value);
}

/**
 * A tensor filled with one value; its dtype follows the value by default.
 *
 * @example jl.full([2], 7).toArray() // [7, 7]
 */
export function full<S extends Scalar, D extends DTypeName = DTypeOfScalar<S>>(
  shape: readonly number[],
  value: S,
  options?: TensorOptions<D>,
): Tensor<D> {
  codeOf(value, "full");
  const known = optionsOf("full", options, placeNames).dtype;
  return filled("full", shape, value, options, known ?? exactDType("full", [value]).name);
}

/**
 * A tensor of zeros.
 *
 * @example jl.zeros([2], { dtype: "int32" }).toArray() // [0, 0]
 */
export function zeros<D extends DTypeName = "float32">(
  shape: readonly number[],
  options?: TensorOptions<D>,
): Tensor<D> {
  return filled("zeros", shape, 0, options);
}

/**
 * A tensor of ones.
 *
 * @example jl.ones([2, 2]).toArray() // [[1, 1], [1, 1]]
 */
export function ones<D extends DTypeName = "float32">(
  shape: readonly number[],
  options?: TensorOptions<D>,
): Tensor<D> {
  return filled("ones", shape, 1, options);
}

/**
 * As {@link empty}, with another tensor's shape, dtype and device.
 *
 * @example jl.emptyLike(jl.arange(2)).dtype.name // "int32"
 */
export function emptyLike<D extends DTypeName, E extends DTypeName = D>(
  source: Tensor<D>,
  options?: TensorOptions<E>,
): Tensor<E> {
  return empty(...like("emptyLike", source, options));
}

/**
 * As {@link zeros}, with another tensor's shape, dtype and device.
 *
 * @example jl.zerosLike(jl.arange(2)).toArray() // [0, 0]
 */
export function zerosLike<D extends DTypeName, E extends DTypeName = D>(
  source: Tensor<D>,
  options?: TensorOptions<E>,
): Tensor<E> {
  return zeros(...like("zerosLike", source, options));
}

/**
 * As {@link ones}, with another tensor's shape, dtype and device.
 *
 * @example jl.onesLike(jl.arange(2)).toArray() // [1, 1]
 */
export function onesLike<D extends DTypeName, E extends DTypeName = D>(
  source: Tensor<D>,
  options?: TensorOptions<E>,
): Tensor<E> {
  return ones(...like("onesLike", source, options));
}

/**
 * As {@link full}, with another tensor's shape, dtype and device.
 *
 * @example jl.fullLike(jl.arange(2), 7).toArray() // [7, 7]
 */
export function fullLike<D extends DTypeName, E extends DTypeName = D>(
  source: Tensor<D>,
  value: Scalar,
  options?: TensorOptions<E>,
): Tensor<E> {
  const [shape, place] = like("fullLike", source, options);
  return full(shape, value, place);
}

const counted = positionFunctor(
  "arange",
  "template <typename T>\n__device__ inline double make_arange(int64 i, double start, double step) {\n  return start + double(i) * step;\n}",
  [
    { name: "start", type: dtypes.float64, value: 0 },
    { name: "step", type: dtypes.float64, value: 1 },
  ],
  dtypes.float64,
);

/**
 * Numbers from `start` (default 0) up to, not including, `end` in steps; int32 if all three are integers, else float32.
 * PyTorch's are int64, whose elements are bigints in JavaScript: pass `{ dtype: "int64" }` where their products exceed int32.
 *
 * @example jl.arange(1, 6, 2).toArray() // [1, 3, 5]
 */
export function arange<D extends DTypeName = AnyDType>(end: number, options?: TensorOptions<D>): Tensor<D>;
export function arange<D extends DTypeName = AnyDType>(
  start: number,
  end: number,
  step?: number | TensorOptions<D>,
  options?: TensorOptions<D>,
): Tensor<D>;
export function arange(
  first: number,
  second?: number | TensorOptions,
  third?: number | TensorOptions,
  fourth?: TensorOptions,
): Tensor {
  const [by, behind] = orOptions(third, fourth);
  const ranged = second !== undefined && typeof second !== "object";
  const start = ranged ? numberOf("arange", "start", first) : 0;
  const end = numberOf("arange", "end", ranged ? second : first);
  const step = ranged && by !== undefined ? numberOf("arange", "step", by) : 1;
  const options = ranged ? behind : (second as TensorOptions | undefined);
  const count = Math.max(0, Math.ceil((end - start) / step));
  if (!Number.isFinite(count)) {
    throw new JitlabError(
      "bad-range",
      `arange: from ${start} to ${end} in steps of ${step} never ends.`,
      "Pass finite bounds and a step other than 0.",
    );
  }
  const whole = [start, end, step].every(Number.isSafeInteger);
  const { dtype, device } = placeOf("arange", options, whole ? "int32" : "float32");
  for (const number of count > 0 ? [start, start + (count - 1) * step] : [])
    checkRange("arange", number, dtype);
  return make(counted, [count], dtype, device, { start, step });
}

const spaced = positionFunctor(
  "linspace",
  `template <typename T>
__device__ inline double make_linspace(int64 i, double start, double end, int64 count) {
  // Computed from both ends towards the middle, so that both ends are exact.
  const double step = count > 1 ? (end - start) / double(count - 1) : 0;
  return 2 * i < count ? start + double(i) * step : end - double(count - 1 - i) * step;
}`,
  [
    { name: "start", type: dtypes.float64, value: 0 },
    { name: "end", type: dtypes.float64, value: 1 },
    { name: "count", type: dtypes.int64, value: 1 },
  ],
  dtypes.float64,
);

/**
 * `count` numbers evenly spaced from `start` to `end`, both included; float32 by default.
 *
 * @example jl.linspace(0, 1, 3).toArray() // [0, 0.5, 1]
 */
export function linspace<D extends DTypeName = "float32">(
  start: number,
  end: number,
  count: number,
  options?: TensorOptions<D>,
): Tensor<D> {
  const { dtype, device } = placeOf("linspace", options, "float32");
  const parameters = {
    start: numberOf("linspace", "start", start),
    end: numberOf("linspace", "end", end),
    count: countOf("linspace", "count", count),
  };
  return make(spaced, [count], dtype, device, parameters);
}

const powers = positionFunctor(
  "logspace",
  "template <typename T>\n__device__ inline double make_logspace(int64 i, double start, double step, double base) {\n  return pow(base, start + double(i) * step);\n}",
  [
    { name: "start", type: dtypes.float64, value: 0 },
    { name: "step", type: dtypes.float64, value: 1 },
    { name: "base", type: dtypes.float64, value: 10 },
  ],
  dtypes.float64,
);

/**
 * `count` numbers from `base ** start` to `base ** end`, evenly spaced in the exponent; float32 by default.
 *
 * @example jl.logspace(0, 2, 3).toArray() // [1, 10, 100]
 */
export function logspace<D extends DTypeName = "float32">(
  start: number,
  end: number,
  count: number,
  options?: TensorOptions<D> & { /** The base of the powers; default 10. */ readonly base?: number },
): Tensor<D> {
  const { base: given = 10, ...place } = optionsOf("logspace", options, [...placeNames, "base"]);
  const { dtype, device } = placeOf("logspace", place, "float32");
  const first = numberOf("logspace", "start", start);
  const last = numberOf("logspace", "end", end);
  const intervals = countOf("logspace", "count", count) - 1;
  const base = numberOf("logspace", "base", given);
  const step = intervals > 0 ? (last - first) / intervals : 0;
  return make(powers, [count], dtype, device, { start: first, step, base });
}

/**
 * `count` numbers from `start` to `end`, each the same multiple of the one before; float32 by default.
 *
 * @example jl.geomspace(1, 1000, 4).toArray() // [1, 10, 100, 1000]
 */
export function geomspace<D extends DTypeName = "float32">(
  start: number,
  end: number,
  count: number,
  options?: TensorOptions<D>,
): Tensor<D> {
  const what = "geomspace";
  const [first, last] = [numberOf(what, "start", start), numberOf(what, "end", end)];
  if (!(first / last > 0)) {
    throw new JitlabError(
      "bad-argument",
      `${what}: from ${first} to ${last}.`,
      "Neither may be 0, and their signs must be equal.",
    );
  }
  const { dtype, device } = placeOf(what, options, "float32");
  const place = { dtype: "float64", ...(device === undefined ? {} : { device }) } as const;
  const numbers = logspace(0, 1, countOf(what, "count", count), { ...place, base: last / first }).mul(first);
  // The last one without the errors of the powers.
  if (count > 1) numbers.narrow(0, count - 1, 1).fill_(last);
  return numbers.to(dtype.name) as Tensor<D>;
}

const diagonal = positionFunctor(
  "eye",
  "template <typename T>\n__device__ inline bool make_eye(int64 i, int64 columns) {\n  return i / columns == i % columns;\n}",
  [{ name: "columns", type: dtypes.int64, value: 1 }],
  dtypes.bool,
);

/**
 * The matrix with ones on its diagonal; float32 by default.
 *
 * @example jl.eye(2).toArray() // [[1, 0], [0, 1]]
 */
export function eye<D extends DTypeName = "float32">(
  rows: number,
  columns?: number | TensorOptions<D>,
  options?: TensorOptions<D>,
): Tensor<D> {
  const [width = rows, given] = orOptions(columns, options);
  const { dtype, device } = placeOf("eye", given, "float32");
  const shape = [countOf("eye", "rows", rows), countOf("eye", "columns", width)];
  return make(diagonal, shape, dtype, device, { columns: width });
}
