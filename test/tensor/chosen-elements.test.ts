// Reductions of the elements where a mask is true, the names of operations on bools, and how tensors are printed.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { useAnyDevice } from "../support/device.js";
import { refusal } from "../support/refusal.js";

beforeAll(useAnyDevice);

describe("reductions with where", () => {
  const x = () => jl.tensor([1, 2, 3, 4, 5, 6]).reshape(2, 3);
  const mask = () => jl.tensor([true, false, true, false, false, true]).reshape(2, 3);
  test.each<[string, () => jl.Tensor, unknown]>([
    ["sum", () => x().sum({ where: mask() }), 10],
    ["sum along a dimension", () => x().sum(1, { where: mask(), keepdim: true }), [[4], [6]]],
    ["prod", () => x().prod(0, { where: mask() }), [1, 1, 18]],
    ["mean", () => x().mean(1, { where: mask() }), [2, 6]],
    ["mean of none", () => x().mean(0, { where: mask() }), [1, Number.NaN, 4.5]],
    ["mean of half precision", () => x().to("float16").mul(60000).mean({ where: mask() }), Infinity],
    ["any", () => x().gt(5).any({ where: mask() }), true],
    ["all", () => x().ne(2).all({ where: mask() }), true],
    ["a mask of one row", () => x().sum({ where: jl.tensor([true, false, false]) }), 5],
    ["integers", () => x().to("int32").sum({ where: mask() }), 10n],
    ["another dtype", () => x().sum({ where: mask(), dtype: "float64" }), 10],
    ["an output", () => x().mean(1, { where: mask(), out: jl.zeros([2]) }), [2, 6]],
  ])("%s", (_, run, wanted) => {
    const found = run();
    expect(found.ndim === 0 ? found.item() : found.toArray()).toEqual(wanted);
  });

  test("NaN outside of the mask makes no difference", () => {
    const damaged = jl.tensor([1, Number.NaN, 3]);
    expect(damaged.sum({ where: damaged.isfinite() }).item()).toBe(4);
    expect(damaged.mean({ where: damaged.isfinite() }).item()).toBe(2);
  });

  test("of many elements, as one program", () => {
    const big = jl.ones([1100, 1000]);
    expect(big.sum({ where: big.cumsum(1).le(10) }).item()).toBe(11000);
  });

  test("what is refused", () => {
    expect(refusal(() => x().sum({ where: x() }))).toMatch(/^bad-argument: sum: where is float32/);
    expect(refusal(() => x().max({ where: mask() } as never))).toMatch(/^unknown-option: max/);
    expect(refusal(() => x().sum({ where: jl.ones([4]).gt(0) }))).toMatch(/\[4\]/);
  });
});

test("and, or and not of bools", () => {
  const [a, b] = [jl.tensor([true, true, false]), jl.tensor([true, false, false])];
  expect(a.and(b).toArray()).toEqual([true, false, false]);
  expect(a.or(b).toArray()).toEqual([true, true, false]);
  expect(a.not().toArray()).toEqual([false, false, true]);
  expect(refusal(() => jl.ones([3]).and(a))).toMatch(
    /^dtype-refused: and takes tensors of bool, not float32/,
  );
  expect(refusal(() => a.or(jl.ones([3])))).toMatch(/^dtype-refused: or takes tensors of bool/);
});

describe("setPrintOptions", () => {
  afterAll(() => jl.setPrintOptions({ precision: 5, threshold: 1000, width: 96 }));

  test("threshold and width", () => {
    const x = jl.arange(30);
    expect(String(x)).not.toContain("...");
    jl.setPrintOptions({ threshold: 20 });
    expect(String(x)).toMatch(/^tensor\(\[ 0, {2}1, {2}2, \.\.\., 27, 28, 29\], shape/);
    jl.setPrintOptions({ threshold: Number.POSITIVE_INFINITY, width: 30 });
    const lines = String(x).split("\n");
    expect(lines.length).toBeGreaterThan(4);
    expect(Math.max(...lines.slice(0, -1).map((line) => line.length))).toBeLessThanOrEqual(32);
  });

  test.each([{ threshold: -1 }, { width: 5 }, { width: 30.5 }, { precision: 0 }, { linewidth: 30 }])(
    "%o is refused, and changes nothing",
    (options) => {
      const before = String(jl.arange(30));
      expect(refusal(() => jl.setPrintOptions(options as never))).toMatch(
        /^(bad|unknown)-option: setPrintOptions/,
      );
      expect(String(jl.arange(30))).toBe(before);
    },
  );
});
