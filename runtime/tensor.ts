// The Tensor: a view of device memory with PyTorch's methods. Op methods are attached and typed from the op table.
import type { Device } from "./device/device.js";
import { getDevice } from "./device/index.js";
import { allocate } from "./device/memory.js";
import type { Storage } from "./device/storage.js";
import { dispatch } from "./dispatch.js";
import { type DType, type DTypeName, dtypeOf, dtypes, type TypedArray } from "./dtype.js";
import { JitlabError, show } from "./errors.js";
import { formatTensor, tensorHtml } from "./format.js";
import { copyFunctor } from "./functor.js";
import { refuseWhileRecording } from "./graph.js";
import { copyToDevice, copyToHost } from "./host-copy.js";
import { checkShape, contiguousStrides, isContiguous, sizeOf } from "./layout.js";
import type { Scalar } from "./ops/op.js";
import { checkNested, nestedArray, readElements } from "./transfer.js";
import type { View } from "./view.js";
import * as views from "./views.js";

/** Nested arrays of elements, as `toArray` gives them; a bare element for a 0-d tensor. */
export type Nested = Scalar | Nested[];

/** A strided window on a device's memory, with every operation as a method; `a.add_(b)` writes into `a`. */
export class Tensor implements View {
  readonly size: number;
  readonly isContiguous: boolean;

  /** Tensors are made by `jl.tensor`, `jl.zeros` and the like. */
  constructor(
    private readonly storage: Storage,
    /** Bytes from the storage's start to element 0. */
    private readonly offset: number,
    readonly shape: readonly number[],
    readonly strides: readonly number[],
    readonly dtype: DType,
  ) {
    this.size = sizeOf(shape);
    this.isContiguous = isContiguous(shape, strides);
  }

  /** Address of element 0 on the device. */
  get pointer(): number {
    if (this.storage.disposed) {
      throw new JitlabError(
        "disposed-tensor",
        `This ${this.dtype.name} tensor of shape [${this.shape.join(", ")}] was disposed.`,
        "Keep the tensor, or clone it before calling dispose() on it or on a view of it.",
      );
    }
    return this.storage.pointer + this.offset;
  }

  /** The device whose memory it views. */
  get device(): Device {
    return this.storage.device;
  }

  /** Keeps the memory from being reused, even after dispose(), until the returned function is called. */
  keep(): () => void {
    return this.storage.keep();
  }

  /** The number of dimensions. */
  get ndim(): number {
    return this.shape.length;
  }

  /** The tensor with its last two dimensions exchanged; a view. */
  get T(): Tensor {
    return this.ndim < 2 ? this : this.transpose(-2, -1);
  }

  /** A window on the same memory; `offset` is in elements from this tensor's element 0. */
  private window(shape: readonly number[], strides: readonly number[], offset = 0): Tensor {
    return new Tensor(this.storage, this.offset + offset * this.dtype.bytes, shape, strides, this.dtype);
  }

  private through(geometry: views.Geometry): Tensor {
    return this.window(geometry.shape, geometry.strides, geometry.offset);
  }

  /** The same elements in another shape without a copy; one extent may be -1. Throws where strides do not allow it. */
  view(...shape: number[]): Tensor {
    return this.through(views.view(this, shape));
  }

  /** The same elements in another shape: a view where possible, else a copy. */
  reshape(...shape: number[]): Tensor {
    const geometry = views.tryView(this, shape, "reshape");
    return geometry ? this.through(geometry) : this.contiguous().view(...shape);
  }

  /** All elements in one dimension. */
  flatten(): Tensor {
    return this.reshape(-1);
  }

  /** The dimensions in another order; a view. */
  permute(...order: number[]): Tensor {
    return this.through(views.permute(this, order));
  }

  /** Two dimensions exchanged; a view. */
  transpose(a: number, b: number): Tensor {
    return this.through(views.transpose(this, a, b));
  }

  /** Dimensions of extent 1 stretched to `shape` with stride 0; -1 keeps an extent. A view. */
  expand(...shape: number[]): Tensor {
    return this.through(views.expand(this, shape));
  }

  /** Without dimensions of extent 1, or without dimension `dim` if its extent is 1; a view. */
  squeeze(dim?: number): Tensor {
    return this.through(views.squeeze(this, dim));
  }

  /** With a dimension of extent 1 put in at `dim`; a view. */
  unsqueeze(dim: number): Tensor {
    return this.through(views.unsqueeze(this, dim));
  }

  /** Index `index` of dimension `dim`, which goes away; a view. */
  select(dim: number, index: number): Tensor {
    return this.through(views.select(this, dim, index));
  }

  /** `length` indexes of dimension `dim` from `start`; a view. */
  narrow(dim: number, start: number, length: number): Tensor {
    return this.through(views.narrow(this, dim, start, length));
  }

  /** NumPy's slice notation, such as `x.slice("1:3, ::2")`, negative steps included; a view. */
  slice(text: string): Tensor {
    return this.through(views.slice(this, text));
  }

  /** The element or sub-tensor at leading indexes: `x.at(0, -1)`; strings slice, as in `x.at(0, "::2")`. A view. */
  at(...indexes: (number | string)[]): Tensor {
    return this.through(views.slice(this, views.indexText(indexes), "at"));
  }

  /** The tensor in another dtype, or on another device; itself where nothing changes. */
  to(target: DTypeName | (string & {})): Tensor {
    if (typeof target !== "string") dtypeOf(target);
    if (Object.hasOwn(dtypes, target)) return this.toDType(dtypeOf(target as DTypeName));
    if (!/^(cuda|cpu|wasm)(:\d+)?$/.test(target))
      dtypeOf(target as DTypeName, "; the devices cuda, cpu, wasm");
    const device = getDevice(target);
    if (device === this.device) return this;
    const source = this.readable().contiguous();
    const copy = emptyTensor(this.shape, contiguousStrides(this.shape), this.dtype, device);
    const size = source.size * this.dtype.bytes;
    if (size === 0 || device.receive?.(copy.pointer, source.device, source.pointer, size)) return copy;
    const bytes = new Uint8Array(size);
    copyToHost(source.device, source.pointer, bytes);
    copyToDevice(device, copy.pointer, bytes);
    return copy;
  }

  private toDType(dtype: DType): Tensor {
    if (dtype === this.dtype) return this;
    return dispatch(copyFunctor, [this], emptyTensor, { dtype })[0] as Tensor;
  }

  /** The tensor itself if it is contiguous, else a contiguous copy. */
  contiguous(): Tensor {
    return this.isContiguous ? this : this.clone();
  }

  /** A contiguous copy in memory of its own. */
  clone(): Tensor {
    return emptyTensor(this.shape, contiguousStrides(this.shape), this.dtype, this.device).copy_(this);
  }

  /** Writes `source`, broadcast and converted, into this tensor; from another device too. */
  copy_(source: Tensor): this {
    if (!(source instanceof Tensor)) {
      throw new JitlabError(
        "bad-operand",
        `copy_: ${show(source)} is no tensor.`,
        "Pass a Tensor; fill_(...) takes a number.",
      );
    }
    const local = source.device === this.device ? source : source.to(this.device.name);
    dispatch(copyFunctor, [overlapping(local, this) ? local.clone() : local], emptyTensor, { out: [this] });
    return this;
  }

  /** Sets every element to a scalar. */
  fill_(value: Scalar): this {
    dispatch(copyFunctor, [value], emptyTensor, { out: [this], dtype: this.dtype });
    return this;
  }

  /** The elements in row-major order, copied to a typed array: half types widened to float32, complex interleaved. */
  data(): TypedArray {
    return readElements(this.readable().contiguous());
  }

  /**
   * A typed array over the tensor's own memory, without a copy: what one writes the other reads. For contiguous tensors on
   * the cpu. Half types are their bits, complex numbers interleaved. The array keeps the memory, also after dispose().
   */
  asTypedArray(): TypedArray {
    const { pointer, dtype, device } = this;
    const view = this.isContiguous ? this.readable().storage.hostView() : undefined;
    if (view === undefined || pointer === 0) {
      throw new JitlabError(
        "not-shareable",
        this.isContiguous
          ? `asTypedArray: the host does not see the memory of the device ${device.name}.`
          : `asTypedArray: the tensor of shape [${this.shape.join(", ")}] is not contiguous (strides [${this.strides.join(", ")}]).`,
        this.isContiguous ? "data() gives a copy." : "Use contiguous(), or data() for a copy.",
      );
    }
    const length = this.size * (dtype.kind === "complex" ? 2 : 1);
    return new dtype.array(view.buffer as ArrayBuffer, view.offset + this.offset, length);
  }

  /** The elements as nested arrays: bool as booleans, int64 as bigints, complex as `{ re, im }`. */
  toArray(): Nested {
    checkNested(this.size);
    return nestedArray(this.data(), this.dtype, this.shape);
  }

  /** The one element of a tensor of size 1. */
  item(): Scalar {
    if (this.size !== 1) {
      throw new JitlabError(
        "not-a-scalar",
        `item() needs one element, but the shape [${this.shape.join(", ")}] has ${this.size}.`,
        "Use toArray(), or select an element with at(...).",
      );
    }
    return nestedArray(this.data(), this.dtype, []) as Scalar;
  }

  /** The tensor itself, unless its elements are not there yet because a graph is being recorded. */
  private readable(): this {
    refuseWhileRecording("Reading a tensor");
    return this;
  }

  /** Frees the memory now, for every view of it; without it the memory is reclaimed once unreachable. */
  dispose(): void {
    this.storage.dispose();
  }

  /** Its sub-tensors along the first dimension, views, as in `for (const row of x)`; a 0-d tensor has none. */
  *[Symbol.iterator](): Iterator<Tensor> {
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

  /** What JSON.stringify writes: the elements as {@link toArray} gives them. */
  toJSON(): Nested {
    return this.toArray();
  }

  toString(): string {
    return formatTensor(this.readable());
  }

  /** What `-x`, `x > 2` and `Math.exp(x)` ask for in code that was not checked: no number, and a text only for a text. */
  [Symbol.toPrimitive](hint: string): string {
    if (hint !== "number") return this.toString();
    throw new JitlabError(
      "not-a-number",
      `A tensor of shape [${this.shape.join(", ")}] is no number.`,
      "Tensors have methods instead of operators: x.neg(), x.gt(2), x.exp(); item() is the one element of a tensor of size 1.",
    );
  }

  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return formatTensor(this.readable());
  }

  [Symbol.for("Jupyter.display")](): Record<string, string> {
    return { "text/plain": formatTensor(this.readable()), "text/html": tensorHtml(this) };
  }
}

/** Makes a function a method of every tensor. */
export function attach(name: string, method: (this: Tensor, ...args: never[]) => Tensor): void {
  Object.defineProperty(method, "name", { value: name });
  Object.defineProperty(Tensor.prototype, name, { value: method, configurable: true });
}

/** A tensor with uninitialised elements; the output maker of every dispatch. */
export function emptyTensor(
  shape: readonly number[],
  strides: readonly number[],
  dtype: DType,
  device: Device,
): Tensor {
  return new Tensor(allocate(device, sizeOf(shape) * dtype.bytes), 0, shape, strides, dtype);
}

/** A contiguous tensor of a checked shape on a named (or the default) device. */
export function newTensor(what: string, shape: readonly number[], dtype: DType, device?: string): Tensor {
  checkShape(shape, what);
  return emptyTensor(shape.slice(), contiguousStrides(shape), dtype, getDevice(device));
}

/** The output that a caller gave; throws `bad-output` for what is no tensor. */
export function outputOf(out: unknown): Tensor {
  if (out instanceof Tensor) return out;
  throw new JitlabError(
    "bad-output",
    `out is ${show(out)}, which is no tensor.`,
    "Give a tensor of the result's shape and dtype, such as jl.empty(shape).",
  );
}

/** True where copying `source` element by element into `target` could read what was already written. */
function overlapping(source: Tensor, target: Tensor): boolean {
  if (source.pointer === target.pointer && source.strides.join() === target.strides.join()) return false;
  return views.bytesMeet(source, target);
}
