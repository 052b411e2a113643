// Making tensors: from host values, filled, counted and spaced. What is computed is computed on the device, by functors
// over the element's position, so that large tensors never pass through the host.
import { getDevice } from "./device/index.js";
import { dispatch } from "./dispatch.js";
import { type DType, type DTypeName, dtypeOf, dtypes, type TypedArray } from "./dtype.js";
import { JitlabError } from "./errors.js";
import { type Functor, makeFunctor, type Parameter } from "./functor.js";
import { copyToDevice } from "./host-copy.js";
import { checkShape, contiguousStrides } from "./layout.js";
import type { Scalar } from "./ops/op.js";
import { emptyTensor, newTensor, Tensor } from "./tensor.js";
import {
  complexLength,
  dtypeOfArray,
  encode,
  flatten,
  inferDType,
  shapeOf,
  type TensorData,
} from "./transfer.js";

/** Where and as what a tensor is made. */
export interface TensorOptions {
  readonly dtype?: DTypeName;
  /** A device name; default: the default device. */
  readonly device?: string;
}

/** A tensor of nested arrays, a typed array or one element. Default dtype: float32 for numbers, int64 for bigints, bool for booleans, a typed array's own. */
export function tensor(data: TensorData | Tensor, options: TensorOptions = {}): Tensor {
  if (data instanceof Tensor) {
    const there = options.device ? data.to(options.device) : data;
    const cast = options.dtype ? there.to(options.dtype) : there;
    return cast === data ? data.clone() : cast;
  }
  if (ArrayBuffer.isView(data)) return fromTypedArray(data as TypedArray, options);
  const shape = shapeOf(data);
  const elements = flatten(data, shape);
  const dtype = options.dtype === undefined ? inferDType(elements) : dtypeOf(options.dtype);
  return upload(encode(elements, dtype), shape, dtype, options.device);
}

function fromTypedArray(data: TypedArray, options: TensorOptions): Tensor {
  const own = dtypeOfArray(data);
  const dtype = options.dtype === undefined ? own : dtypeOf(options.dtype);
  if (dtype === undefined) {
    throw new JitlabError(
      "bad-element",
      `tensor: a ${data.constructor.name} has no dtype of its own.`,
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
  const bytes = new Uint8Array(stored.buffer, stored.byteOffset, stored.byteLength);
  if (bytes.length > 0) copyToDevice(result.device, result.pointer, bytes);
  return result;
}

/** A tensor with uninitialised elements; float32 unless told otherwise. */
export function empty(shape: readonly number[], options: TensorOptions = {}): Tensor {
  return newTensor("empty", shape, dtypeOf(options.dtype ?? "float32"), options.device);
}

function filled(what: string, shape: readonly number[], value: Scalar, options: TensorOptions): Tensor {
  return newTensor(what, shape, dtypeOf(options.dtype ?? "float32"), options.device).fill_(value);
}

/** A tensor of one repeated value; its dtype follows the value unless told otherwise. */
export function full(shape: readonly number[], value: Scalar, options: TensorOptions = {}): Tensor {
  return filled("full", shape, value, { ...options, dtype: options.dtype ?? inferDType([value]).name });
}

/** A tensor of zeros. */
export function zeros(shape: readonly number[], options: TensorOptions = {}): Tensor {
  return filled("zeros", shape, 0, options);
}

/** A tensor of ones. */
export function ones(shape: readonly number[], options: TensorOptions = {}): Tensor {
  return filled("ones", shape, 1, options);
}

function like(source: Tensor, options: TensorOptions): TensorOptions {
  return { dtype: options.dtype ?? source.dtype.name, device: options.device ?? source.device.name };
}

/** As {@link empty}, with another tensor's shape, dtype and device. */
export function emptyLike(source: Tensor, options: TensorOptions = {}): Tensor {
  return empty(source.shape, like(source, options));
}

/** As {@link zeros}, with another tensor's shape, dtype and device. */
export function zerosLike(source: Tensor, options: TensorOptions = {}): Tensor {
  return zeros(source.shape, like(source, options));
}

/** As {@link ones}, with another tensor's shape, dtype and device. */
export function onesLike(source: Tensor, options: TensorOptions = {}): Tensor {
  return ones(source.shape, like(source, options));
}

/** As {@link full}, with another tensor's shape, dtype and device. */
export function fullLike(source: Tensor, value: Scalar, options: TensorOptions = {}): Tensor {
  return full(source.shape, value, like(source, options));
}

/** A functor over the element's position, with parameters that need no new kernel per value. */
export function positionFunctor(
  name: string,
  text: string,
  parameters: readonly Parameter[],
  result: "T" | DType,
  needs: readonly string[] = [],
): Functor {
  return makeFunctor({
    name,
    entry: `make_${name}`,
    inputs: [],
    inputNames: [],
    parameters,
    results: [result],
    signature: [
      { role: "position" },
      ...parameters.map((_, index) => ({ role: "parameter" as const, index })),
    ],
    template: true,
    fma: false,
    converts: true,
    user: false,
    needs: () => needs,
    resolve: (common) => ({ compute: dtypes[common.compute], outputs: [common] }),
    text: () => text,
  });
}

/** Runs a position functor over a new contiguous tensor. */
export function make(
  functor: Functor,
  shape: readonly number[],
  dtype: DType,
  device: string | undefined,
  parameters: Readonly<Record<string, Scalar>>,
): Tensor {
  checkShape(shape, functor.name);
  const out = emptyTensor(shape.slice(), contiguousStrides(shape), dtype, getDevice(device));
  return dispatch(functor, [], emptyTensor, { out: [out], dtype, parameters })[0] as Tensor;
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

/** Numbers from `start` (default 0) up to, not including, `end` in steps; int32 where all three are integers, else float32. */
export function arange(end: number, options?: TensorOptions): Tensor;
export function arange(start: number, end: number, step?: number, options?: TensorOptions): Tensor;
export function arange(
  first: number,
  second?: number | TensorOptions,
  third?: number,
  fourth?: TensorOptions,
): Tensor {
  const ranged = typeof second === "number";
  const [start, end, step] = ranged ? [first, second, third ?? 1] : [0, first, 1];
  const options = (ranged ? fourth : (second as TensorOptions | undefined)) ?? {};
  const count = Math.max(0, Math.ceil((end - start) / step));
  if (!Number.isFinite(count)) {
    throw new JitlabError(
      "bad-range",
      `arange: from ${start} to ${end} in steps of ${step} there is no end.`,
      "Give finite bounds and a step other than 0.",
    );
  }
  const whole = [start, end, step].every(Number.isSafeInteger);
  return make(counted, [count], dtypeOf(options.dtype ?? (whole ? "int32" : "float32")), options.device, {
    start,
    step,
  });
}

const spaced = positionFunctor(
  "linspace",
  `template <typename T>
__device__ inline double make_linspace(int64 i, double start, double end, int64 count) {
  // From both ends to the middle, so that both ends are exact.
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

/** `count` numbers evenly spaced from `start` to `end`, both included; float32 unless told otherwise. */
export function linspace(start: number, end: number, count: number, options: TensorOptions = {}): Tensor {
  const parameters = { start, end, count };
  return make(spaced, [count], dtypeOf(options.dtype ?? "float32"), options.device, parameters);
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

/** `count` numbers from `base ** start` to `base ** end`, evenly spaced in the exponent; float32 unless told otherwise. */
export function logspace(
  start: number,
  end: number,
  count: number,
  options: TensorOptions & { readonly base?: number } = {},
): Tensor {
  const step = count > 1 ? (end - start) / (count - 1) : 0;
  const parameters = { start, step, base: options.base ?? 10 };
  return make(powers, [count], dtypeOf(options.dtype ?? "float32"), options.device, parameters);
}

const diagonal = positionFunctor(
  "eye",
  "template <typename T>\n__device__ inline bool make_eye(int64 i, int64 columns) {\n  return i / columns == i % columns;\n}",
  [{ name: "columns", type: dtypes.int64, value: 1 }],
  dtypes.bool,
);

/** The matrix with ones on its diagonal; float32 unless told otherwise. */
export function eye(rows: number, columns = rows, options: TensorOptions = {}): Tensor {
  return make(diagonal, [rows, columns], dtypeOf(options.dtype ?? "float32"), options.device, { columns });
}
