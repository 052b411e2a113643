// jl.jit of functions: what a kernel computes in float64 is what V8 computes on every device.
// Other dtypes are those of conformance/script-dtypes.test.ts, minified texts those of script-minified.test.ts.
import { describe, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { drawn } from "../support/draw.js";
import { casesOn, everyDevice } from "../support/every-device.js";
import { corpus, use } from "../support/script-corpus.js";
import { worst, xs, ys } from "../support/script-distance.js";
import { scriptGenerator } from "../support/script-generator.js";

type Call = (...args: jl.Tensor[]) => jl.Tensor;

describe.each(everyDevice)("on %s", (device) => {
  const tensor = (values: readonly number[], dtype: jl.DTypeName) =>
    jl.tensor([...values], { dtype, device });
  test.each(casesOn(device, drawn(Object.entries(corpus), 24)))(
    "%s is what V8 computes",
    (name, { fn, ulp = 0 }) => {
      const f = jl.jit(fn, { use, name }) as unknown as Call;
      const args = [tensor(xs, "float64"), tensor(ys, "float64")].slice(0, fn.length);
      const expected = xs.map((x, i) => fn(x, ys[i] as number));
      const results = f(...args).toArray() as number[];
      expect(
        worst(name, results, expected),
        `${name}: ${results} instead of ${expected}`,
      ).toBeLessThanOrEqual(ulp);
    },
  );

  test("random functions are what V8 computes", () => {
    const seeds = Array.from({ length: device === "cpu" ? 40 : 10 }, (_, i) => i + 1);
    for (const seed of seeds) {
      const text = scriptGenerator(seed);
      const fn = new Function(`return ${text}`)() as (x: number, y: number) => number[];
      const outputs = (jl.jit(fn) as unknown as (...args: jl.Tensor[]) => jl.Tensor[])(
        tensor(xs, "float64"),
        tensor(ys, "float64"),
      );
      for (const [k, output] of outputs.entries()) {
        const expected = xs.map((x, i) => fn(x, ys[i] as number)[k]);
        const results = output.toArray() as number[];
        expect(
          worst(text, results, expected),
          `seed ${seed}, result ${k}: ${results}; ${expected}\n${text}`,
        ).toBe(0);
      }
    }
  }, 120_000);

  test("positions are those of the result, in any layout", () => {
    const place = jl.jit(() => jl.math.index(0) * jl.math.extent(1) + jl.math.index(-1));
    const flat = jl.arange(6, { device }).reshape(2, 3).to("float32").toArray();
    expect(place({ shape: [2, 3], device }).toArray()).toEqual(flat);
    expect(place({ shape: [2, 3], dtype: "int32", device }).dtype.name).toBe("int32");
    const out = jl.zeros([3, 2], { device }).T;
    expect(place({ out }).toArray()).toEqual(flat);
    const along = jl.jit((x) => x * 10 + jl.math.index(1));
    const column = jl.tensor([[1], [2]], { device }).expand(2, 3);
    expect(along(column).toArray()).toEqual([
      [10, 11, 12],
      [20, 21, 22],
    ]);
    expect(() => along(jl.zeros([2], { device }))).toThrow("functor: index");
  });

  test("compiled functions take them: one or several results, parameters, positions", () => {
    const swish = jl.jit((x, beta = 1.5) => x / (1 + Math.exp(-beta * x)));
    const both = jl.jit((x, y) => ({ sum: x + y, less: x < y }));
    const along = jl.jit((x) => x * 10 + jl.math.index(1));
    const body = (a: jl.Tensor) => {
      const { sum, less } = both(swish(a.add(1), { beta: 2 }), along(a));
      return jl.where(less, sum, a.mul(3));
    };
    const x = tensor(xs, "float32").reshape(3, 5);
    const compiled = jl.compile(body);
    for (const given of [x, x.mul(2)]) expect(compiled(given).data()).toEqual(body(given).data());
    expect(compiled.report().programs).toHaveLength(1);
  });
});

describe("a call", () => {
  const x = () => jl.tensor([1, 2, 3], { device: "cpu" });

  test("overrides parameters with a default, without another kernel", () => {
    const f = jl.jit((x, beta = 1.5) => x * beta);
    expect(f.parameters).toEqual({ beta: 1.5 });
    expect(f(x()).toArray()).toEqual([1.5, 3, 4.5]);
    const { launches } = jl.record(() => f(x(), { beta: 2 }));
    expect(launches.map(({ origin }) => origin)).toEqual(["memory"]);
    expect(() => f(x(), { gamma: 1 })).toThrow('functor has no parameter "gamma"');
    // @ts-expect-error a function of one tensor takes no second one
    expect(() => f(x(), x())).toThrow("takes 1 input (x), but got 2");
  });

  test("names parameters in an object with params", () => {
    const f = jl.jit((x, { scale, shift }) => scale * x + shift, { params: { scale: 2, shift: 1 } });
    expect(f(x()).toArray()).toEqual([3, 5, 7]);
    expect(f(x(), { shift: 0 }).toArray()).toEqual([2, 4, 6]);
    const turned = jl.jit((x, { up }) => (up ? x : -x), { params: { up: true } });
    expect(turned(x(), { up: false }).toArray()).toEqual([-1, -2, -3]);
    // @ts-expect-error the parameters are scale and shift
    expect(() => f(x(), { scal: 3 })).toThrow('Did you mean "scale"?');
  });

  test("gives several results as an object or an array", () => {
    const both = jl.jit((x, y) => ({ sum: x + y, less: x < y }));
    const { sum, less } = both(x(), 2);
    expect([sum.toArray(), less.toArray(), less.dtype.name]).toEqual([
      [3, 4, 5],
      [true, false, false],
      "bool",
    ]);
    const [low, high] = jl.jit((x) => [Math.floor(x / 2), Math.ceil(x / 2)])(x()) as [jl.Tensor, jl.Tensor];
    expect([low.toArray(), high.toArray()]).toEqual([
      [0, 1, 1],
      [1, 1, 2],
    ]);
  });

  test("reads what the function closes over at each call", () => {
    let k = 2;
    const use = {
      get k() {
        return k;
      },
    };
    const g = jl.jit(new Function("return (x) => x * k")() as (x: number) => number, { use });
    expect(g(x()).toArray()).toEqual([2, 4, 6]);
    k = 5;
    expect(g(x()).toArray()).toEqual([5, 10, 15]);
    k = "five" as never;
    expect(() => g(x())).toThrow('the captured variable k is now "five"');
  });

  test("is plain JavaScript without a kernel", () => {
    const bessel = (x: number, { scale }: { scale: number }) => jl.math.i0(scale * x);
    expect(bessel(0, { scale: 2 })).toBe(1);
    expect(jl.math.gcd(12, 18)).toBe(6);
    expect(jl.math.isnan(Number.NaN)).toBe(true);
    expect(jl.math.where(false, 1, 2)).toBe(2);
    expect(() => jl.math.index(0)).toThrow("elements have positions only inside a functor");
  });

  test("takes the name of the function, and methods and function expressions", () => {
    const object = {
      twice(x: number) {
        return x + x;
      },
    };
    expect(jl.jit(object.twice).name).toBe("twice");
    expect(jl.jit(object.twice)(x()).toArray()).toEqual([2, 4, 6]);
    expect(
      jl
        .jit(function half(x: number) {
          return x / 2;
        })(x())
        .toArray(),
    ).toEqual([0.5, 1, 1.5]);
    expect(
      jl
        .jit((int: number) => int + 1)(x())
        .toArray(),
    ).toEqual([2, 3, 4]);
  });

  test("shares the functor of an equal function", () => {
    const make = () => jl.jit((x) => x * 3);
    expect(jl.functorOf(make())).toBe(jl.functorOf(make()));
  });
});

describe("what has no translation is told at its place", () => {
  const w = jl.tensor([1, 2], { device: "cpu" });
  const text = (code: string, options: object = {}) =>
    jl.jit(new Function(`return ${code}`)() as () => number, options);
  const wrong: Record<string, () => unknown> = {
    "a number as condition": () => text("(x) => {\n  if (x) return 1;\n  return 2;\n}"),
    "a number in a logical operator": () => text("(x) => x > 0 && x"),
    "an untyped capture": () => text("(x) => x * alpha"),
    "a function that is not passed": () => text("(x) => helper(x)"),
    "a tensor that is closed over": () => text("(x) => x * w", { use: { w } }),
    "text that is closed over": () => text("(x) => x * w", { use: { w: "2" } }),
    "an async function": () => text("async (x) => x"),
    "a generator": () => text("function* (x) { return x; }"),
    this: () => text("function (x) { return this.a * x; }"),
    arguments: () => text("function (x) { return arguments[0]; }"),
    recursion: () => text("function f(x) { const g = (n) => n < 1 ? 1 : n * g(n - 1); return g(x); }"),
    "an unsupported statement": () => text("(x) => {\n  try { return x; } catch { return 0; }\n}"),
    "a switch": () => text("(x) => { switch (x) { case 1: return 2; } return 0; }"),
    "a path without a result": () => text("(x) => {\n  if (x > 0) return 1;\n}"),
    "text as a value": () => text('(x) => x + "1"'),
    "an array": () => text("(x) => { const a = [1, 2]; return a[0] * x; }"),
    "a property": () => text("(x) => x.length"),
    "a boolean as a number": () => text("(x) => (x > 0) * 2"),
    "two kinds in one variable": () => text("(x) => { let t = x; t = x > 0; return t ? 1 : 0; }"),
    "two kinds of results": () => text("(x) => { if (x > 1) return true; return x; }"),
    "an unknown function of Math": () => text("(x) => Math.sine(x)"),
    "an unknown operation": () => text("(x) => jl.math.i00(x)"),
    "a fraction for an operation of integers": () => text("(x) => jl.math.gcd(x, 2)"),
    "the wrong number of arguments": () => text("(x) => Math.pow(x)"),
    "an assignment to a constant": () => text("(x) => { const a = 1; a = x; return a; }"),
    "an assignment from inside": () =>
      text("(x) => { let s = 0; const add = (v) => (s = s + v); return add(x); }"),
    "a rest parameter": () => text("(...x) => x[0]"),
    "a parameter that is named as an option": () => text("(x, shape = 2) => x * shape"),
    "an unknown name in params": () =>
      text("(x, { scale }) => x * scale", { params: { scale: 1, shift: 2 } }),
    "a bound function": () => jl.jit(((x: number) => x).bind(null)),
    "a class": () => jl.jit(class {} as never),
    "a fraction in a tensor of integers": () => jl.jit((x) => x / 2)(jl.arange(3, { device: "cpu" })),
    "complex numbers": () => jl.jit((x) => x + 1)(jl.zeros([2], { dtype: "complex64", device: "cpu" })),
  };
  test.each(Object.entries(wrong))("%s", (_, run) => {
    let message = "nothing was thrown";
    try {
      run();
    } catch (error) {
      expect(error).toBeInstanceOf(jl.JitlabError);
      message = (error as Error).message;
    }
    expect(message).toMatchSnapshot();
  });
});
