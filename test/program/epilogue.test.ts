// Maps after reductions that no row kernel runs, compiled: the bits of the separate calls, and no kernel of their own.
import { beforeAll, describe, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { device, isCompiled, useAnyDevice } from "../support/device.js";
import { epiloguePrograms } from "../support/epilogue-programs.js";
import { rounding as matrix, shown } from "../support/shown.js";

beforeAll(useAnyDevice);

type T = jl.Tensor;

const isGpu = device.startsWith("cuda");

// Rows of one part and of several that no row kernel holds.
const shapes = [
  [2, 32_800],
  [3, 70_001],
] as const;

describe.each(["float32", "float16", "float64"] as const)("%s", (dtype) => {
  test.each(Object.entries(epiloguePrograms))(
    "%s has the bits of the separate calls",
    { timeout: 120_000 },
    (_, { body, kernels, isSharable }) => {
      for (const shape of dtype === "float32" ? shapes : shapes.slice(1)) {
        const [x, y] = [matrix(shape, dtype), matrix(shape, dtype, 5).neg()];
        const row = matrix([1, shape[1]], dtype, 3).select(0, 0);
        const f = jl.compile(body);
        const want = shown(body(x, y, row));
        expect(shown(f(x, y, row)), `${shape}`).toEqual(want);
        expect(shown(f(x, y, row)), `${shape}`).toEqual(want);
        expect(f.report(), `${shape}`).toMatchObject({
          misses: [],
          programs: [{ kernels: isGpu && isSharable ? 1 : kernels }],
        });
      }
    },
  );
});

test("a processor keeps long functions of short columns in vector registers", () => {
  const x = matrix([40, 3000], "float32");
  const wave = jl.compile((y: T) => y.sum(0).sin());
  expect(shown(wave(x))).toEqual(shown(x.sum(0).sin()));
  expect(wave.program()?.kernels).toHaveLength(isGpu ? 1 : 2);
});

test("an operand that has gaps between its elements is read by a kernel of its own", () => {
  const [x, y] = [matrix([70, 9000], "float32"), matrix([70, 3], "float32")];
  const body = (a: T, b: T) => a.mul(a).sum({ dim: 0, keepdim: true }).narrow(1, 0, 70).mul(b.select(1, 1));
  const f = jl.compile((a: T, b: T) => [body(a, b), a.sum(-1).mul(b.select(1, 1))]);
  expect(shown(f(x, y))).toEqual(shown([body(x, y), x.sum(-1).mul(y.select(1, 1))]));
});

test("a reduction without results or without elements", () => {
  const body = (x: T) => [x.sum(0).mul(2), x.sum().add(1)];
  for (const shape of [
    [70_000, 0],
    [0, 3],
  ]) {
    const x = jl.zeros(shape, { device });
    expect(shown(jl.compile(body)(x))).toEqual(shown(body(x)));
  }
});

test("scalars of each call, and other reductions with the same maps after them", () => {
  const x = matrix([2, 32_800], "float32");
  const f = jl.compile((y: T, scale: number) => [
    y.sum().mul(scale),
    y.abs().prod().mul(scale),
    y.sum(-1).mul(scale),
  ]);
  for (const scale of [0.5, 3, -0])
    expect(shown(f(x, scale))).toEqual(
      shown([x.sum().mul(scale), x.abs().prod().mul(scale), x.sum(-1).mul(scale)]),
    );
});

test("a reduction that is repeated is computed once", () => {
  const [x, y] = [matrix([2, 32_800], "float32"), matrix([40, 3000], "float32")];
  const body = (one: T, other: T) => [
    one.mean(),
    one.var(),
    one.sum().add(one.sum().mul(2)),
    other.mean(0),
    other
      .sub(other.mean({ dim: 0, keepdim: true }))
      .abs()
      .max(0),
    one.mean(),
  ];
  const f = jl.compile(body);
  expect(shown(f(x, y))).toEqual(shown(body(x, y)));
  // Each returned one has its own memory. Those of all elements share a kernel.
  const names = f.program()?.kernels.map(({ name }) => name) ?? [];
  if (isGpu) {
    expect(new Set(names).size).toBe(names.length);
    return;
  }
  expect(names.filter((name) => name === "mean")).toHaveLength(1);
  expect(names.filter((name) => name.startsWith("mean_sum_mean"))).toHaveLength(1);
  expect(names).toHaveLength(4);
});

test("repeated reductions between looks and writes", () => {
  const body = (x: T) => {
    const first = x.sum(0);
    const level = x.sum({ dim: 0, keepdim: true }).narrow(1, 0, 1).item() as number;
    const second = x.sum(0).mul(level);
    first.dispose();
    x.add_(1);
    return [second, x.sum(0), x.sub(x.sum({ dim: 0, keepdim: true }))];
  };
  expect(shown(jl.compile(body)(matrix([40, 3000], "float32")))).toEqual(
    shown(body(matrix([40, 3000], "float32"))),
  );
});

test("reductions of one's own with one name and the same maps around them", () => {
  const x = matrix([2, 32_800], "float32");
  const own = (identity: number, join: (a: number, b: number) => number) =>
    jl.reduction(join, { identity, name: "own" });
  const [greatest, least] = [own(-1e9, (a, b) => Math.max(a, b)), own(1e9, (a, b) => Math.min(a, b))];
  const f = jl.compile((y: T) => [greatest(y.mul(2)).add(1), least(y.mul(2)).add(1)]);
  expect(shown(f(x))).toEqual(shown([greatest(x.mul(2)).add(1), least(x.mul(2)).add(1)]));
});

test("a listing names the operations", () => {
  const x = matrix([2, 32_800], "float32");
  const f = jl.compile((y: T) => y.sub(1).abs().sum().mul(2).sqrt());
  const kernels = jl.explain(f, x);
  const named = kernels.flatMap(({ source, places }) =>
    places.map(({ line }) => /(\w+)_float32::/.exec(source.split("\n")[line - 1] ?? "")?.[1]),
  );
  expect(named).toEqual(["sub", "abs", "mul", "sqrt"]);
  expect(new Set(kernels.flatMap(({ places }) => places.map(({ place }) => place))).size).toBe(4);
});

test.skipIf(!isCompiled)("a compiler's error names the operations", () => {
  const x = matrix([2, 32_800], "float32");
  const wrong = jl.jit("template <typename T>\nT wrong(T x) {\n  return x + nowhere;\n}") as unknown as (
    x: T,
  ) => T;
  expect(() => jl.compile((y: T) => wrong(y.sum()))(x)).toThrow(
    /wrong does not compile for float32: 1 error[\s\S]*wrong:3:[\s\S]*nowhere[\s\S]*\nThe kernel computes sum of/,
  );
});
