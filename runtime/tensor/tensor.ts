// The Tensor: a view of device memory with PyTorch's methods. Op methods are attached and typed from the op table.

import type { Disposes } from "../base/disposable.js";
import { type DType, type DTypeName, dtypeOf, dtypes, type TypedArray } from "../base/dtype.js";
import { JitlabError, show } from "../base/errors.js";
import type { Device } from "../device/device.js";
import { donatedError } from "../device/donated.js";
import { copyThroughHost } from "../device/host-copy.js";
import { deviceKinds, isDeviceName } from "../device/kinds.js";
import type { Storage } from "../device/storage.js";
import { copyFunctor } from "../functor/functor.js";
import { scalarParts } from "../functor/operand.js";
import { checkShape, contiguousStrides, isContiguous, sameNumbers, sizeOf } from "../geometry/layout.js";
import { copyOverlaps } from "../geometry/overlap.js";
import type { View } from "../geometry/view.js";
import * as views from "../geometry/views.js";
import { getDevice } from "../launch/devices.js";
import { dispatch } from "../launch/map-launch.js";
import { launching, newStorage } from "../launch/sink.js";
import type { Scalar } from "../ops/op.js";
import { elementAccess } from "./element-access.js";
import type { AnyDType, ArrayOf, ElementOf, Target } from "./element-types.js";
import { formatTensor, tensorHtml } from "./format.js";
import { checkNested, jsonOf, nestedArray, readable, readElements } from "./transfer.js";

/** Nested arrays of elements, as deep as the shape is long. */
// biome-ignore lint/suspicious/noExplicitAny: TypeScript cannot express the depth
export type Nested = any[];

const sending = Symbol("a tensor; send x.data() and x.shape, and make jl.tensor(data).view(shape) there");

/**
 * A strided window on a device's memory, with every operation as a method; `a.add_(b)` writes into `a`. `D` is its dtype if
 * the source states it: `Tensor<"float32">`.
 */
export class Tensor<out D extends DTypeName = AnyDType> implements View, Disposes {
  readonly #made = true;
  /** structuredClone and postMessage meet it first, and their message quotes it. */
  protected readonly sending: symbol = sending;
  /** The owner of the memory, which views share. */
  readonly storage: Storage;
  /** Bytes from the storage's start to element 0. */
  readonly offset: number;
  readonly shape: readonly number[];
  readonly strides: readonly number[];
  readonly dtype: DType;
  readonly size: number;
  readonly isContiguous: boolean;

  /** Tensors are made by `jl.tensor`, `jl.zeros` and the like. */
  constructor(
    storage: Storage,
    offset: number,
    shape: readonly number[],
    strides: readonly number[],
    dtype: DType,
  ) {
    this.storage = storage;
    this.offset = offset;
    this.shape = shape;
    this.strides = strides;
    this.dtype = dtype;
    this.size = sizeOf(shape);
    this.isContiguous = isContiguous(shape, strides);
  }

  /** True for tensors that the constructor made; false for proxies and for objects that only have the prototype. */
  static [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === "object" && value !== null && #made in value;
  }

  /**
   * Address of element 0 on the device.
   *
   * @example jl.zeros([2]).pointer > 0 // true
   */
  get pointer(): number {
    if (this.storage.disposed) {
      const what = `This ${this.dtype.name} tensor of shape [${this.shape.join(", ")}]`;
      const donated = this.storage.donatedTo;
      if (donated !== undefined) throw donatedError(what, donated);
      throw new JitlabError(
        "disposed-tensor",
        `${what} was disposed.`,
        "Keep the tensor, or clone it before calling dispose() on it or on a view of it.",
      );
    }
    return this.storage.pointer + this.offset;
  }

  /**
   * The device of its memory.
   *
   * @example jl.zeros([2], { device: "cpu" }).device.name // "cpu"
   */
  get device(): Device {
    return this.storage.device;
  }

  /**
   * The number of dimensions.
   *
   * @example jl.zeros([2, 3]).ndim // 2
   */
  get ndim(): number {
    return this.shape.length;
  }

  /**
   * The tensor with its last two dimensions swapped; a view.
   *
   * @example jl.tensor([[1, 2], [3, 4]]).T.toArray() // [[1, 3], [2, 4]]
   */
  get T(): Tensor<D> {
    return this.ndim < 2 ? this : this.transpose(-2, -1);
  }

  /**
   * The same as {@link T}.
   *
   * @example jl.zeros([2, 3, 4]).mT.shape // [2, 4, 3]
   */
  get mT(): Tensor<D> {
    return this.T;
  }

  /**
   * Converts the tensor to another dtype or device; returns the tensor itself if nothing changes.
   *
   * @example jl.tensor([1.5]).to("int32").toArray() // [1]
   */
  to<T extends DTypeName | (string & {})>(target: T): Tensor<Target<D, T>>;
  to(target: DTypeName | (string & {})): Tensor {
    if (typeof target !== "string") dtypeOf(target);
    if (Object.hasOwn(dtypes, target)) return inDType(this, dtypeOf(target as DTypeName));
    if (!isDeviceName(target)) dtypeOf(target as DTypeName, `; the devices ${deviceKinds.join(", ")}`);
    const device = getDevice(target);
    if (device === this.device) return this;
    const source = readable(this, "to(...)").contiguous();
    const copy = emptyTensor(this.shape, contiguousStrides(this.shape), this.dtype, device);
    const run = () => {
      const size = source.size * this.dtype.bytes;
      if (size > 0 && !device.receive?.(copy.pointer, source.device, source.pointer, size))
        copyThroughHost(copy, source, size);
      return [copy];
    };
    launching({ kind: "launch", name: `to("${target}")`, inputs: [this], out: [], run });
    return copy;
  }

  /**
   * The tensor itself if it is contiguous, else a contiguous copy.
   *
   * @example jl.zeros([2, 3]).T.contiguous().strides // [2, 1]
   */
  contiguous(): Tensor<D> {
    return this.isContiguous ? this : this.clone();
  }

  /**
   * A contiguous copy in new memory.
   *
   * @example jl.arange(3).clone().toArray() // [0, 1, 2]
   */
  clone(): Tensor<D> {
    return emptyTensor(this.shape, contiguousStrides(this.shape), this.dtype, this.device).copy_(this);
  }

  /**
   * Writes `source`, broadcast and converted, into this tensor; also from another device.
   *
   * @example jl.zeros([3]).copy_(jl.arange(3)).toArray() // [0, 1, 2]
   */
  copy_(source: Tensor): this {
    if (!(source instanceof Tensor)) {
      const help = "Pass a Tensor; fill_(...) takes a number.";
      throw new JitlabError("bad-operand", `copy_: ${show(source)} is not a tensor.`, help);
    }
    const near = source.device === this.device ? source : source.to(this.device.name);
    let local: Tensor = near;
    if (!sameNumbers(near.shape, this.shape)) {
      views.checkStretch("copy_", near.shape, this.shape);
      local = windowOf(near, views.expand(near, this.shape));
    }
    dispatch(copyFunctor, [copyOverlaps(local, this) ? local.clone() : local], emptyTensor, { out: [this] });
    return this;
  }

  /**
   * Sets every element to a scalar.
   *
   * @example jl.zeros([2]).fill_(7).toArray() // [7, 7]
   */
  fill_(value: Scalar): this {
    scalarParts(value, this.dtype, "fill_");
    dispatch(copyFunctor, [value], emptyTensor, { out: [this], dtype: this.dtype });
    return this;
  }

  /**
   * The elements in row-major order, copied to a typed array: half types widened to float32, complex interleaved.
   *
   * @example jl.arange(3).data() // Int32Array.of(0, 1, 2)
   */
  data(): ArrayOf<D> {
    return readElements(readable(this, "data()").contiguous()) as ArrayOf<D>;
  }

  /**
   * A typed array that shares the tensor's memory, without a copy. For contiguous tensors on the cpu. Half types are their
   * bits, complex numbers interleaved. The array keeps the memory alive, even after dispose().
   *
   * @example jl.ones([2], { device: "cpu" }).asTypedArray() // Float32Array.of(1, 1)
   */
  asTypedArray(): TypedArray {
    const { pointer, dtype, device } = this;
    const view = this.isContiguous ? readable(this, "asTypedArray()").storage.hostView() : undefined;
    if (view === undefined || pointer === 0) {
      throw new JitlabError(
        "not-shareable",
        this.isContiguous
          ? `asTypedArray: the host cannot access the memory of the device ${device.name}.`
          : `asTypedArray: the tensor of shape [${this.shape.join(", ")}] is not contiguous (strides [${this.strides.join(", ")}]).`,
        this.isContiguous ? "data() gives a copy." : "Use contiguous(), or data() for a copy.",
      );
    }
    const length = this.size * (dtype.kind === "complex" ? 2 : 1);
    return new dtype.array(view.buffer as ArrayBuffer, view.offset + this.offset, length);
  }

  /**
   * The elements as nested arrays: bool as booleans, int64 as bigints, complex as `{ re, im }`; of a 0-d tensor the element.
   *
   * @example jl.tensor([[1, 2], [3, 4]]).toArray() // [[1, 2], [3, 4]]
   */
  toArray(): Nested {
    checkNested(this.size);
    return nestedArray(this.data(), this.dtype, this.shape) as Nested;
  }

  /**
   * The one element of a tensor of size 1.
   *
   * @example jl.tensor([2.5]).item() // 2.5
   */
  item(): ElementOf<D> {
    if (this.size !== 1) {
      throw new JitlabError(
        "not-a-scalar",
        `item() needs one element, but the shape [${this.shape.join(", ")}] has ${this.size}.`,
        "Use toArray(), or select an element with at(...).",
      );
    }
    return nestedArray(readable(this, "item()").data(), this.dtype, []) as ElementOf<D>;
  }

  /**
   * Frees the memory now, for every view of it; without it the memory is reclaimed once unreachable.
   *
   * @example jl.zeros([2]).dispose() // undefined
   */
  dispose(): void {
    this.storage.dispose();
  }

  /** Called by `using x = ...` at the end of its block: {@link dispose}. */
  [Symbol.dispose](): void {
    this.dispose();
  }

  /** Its sub-tensors along the first dimension, views, as in `for (const row of x)`; a 0-d tensor has none. */
  *[Symbol.iterator](): Iterator<Tensor<D>> {
    const [length] = this.shape;
    if (length === undefined) {
      throw new JitlabError(
        "not-iterable",
        "A 0-d tensor has nothing to iterate over.",
        "item() is its element.",
      );
    }
    for (let index = 0; index < length; index++) yield this.select(0, index);
  }

  /**
   * For JSON.stringify: the elements as in {@link toArray}; bigints, which JSON lacks, as numbers if exact, else as text.
   *
   * @example JSON.stringify(jl.tensor([1, 2])) // "[1,2]"
   */
  toJSON(): Nested {
    return jsonOf(this.toArray()) as Nested;
  }

  /**
   * The text that `console.log` prints: the elements, long tensors shortened in the middle, with shape, dtype and device.
   *
   * @example jl.tensor([1, 2], { device: "cpu" }).toString() // "tensor([1., 2.], shape [2], float32, cpu)"
   */
  toString(): string {
    return formatTensor(readable(this, "a text of a tensor"));
  }

  /** For `-x`, `x > 2` and `Math.exp(x)` in unchecked code: throws, except for conversions to text. */
  [Symbol.toPrimitive](hint: string): string {
    if (hint !== "number") return this.toString();
    throw new JitlabError(
      "not-a-number",
      `A tensor of shape [${this.shape.join(", ")}] is not a number.`,
      "Tensors have methods instead of operators: x.neg(), x.gt(2), x.exp(); item() is the one element of a tensor of size 1.",
    );
  }

  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return formatTensor(readable(this, "a text of a tensor"));
  }

  [Symbol.for("Jupyter.display")](): Record<string, string> {
    return {
      "text/plain": formatTensor(readable(this, "a text of a tensor")),
      "text/html": tensorHtml(this),
    };
  }
}

// Functions, because private methods throw a TypeError for objects that only have the prototype.

function inDType(tensor: Tensor, dtype: DType): Tensor {
  if (dtype === tensor.dtype) return tensor;
  return dispatch(copyFunctor, [tensor], emptyTensor, { dtype })[0] as Tensor;
}

// Throws for an object that has the prototype but was not made by the constructor.
for (const field of ["storage", "offset", "shape", "strides", "dtype", "size", "isContiguous"]) {
  Object.defineProperty(Tensor.prototype, field, {
    get: () => {
      throw new JitlabError(
        "bad-operand",
        `This object has a tensor's methods but is not a tensor: it has no ${field}.`,
        "Make tensors with jl.tensor, jl.zeros and the like.",
      );
    },
  });
}

Object.setPrototypeOf(Tensor.prototype, elementAccess);

/** A window on a tensor's memory. */
export function windowOf<D extends DTypeName>(
  x: Tensor<D>,
  { shape, strides, offset }: views.Geometry,
): Tensor<D> {
  return new Tensor(x.storage, x.offset + offset * x.dtype.bytes, shape, strides, x.dtype);
}

/** Checks that an argument is a tensor; throws `bad-operand` otherwise. */
export function tensorOf(what: string, value: unknown): Tensor {
  if (value instanceof Tensor) return value;
  throw new JitlabError(
    "bad-operand",
    `${what}: ${show(value)} is not a tensor.`,
    "Make a tensor of an array with jl.tensor(...).",
  );
}

/** Makes a function a method of every tensor. */
export function attach(name: string, method: (this: Tensor, ...args: never[]) => unknown): void {
  Object.defineProperty(method, "name", { value: name });
  Object.defineProperty(Tensor.prototype, name, { value: method, configurable: true });
}

/** A tensor with uninitialized elements; makes the outputs of every operation. */
export function emptyTensor(
  shape: readonly number[],
  strides: readonly number[],
  dtype: DType,
  device: Device,
  storage = newStorage(device, sizeOf(shape) * dtype.bytes),
): Tensor {
  return new Tensor(storage, 0, shape, strides, dtype);
}

/** A contiguous tensor of a checked shape on a named (or the default) device. */
export function newTensor(what: string, shape: readonly number[], dtype: DType, device?: string): Tensor {
  checkShape(shape, what);
  return emptyTensor(shape.slice(), contiguousStrides(shape), dtype, getDevice(device));
}

/** The caller's output; throws `bad-output` unless it is a tensor. */
export function outputOf(out: unknown): Tensor {
  if (out instanceof Tensor) return out;
  throw new JitlabError(
    "bad-output",
    `out is ${show(out)}, which is not a tensor.`,
    "Pass a tensor of the result's shape and dtype, such as jl.empty(shape).",
  );
}
