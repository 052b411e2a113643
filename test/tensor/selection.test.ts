// The few first elements and the middle of long rows, which are found without sorting, beside the sorted rows.
import { beforeAll, describe, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { useAnyDevice } from "../support/device.js";

beforeAll(useAnyDevice);

/** Rows with many equal elements, both zeros, infinities and NaN. */
function rowsOf(dtype: jl.DTypeName, rows: number, length: number): jl.Tensor {
  const drawn = jl.randint(0, 200, [rows, length]).to(dtype);
  if (!dtype.startsWith("float")) return drawn;
  const special = [Number.NaN, -0, 0, Infinity, -Infinity, -1.5];
  return special.reduce((x: jl.Tensor, value, i) => x.maskedFill(x.eq(i + 20), value), drawn);
}

describe.each(["float32", "float16", "float64", "int32", "uint8", "int64"] as const)("%s", (dtype) => {
  test.each([
    [3, 1024, 10],
    [2, 40_000, 100],
    [1, 70_001, 1],
    [2, 3000, 128],
    [1, 40_000, 200],
  ])("topk: %i rows of %i, the first %i", (rows, length, k) => {
    const x = rowsOf(dtype, rows, length);
    for (const largest of [true, false]) {
      const all = x.sort(1, { descending: largest });
      const { values, indices } = x.topk(k, 1, { largest });
      expect(indices.equal(all.indices.narrow(1, 0, k))).toBe(true);
      expect(values.shape).toEqual([rows, k]);
      expect(x.gather(1, indices).toArray()).toEqual(values.toArray());
    }
  });

  test.each([8192, 20_001])("median of %i", (length) => {
    const x = rowsOf(dtype, 1, length).reshape(-1);
    const isFloat = dtype.startsWith("float");
    const clean = isFloat ? x.isnan().where(-7, x).to(dtype) : x;
    const { values } = clean.sort();
    expect(clean.median().item()).toEqual(values.at(Math.floor((length - 1) / 2)).item());
    expect((clean as any).median(undefined, { keepdim: true }).shape).toEqual([1]);
    if (!isFloat) return;
    expect(x.median().item()).toBeNaN();
    const numbers = x.maskedSelect(x.isnan().logicalNot()).sort().values;
    const middle = numbers.at(Math.floor((numbers.size - 1) / 2)).item() as number;
    expect(x.nanmedian().item()).toBe(middle + 0);
  });
});

test("topk of a column, of a view with steps and of ordered rows", () => {
  const x = jl.arange(6000).reshape(2000, 3).to("float32");
  expect(x.topk(2, 0).indices.toArray()).toEqual([
    [1999n, 1999n, 1999n],
    [1998n, 1998n, 1998n],
  ]);
  expect(x.slice("::-2, 1").topk(3).values.toArray()).toEqual([5998, 5992, 5986]);
  expect(jl.arange(5000).topk(3).indices.toArray()).toEqual([4999n, 4998n, 4997n]);
});

test("bincount and histc of more parts than one, and of more bins than elements of a part", () => {
  const x = jl.randint(0, 1000, [50_000]);
  const counts = new Array(5000).fill(0n);
  for (const value of x.data()) counts[Number(value)] += 1n;
  expect(x.bincount({ minlength: 5000 }).toArray()).toEqual(counts);
  const halves = x.bincount({ weights: jl.full([50_000], 0.5), minlength: 5000 });
  expect(halves.toArray()).toEqual(counts.map((count) => Number(count) / 2));
  expect(x.to("float32").histc(1024, 0, 1024).toArray()).toEqual(counts.slice(0, 1024).map(Number));
});

test("nonzero of vectors and matrices, with runs of both kinds", () => {
  const x = jl.rand([3000]).gt(0.5).logicalAnd(jl.arange(3000).remainder(700).lt(400));
  const places = [...x.data().entries()].filter(([, value]) => value).map(([place]) => BigInt(place));
  expect(x.nonzero().toArray()).toEqual(places.map((place) => [place]));
  expect(x.nonzero({ asTuple: true })[0]?.toArray()).toEqual(places);
  expect(x.reshape(30, 100).nonzero().toArray()).toEqual(places.map((place) => [place / 100n, place % 100n]));
  expect(jl.zeros([3000]).nonzero().shape).toEqual([0, 1]);
  expect(jl.ones([3000]).nonzero().size).toBe(3000);
});

test.each(["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64"] as const)(
  "a product of %s matrices wraps around",
  (dtype) => {
    const [a, b] = [jl.randint(0, 120, [37, 300]).to(dtype), jl.randint(0, 120, [300, 41]).to(dtype)];
    const large = dtype.endsWith("32") ? 60_000_000 : 1;
    const product = a.mul(large).matmul(b);
    expect(product.dtype.name).toBe(dtype);
    const wide = (x: jl.Tensor) =>
      x.toArray().map((row: unknown[]) => row.map((value) => BigInt(value as number)));
    const [left, right] = [wide(a.mul(large)), wide(b)];
    const bits = 8 * a.dtype.bytes;
    const wrap = dtype.startsWith("u") ? BigInt.asUintN : BigInt.asIntN;
    const wanted = left.map((row: bigint[]) =>
      Array.from({ length: 41 }, (_, c) =>
        wrap(
          bits,
          row.reduce((sum, value, k) => sum + value * (right[k]?.[c] as bigint), 0n),
        ),
      ),
    );
    expect(wide(product)).toEqual(wanted);
  },
);
