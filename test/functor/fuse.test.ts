// jl.fuse: an expression in one kernel equals the separate operations, and errors are shown in its text.
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { useDevice } from "../support/device.js";

beforeAll(useDevice);

const same = (fused: jl.Tensor, separate: jl.Tensor) => {
  expect(fused.dtype.name).toBe(separate.dtype.name);
  expect(fused.shape).toEqual(separate.shape);
  expect(fused.toArray()).toEqual(separate.toArray());
};
const x = () => jl.tensor([-1.5, 0, 0.25, 3]);
const y = () => jl.tensor([2, -0.5, 7, 1]);

describe("jl.fuse", () => {
  test("is the separate operations in one kernel", () => {
    const [a, b] = [x(), y()];
    same(jl.fuse`sin(${a}) * 2 + ${b}`, a.sin().mul(2).add(b));
    const { launches } = jl.record(() => jl.fuse`sin(${a}) * 2 + ${b}`);
    expect(launches).toHaveLength(1);
    expect(launches[0]?.op).toBe("fused_sin_mul_add");
  });
  test("C++ operators have C++ precedence", () => {
    const i = jl.tensor([1, 2, 3, 12], { dtype: "int32" });
    same(jl.fuse`-${i} + 2 * ${i} - 1`, i.neg().add(i.mul(2)).sub(1));
    same(
      jl.fuse`(${i} << 2 | 1) & ~${i} ^ 5`,
      i.leftShift(2).bitwiseOr(1).bitwiseAnd(i.bitwiseNot()).bitwiseXor(5),
    );
    same(
      jl.fuse`(${i} << 1 > 3 && ${i} % 2 == 0 || !${i})`,
      i.leftShift(1).gt(3).logicalAnd(i.remainder(2).eq(0)).logicalOr(i.logicalNot()),
    );
    same(jl.fuse`${i} > 2 ? ${i} : -${i} > -2 ? 0 : 7`, jl.where(i.gt(2), i, jl.where(i.neg().gt(-2), 0, 7)));
  });
  test("a power groups from the right and binds tighter than a sign", () => {
    const [a, b] = [x(), y()];
    same(jl.fuse`-${a} ** 2 * ${b}`, a.pow(2).neg().mul(b));
    same(jl.fuse`2 ** ${b} ** -1`, jl.pow(2, b.pow(-1)));
  });
  test("each operation has the dtype that it has by itself", () => {
    const pairs: [jl.DTypeName, jl.DTypeName][] = [
      ["bool", "bool"],
      ["bool", "float16"],
      ["uint8", "int8"],
      ["int32", "bfloat16"],
      ["int64", "int32"],
      ["float16", "float32"],
      ["float64", "int8"],
      ["complex64", "float64"],
    ];
    for (const [p, q] of pairs) {
      const a = jl.tensor([1, 0, 1], { dtype: p });
      const b = jl.tensor([1, 1, 0], { dtype: q });
      same(jl.fuse`${a} * ${b} + 1`, a.mul(b).add(1));
      same(jl.fuse`sqrt(${a}) + ${b} / 2`, a.sqrt().add(b.div(2)));
      same(jl.fuse`(${a} == ${b}) + ${b} * 0.5`, a.eq(b).add(b.mul(0.5)));
    }
    // int8 wraps before it is widened.
    const small = jl.tensor([100, 100], { dtype: "int8" });
    same(jl.fuse`(${small} + ${small}) * ${jl.tensor([1.5, 2])}`, small.add(small).mul(jl.tensor([1.5, 2])));
  });
  test("0-d tensors and numbers are weak", () => {
    const zero = jl.tensor(2.5, { dtype: "float64" });
    same(jl.fuse`${x()} * ${zero}`, x().mul(zero));
    const ints = jl.tensor([1, 2, 3]).to("int32");
    same(jl.fuse`${ints} + ${3}`, ints.add(3));
    same(jl.fuse`${ints} + ${0.5}`, ints.add(0.5));
    const wide = jl.tensor([1, 2, 3], { dtype: "float64" });
    same(jl.fuse`${wide} * (1 / 3) + ${0.1}`, wide.mul(1 / 3).add(0.1));
    same(jl.fuse`${ints} * pi + inf`, ints.mul(Math.PI).add(Number.POSITIVE_INFINITY));
  });
  test("another number needs no other kernel", () => {
    const a = x();
    const scaled = (k: number) => jl.fuse`${a} * ${k}`;
    same(scaled(0.5), a.mul(0.5));
    const before = jl.timings().length;
    same(scaled(0.75), a.mul(0.75));
    expect(jl.timings().length).toBe(before);
    same(scaled(2), a.mul(2));
  });
  test("broadcasts, walks strides and writes into out", () => {
    const a = jl.arange(12, { dtype: "float32" }).reshape(3, 4);
    const column = jl.tensor([[1], [2], [3]]);
    same(jl.fuse`${a} * ${column} + ${a.slice(":, ::-1")}`, a.mul(column).add(a.slice(":, ::-1")));
    const out = jl.zeros([4, 3]);
    expect(jl.fuse({ out })`${a.T} + 1`).toBe(out);
    same(out, a.T.add(1));
    const b = x();
    jl.fuse({ out: b })`${b} * 2`;
    same(b, x().mul(2));
  });
  test("calls functors of both languages, with what they capture", () => {
    const [a, b] = [x(), y()];
    const gain = { value: 2 };
    const cpp = jl.jit("template <typename T> T scaled(T x, T y, T by = T(3)) { return x * by - y; }", {
      params: { by: 3 },
    });
    const script = jl.jit((v: number) => v / (1 + v * v));
    same(
      jl.fuse`sin(${cpp}(${a}, 2)) * ${script}(${b} + ${gain.value})`,
      jl.sin(cpp(a, 2)).mul(script(b.add(2))),
    );
    const { launches } = jl.record(() => jl.fuse`${script}(${a}) + ${cpp}(${b}, ${a})`);
    expect(launches).toHaveLength(1);
    // Another functor in the same place.
    const square = jl.jit("template <typename T> T square(T x) { return x * x; }");
    const [first, second] = [script, square].map((f) => jl.fuse`${f}(${a}) + 1`) as [jl.Tensor, jl.Tensor];
    same(first, script(a).add(1));
    same(second, square(a).add(1));
  });
  test("inside a compiled function its operations join the others", () => {
    const [a, b] = [x(), y()];
    const body = (p: jl.Tensor, q: jl.Tensor, k: number) => jl.fuse`exp(${p.mul(2)}) * ${k} + ${q}`.sin();
    const compiled = jl.compile(body);
    const { launches } = jl.record(() => compiled(a, b, 0.5));
    expect(launches.map(({ op }) => op)).toEqual(["fused_mul_exp_add_sin"]);
    for (const k of [0.5, 0.25]) same(compiled(a, b, k), body(a, b, k));
    // What stays inside the expression is not rounded to halves; what stands around it is.
    const h = jl.tensor([1.0009765625, 3.001953125, 0.333], { dtype: "float16" });
    const halves = (p: jl.Tensor) => jl.fuse`${p.mul(p)} * ${p} / 3`.mul(p);
    same(jl.compile(halves)(h), halves(h));
  });
  test("random expressions", () => {
    const [a, b] = [x(), y()];
    fc.assert(
      fc.property(fc.float({ min: -4, max: 4, noNaN: true }), fc.integer({ min: -9, max: 9 }), (p, q) => {
        same(jl.fuse`(${a} - ${p}) * ${b} + ${q} * ${a}`, a.sub(p).mul(b).add(jl.mul(q, a)));
        same(jl.fuse`hypot(${a}, ${p}) <= ${b} + ${q}`, jl.hypot(a, p).le(b.add(q)));
      }),
    );
  });
  test("half types are rounded once", () => {
    const h = jl.tensor([1, 2049 / 2048], { dtype: "float16" });
    // 2049/2048 lies between two halves and 1 + 2^-10 is one: the separate operations round twice.
    expect(jl.fuse`${h} * ${h}`.dtype.name).toBe("float16");
    const a = jl.tensor([60000], { dtype: "float16" });
    expect(jl.fuse`${a} * 2 / 4`.toArray()).toEqual([30000]);
  });
});

describe("mistakes", () => {
  const told = (run: () => unknown): string => {
    try {
      run();
    } catch (error) {
      expect(error).toBeInstanceOf(jl.JitlabError);
      return `${(error as jl.JitlabError).code}: ${(error as Error).message}`;
    }
    throw new Error("nothing was refused");
  };
  test("point into the expression", () => {
    const a = x();
    expect(told(() => jl.fuse`sinn(${a}) + 1`)).toMatchInlineSnapshot(`
      "bad-expression: fuse: there is no operation sinn.
        sinn(\${0}) + 1
        ^
      Did you mean "sign"?"
    `);
    expect(told(() => jl.fuse`2 * (${a} + 1`)).toMatchInlineSnapshot(`
      "bad-expression: fuse: expected ), found the end.
        2 * (\${0} + 1
                     ^"
    `);
    expect(told(() => jl.fuse`${a} + * 2`)).toMatchInlineSnapshot(`
      "bad-expression: fuse: * is not an operand.
        \${0} + * 2
               ^"
    `);
    expect(told(() => jl.fuse`${a} 2`)).toMatchInlineSnapshot(`
      "bad-expression: fuse: 2 follows a complete expression.
        \${0} 2
             ^"
    `);
    expect(told(() => jl.fuse`a + ${a}`)).toMatchInlineSnapshot(`
      "bad-expression: fuse: a is not a value.
        a + \${0}
        ^
      Write \${a} for a variable."
    `);
    expect(told(() => jl.fuse`pow(${a})`)).toMatchInlineSnapshot(`
      "bad-expression: fuse: pow takes 2 arguments, not 1.
        pow(\${0})
        ^"
    `);
    expect(told(() => jl.fuse`${a} # 2`)).toMatchInlineSnapshot(`
      "bad-expression: fuse: # has no meaning here.
        \${0} # 2
             ^"
    `);
    expect(told(() => jl.fuse`1 +\n  gcd(${a}, 2)`)).toMatchInlineSnapshot(`
      "bad-expression: fuse: gcd does not take float32: it is defined for integer dtypes only; convert with .to("int32") first.
          gcd(\${0}, 2)
          ^"
    `);
    const f = jl.jit((v: number) => v + 1);
    const pair = jl.jit((v: number) => [v, -v]);
    const contracted = jl.jit((v: number) => v * v + 1, { fma: true, name: "contracted" });
    const wild = jl.jit("template <typename T> T wild(T x) { return x + nowhere; }");
    expect(told(() => jl.fuse`${a} (${a})`)).toMatchInlineSnapshot(`
      "bad-expression: fuse: ( follows a complete expression.
        \${0} (\${1})
             ^"
    `);
    expect(told(() => jl.fuse`${f} + ${a}`)).toMatchInlineSnapshot(`
      "bad-expression: fuse: functor is a functor.
        \${0} + \${1}
        ^
      Call it: write its arguments in brackets after it."
    `);
    expect(told(() => jl.fuse`${f}(${a}, 2)`)).toMatchInlineSnapshot(`
      "bad-expression: fuse: functor takes 1 argument, not 2.
        \${0}(\${1}, 2)
        ^"
    `);
    expect(told(() => jl.fuse`1 + ${pair as never}(${a})`)).toMatchInlineSnapshot(`
      "bad-expression: fuse: functor has 2 results.
        1 + \${0}(\${1})
            ^
      Call it by itself, and write its result in the expression."
    `);
    expect(told(() => jl.fuse`1 + ${contracted}(${a})`)).toMatchInlineSnapshot(`
      "bad-expression: fuse: contracted needs a kernel of its own: with fma: true, the compiler contracts what it computes.
        1 + \${0}(\${1})
            ^
      Call it by itself, and write its result in the expression."
    `);
    // Each compiler has its own words.
    expect(
      told(() => jl.fuse`1 + ${wild}(${a})`).replace(/error: .*['"]nowhere['"].*/, "error: nowhere"),
    ).toMatchInlineSnapshot(`
      "compile-failed: wild does not compile for float32: 1 error.
      wild:1:48: error: nowhere
         1 | template <typename T> T wild(T x) { return x + nowhere; }
           |                                                ^"
    `);
    expect(told(() => jl.fuse`${1} + 2`)).toMatchInlineSnapshot(`
      "no-tensor: fuse: none of the values in \${0} + 2 is a tensor.
      Write tensors as \${x}; a number by itself needs no kernel."
    `);
    expect(told(() => jl.fuse`${"x" as never} + 2`)).toMatchInlineSnapshot(`
      "bad-operand: fuse: "x" is neither a tensor nor a number.
      Pass a Tensor, a number, a bigint, a boolean or { re, im }; make a tensor of an array with jl.tensor(...)."
    `);
  });
});
