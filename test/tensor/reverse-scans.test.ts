// Running sums from the last element, which derivatives of running sums are: with the bits of two copies in reverse order.
import { beforeAll, describe, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { reverseCumsum } from "../../dist/runtime/tensor/statistics/scan.js";
import { useAnyDevice } from "../support/device.js";

beforeAll(useAnyDevice);

const bits = (x: jl.Tensor) =>
  Buffer.from(x.to("float64").contiguous().data().buffer as ArrayBuffer).toString("hex");
const inCopies = (x: jl.Tensor, dim: number) => x.flip(dim).cumsum(dim).flip(dim);

describe("the sums from each element to the last", () => {
  const shapes: [number[], number][] = [
    [[1], 0],
    [[7], 0],
    [[64], 0],
    [[5, 64], 1],
    [[3, 300], 1],
    [[300, 3], 0],
    [[2, 5000], 1],
    [[5000, 2], 0],
    [[2, 3, 4], 1],
    [[40, 20, 3], 0],
    [[0, 3], 0],
    [[3, 0], 0],
  ];
  test.each(shapes)("of shape %j along %i", (shape, dim) => {
    const x = jl.randn(shape, { generator: jl.generator(3) });
    expect(bits(reverseCumsum(x, dim))).toBe(bits(inCopies(x, dim)));
  });

  test.each(["float16", "bfloat16", "float64", "int32"] as const)("of %s", (dtype) => {
    const x = jl
      .randn([3, 70], { generator: jl.generator(4) })
      .mul(9)
      .to(dtype) as jl.Tensor;
    expect(bits(reverseCumsum(x, 1))).toBe(bits(inCopies(x, 1)));
  });

  test("of elements apart in memory, and of repeated ones", () => {
    const x = jl.randn([6, 50], { generator: jl.generator(5) }) as jl.Tensor;
    for (const one of [x.T, x.slice(":, ::-2"), x.select(1, 0).unsqueeze(1).expand(6, 40)])
      for (const dim of [0, 1]) expect(bits(reverseCumsum(one, dim))).toBe(bits(inCopies(one, dim)));
  });

  test("between maps of a compiled function", () => {
    const x = jl.randn([9, 64], { generator: jl.generator(6) }) as jl.Tensor;
    const row = jl.randn([64], { generator: jl.generator(7) }) as jl.Tensor;
    const around = (sums: typeof reverseCumsum) => (x: jl.Tensor, row: jl.Tensor) => {
      const y = sums(x.mul(row).add(1), 1);
      return [y.exp().mul(row), y];
    };
    const expected = around(inCopies)(x, row);
    const compiled = jl.compile(around(reverseCumsum));
    for (let call = 0; call < 3; call++)
      expect((compiled(x, row) as jl.Tensor[]).map(bits)).toEqual(expected.map(bits));
  });
});

test("a running sum's derivative copies nothing, and can be differentiated again", () => {
  const x = jl.randn([4, 64], { generator: jl.generator(8) }) as jl.Tensor;
  const f = (x: jl.Tensor) => x.cumsum(1).square().sum();
  const expected = inCopies(x.cumsum(1).mul(2), 1);
  const step = jl.compile(jl.grad(f));
  expect(step(x).sub(expected).abs().max().item()).toBeLessThan(1e-4);
  const { launches } = jl.record(() => void step(x).pointer);
  expect(launches.filter(({ op, bytes }) => op === "copy" && bytes > 1000)).toEqual([]);
  const second = jl.grad((x: jl.Tensor) => (jl.grad(f)(x) as jl.Tensor).mul(x).sum())(x) as jl.Tensor;
  expect(second.sub(expected.mul(2)).abs().max().item()).toBeLessThan(1e-3);
});
