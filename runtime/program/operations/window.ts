// The layout of elements in a storage, with memory or pending, and views of memory in such a layout.

import type { DType } from "../../base/dtype.js";
import type { Device } from "../../device/device.js";
import type { Storage } from "../../device/storage.js";
import { isContiguous, sameNumbers, sizeOf } from "../../geometry/layout.js";
import { isView, type View } from "../../geometry/view.js";

/** The layout of elements in a storage; the offset counts elements. */
export interface Window {
  readonly dtype: DType;
  readonly offset: number;
  readonly shape: readonly number[];
  readonly strides: readonly number[];
  /** The number of elements, and whether they are contiguous in row-major order. */
  readonly size: number;
  readonly isContiguous: boolean;
}

/** The window with that geometry. */
export function windowAt(
  dtype: DType,
  offset: number,
  shape: readonly number[],
  strides: readonly number[],
): Window {
  return { dtype, offset, shape, strides, size: sizeOf(shape), isContiguous: isContiguous(shape, strides) };
}

/** A view whose memory may be pending. */
export interface DeferredView extends View {
  /** Bytes from the storage's start to element 0. */
  readonly offset: number;
}

/** The window of a view. */
export function windowOn(view: View): Window {
  const { offset, shape, strides, dtype, size, isContiguous } = view as DeferredView;
  return { dtype, offset: offset / dtype.bytes, shape, strides, size, isContiguous };
}

/** True for an operand in memory. */
export function isTensor(operand: unknown): operand is DeferredView {
  return isView(operand);
}

/** True for windows on the same elements in the same order. */
export function sameWindow(a: Window, b: Window): boolean {
  if (a.dtype.bytes !== b.dtype.bytes) return false;
  return a.offset === b.offset && sameNumbers(a.shape, b.shape) && sameNumbers(a.strides, b.strides);
}

/** True if a view has the layout of a window. */
export function isSameWindow(window: Window, view: DeferredView): boolean {
  return (
    window.dtype === view.dtype &&
    window.offset * window.dtype.bytes === view.offset &&
    sameNumbers(window.shape, view.shape) &&
    sameNumbers(window.strides, view.strides)
  );
}

/** A view of memory. */
export function viewOn(storage: Storage, window: Window): View {
  return viewAt(storage.pointer, storage.device, window, storage);
}

/** A view of memory at an address, with its storage if there is one. */
export function viewAt(address: number, device: Device, window: Window, storage?: Storage): View {
  return new MemoryView(address + window.offset * window.dtype.bytes, device, window, storage);
}

/**
 * A class: V8 makes objects of a literal in the shape of the first ones even after a larger address has changed that shape,
 * and then converts each of them when it is read.
 */
class MemoryView implements View {
  readonly shape: readonly number[];
  readonly strides: readonly number[];
  readonly dtype: DType;
  readonly size: number;
  readonly isContiguous: boolean;

  constructor(
    readonly pointer: number,
    readonly device: Device,
    { shape, strides, dtype, size, isContiguous }: Window,
    readonly storage: Storage | undefined,
  ) {
    this.shape = shape;
    this.strides = strides;
    this.dtype = dtype;
    this.size = size;
    this.isContiguous = isContiguous;
  }
}
