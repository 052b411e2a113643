// The unsigned dtypes above uint8: storage, arithmetic beside the definition on bigints, promotion beside NumPy's table, and
// numbers that a tensor of integers cannot hold.
import { beforeAll, describe, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { useDevice } from "../support/device.js";

beforeAll(useDevice);

const dtypes = ["uint16", "uint32", "uint64"] as const;
const bitsOf = (dtype: jl.DTypeName) => 8 * jl.dtypes[dtype].bytes;
const topOf = (dtype: jl.DTypeName) => 2n ** BigInt(bitsOf(dtype)) - 1n;
const big = (x: jl.Tensor) => (x.toArray() as (number | bigint)[]).map(BigInt);

describe.each(dtypes)("%s", (dtype) => {
  const top = topOf(dtype);
  const values = [0n, 1n, 2n, 5n, 1000n, top / 2n, top / 2n + 1n, top - 1n, top];
  const left = values.flatMap((a) => values.map(() => a));
  const right = values.flatMap(() => values);
  const make = (list: readonly bigint[]) => jl.tensor(list as bigint[], { dtype });

  test("keeps its elements", () => {
    expect(big(make(values))).toEqual(values);
    expect(make(values).data()).toBeInstanceOf(jl.dtypes[dtype].array);
    expect(jl.tensor(new jl.dtypes[dtype].array(3)).dtype.name).toBe(dtype);
    expect(() => make([-1n])).toThrow(`does not fit into ${dtype}`);
    expect(() => make([top + 1n])).toThrow(`does not fit into ${dtype}`);
    expect(big(make(values).to("float64").to(dtype).slice(":5"))).toEqual(values.slice(0, 5));
    expect(big(jl.tensor([-3, Number.NaN, 1e30]).to(dtype))).toEqual([0n, 0n, top]);
    expect(big(jl.tensor([-1n]).to(dtype))).toEqual([top]);
  });
  const wrap = (value: bigint) => BigInt.asUintN(bitsOf(dtype), value);
  test.each<[string, (a: jl.Tensor, b: jl.Tensor) => jl.Tensor, (a: bigint, b: bigint) => bigint]>([
    ["add", (a, b) => a.add(b), (a, b) => wrap(a + b)],
    ["sub", (a, b) => a.sub(b), (a, b) => wrap(a - b)],
    ["mul", (a, b) => a.mul(b), (a, b) => wrap(a * b)],
    ["floorDivide", (a, b) => a.floorDivide(b), (a, b) => (b === 0n ? 0n : a / b)],
    ["remainder", (a, b) => a.remainder(b), (a, b) => (b === 0n ? 0n : a % b)],
    ["bitwiseXor", (a, b) => a.bitwiseXor(b), (a, b) => a ^ b],
    ["maximum", (a, b) => a.maximum(b), (a, b) => (a - b > 0n ? a : b)],
    ["gt", (a, b) => a.gt(b), (a, b) => (a > b ? 1n : 0n)],
    ["leftShift", (a) => a.leftShift(3), (a) => wrap(a << 3n)],
    ["rightShift", (a) => a.rightShift(3), (a) => a >> 3n],
    ["neg", (a) => a.neg(), (a) => wrap(-a)],
    ["bitwiseNot", (a) => a.bitwiseNot(), (a) => wrap(~a)],
    ["square", (a) => a.square(), (a) => wrap(a * a)],
    ["to int64", (a) => a.to("int64"), (a) => BigInt.asIntN(64, a)],
  ])("%s", (_, run, definition) => {
    expect(big(run(make(left), make(right)))).toEqual(left.map((a, i) => definition(a, right[i] as bigint)));
  });
  test("reductions, products and indexing", () => {
    const x = make(values);
    expect(BigInt(x.max().item() as number)).toBe(top);
    expect(x.argmax().item()).toBe(8n);
    expect(x.sum().item()).toBe(
      BigInt.asIntN(
        64,
        values.reduce((a, b) => a + b),
      ),
    );
    expect(BigInt(x.dot(x).item() as number)).toBe(wrap(values.reduce((a, b) => a + b * b, 0n)));
    expect(big(jl.zeros([1], { dtype }).scatterAdd(0, jl.zeros([9], { dtype: "int64" }), x))).toEqual([
      wrap(values.reduce((a, b) => a + b)),
    ]);
    expect(big(x.at(x.gt(5)))).toEqual(values.slice(4));
  });
  test("as JSON", () => {
    const exact = (value: bigint) => (value <= Number.MAX_SAFE_INTEGER ? Number(value) : `${value}`);
    expect(JSON.parse(JSON.stringify(make(values)))).toEqual(values.map(exact));
  });
  test("in functors", () => {
    const add = jl.jit("template <typename T> T f(T a, unsigned n) { return a / 2 + n; }", {
      params: { n: 7 },
    });
    expect(big(add(make(values)))).toEqual(values.map((a) => wrap(a / 2n + 7n)));
    const twice = jl.jit((a: number) => a * 2);
    expect(big(twice(make(values)) as jl.Tensor)).toEqual(values.map((a) => wrap(a * 2n)));
  });
});

test("promotion is NumPy's where PyTorch has none", () => {
  const table = {
    uint16: "uint8:uint16 int8:int32 int16:int32 int32:int32 int64:int64 uint32:uint32 uint64:uint64",
    uint32: "uint8:uint32 int8:int64 int16:int64 int32:int64 int64:int64 uint16:uint32 uint64:uint64",
    uint64: "uint8:uint64 int8:float64 int16:float64 int32:float64 int64:float64 uint16:uint64 uint32:uint64",
  };
  for (const [a, row] of Object.entries(table)) {
    for (const [b, out] of `${row} bool:${a} float16:float16 float32:float32 complex64:complex64`
      .split(" ")
      .map((pair) => pair.split(":"))) {
      expect(jl.promoteTypes(a as jl.DTypeName, b as jl.DTypeName), `${a} ${b}`).toBe(out);
      expect(jl.promoteTypes(b as jl.DTypeName, a as jl.DTypeName), `${b} ${a}`).toBe(out);
    }
  }
});

describe("numbers that the dtype cannot hold", () => {
  const u = () => jl.tensor([2, 255], { dtype: "uint8" });
  const i = () => jl.tensor([2, 3], { dtype: "int32" });
  const wide = () => jl.tensor([2n ** 64n - 1n], { dtype: "uint64" });
  test.each<[string, () => jl.Tensor, string, unknown[]]>([
    ["uint8.gt(300)", () => u().gt(300), "bool", [false, false]],
    ["uint8.ge(-1)", () => u().ge(-1), "bool", [true, true]],
    ["-1 < uint8", () => jl.lt(-1, u()), "bool", [true, true]],
    ["uint8.add(300)", () => u().add(300), "uint8", [46, 43]],
    ["uint8.add_(300)", () => u().add_(300), "uint8", [46, 43]],
    ["uint8.mul(-1)", () => u().mul(-1), "uint8", [254, 1]],
    ["int32.eq(1e10)", () => i().eq(1e10), "bool", [false, false]],
    ["int32.add(1e10)", () => i().add(1e10), "float32", [1e10, 1e10]],
    ["int32.add(10n ** 10n)", () => i().add(10n ** 10n), "int32", [1410065410, 1410065411]],
    ["int32.div(1e10)", () => i().div(1e10), "float32", [Math.fround(2e-10), Math.fround(3e-10)]],
    ["uint64.gt(-1)", () => wide().gt(-1), "bool", [true]],
    ["uint64.lt(2n ** 64n)", () => wide().lt(2n ** 64n), "bool", [true]],
  ])("%s", (_, run, dtype, want) => {
    const got = run();
    expect(got.dtype.name).toBe(dtype);
    expect(got.toArray()).toEqual(want);
  });
  test("are refused where they are written", () => {
    for (const run of [
      () => u().fill_(300),
      () => jl.full([2], 300, { dtype: "uint8" }),
      () => u().clamp(-5, 300),
    ])
      expect(run).toThrow("does not fit into uint8");
  });
});
