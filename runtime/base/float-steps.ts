// The values of floating dtypes on the host: rounding a number to one, and the next value below it.
import type { DType, DTypeName } from "./dtype.js";
import { fromBfloat16, fromFloat16, toBfloat16, toFloat16 } from "./half.js";

/** Digits of the significand, and the exponent of the smallest normal number. */
const forms: Partial<Record<DTypeName, readonly [digits: number, least: number]>> = {
  float16: [11, -14],
  bfloat16: [8, -126],
  float32: [24, -126],
  float64: [53, -1022],
};

/** The number of significant bits of a floating dtype: whole numbers up to 2 to this power are exact. */
export function digitsOf(dtype: DType): number {
  return formOf(dtype)[0];
}

/** The value of a floating dtype that is nearest to a number. */
export function roundedTo(dtype: DType, value: number): number {
  if (dtype.name === "float16") return fromFloat16(toFloat16(value));
  if (dtype.name === "bfloat16") return fromBfloat16(toBfloat16(value));
  return dtype.name === "float32" ? Math.fround(value) : value;
}

/** The largest value of a floating dtype below one of its finite values. */
export function nextBelow(dtype: DType, value: number): number {
  const [digits, least] = formOf(dtype);
  const size = Math.abs(value);
  let exponent = least;
  if (size >= 2 ** least) {
    exponent = Math.floor(Math.log2(size));
    if (2 ** exponent > size) exponent--;
    else if (size / 2 ** exponent >= 2) exponent++;
  }
  const step = 2 ** (exponent - digits + 1);
  // Below a power of two the values are twice as dense.
  return value - (value === 2 ** exponent && exponent > least ? step / 2 : step);
}

function formOf({ name }: DType): readonly [digits: number, least: number] {
  const form = forms[name];
  if (form === undefined) throw new Error(`${name} is not a floating dtype.`);
  return form;
}
