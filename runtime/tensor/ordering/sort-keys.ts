// Sort keys: unsigned numbers in the order of the elements, with NaN last and -0 equal to 0.
import type { DType } from "../../base/dtype.js";

/** The bits of a dtype's keys. */
export function keyBits(dtype: DType): number {
  return dtype.kind === "bool" ? 1 : 8 * dtype.bytes;
}

/** The bits of numbers up to a maximum below 2^32. */
export function keyBits32(largest: number): number {
  return Math.max(1, 32 - Math.clz32(largest));
}

/** C++: a key of all ones, which reverses the order. */
export function keyMask(dtype: DType): string {
  return `((uint64(1) << ${keyBits(dtype) - 1}) * 2 - 1)`;
}

/**
 * C++: `key_of` makes a key of `keyBits` bits from an element; `element_of` is its inverse if `tells_element` is true: all
 * NaN share a key, and so do the two zeros.
 */
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
  const isFloat = dtype.kind === "float";
  const bit = `(key & ${sign} ? ${word}(key ^ ${sign}) : ${word}(~key))`;
  const back = isFloat
    ? bits === 16
      ? `${dtype.ctype}{${bit}}`
      : `float_of(${bit})`
    : dtype.kind === "signed"
      ? `${dtype.ctype}(key ^ ${sign})`
      : `${dtype.ctype}(key)`;
  return [
    `__device__ inline ${word} key_of(${dtype.ctype} x) {`,
    ...lines,
    "}",
    `__device__ inline bool tells_element(${word} key) { return ${isFloat ? `key != ${sign} && key != ${word}(~${word}(0))` : "true"}; }`,
    `__device__ inline ${dtype.ctype} element_of(${word} key) { return ${back}; }`,
  ].join("\n");
}

const infinity: Readonly<Record<string, string>> = {
  float16: "0x7c00u",
  bfloat16: "0x7f80u",
  float32: "0x7f800000u",
  float64: "0x7ff0000000000000ull",
};
