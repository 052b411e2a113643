// The keys by which rows are sorted: unsigned numbers in the order of the elements, with NaN behind all others and -0 beside 0.
import type { DType } from "../base/dtype.js";

/** The bits of a dtype's keys. */
export function keyBits(dtype: DType): number {
  return dtype.kind === "bool" ? 1 : 8 * dtype.bytes;
}

/** C++: `key_of`, from an element to its key, of `keyBits` bits. */
export function keyText(dtype: DType): string {
  const bits = 8 * dtype.bytes;
  const word = `uint${bits}`;
  const sign = `${word}(${word}(1) << ${bits - 1})`;
  const lines =
    dtype.kind === "bool" || dtype.kind === "unsigned"
      ? [`  return ${word}(x);`]
      : dtype.kind === "signed"
        ? [`  return ${word}(${word}(x) ^ ${sign});`]
        : [
            `  const ${word} bits = ${bits === 16 ? "x.bits" : "bits_of(x)"}, size = bits & ${word}(~${sign});`,
            `  if (size > ${infinity[dtype.name]}) return ${word}(~${word}(0));`,
            `  if (size == 0) return ${sign};`,
            `  return bits & ${sign} ? ${word}(~bits) : ${word}(bits | ${sign});`,
          ];
  return [`__device__ inline ${word} key_of(${dtype.ctype} x) {`, ...lines, "}"].join("\n");
}

const infinity: Readonly<Record<string, string>> = {
  float16: "0x7c00u",
  bfloat16: "0x7f80u",
  float32: "0x7f800000u",
  float64: "0x7ff0000000000000ull",
};
