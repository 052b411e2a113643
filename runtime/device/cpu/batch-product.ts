// Products of a batch of matrices: the pool's threads call the host's BLAS, each for whole products. The threads of a library
// would divide one product after the other, and keep waiting for more where the pool's threads should run.
import { argumentBlock } from "../argument-blocks.js";
import type { Device, ProductForm } from "../device.js";
import { ownCode } from "./own-code.js";
import { poolOf } from "./pool.js";

// The multiplications of a nanosecond, about, of one thread.
const speed = 32;

/** A library's product of two matrices. */
export interface Gemm {
  /** The address of `cblas_?gemm`. */
  readonly address: number;
  /** The end of the name of its kernel in batch-product.cpp. */
  readonly kernel: string;
  /** CblasNoTrans or CblasTrans of left and right. */
  readonly words: readonly number[];
  /** The bytes of an element. */
  readonly bytes: number;
}

/** The products of a batch. */
export interface BatchProduct {
  /** Multiplies on several threads, with the addresses of result, left and right. */
  launch(addresses: Uint32Array, threads: number): void;
  release(): void;
}

/** The products of a form, each by one call of a library that computes on one thread. */
export function batchProduct(device: Device, gemm: Gemm, form: ProductForm): BatchProduct {
  const { batch, rows, columns, inner, left, right } = form;
  const kernel = ownCode(device, "batch-product", "jitlab_s_int").address(`jitlab_${gemm.kernel}`);
  const pool = poolOf(device);
  const estimate = Math.ceil((batch * rows * columns * inner) / speed);
  const steps = [rows * columns, left.batchStride, right.batchStride].map((step) => step * gemm.bytes);
  const sizes = [...gemm.words, rows, columns, inner, left.leading, right.leading];
  const fields = [gemm.address, 0, 0, 0, ...steps, ...sizes];
  const block = argumentBlock(8 * fields.length);
  block.i64.set(fields.map(BigInt));
  return {
    launch: (addresses, threads) => {
      // Behind the address of the function.
      block.u32.set(addresses.subarray(0, 6), 2);
      pool.divide(kernel, block.address, batch, estimate, threads);
    },
    release: () => block.release(),
  };
}
