// jl.reduction against plain JavaScript: several values carried along, places, dtypes, dimensions and layouts; the order of
// joining, which is the library's; and what is refused.
import { beforeAll, describe, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { sendTo } from "../../dist/runtime/launch/sink.js";
import { Collector } from "../../dist/runtime/program/schedule/collect.js";
import { bitOr, inside, lastArgmax, logSumExp, meanSquare, variance } from "../support/custom-reductions.js";
import { device, isCompiled, useAnyDevice } from "../support/device.js";
import { refusal } from "../support/refusal.js";

beforeAll(useAnyDevice);

const seed = (count: number) => Float64Array.from({ length: count }, (_, i) => ((i * 7919) % 1013) / 500 - 1);
const shapes: readonly [number[], (number | number[])?][] = [
  [[1]],
  [[5]],
  [[17]],
  [[1000]],
  [[100_003]],
  [[300, 70], 0],
  [[300, 70], 1],
  [
    [7, 40, 30],
    [0, 2],
  ],
];

// Compiled together beforehand, on all cores: one by one the kernels of float64 take most of the time.
beforeAll(() => {
  const collector = new Collector();
  sendTo(collector);
  try {
    for (const [shape, dim] of shapes) {
      const x = jl.zeros(shape, { dtype: "float64" });
      const options = dim === undefined ? {} : { dim };
      for (const reduce of [logSumExp, meanSquare, variance, inside]) reduce(x, options);
      bitOr(x.mul(1000).to("int32"), options);
    }
  } finally {
    sendTo(undefined);
  }
  collector.compile((error) => {
    throw error;
  });
}, 300_000);

/** The elements behind each result, in row-major order. */
function groups(
  values: Float64Array,
  shape: readonly number[],
  dim: number | readonly number[] | undefined,
): number[][] {
  const gone = shape.map((_, d) => (dim === undefined ? true : [dim].flat().includes(d)));
  const found = new Map<number, number[]>();
  values.forEach((value, i) => {
    let rest = i;
    let key = 0;
    let scale = 1;
    for (let d = shape.length - 1; d >= 0; d--) {
      const extent = shape[d] as number;
      if (!gone[d]) {
        key += (rest % extent) * scale;
        scale *= extent;
      }
      rest = Math.floor(rest / extent);
    }
    const group = found.get(key);
    if (group) group.push(value);
    else found.set(key, [value]);
  });
  return [...found.entries()].sort(([a], [b]) => a - b).map(([, list]) => list);
}

const flat = (x: jl.Tensor): number[] => Array.from(x.data() as ArrayLike<number | bigint>, Number);
const near = (actual: number[], expected: number[], within = 1e-12) => {
  expect(actual.length).toBe(expected.length);
  for (const [i, value] of actual.entries())
    expect(Math.abs(value - (expected[i] as number))).toBeLessThanOrEqual(
      within * Math.max(1, Math.abs(value)),
    );
};

describe.each(shapes)("of shape %j along %j", (shape, dim) => {
  const values = seed(shape.reduce((a, b) => a * b, 1));
  const lists = groups(values, shape, dim);
  const x = () => jl.tensor(values).reshape(shape);
  const options = dim === undefined ? {} : { dim };

  test("logSumExp and the mean of squares are near plain JavaScript's", () => {
    near(
      flat(logSumExp(x(), options)),
      lists.map((list) => {
        const top = Math.max(
          ...list.slice(0, 1),
          list.reduce((a, b) => Math.max(a, b)),
        );
        return top + Math.log(list.reduce((sum, one) => sum + Math.exp(one - top), 0));
      }),
    );
    near(
      flat(meanSquare(x(), options)),
      lists.map((list) => list.reduce((sum, one) => sum + one * one, 0) / list.length),
    );
  });

  test("the variance from C++ is near the two passes of plain JavaScript", () => {
    near(
      flat(variance(x(), options)),
      lists.map((list) => {
        const mean = list.reduce((sum, one) => sum + one, 0) / list.length;
        return list.reduce((sum, one) => sum + (one - mean) ** 2, 0) / list.length;
      }),
    );
  });

  test("booleans and bits are plain JavaScript's", () => {
    expect(flat(inside(x(), options))).toEqual(
      lists.map((list) => Number(list.every((one) => one >= 0 && one <= 1))),
    );
    expect(inside(x(), options).dtype.name).toBe("bool");
    const bits = x().mul(1000).to("int32");
    const ored = lists.map((list) => list.reduce((a, b) => a | Math.trunc(b * 1000), 0));
    expect(flat(bitOr(bits, options))).toEqual(ored);
    expect(bitOr(bits, options).dtype.name).toBe("int32");
  });

  test("a sum has the bits of jl.sum", () => {
    const total = jl.reduction((a: number, b: number) => a + b, { identity: 0 });
    const narrow = x().to("float32");
    expect(total(narrow, options).data()).toEqual(jl.sum(narrow, options).data());
  });
});

test("of equal elements the place of the last one, along one dimension or in row-major order, whatever the layout", () => {
  const values = seed(300 * 70).map((value) => Math.round(value * 10));
  const x = jl.tensor(values).reshape(300, 70);
  const expected = (list: number[]) => list.lastIndexOf(list.reduce((a, b) => Math.max(a, b)));
  for (const dim of [0, 1]) {
    const places = groups(values, [300, 70], dim).map(expected);
    expect(flat(lastArgmax(x, dim))).toEqual(places);
    const turned = x.T.contiguous().T;
    expect(flat(lastArgmax(turned, dim))).toEqual(places);
    expect(lastArgmax(x, dim).dtype.name).toBe("int64");
  }
  expect(Number(lastArgmax(x).item())).toBe(expected([...values]));
  expect(refusal(() => lastArgmax(x, [0, 1]))).toMatch(/^bad-dimension: .*an index along 2 dimensions/);
});

test.skipIf(!isCompiled)(
  "dtypes: elements' own, those that are asked for, halves in float32, integers with Infinity",
  () => {
    const least = jl.reduction((a: number, b: number) => Math.min(a, b), {
      identity: Number.POSITIVE_INFINITY,
    });
    for (const dtype of [
      "float16",
      "bfloat16",
      "float32",
      "float64",
      "int8",
      "uint8",
      "int16",
      "int32",
      "int64",
    ] as const) {
      const x = jl.tensor([5, 3, 9, 7]).to(dtype);
      expect(least(x).dtype.name).toBe(dtype);
      expect(Number(least(x).item())).toBe(3);
      expect(
        Number(
          least(x.narrow(0, 0, 0))
            .isfinite()
            .item(),
        ),
      ).toBe(dtype.includes("float") ? 0 : 1);
    }
    const total = jl.reduction((a: number, b: number) => a + b, { identity: 0 });
    const large = jl.full([4], 2 ** 30, { dtype: "int32" });
    expect(total(large).item()).toBe(0);
    expect(total(large, { dtype: "int64" }).item()).toBe(2n ** 32n);
    const mean = jl.reduction((a: number, b: number) => a + b, {
      identity: 0,
      finish: (a) => a / jl.math.extent(0),
      returns: "float",
    });
    expect(mean(jl.tensor(Int32Array.of(1, 2)))).toMatchObject({ dtype: { name: "float32" } });
    expect(mean(jl.tensor(Int32Array.of(1, 2))).item()).toBe(1.5);
    expect(refusal(() => total(jl.zeros([2], { dtype: "complex64" })))).toMatch(/^dtype-refused/);
  },
);

test("keepdim, out, no elements, numbers that it closes over, and other views", () => {
  const x = jl.tensor(seed(12)).reshape(3, 4);
  expect(meanSquare(x, 1, { keepdim: true }).shape).toEqual([3, 1]);
  const out = jl.empty([3], { dtype: "float64" });
  expect(meanSquare(x, 1, { out })).toBe(out);
  expect(meanSquare(x.slice("::-1, ::2"), 1).toArray()).toEqual(
    meanSquare(x.slice("::-1, ::2").clone(), 1).toArray(),
  );
  expect(logSumExp(jl.zeros([0, 3]), 0).toArray()).toEqual([
    Number.NEGATIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
  ]);
  expect(variance.name).toBe("variance");
  const power = 3;
  const norm = jl.reduction((a: number, b: number) => a + b, {
    identity: 0,
    map: (v) => Math.abs(v) ** power,
    use: { power },
  });
  near([norm(x).item() as number], [seed(12).reduce((sum, v) => sum + Math.abs(v) ** 3, 0)]);
});

test("equal calls give equal bits, in compiled functions and graphs too, and explain and precompile know it", () => {
  const x = jl.rand([50, 1000]);
  const once = logSumExp(x, 1).data();
  expect(logSumExp(x, 1).data()).toEqual(once);
  const compiled = jl.compile((a: jl.Tensor) => logSumExp(a.mul(1), 1).mul(2));
  expect(compiled(x).data()).toEqual(logSumExp(x, 1).mul(2).data());
  const { launches } = jl.record(() => compiled(x));
  // The maps before and after it are part of its kernel.
  expect(launches[0]?.op).toBe("fused_rows_logSumExp_mul");
  const step = jl.graph(() => logSumExp(x, 1));
  expect(step().data()).toEqual(once);
  const [kernel] = jl.explain(logSumExp, { device, dtypes: ["float32"] });
  expect(kernel?.source).toContain("sum: a.sum * Math.exp(a.top - top)");
  expect(kernel).toMatchObject({ op: "logSumExp", dtypes: ["float32", "float32"] });
});

test("mistakes are told when it is defined, at the user's line", () => {
  const add = (a: number, b: number) => a + b;
  const least = (a: number, b: number) => Math.min(a, b);
  const pair = {
    identity: { n: 0, s: 0 },
    map: (x: number) => ({ n: 1, s: x }),
    finish: (a: { s: number }) => a.s,
  };
  const said = [
    () => jl.reduction(add as never, { identity: [0] as never }),
    () => jl.reduction(add as never, { identity: {} as never }),
    () => jl.reduction(3 as never, { identity: 0 }),
    () => jl.reduction(((a: number) => a) as never, { identity: 0 }),
    () => jl.reduction((a, b) => ({ n: a.n + b.n, s: a.s }), { identity: { n: 0, s: 0 } }),
    () => jl.reduction(((a: { n: number }, b: { n: number }) => ({ n: a.n + b.n })) as never, pair),
    () => jl.reduction((a, b) => ({ n: a.n + (b as never as { m: number }).m, s: a.s }), pair),
    () => jl.reduction(((a: never, b: never) => ({ n: a + b, s: 0 })) as never, pair),
    () => jl.reduction((a, b) => (a > b) as never, { identity: 0 }),
    () =>
      jl.reduction((a, b) => ({ n: a.n + b.n * 0.5, s: a.s }), {
        ...pair,
        identity: { n: 0n, s: 0 },
        map: (x) => ({ n: 1, s: x }),
      }),
    () => jl.reduction("template <typename T> T f(T a) { return a; }", { identity: 0 }),
    () => jl.reduction("float f(float a, float b) { return a; ", { identity: 0 }),
    () => jl.reduction((a, b) => a + b + jl.math.index(0), { identity: 0 }),
    () => jl.reduction(add, { identity: 0, finish: (a) => a / jl.math.extent(1) }),
    () => jl.reduction(least, { identity: 99.5 })(jl.ones([2], { dtype: "int32" })),
    () => jl.reduction(add, { identity: 1 }),
    () =>
      jl.reduction("template <typename T> T times(T a, T b) { return a * b; }", { identity: 0 })(
        jl.ones([2]),
      ),
    () => jl.reduction((a, b) => ({ n: a.n + b.n, s: a.s + b.s }), { ...pair, identity: { n: 0, s: 2 } }),
    () => jl.reduction(add, { identity: 0 })(3 as never),
    () => jl.reduction(add, { identity: 0 })(jl.ones([2]), { axs: 0 } as never),
  ];
  expect(said.map(refusal).join("\n")).toMatchInlineSnapshot(`
    "bad-reduction: add: the identity is [0].
    Pass the result for no elements: a number, a boolean, a bigint for a 64-bit integer, or up to 16 of them by name, such as { count: 0n, mean: 0 }.
    bad-reduction: add: the identity is an object of Object.
    Pass the result for no elements: a number, a boolean, a bigint for a 64-bit integer, or up to 16 of them by name, such as { count: 0n, mean: 0 }.
    bad-argument: reduction: reduction is 3.
    Pass a function of numbers, or a text in CUDA C++.
    bad-reduction: reduction: combine takes 1 value and gives 1.
    With 1 value in the accumulator it takes 2 and gives 1.
    bad-reduction: reduction: the accumulator has several values, but map is missing.
    map makes an accumulator from an element, finish the result from the last accumulator.
    bad-script: reduction cannot be translated.
    reduction:1:12: n is returned
       1 | (a, b) => ({ n: a.n + b.n })
         |            ^
    Return the identity's fields: n, s.
    bad-script: reduction cannot be translated.
    reduction:2:13: b has no field m
       2 | 			n: a.n + b.m,
         | 			         ^
    Its fields are n, s.
    bad-script: reduction cannot be translated.
    reduction:2:7: a is an accumulator
       2 | 			n: a + b,
         | 			   ^
    Name one of its fields, such as a.n, or return all of it.
    bad-script: reduction cannot be translated.
    reduction:1:11: the identity has a number here, but a boolean is returned
       1 | (a, b) => a > b
         |           ^
    Return the identity's type.
    bad-script: reduction cannot be translated.
    reduction:2:7: the result has a fraction, but the identity has an integer here (a bigint)
       2 | 			n: a.n + b.n * .5,
         | 			   ^
    Round it with Math.round, Math.floor or Math.trunc, or use a number in the identity.
    bad-reduction: f: combine takes 1 value and gives 1.
    With 1 value in the accumulator it takes 2 and gives 1.
    bad-functor: The { of line 1 is never closed.
    Write each brace with its partner.
    bad-reduction: reduction: combine uses index(0).
    map may use index(0), the element's index, and finish may use extent(0), the number of elements.
    bad-reduction: add: finish uses extent(1).
    map may use index(0), the element's index, and finish may use extent(0), the number of elements.
    bad-reduction: least: the identity 99.5 is not int32.
    Reduce floats, x.to("float32"), or choose an integer.
    bad-reduction: add: the identity 1 changes what it is joined with: 8 becomes 9.
    Joining it must change nothing: 0 for a sum, 1 for a product, -Infinity for a maximum.
    bad-reduction: times: the identity 0 changes what it is joined with: 15 becomes 0.
    Joining it must change nothing: 0 for a sum, 1 for a product, -Infinity for a maximum.
    bad-reduction: reduction: the identity { n: 0, s: 2 } changes what it is joined with: { n: 2, s: 8 } becomes { n: 2, s: 10 }.
    Joining it must change nothing: 0 for a sum, 1 for a product, -Infinity for a maximum.
    bad-operand: add: 3 is not a tensor.
    Make a tensor of an array with jl.tensor(...).
    unknown-option: add has no option "axs".
    Its options are dim, keepdim, dtype, out."
  `);
});

test.skipIf(!isCompiled)("an error of a compiler is told at the line of its part", () => {
  const broken = jl.reduction("template <typename T> T broken(T a, T b) { return a + b; }", {
    identity: 0,
    map: "template <typename T>\nT bend(T x) {\n  return x & 1;\n}",
  });
  expect(refusal(() => broken(jl.ones([4])))).toMatch(
    /^compile-failed: broken_map does not compile: 1 error[\s\S]*3 \| {3}return x & 1;/,
  );
  expect(Number(broken(jl.tensor(Int32Array.of(1, 2, 3))).item())).toBe(2);
});
