// Values of operations at the ends of their domains, where formulas overflow.
import { beforeAll, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { useDevice } from "../support/device.js";

beforeAll(useDevice);

const floats = ["float32", "float64"] as const;

test.each(floats)("zeta of an infinite second argument is 0: %s", (dtype) => {
  const s = jl.tensor([2, 1.5, 100, 1], { dtype });
  const q = jl.full([4], Number.POSITIVE_INFINITY, { dtype });
  expect(jl.zeta(s, q).toArray()).toEqual([0, 0, 0, Number.POSITIVE_INFINITY]);
  expect(jl.math.zeta(2, Number.POSITIVE_INFINITY)).toBe(0);
});

test.each(floats)("a polygamma of any order ends: %s", (dtype) => {
  const x = jl.tensor([1, 2.5, -0.5], { dtype });
  const orders = [170, 1000, 2 ** 31 - 2, 2 ** 31 - 1];
  for (const order of orders) expect(jl.polygamma(order, x).size).toBe(3);
});

test.each(["int8", "int16", "int32", "int64"] as const)(
  "the divisors of the lowest integer are positive: %s",
  (dtype) => {
    const lowest = -(2n ** BigInt(8 * jl.dtypes[dtype].bytes - 1));
    const a = jl.tensor([lowest, lowest, 6n, lowest, lowest, lowest], { dtype });
    const b = jl.tensor([1n, -3n, lowest, lowest / 2n, 0n, lowest], { dtype });
    const divisors = Array.from(jl.gcd(a, b).toArray() as (number | bigint)[], BigInt);
    // Its own magnitude is no number of the dtype.
    expect(divisors).toEqual([1n, 1n, 2n, -lowest / 2n, lowest, lowest]);
  },
);
