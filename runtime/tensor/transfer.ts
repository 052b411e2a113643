// Between host values and stored elements: nested arrays and typed arrays on one side, bytes of a dtype on the other.
import { type DType, dtypes, type TypedArray } from "../base/dtype.js";
import { DeviceError, isArray, isRevoked, JitlabError, show } from "../base/errors.js";
import { fromBfloat16, fromFloat16, toBfloat16, toFloat16 } from "../base/half.js";
import { elementsToHost } from "../device/host-copy.js";
import { checkShape, formatShape, maxDims } from "../geometry/layout.js";
import type { View } from "../geometry/view.js";
import { refuseWhileRecording } from "../launch/graph.js";
import type { Scalar } from "../ops/op.js";

/** Anything that `jl.tensor` takes. */
export type TensorData = Scalar | TypedArray | readonly TensorData[];

/** Called before the host reads elements: throws where it cannot, such as those of a lane. `what` reads them. */
export function hostReads(what: string, { storage }: View): void {
  refuseWhileRecording("Reading a tensor");
  storage?.refuseRead?.(what);
}

/** A tensor whose elements the host reads. */
export function readable<V extends View>(x: V, what: string): V {
  hostReads(what, x);
  return x;
}

/** The stored elements of a contiguous view, copied to the host; half types widened to float32. */
export function readElements(view: View): TypedArray {
  const { dtype, size, device } = view;
  const perElement = dtype.kind === "complex" ? 2 : 1;
  const stored = hostArray(dtype, size * perElement);
  if (size > 0) elementsToHost(device, view.pointer, stored);
  if (dtype.name === "float16") return widened(stored as Uint16Array, fromFloat16);
  if (dtype.name === "bfloat16") return widened(stored as Uint16Array, fromBfloat16);
  return stored;
}

/** Half numbers as floats. Float32Array.from() would list them all first, and V8 ends the process where it has no room. */
function widened(bits: Uint16Array, numberOf: (bits: number) => number): TypedArray {
  const wide = hostArray(dtypes.float32, bits.length);
  for (let i = 0; i < bits.length; i++) wide[i] = numberOf(bits[i] as number);
  return wide;
}

function hostArray({ array, bytes }: DType, length: number): TypedArray {
  try {
    return new array(length);
  } catch (error) {
    throw new DeviceError(
      "out-of-memory",
      `The host has no memory for a copy of ${length} elements of ${bytes} bytes: ${(error as Error).message}.`,
      "Read a part of the tensor, such as x.narrow(0, 0, 1000).data().",
    );
  }
}

/** The maximum number of elements in nested arrays: each takes at least eight bytes of JavaScript's heap. */
const mostNested = 2 ** 26;

/** Throws `too-large` for more elements than nested arrays can hold. */
export function checkNested(size: number): void {
  if (size <= mostNested) return;
  throw new JitlabError(
    "too-large",
    `toArray: ${size} elements or empty arrays are more than nested arrays may have (${mostNested}).`,
    "Use data(), or toArray() of a part.",
  );
}

/** Elements in row-major order as nested arrays of host values. */
export function nestedArray(data: TypedArray, dtype: DType, shape: readonly number[]): Scalar | NestedArray {
  const element = elementReader(data, dtype);
  // An extent of 0 means no elements, but as many empty arrays as the product of the extents before it.
  const arrays = shape
    .slice(0, Math.max(0, shape.indexOf(0)))
    .reduce((product, extent) => product * extent, 1);
  checkNested(arrays);
  let next = 0;
  const build = (dim: number): Scalar | NestedArray => {
    if (dim === shape.length) return element(next++);
    return Array.from({ length: shape[dim] as number }, () => build(dim + 1));
  };
  return build(0);
}

type NestedArray = (Scalar | NestedArray)[];

/** An element or nested arrays without bigints. */
export function jsonOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(jsonOf);
  if (typeof value !== "bigint") return value;
  return Number.isSafeInteger(Number(value)) ? Number(value) : `${value}`;
}

/** A function from an element's index to its host value. */
export function elementReader(data: TypedArray, dtype: DType): (index: number) => Scalar {
  if (dtype.kind === "bool") return (index) => data[index] !== 0;
  if (dtype.kind === "complex") {
    return (index) => ({ re: Number(data[2 * index]), im: Number(data[2 * index + 1]) });
  }
  return (index) => data[index] as number | bigint;
}

/** The shape of nested arrays; throws `ragged-array` if rows differ in length. */
export function shapeOf(data: TensorData): number[] {
  const shape: number[] = [];
  let level: TensorData = data;
  while (isList(level)) {
    shape.push(level.length);
    if (shape.length > maxDims) checkShape(shape, "tensor");
    if (level.length === 0 || ArrayBuffer.isView(level)) break;
    level = level[0] as TensorData;
  }
  return shape;
}

function isList(data: TensorData): data is TypedArray | readonly TensorData[] {
  return isArray(data) || (ArrayBuffer.isView(data) && !(data instanceof DataView));
}

/** All elements of nested arrays in row-major order; throws `ragged-array` or `bad-element`. */
export function flatten(data: TensorData, shape: readonly number[]): Scalar[] {
  const elements: Scalar[] = [];
  const visit = (item: TensorData, dim: number): void => {
    if (dim < shape.length) {
      if (!isList(item) || item.length !== shape[dim]) throw ragged(shape, dim, item);
      for (const inner of item as Iterable<TensorData>) visit(inner, dim + 1);
      return;
    }
    if (isList(item)) throw ragged(shape, dim, item);
    elements.push(checkElement(item));
  };
  visit(data, 0);
  return elements;
}

function ragged(shape: readonly number[], dim: number, item: TensorData): JitlabError {
  const found = isList(item) ? `an array of ${item.length}` : show(item);
  return new JitlabError(
    "ragged-array",
    `tensor: the nested arrays are ragged: ${found} where the shape ${formatShape(shape)} has ${shape[dim] ?? "an element"} in dimension ${dim}.`,
    "Give every row the same length.",
  );
}

function checkElement(item: unknown): Scalar {
  if (typeof item === "number" || typeof item === "bigint" || typeof item === "boolean") return item;
  if (typeof item === "object" && item !== null && !isRevoked(item)) {
    const { re, im } = item as { re?: unknown; im?: unknown };
    if (typeof re === "number" && typeof im === "number") return { re, im };
  }
  throw new JitlabError(
    "bad-element",
    `tensor: ${show(item)} is not an element.`,
    "Elements are numbers, bigints, booleans or { re, im }.",
  );
}

/** The dtype of host elements: complex above numbers (float32) above bigint (int64) above boolean. */
export function inferDType(elements: readonly Scalar[]): DType {
  let bool = elements.length > 0;
  let big = elements.length > 0;
  for (const element of elements) {
    if (typeof element === "object") return dtypes.complex64;
    if (typeof element !== "boolean") bool = false;
    if (typeof element === "number") big = false;
  }
  return bool ? dtypes.bool : big ? dtypes.int64 : dtypes.float32;
}

/** As {@link inferDType}; throws `bad-element` for a whole number whose digits float32 does not hold. */
export function exactDType(what: string, elements: readonly Scalar[]): DType {
  const dtype = inferDType(elements);
  if (dtype !== dtypes.float32) return dtype;
  for (const element of elements) {
    const number = Number(element);
    if (Math.fround(number) === number || !Number.isSafeInteger(number)) continue;
    throw new JitlabError(
      "bad-element",
      `${what}: ${number} would be ${Math.fround(number)} in float32, the dtype of numbers.`,
      'Pass { dtype: "float64" } or { dtype: "int64" }; PyTorch takes int64 for whole numbers.',
    );
  }
  return dtype;
}

/** The dtype of a typed array's elements; undefined for unsupported arrays. */
export function dtypeOfArray(array: ArrayBufferView): DType | undefined {
  if (array instanceof Uint8ClampedArray) return dtypes.uint8;
  const names: Readonly<Record<string, DType>> = {
    Uint8Array: dtypes.uint8,
    Int8Array: dtypes.int8,
    Int16Array: dtypes.int16,
    Int32Array: dtypes.int32,
    BigInt64Array: dtypes.int64,
    Uint16Array: dtypes.uint16,
    Uint32Array: dtypes.uint32,
    BigUint64Array: dtypes.uint64,
    Float32Array: dtypes.float32,
    Float64Array: dtypes.float64,
  };
  return array instanceof Buffer ? dtypes.uint8 : names[array.constructor.name];
}

/**
 * Host elements as stored bytes of a dtype; throws `bad-element` for one that an integer dtype cannot hold, such as a
 * fraction.
 */
export function encode(elements: readonly Scalar[], dtype: DType): TypedArray {
  const complex = dtype.kind === "complex";
  const stored = new dtype.array(elements.length * (complex ? 2 : 1));
  const put = encoderOf(dtype, stored);
  elements.forEach((element, i) => {
    put(element, i);
  });
  return stored;
}

function encoderOf(dtype: DType, stored: TypedArray): (element: Scalar, i: number) => void {
  if (dtype.kind === "complex") {
    return (element, i) => {
      const complex = typeof element === "object";
      stored[2 * i] = complex ? element.re : Number(element);
      stored[2 * i + 1] = complex ? element.im : 0;
    };
  }
  const real = (element: Scalar): number | bigint | boolean => {
    if (typeof element !== "object") return element;
    throw new JitlabError(
      "scalar-kind",
      `tensor: a complex element cannot become ${dtype.name}.`,
      "Use a complex dtype.",
    );
  };
  if (dtype.kind === "bool") return (element, i) => (stored[i] = Number(real(element)) !== 0 ? 1 : 0);
  if (dtype.name === "float16") return (element, i) => (stored[i] = toFloat16(Number(real(element))));
  if (dtype.name === "bfloat16") return (element, i) => (stored[i] = toBfloat16(Number(real(element))));
  if (dtype.kind === "float") return (element, i) => (stored[i] = Number(real(element)));
  const bits = BigInt(dtype.bytes * 8 - (dtype.kind === "signed" ? 1 : 0));
  const [low, high] = [dtype.kind === "signed" ? -(1n << bits) : 0n, (1n << bits) - 1n];
  const wide = dtype.bytes === 8;
  return (element, i) => {
    const given = real(element);
    const value = typeof given === "boolean" ? Number(given) : given;
    const fits = typeof value === "bigint" || Number.isInteger(value);
    if (!fits || value < low || value > high) throw outOfRange(value, dtype, i);
    stored[i] = (wide ? BigInt(value) : Number(value)) as never;
  };
}

function outOfRange(value: number | bigint | boolean, dtype: DType, position: number): JitlabError {
  return new JitlabError(
    "bad-element",
    `tensor: element ${position}, ${show(value)}, does not fit into ${dtype.name}.`,
    "Use a dtype that holds it, or make a tensor of a float dtype and convert it with .to(...), which truncates and saturates.",
  );
}

/** Reinterprets a typed array's numbers as interleaved complex pairs; throws for an odd length. */
export function complexLength(array: { readonly length: number }): number {
  if (array.length % 2 === 0) return array.length / 2;
  throw new JitlabError(
    "ragged-array",
    `tensor: ${array.length} numbers are not a whole number of complex elements.`,
    "Interleave real and imaginary parts.",
  );
}
