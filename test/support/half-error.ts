// How far a result of a half type is from the exact one.
import type { DTypeName } from "../../runtime/base/dtype.js";
import { readTable, tableNames } from "./accuracy-table.js";
import { dtypes, halfToNumber, roundTo } from "./functor-harness.js";

export const halves = ["float16", "bfloat16"] as const satisfies readonly DTypeName[];
export type Half = (typeof halves)[number];

const words = new Float32Array(1);
const bits = new Uint32Array(words.buffer);

/** Every number of a half type. */
export const numbersOf = (half: Half): Float32Array =>
  Float32Array.from({ length: 65536 }, (_, i) => {
    if (half === "float16") return halfToNumber(i);
    bits[0] = i << 16;
    return words[0] as number;
  });

const floors = new Map<string, number>();

/** The least magnitude whose unit counts, as in the table of the function's points; each table is read once. */
export function floorOf(name: string): number {
  const known = floors.get(name);
  if (known !== undefined) return known;
  const floor = tableNames.includes(`${name}.json`) ? readTable(`${name}.json`).floor : 0;
  floors.set(name, floor);
  return floor;
}

/**
 * The error of a function's result at x in units of the half type, those of `floor` where the result is smaller; infinite where it
 * is not even of the right kind.
 */
export function halfError(half: Half, x: number, got: number, exact: number, floor = 0): number {
  const [wanted, given] = [roundTo(dtypes[half], exact), roundTo(dtypes[half], got)];
  // The sign of a zero has a meaning where the argument is one.
  if (wanted === 0 && given === 0) return x !== 0 || Object.is(given, wanted) ? 0 : Number.POSITIVE_INFINITY;
  if (!Number.isFinite(wanted)) return Object.is(given, wanted) ? 0 : Number.POSITIVE_INFINITY;
  const [digits, lowest] = half === "float16" ? [10, -14] : [7, -126];
  const unit = 2 ** (Math.max(Math.floor(Math.log2(Math.max(Math.abs(exact), floor))), lowest) - digits);
  const error = Math.abs(got - exact) / unit;
  return Number.isFinite(given) ? error : Number.POSITIVE_INFINITY;
}
