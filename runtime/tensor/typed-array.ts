// Tensors over the memory of typed arrays, without a copy. The inverse is Tensor.asTypedArray().
import { optionsOf } from "../base/arguments.js";
import { type DType, type DTypeName, dtypeOf, type TypedArray } from "../base/dtype.js";
import { JitlabError, show } from "../base/errors.js";
import { AdoptedStorage } from "../device/storage.js";
import { checkShape, contiguousStrides, formatShape, sizeOf } from "../geometry/layout.js";
import { hostDevice } from "../launch/devices.js";
import { Tensor } from "./tensor.js";
import { dtypeOfArray } from "./transfer.js";

/** Options for viewing a typed array's memory. */
export interface TypedArrayOptions {
  /** The dtype of the elements; default: the array's. Bytes (Uint8Array, Buffer) may have any dtype. */
  readonly dtype?: DTypeName;
  /** The shape; default: one dimension. */
  readonly shape?: readonly number[];
}

/**
 * A tensor on the cpu over the memory of a typed array, a Buffer or a view of a SharedArrayBuffer, shared in both
 * directions. The tensor keeps the memory alive; after a buffer is transferred to another thread, its tensor is disposed.
 *
 * @example jl.fromTypedArray(new Float32Array([1, 2, 3, 4]), { shape: [2, 2] }).toArray() // [[1, 2], [3, 4]]
 */
export function fromTypedArray(array: TypedArray, given?: TypedArrayOptions): Tensor {
  const options = optionsOf("fromTypedArray", given, ["dtype", "shape"]);
  if (!ArrayBuffer.isView(array) || array instanceof DataView) {
    throw new JitlabError(
      "bad-operand",
      `fromTypedArray: ${show(array)} is not a typed array.`,
      "Pass a typed array or a Buffer; jl.tensor(...) copies nested arrays.",
    );
  }
  // V8 may move a buffer of 64 bytes or fewer until its address is requested; from then on the address is fixed.
  const { buffer } = array;
  if (("resizable" in buffer && buffer.resizable) || ("growable" in buffer && buffer.growable)) {
    throw new JitlabError(
      "not-shareable",
      "fromTypedArray: a resizable buffer may lose memory that the tensor uses.",
      "Copy it with jl.tensor(array), or use a buffer of fixed length.",
    );
  }
  const dtype = dtypeFor(array, options.dtype);
  const { byteLength, byteOffset } = array;
  const word = dtype.kind === "complex" ? dtype.bytes / 2 : dtype.bytes;
  if (byteLength % dtype.bytes !== 0 || byteOffset % word !== 0) {
    throw new JitlabError(
      "not-shareable",
      byteOffset % word !== 0
        ? `fromTypedArray: the array begins at byte ${byteOffset} of its buffer, which is not a multiple of the ${word} bytes of ${dtype.name}.`
        : `fromTypedArray: ${byteLength} bytes are not a whole number of ${dtype.name} elements.`,
      "Copy it with jl.tensor(array).",
    );
  }
  const shape = options.shape ?? [byteLength / dtype.bytes];
  checkShape(shape, "fromTypedArray");
  if (sizeOf(shape) * dtype.bytes !== byteLength) {
    throw new JitlabError(
      "shape-mismatch",
      `fromTypedArray: the shape ${formatShape(shape)} does not hold ${byteLength / dtype.bytes} elements of ${dtype.name}.`,
      "The extents must multiply to the number of elements.",
    );
  }
  if (dtype.kind === "bool") checkBools(array);
  const device = hostDevice();
  const pointer = device.addressOf?.(array) ?? 0;
  return new Tensor(
    new AdoptedStorage(device, pointer, array),
    0,
    shape.slice(),
    contiguousStrides(shape),
    dtype,
  );
}

/** Throws for a byte that is no bool: kernels count with the bytes. */
function checkBools({ buffer, byteOffset, byteLength }: TypedArray): void {
  const bytes = new Uint8Array(buffer, byteOffset, byteLength);
  const at = bytes.findIndex((byte) => byte > 1);
  if (at < 0) return;
  throw new JitlabError(
    "bad-element",
    `fromTypedArray: byte ${at} is ${bytes[at]}, and a bool is 0 or 1.`,
    'Copy the array with jl.tensor(array, { dtype: "bool" }), which takes every other byte as true, or share it as uint8 and use x.ne(0).',
  );
}

/** The dtype of the stored elements, without conversion. */
function dtypeFor(array: TypedArray, name: DTypeName | undefined): DType {
  const own = dtypeOfArray(array);
  const dtype = name === undefined ? own : dtypeOf(name);
  if (dtype === undefined) {
    throw new JitlabError(
      "bad-element",
      `fromTypedArray: a ${array.constructor.name} does not determine a dtype.`,
      'Name a dtype of its element size, for example { dtype: "float16" } for the bits in a Uint16Array.',
    );
  }
  const bytes = array instanceof Uint8Array || array instanceof Uint8ClampedArray;
  if (dtype === own || bytes || array instanceof dtype.array) return dtype;
  throw new JitlabError(
    "not-shareable",
    `fromTypedArray: the elements of a ${array.constructor.name} are not ${dtype.name}, and shared memory is not converted.`,
    `Copy them with jl.tensor(array, { dtype: "${dtype.name}" }).`,
  );
}
