// Writes values into argument blocks of any kernel.

import type { DType } from "../base/dtype.js";
import type { ArgumentBlock } from "../device/device.js";
import { scalarParts } from "../functor/operand.js";
import type { Scalar } from "../ops/op.js";

/** Writes an address of 64 bits at word `at`, in words of 32 bits. */
export function writeAddress(words: Uint32Array, at: number, address: number): void {
  words[at] = address;
  words[at + 1] = address / 2 ** 32;
}

/** Writes a scalar as its dtype; throws `scalar-overflow` or `scalar-kind`, with the name `what`, if it does not fit. */
export function writeScalar(
  block: ArgumentBlock,
  dtype: DType,
  offset: number,
  value: Scalar,
  what: string,
): void {
  if (dtype.name === "float32" && typeof value === "number") {
    block.f32[offset >> 2] = value;
    return;
  }
  const { re, im } = scalarParts(value, dtype, what);
  switch (dtype.name) {
    case "float32":
      block.f32[offset >> 2] = Number(re);
      break;
    case "float64":
      block.f64[offset >> 3] = Number(re);
      break;
    case "complex64":
      block.f32[offset >> 2] = Number(re);
      block.f32[(offset >> 2) + 1] = im;
      break;
    case "complex128":
      block.f64[offset >> 3] = Number(re);
      block.f64[(offset >> 3) + 1] = im;
      break;
    case "int64":
    case "uint64":
      block.i64[offset >> 3] = BigInt(re);
      break;
    case "int32":
    case "uint32":
      block.i32[offset >> 2] = Number(re);
      break;
    default:
      writeSmall(block.bytes, offset, dtype.bytes, Number(re));
  }
}

function writeSmall(bytes: Uint8Array, offset: number, count: number, value: number): void {
  bytes[offset] = value;
  if (count === 2) bytes[offset + 1] = value >> 8;
}
