// The difference of two results: in bits, and in units in the last place.
import type { Tensor } from "../library.js";

/** The elements of a result. */
export type Elements = Pick<Tensor, "dtype" | "shape" | "size" | "device"> & {
  data(): ArrayLike<number | bigint>;
};

/** How a result differs from another one. */
export interface Difference {
  /** The largest difference in units in the last place; infinite if one is NaN. */
  readonly ulp: number;
  /** The number of different elements, and the first index of the largest difference. */
  readonly count: number;
  readonly index: readonly number[];
}

// A half is shown as a float32, whose units are smaller by this factor.
const widened: Readonly<Record<string, number>> = { float16: 2 ** 13, bfloat16: 2 ** 16 };

/**
 * The difference of two tensors; undefined if they have equal bits (all NaN are equal); a text if they cannot be compared.
 */
export function differenceOf(a: Elements, b: Elements): Difference | string | undefined {
  if (a.dtype !== b.dtype) return `${a.dtype.name} and ${b.dtype.name}`;
  const shape = `[${a.shape}]`;
  if (shape !== `[${b.shape}]`) return `shapes ${shape} and [${b.shape}]`;
  const [x, y] = [a.data(), b.data()];
  const unit = widened[a.dtype.name] ?? 1;
  const width = a.dtype.kind === "complex" ? 2 : 1;
  let [ulp, count, at] = [0, 0, 0];
  for (let i = 0; i < x.length; i++) {
    if (Object.is(x[i], y[i])) continue;
    count++;
    const units = distance(x, y, i) / unit;
    if (units <= ulp) continue;
    ulp = units;
    at = i;
  }
  return count === 0 ? undefined : { ulp, count, index: indexOf(Math.floor(at / width), a.shape) };
}

const floats = new Float64Array(2);
const words = new BigInt64Array(floats.buffer);
const singles = new Float32Array(2);
const halves = new Int32Array(singles.buffer);

/** The number of steps between two elements of a type; from -0 to +0 is one step. */
function distance(x: ArrayLike<number | bigint>, y: ArrayLike<number | bigint>, i: number): number {
  const [one, other] = [x[i] as number | bigint, y[i] as number | bigint];
  if (Number.isNaN(one) !== Number.isNaN(other)) return Number.POSITIVE_INFINITY;
  if (x instanceof Float64Array) {
    floats[0] = Number(one);
    floats[1] = Number(other);
    return Math.abs(Number(ordered64(words[0] as bigint) - ordered64(words[1] as bigint)));
  }
  if (x instanceof Float32Array) {
    singles[0] = Number(one);
    singles[1] = Number(other);
    return Math.abs(ordered32(halves[0] as number) - ordered32(halves[1] as number));
  }
  return Math.abs(Number(BigInt(one) - BigInt(other)));
}

/** Bits as integers in the order of the numbers. */
function ordered64(bits: bigint): bigint {
  return bits < 0n ? -(bits & 0x7fffffffffffffffn) - 1n : bits;
}

function ordered32(bits: number): number {
  return bits < 0 ? -(bits & 0x7fffffff) - 1 : bits;
}

function indexOf(place: number, shape: readonly number[]): number[] {
  let rest = place;
  return [...shape]
    .reverse()
    .map((extent) => {
      const index = rest % extent;
      rest = Math.floor(rest / extent);
      return index;
    })
    .reverse();
}
