// Square roots on the cpu are correctly rounded, as everywhere. In vector registers they come from an estimate by Newton's steps,
// which leave an error of less than 23 / s^2 of a root s in units of the last place: 180 eighths, so that only a root which is
// nearer to the middle of two numbers could be rounded to the wrong one. These are all such roots.
import { describe, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { compiler } from "../support/functor-harness.js";

/** The odd numbers whose squares are r modulo 2^k, for r of 1 modulo 8. */
function rootsModulo(r: bigint, k: number): bigint[] {
  let z = 1n;
  for (let b = 3n; b < k; b++) if ((z * z - r) % (1n << (b + 1n)) !== 0n) z += 1n << (b - 1n);
  const size = 1n << BigInt(k);
  const positive = (x: bigint): bigint => ((x % size) + size) % size;
  return [z, -z, z + size / 2n, -z + size / 2n].map(positive);
}

/**
 * Numbers of `bits` bits whose root's distance from the middle of two numbers is |r| / (8 s), for a root s of as many bits before
 * the point: four times the number is the square of an odd number less r.
 */
function hardNumbers(bits: number): number[] {
  const found = new Set<number>();
  for (let j = -23n; j <= 23n; j++) {
    const r = 1n + 8n * j;
    // A number of an even exponent, and one of an odd one, whose last bit is worth twice as much.
    for (const more of [0, 1]) {
      const low = 1n << BigInt(2 * bits - 2 + more);
      for (const z of rootsModulo(r, bits + 1 + more)) {
        const x = (z * z - r) / 4n;
        if (x >= low && x < 2n * low) found.add(Number(x));
      }
    }
  }
  return [...found];
}

describe.skipIf(!compiler)("square roots near the middle of two numbers (needs a C++ compiler)", () => {
  test.each([
    ["float32", 24, Math.fround],
    ["float64", 53, (x: number) => x],
  ] as const)("of %s are correctly rounded", (dtype, bits, rounded) => {
    const numbers = hardNumbers(bits);
    expect(numbers.length).toBeGreaterThan(60);
    expect(numbers.every((x) => rounded(x) === x)).toBe(true);
    const roots = jl.sqrt(jl.tensor(numbers, { dtype, device: "cpu" })).toArray();
    expect(roots).toEqual(numbers.map((x) => rounded(Math.sqrt(x))));
  });
});
