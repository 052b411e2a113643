// float16 and bfloat16 on the host: bits to numbers and back, rounding to nearest, ties to even.

const float = new Float32Array(1);
const word = new Uint32Array(float.buffer);

/** The number of float16 bits. */
export function fromFloat16(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

/** The number of bfloat16 bits. */
export function fromBfloat16(bits: number): number {
  word[0] = bits << 16;
  return float[0] as number;
}

/** The float16 bits nearest to a number. */
export function toFloat16(value: number): number {
  if (Number.isNaN(value)) return 0x7e00;
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const magnitude = Math.abs(value);
  if (magnitude >= 65520) return sign | 0x7c00;
  const exponent = Math.max(exponentOf(magnitude), -14);
  const units = roundEven(magnitude / 2 ** (exponent - 10));
  // A subnormal has no hidden bit; rounding up into the next binade carries into the exponent by itself.
  return sign | (units + (exponent + 14) * 1024);
}

/** The bfloat16 bits nearest to a number. */
export function toBfloat16(value: number): number {
  if (Number.isNaN(value)) return 0x7fc0;
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const magnitude = Math.abs(value);
  if (magnitude >= 2 ** 128 * (1 - 2 ** -9)) return sign | 0x7f80;
  const exponent = Math.max(exponentOf(magnitude), -126);
  const units = roundEven(magnitude / 2 ** (exponent - 7));
  return sign | (units + (exponent + 126) * 128);
}

/** floor(log2(x)), exactly; -Infinity for 0. */
function exponentOf(x: number): number {
  if (x === 0) return Number.NEGATIVE_INFINITY;
  const guess = Math.floor(Math.log2(x));
  if (2 ** guess > x) return guess - 1;
  return 2 ** (guess + 1) <= x ? guess + 1 : guess;
}

function roundEven(x: number): number {
  const low = Math.floor(x);
  const rest = x - low;
  if (rest !== 0.5) return rest < 0.5 ? low : low + 1;
  return low % 2 === 0 ? low : low + 1;
}
