// Random numbers of other distributions: their moments and frequencies for one seed, repeated calls, and errors.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { useDevice } from "../support/device.js";
import { drawn } from "../support/draw.js";
import { everyDevice } from "../support/every-device.js";

beforeAll(useDevice);
beforeEach(() => jl.manualSeed(11));

const count = 200_000;
const full = (value: number) => jl.full([count], value);

describe("moments", () => {
  test.each<[string, () => jl.Tensor, number, number]>([
    ["normal", () => jl.normal(3, 2, [count]), 3, 2],
    ["normal of tensors", () => jl.normal(full(1), full(0.5)), 1, 0.5],
    ["normal_", () => jl.empty([count], { dtype: "float64" }).normal_(-1, 4), -1, 4],
    ["uniform_", () => jl.empty([count]).uniform_(2, 6), 4, 4 / Math.sqrt(12)],
    ["exponential", () => jl.exponential([count], 2), 0.5, 0.5],
    ["exponential_", () => jl.empty([count], { dtype: "float64" }).exponential_(), 1, 1],
    ["bernoulli", () => full(0.3).bernoulli(), 0.3, Math.sqrt(0.21)],
    ["bernoulli_", () => jl.empty([count], { dtype: "int32" }).bernoulli_(0.25), 0.25, Math.sqrt(0.1875)],
    ["random_", () => jl.empty([count], { dtype: "uint8" }).random_(0, 10), 4.5, Math.sqrt(99 / 12)],
    ["poisson of 0.5", () => full(0.5).poisson(), 0.5, Math.sqrt(0.5)],
    ["poisson of 4", () => full(4).poisson(), 4, 2],
    ["poisson of 30", () => full(30).poisson(), 30, Math.sqrt(30)],
    ["poisson of 1e6", () => jl.full([count], 1e6, { dtype: "float64" }).poisson(), 1e6, 1e3],
  ])("%s", (_, run, mean, deviation) => {
    const x = run().to("float64");
    // Five standard errors, and the seed is fixed.
    expect(Math.abs(x.mean().item() - mean)).toBeLessThan((5 * deviation) / Math.sqrt(count));
    expect(Math.abs(x.std().item() / deviation - 1)).toBeLessThan(0.02);
    jl.manualSeed(11);
    expect(run().to("float64").equal(x)).toBe(true);
  });
});

test("Poisson numbers are whole, and their shares those of the distribution", () => {
  const shares = full(2).poisson().to("int64").bincount().div(count).toArray() as number[];
  for (const [k, p] of [0.1353, 0.2707, 0.2707, 0.1804, 0.0902].entries()) {
    expect(Math.abs((shares[k] as number) - p)).toBeLessThan(0.005);
  }
  expect(jl.tensor([0, 0]).poisson().toArray()).toEqual([0, 0]);
});

test("multinomial draws indexes by their weights", () => {
  const weights = jl.tensor([1, 0, 3, 4]);
  const shares = weights
    .multinomial(count, { replacement: true })
    .bincount()
    .div(count)
    .toArray() as number[];
  for (const [i, p] of [0.125, 0, 0.375, 0.5].entries()) {
    expect(Math.abs((shares[i] as number) - p)).toBeLessThan(0.006);
  }
  expect(weights.multinomial(3).sort().values.toArray()).toEqual([0n, 2n, 3n]);
  const rows = weights.expand(50_000, 4).multinomial(1).reshape(-1);
  expect(Math.abs(Number(rows.eq(3).sum().item()) / 50_000 - 0.5)).toBeLessThan(0.02);
  expect(() => weights.multinomial(4)).toThrow("4 samples");
  expect(() => jl.tensor([1, -1]).multinomial(1)).toThrow("not negative");
});

test("randperm holds every number once", () => {
  const x = jl.randperm(100_000);
  expect(x.dtype.name).toBe("int64");
  expect(x.sort().values.equal(jl.arange(100_000, { dtype: "int64" }))).toBe(true);
  expect(x.equal(jl.randperm(100_000))).toBe(false);
  expect(jl.randperm(0).size).toBe(0);
  expect(jl.randperm(4, { dtype: "int32" }).dtype.name).toBe("int32");
});

const rates = [0.5, 4, 9, 30, 1000, 1e6];
const weights = [1, 2, 0, 4, 3];

describe.each(everyDevice)("draws of one seed on %s", (where) => {
  beforeAll(() => jl.setDevice(where));
  afterAll(useDevice);

  test.each<[string, () => jl.Tensor, unknown[]]>([
    ["randperm", () => jl.randperm(8), [7n, 2n, 5n, 6n, 0n, 4n, 1n, 3n]],
    ["bernoulli", () => jl.full([8], 0.5).bernoulli(), [0, 1, 0, 1, 1, 0, 0, 0]],
    ["poisson", () => jl.tensor(rates).poisson(), [1, 2, 5, 32, 984, 1001893]],
    [
      "poisson in float64",
      () => jl.tensor(rates, { dtype: "float64" }).poisson(),
      [1, 2, 5, 32, 984, 1001893],
    ],
    [
      "multinomial",
      () => jl.tensor(weights).multinomial(8, { replacement: true }),
      [4n, 3n, 3n, 3n, 0n, 4n, 4n, 3n],
    ],
    ["multinomial without replacement", () => jl.tensor(weights).multinomial(4), [4n, 3n, 1n, 0n]],
    ["multinomial of rows", () => jl.tensor([weights, weights]).multinomial(2).reshape(-1), [4n, 3n, 3n, 4n]],
  ])("%s has the same bits on every device", (_, draw, want) => {
    expect(draw().toArray()).toEqual(want);
  });

  // Logarithms of floats may differ in their last bits, also between two processors.
  test.each<[string, () => jl.Tensor, number[], number]>([
    [
      "normal",
      () => jl.normal(1, 2, [5]),
      [-1.56433415, -1.68512368, 0.88200611, -2.43328118, 1.30050099],
      2 ** -21,
    ],
    [
      "normal in float64",
      () => jl.normal(1, 2, [5], { dtype: "float64" }),
      [-1.5643357369899666, -1.6851237171420235, 0.8820061197224318, -2.433281515472107, 1.3005012098476967],
      2 ** -50,
    ],
    [
      "exponential",
      () => jl.exponential([5], 2),
      [1.59449673, 0.20379703, 0.59111321, 0.2714594, 0.017405648],
      2 ** -21,
    ],
    [
      "exponential in float64",
      () => jl.exponential([5], 2, { dtype: "float64" }),
      [1.5944972554514747, 0.203797073364886, 0.591113256492188, 0.27145941827427084, 0.01740566337926794],
      2 ** -50,
    ],
  ])("%s has the same numbers but for the last bits", (_, draw, want, tolerance) => {
    const got = draw().toArray() as number[];
    expect(got).toHaveLength(want.length);
    for (const [i, number] of want.entries())
      expect(Math.abs((got[i] as number) / number - 1)).toBeLessThan(tolerance);
  });
});

test("what no distribution has is refused", () => {
  expect(() => jl.normal(0, -1, [2])).toThrow("the deviation is -1");
  expect(() => jl.normal(0, 1)).toThrow("no shape");
  expect(() => jl.exponential([2], 0)).toThrow("the rate is 0");
  expect(() => jl.tensor([2]).bernoulli()).toThrow("not a probability");
  expect(() => jl.tensor([-1]).poisson()).toThrow("below 0");
  expect(() => jl.tensor([1n]).poisson()).toThrow("floating");
  expect(() => jl.randperm(-1)).toThrow("n is -1");
});

describe("no draw reaches the end of its interval", () => {
  const dtypes = ["float16", "bfloat16", "float32", "float64"] as const;
  const intervals = [
    [0, 1],
    [1000, 1001],
    [-1, 0],
    [0.1, 0.2],
    [-2, -1],
    [0, 1e-40],
    [-65504, 65504],
  ] as const;
  test.each(drawn(dtypes, 2))("%s", (dtype) => {
    const stored = (value: number) => jl.tensor([value], { dtype: "float64" }).to(dtype).to("float64").item();
    expect(jl.rand([count], { dtype }).lt(1).all().item()).toBe(true);
    for (const [from, to] of intervals) {
      const x = jl.empty([count], { dtype }).uniform_(from, to).to("float64");
      expect(x.min().item(), `${from}`).toBeGreaterThanOrEqual(stored(from));
      // A dtype without another value in the interval gives its beginning.
      if (stored(from) < stored(to)) expect(x.max().item(), `${to}`).toBeLessThan(stored(to));
      else expect(x.max().item()).toBe(stored(from));
    }
    expect(jl.empty([2], { dtype }).uniform_(5, 5).toArray()).toEqual([5, 5]);
  });
  test("whole numbers that a dtype rounds are refused", () => {
    expect(jl.randint(0, 2049, [count], { dtype: "float16" }).lt(2049).all().item()).toBe(true);
    expect(() => jl.randint(0, 3000, [2], { dtype: "float16" })).toThrow("every whole number up to 2999");
    expect(() => jl.empty([2], { dtype: "bfloat16" }).random_(0, 300)).toThrow(
      "every whole number up to 299",
    );
    expect(() => jl.randperm(300, { dtype: "int8" })).toThrow("299 does not fit into int8");
    expect(() => jl.randperm(3000, { dtype: "float16" })).toThrow("every whole number up to 2999");
    expect(() => jl.empty([2]).uniform_(3, 2)).toThrow("from 3 to 2 there is no interval");
    expect(() => jl.empty([2]).uniform_(0, Number.POSITIVE_INFINITY)).toThrow("no interval");
    expect(() => jl.empty([2]).uniform_(-3e38, 3e38)).toThrow("no interval in float32");
  });
});
