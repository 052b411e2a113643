// Derivatives where elements are equal or infinite: extremes share a cotangent equally, and a sum of no exponentials has none.
import { beforeAll, describe, expect, it } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { useAnyDevice } from "../support/device.js";

beforeAll(useAnyDevice);

const double = { dtype: "float64" } as const;
const numbers = (...values: number[]) => jl.tensor(values, double);

/** The gradients of a function's sum by two arguments, as they are and compiled. */
function gradients(
  f: (x: jl.Tensor, y: jl.Tensor) => jl.Tensor,
  x: jl.Tensor,
  y: jl.Tensor,
): readonly unknown[] {
  const g = jl.grad((a: jl.Tensor, b: jl.Tensor) => f(a, b).sum(), { argnums: [0, 1] });
  const [eager, compiled] = [g, jl.compile(g)].map((one) => one(x, y).map((own) => own.toArray()));
  expect(compiled).toEqual(eager);
  return eager as readonly unknown[];
}

describe("values that are joined at an element", () => {
  const index = () => jl.tensor([1n, 1n, 0n, 1n]);
  const weights = () => numbers(1, 12, 5, 3);
  const x = () => numbers(1, 10, 3, 4);
  type Way = "amin" | "amax" | "mean";
  const cases: [Way, boolean, number[], ofTarget: number[], ofValues: number[]][] = [
    ["amin", false, [10, 20, 30, 10], [0, 0, 5, 3], [6, 0, 1, 6]],
    ["amax", false, [20, 5, 30, 20], [0, 0, 5, 3], [6, 0, 1, 6]],
    ["amin", true, [10, 20, 30, 10], [1, 4, 5, 3], [4, 0, 0, 4]],
    ["amax", true, [10, 5, 1, 10], [0.5, 4, 5, 3], [4, 0, 0.5, 4]],
    ["amax", false, [-20, -30, -5, -20], [0, 0, 5, 3], [6, 0, 1, 6]],
    ["mean", false, [10, Number.POSITIVE_INFINITY, 30, Number.NaN], [0, 0, 5, 3], [4, 4, 1, 4]],
    ["mean", true, [10, Number.NaN, 30, 1], [0.5, 3, 5, 3], [3, 3, 0.5, 3]],
  ];
  it.each(cases)("%s, includeSelf: %s, of %j: each gets the same", (by, includeSelf, values, ...want) => {
    const f = (a: jl.Tensor, v: jl.Tensor) =>
      a.scatterReduce(0, index(), v, by, { includeSelf }).mul(weights());
    expect(gradients(f, x(), numbers(...values))).toEqual(want);
  });

  it("are joined by group", () => {
    const keys = jl.tensor([0, 1, 0, 0], { dtype: "int32" });
    const loss = (v: jl.Tensor) => jl.groupBy(keys).max(v).mul(numbers(6, 1)).sum();
    expect(
      jl
        .grad(loss)(numbers(2, 7, 2, 1))
        .toArray(),
    ).toEqual([3, 1, 3, 0]);
  });

  it("have second derivatives, where each joined value is one", () => {
    const f = (v: jl.Tensor) =>
      numbers(0, 0)
        .scatterReduce(0, jl.tensor([1n, 0n]), v.square(), "amax", { includeSelf: false })
        .exp()
        .sum();
    const hessian = jl.hessian(f)(numbers(0.5, 1)).toArray() as number[][];
    const wanted = (v: number) => (2 + 4 * v * v) * Math.exp(v * v);
    expect(hessian[0]?.[0]).toBeCloseTo(wanted(0.5), 12);
    expect(hessian[1]).toEqual([0, expect.closeTo(wanted(1), 12)]);
  });
});

describe("a sum of exponentials that are all 0", () => {
  const none = Number.NEGATIVE_INFINITY;
  const rows = () =>
    jl.tensor(
      [
        [none, none],
        [none, 1],
        [1, 1],
      ],
      double,
    );
  const zero = () => jl.zeros([], double);
  const functions: Readonly<Record<string, [(x: jl.Tensor) => jl.Tensor, number[][]]>> = {
    logsumexp: [
      (x) => x.logsumexp(1),
      [
        [0, 0],
        [0, 1],
        [0.5, 0.5],
      ],
    ],
    "logsumexp of all": [
      (x) => x.narrow(0, 0, 1).logsumexp(),
      [
        [0, 0],
        [0, 0],
        [0, 0],
      ],
    ],
    logcumsumexp: [
      (x) => x.logcumsumexp(1),
      [
        [0, 0],
        [0, 1],
        [1.5, 0.5],
      ],
    ],
    logaddexp: [
      (x) => jl.logaddexp(x.select(1, 0), x.select(1, 1)),
      [
        [0, 0],
        [0, 1],
        [0.5, 0.5],
      ],
    ],
    "logaddexp of a number": [
      (x) => x.logaddexp(none),
      [
        [0, 0],
        [0, 1],
        [1, 1],
      ],
    ],
    logaddexp2: [
      (x) => jl.logaddexp2(x.select(1, 0), x.select(1, 1)),
      [
        [0, 0],
        [0, 1],
        [0.5, 0.5],
      ],
    ],
  };
  it.each(Object.entries(functions))("has the derivative 0: %s", (_, [f, want]) => {
    const close = want.map((row) => row.map((one) => expect.closeTo(one, 12)));
    expect(gradients((x, y) => f(x).add(y), rows(), zero())[0]).toEqual(close);
    for (const dtype of ["float32", "float16"] as const) {
      const found = jl.grad((x: jl.Tensor) => f(x.to(dtype)).sum())(rows());
      expect(found.toArray()).toEqual(want.map((row) => row.map((one) => expect.closeTo(one, 3))));
    }
  });

  it.each(Object.keys(functions).slice(0, 5))("has the second derivative 0: %s", (name) => {
    const f = (functions[name] as [(x: jl.Tensor) => jl.Tensor, unknown])[0];
    const twice = jl.grad((x: jl.Tensor) =>
      jl
        .grad((y: jl.Tensor) => f(y).sum())(x)
        .square()
        .sum(),
    );
    const found = twice(rows()).toArray() as number[][];
    expect(found.flat().some(Number.isNaN)).toBe(false);
    expect(found.slice(0, 2)).toEqual([
      [0, 0],
      [expect.closeTo(0, 12), expect.closeTo(0, 12)],
    ]);
  });

  it("keeps its value", () => {
    expect(rows().logsumexp(1).toArray()).toEqual([none, 1, 1 + Math.LN2]);
    expect(jl.tensor([Number.POSITIVE_INFINITY, 1]).logsumexp().item()).toBe(Number.POSITIVE_INFINITY);
    expect(jl.tensor([Number.NaN, none]).logsumexp().item()).toBeNaN();
    expect(jl.tensor([-1000, -1000]).logsumexp().item()).toBeCloseTo(-1000 + Math.LN2, 3);
  });
});
