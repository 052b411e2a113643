// What dispatch works on. A Tensor is one structurally, and so is any memory that a caller describes.

import type { Device } from "./device/device.js";
import type { DType } from "./dtype.js";

/** A strided window on device memory. */
export interface View {
  /** Address of element 0 on the device, in bytes; an integer below 2^53. */
  readonly pointer: number;
  /** Elements along each dimension. */
  readonly shape: readonly number[];
  /** Distance between neighbours along each dimension, in elements; may be zero or negative. */
  readonly strides: readonly number[];
  readonly dtype: DType;
  readonly device: Device;
  /** The number of elements. */
  readonly size: number;
  /** True where the elements lie in row-major order without gaps. */
  readonly isContiguous: boolean;
  /** Keeps the memory from being used for anything else, even after it was disposed of, until the returned function is called. */
  keep?(): () => void;
}
