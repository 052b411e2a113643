// The input of dispatch. Tensors match it structurally, and so does any memory that a caller describes.

import type { DType } from "../base/dtype.js";
import type { Device } from "../device/device.js";
import type { Storage } from "../device/storage.js";
import { isContiguous, sizeOf } from "./layout.js";

/** A strided window on device memory. */
export interface View {
  /** Address of element 0 on the device, in bytes; an integer below 2^53. */
  readonly pointer: number;
  /** Elements along each dimension. */
  readonly shape: readonly number[];
  /** Distance between neighbors along each dimension, in elements; may be zero or negative. */
  readonly strides: readonly number[];
  readonly dtype: DType;
  readonly device: Device;
  /** The number of elements. */
  readonly size: number;
  /** True if the elements are in row-major order without gaps. */
  readonly isContiguous: boolean;
  /** The owner of the memory; absent for memory that a caller describes. */
  readonly storage?: Storage | undefined;
}

/** The same memory from its first element on, in another shape. */
export function reshapedView(
  { pointer, dtype, device, storage }: View,
  shape: readonly number[],
  strides: readonly number[],
): View {
  const size = sizeOf(shape);
  return {
    pointer,
    shape,
    strides,
    dtype,
    device,
    size,
    isContiguous: isContiguous(shape, strides),
    storage,
  };
}

/** True for a tensor's memory; false for a host scalar or anything else. */
export function isView(value: unknown): value is View {
  if (typeof value !== "object" || value === null) return false;
  try {
    return "pointer" in value && "device" in value;
  } catch {
    return false; // a revoked proxy
  }
}

/**
 * Computes the pending memory of operands, as reading their addresses does. A launcher calls it before it looks for a kernel:
 * the computation may launch the same kernel, and replace kernels that were found.
 */
export function computePending(views: readonly View[]): void {
  for (let i = 0; i < views.length; i++) {
    const view = views[i] as View;
    if (view.storage?.pending) void view.pointer;
  }
}

/** Frees the memory of intermediate results, which the next ones then take. */
export function release(...views: readonly View[]): void {
  for (const { storage } of views) storage?.dispose();
}
