// Writes values into argument blocks of any kernel.

import type { DType } from "../base/dtype.js";
import type { ArgumentBlock } from "../device/loaded-code.js";
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

/** Writes integers of 64 bits into a block, one after the other. */
export class Words {
  #words: Int32Array = new Int32Array(0);
  #first = 0;
  #at = 0;

  /** Begins at a byte of a block. */
  begin({ i32 }: ArgumentBlock, offset: number): void {
    this.#words = i32;
    this.#first = offset / 4;
    this.#at = this.#first;
  }

  put(value: number): void {
    this.#words[this.#at++] = value;
    this.#words[this.#at++] = Math.floor(value / 2 ** 32);
  }

  /** Goes on at an integer, counted from the first one. */
  moveTo(number: number): void {
    this.#at = this.#first + 2 * number;
  }
}

/** Writes an integer of 32 or 64 bits. */
export function writeInteger({ i32 }: ArgumentBlock, offset: number, value: number, wide: boolean): void {
  i32[offset >> 2] = value;
  if (wide) i32[(offset >> 2) + 1] = Math.floor(value / 2 ** 32);
}

/**
 * Division by an invariant: for n below 2^31, n / d is (umulhi(n, magic) + n) >> shift (Granlund and Montgomery, 1994,
 * figure 4.1). The quotient 2^32 (2^shift - d) / d is computed in two steps of 16 bits, each exact in a double.
 */
export function dividerOf(divisor: number): { magic: number; shift: number } {
  const shift = divisor <= 1 ? 0 : 32 - Math.clz32(divisor - 1);
  const excess = 2 ** shift - divisor;
  const high = Math.floor((excess * 65536) / divisor);
  const rest = excess * 65536 - high * divisor;
  const low = Math.floor((rest * 65536) / divisor);
  return { magic: high * 65536 + low + 1, shift };
}
