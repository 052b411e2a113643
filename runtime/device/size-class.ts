// Sizes of pooled memory: multiples of 64 bytes up to 1 KiB, then eight steps to each doubling, so that a block is at most
// an eighth larger than requested.

const smallStep = 64;
const smallest = 1024;
const smallExponent = 10;
const smallClasses = smallest / smallStep;
const steps = 8;
const stepBits = 3;

/** The class of a size in bytes: a small integer. */
export function classOf(bytes: number): number {
  if (bytes <= smallest) return bytes === 0 ? 0 : Math.ceil(bytes / smallStep) - 1;
  const exponent = log2(bytes - 1);
  const step = 2 ** (exponent - stepBits);
  return smallClasses + (exponent - smallExponent) * steps + Math.ceil(bytes / step) - steps - 1;
}

const sizes: number[] = [];

/** The bytes of a block of a class. */
export function sizeOf(sizeClass: number): number {
  sizes[sizeClass] ??= computedSize(sizeClass);
  return sizes[sizeClass];
}

function computedSize(sizeClass: number): number {
  if (sizeClass < smallClasses) return (sizeClass + 1) * smallStep;
  const index = sizeClass - smallClasses;
  const exponent = smallExponent + Math.floor(index / steps);
  return ((index % steps) + steps + 1) * 2 ** (exponent - stepBits);
}

/** The integer part of the base-2 logarithm of a positive integer below 2^53. */
function log2(value: number): number {
  const high = Math.floor(value / 2 ** 31);
  return high === 0 ? 31 - Math.clz32(value) : 62 - Math.clz32(high);
}
