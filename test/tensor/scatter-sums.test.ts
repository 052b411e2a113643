// Writes by index that add, multiply or average: every element is rounded once, whatever way a device takes.
import { beforeAll, describe, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { useAnyDevice } from "../support/device.js";

beforeAll(useAnyDevice);

type Write = (target: jl.Tensor, index: jl.Tensor, source: jl.Tensor) => jl.Tensor;

const column = (x: jl.Tensor) => x.unsqueeze(1);
const writes: Record<string, Write> = {
  scatterAdd: (x, i, s) => x.scatterAdd(0, i, s),
  scatterAdd_: (x, i, s) => x.scatterAdd_(0, i, s),
  scatterReduce: (x, i, s) => x.scatterReduce(0, i, s, "sum"),
  indexAdd: (x, i, s) => x.indexAdd(0, i, s),
  indexAdd_: (x, i, s) => x.indexAdd_(0, i, s),
  indexPut_: (x, i, s) => x.indexPut_([i], s, { accumulate: true }),
  "indexAdd_ of rows": (x, i, s) =>
    column(x).expand(-1, 5).clone().indexAdd_(0, i, column(s).expand(-1, 5)).at(":, 3"),
};

// Where a sum in the dtype itself stays: 256 + 1 and 2^24 + 1.
const first = { bfloat16: 256, float16: 2048, float32: 2 ** 24 } as const;
const count = 700;
const targets = { "a small target": 3, "few values of a large one": 2 ** 15 };
// The other functions are the same write.
const ofHalves = ["scatterAdd", "indexAdd_ of rows"];

describe.each(Object.keys(first) as (keyof typeof first)[])("of %s", (dtype) => {
  describe.each(Object.entries(targets))("into %s", (_, size) => {
    const tested = Object.entries(writes).filter(([name]) => dtype === "float32" || ofHalves.includes(name));
    test.each(tested)("%s", (name, write) => {
      const index = jl.full([count], size - 2, { dtype: "int64" });
      const source = jl.ones([count], { dtype });
      const target = () => jl.zeros([size], { dtype }).fill_(first[dtype]);
      const wanted = jl.tensor([first[dtype] + count], { dtype }).item();
      const got = write(target(), index, source);
      expect([got.at(size - 2).item(), got.at(0).item()]).toEqual([wanted, first[dtype]]);
      if (!ofHalves.includes(name)) return;
      const compiled = jl.compile((x: jl.Tensor) => write(x.add(0), index, source).mul(1));
      expect(compiled(target()).data()).toEqual(got.data());
    });
  });
});

test("products are rounded once", () => {
  const factors = jl.full([4], 1 + 2 ** -20);
  const exact = Math.fround((1 + 2 ** -20) ** 4);
  expect(
    jl
      .ones([2])
      .scatterReduce(0, jl.zeros([4], { dtype: "int64" }), factors, "prod")
      .at(0)
      .item(),
  ).toBe(exact);
});

describe("means", () => {
  const zeros = (length: number) => jl.zeros([length], { dtype: "int64" });
  const mean = (x: jl.Tensor, s: jl.Tensor, includeSelf: boolean) =>
    x.scatterReduce(0, zeros(s.size), s, "mean", { includeSelf }).toArray().map(Number);
  test.each([
    "uint8",
    "int8",
    "int16",
    "int32",
    "int64",
    "bfloat16",
    "float16",
    "float32",
    "float64",
  ] as const)("of many ones in %s", (dtype) => {
    const ones = jl.ones([256], { dtype });
    const start = jl.tensor([3, 5], { dtype });
    expect(mean(start, ones, false)).toEqual([1, 5]);
    const floats = dtype.includes("float");
    const all = jl.tensor([259 / 257], { dtype: floats ? dtype : "float64" }).item() as number;
    expect(mean(start, ones, true)).toEqual([floats ? all : 1, 5]);
  });
  test("of integers are rounded down, and a compiled function's are the same", () => {
    const values = jl.tensor([-3, -4, 100, 120, 127], { dtype: "int8" });
    const index = jl.tensor([0n, 0n, 1n, 1n, 1n]);
    const f = (x: jl.Tensor) => x.scatterReduce(0, index, values, "mean", { includeSelf: false });
    const start = jl.tensor([9, 9, 9], { dtype: "int8" });
    expect(f(start).toArray()).toEqual([-4, 115, 9]);
    expect(jl.compile(f)(start).toArray()).toEqual([-4, 115, 9]);
  });
});

test("bincount adds weights of float32 in float64", () => {
  const weights = jl.ones([1001]).set(0, 2 ** 24);
  const bins = jl.zeros([1001], { dtype: "int64" }).bincount({ weights });
  expect([bins.dtype.name, bins.item()]).toEqual(["float32", 2 ** 24 + 1000]);
});
