// Columns and tables of the real apache-arrow as tensors, and back.
import * as arrow from "apache-arrow";
import { beforeAll, describe, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { useAnyDevice } from "../support/device.js";
import { refusal } from "../support/refusal.js";

beforeAll(useAnyDevice);

const types: readonly (readonly [jl.DTypeName, arrow.DataType, readonly unknown[]])[] = [
  ["bool", new arrow.Bool(), [true, false, true, true, false, true, true, false, true]],
  ["uint8", new arrow.Uint8(), [0, 255]],
  ["uint16", new arrow.Uint16(), [0, 65535]],
  ["uint32", new arrow.Uint32(), [0, 4294967295]],
  ["uint64", new arrow.Uint64(), [0n, 2n ** 64n - 1n]],
  ["int8", new arrow.Int8(), [-128, 127]],
  ["int16", new arrow.Int16(), [-32768, 32767]],
  ["int32", new arrow.Int32(), [-(2 ** 31), 2 ** 31 - 1]],
  ["int64", new arrow.Int64(), [-(2n ** 63n), 2n ** 63n - 1n]],
  ["float16", new arrow.Float16(), [1.5, -65504]],
  ["float32", new arrow.Float32(), [1.5, Number.NaN]],
  ["float64", new arrow.Float64(), [Math.PI, -Infinity]],
];

describe.each(types)("%s", (name, type, values) => {
  test("from a column", () => {
    const x = jl.fromArrow(arrow.vectorFromArray(values, type));
    expect(x.dtype.name).toBe(name);
    expect(x.toArray()).toEqual(values);
  });

  test("to a column and, through the bytes of a file, back", () => {
    const x = jl.tensor(values as number[], { dtype: name });
    const column = jl.toArrow(arrow, x);
    expect(String(column.type)).toBe(String(type));
    expect(column.nullCount).toBe(0);
    const table = arrow.tableFromIPC(arrow.tableToIPC(new arrow.Table({ x: column })));
    expect(jl.fromArrow(table).x?.toArray()).toEqual(values);
  });

  test("slices and chunks", () => {
    const column = arrow.vectorFromArray(values, type);
    const slice = column.slice(1);
    expect(jl.fromArrow(slice).toArray()).toEqual(values.slice(1));
    const chunked = slice.concat(column, arrow.vectorFromArray([], type));
    expect(chunked.data.length).toBeGreaterThan(1);
    const x = jl.fromArrow(chunked);
    expect(x.dtype.name).toBe(name);
    expect(x.toArray()).toEqual([...values.slice(1), ...values]);
  });
});

test("a table of columns", () => {
  const table = jl.toArrow(arrow, { price: jl.tensor([1.5, 2.5]), count: jl.tensor([3n, 4n]) });
  expect(table.toString()).toBe('[\n  {"price": 1.5, "count": 3},\n  {"price": 2.5, "count": 4}\n]');
  const { price, count } = jl.fromArrow(table);
  expect([price?.dtype.name, count?.dtype.name]).toEqual(["float32", "int64"]);
  expect(count?.toArray()).toEqual([3n, 4n]);
});

test("more dimensions are lists of one size", () => {
  const x = jl.arange(24).reshape(2, 3, 4);
  const column = jl.toArrow(arrow, x);
  expect(String(column.type)).toBe("FixedSizeList[3]<FixedSizeList[4]<Int32>>");
  expect(column.get(1)?.get(2)?.toArray()).toEqual(Int32Array.of(20, 21, 22, 23));
  expect(jl.fromArrow(column).toArray()).toEqual(x.toArray());
  expect(jl.fromArrow(column.slice(1)).toArray()).toEqual(x.slice("1:").toArray());
  expect(jl.fromArrow(jl.toArrow(arrow, x.gt(7))).toArray()).toEqual(x.gt(7).toArray());
  expect(jl.fromArrow(jl.toArrow(arrow, x.T)).toArray()).toEqual(x.T.toArray());
});

test("empty columns", () => {
  expect(jl.fromArrow(jl.toArrow(arrow, jl.zeros([0]))).shape).toEqual([0]);
  expect(jl.fromArrow(jl.toArrow(arrow, jl.zeros([0, 3]))).shape).toEqual([0, 3]);
});

test("what is refused", () => {
  const gaps = arrow.vectorFromArray([1, null, 3], new arrow.Int32());
  const texts = arrow.vectorFromArray(["a", "b"]);
  expect(refusal(() => jl.fromArrow(gaps))).toMatchInlineSnapshot(`
    "arrow-nulls: fromArrow: 1 of 3 elements are null, which a tensor cannot hold.
    Filter the rows, or fill the gaps first, such as jl.tensor(Float64Array.from(column, (value) => value ?? NaN))."
  `);
  expect(refusal(() => jl.fromArrow(new arrow.Table({ gaps })))).toMatchInlineSnapshot(`
    "arrow-nulls: fromArrow: column "gaps": 1 of 3 elements are null, which a tensor cannot hold.
    Filter the rows, or fill the gaps first, such as jl.tensor(Float64Array.from(column, (value) => value ?? NaN))."
  `);
  expect(refusal(() => jl.fromArrow(texts))).toMatchInlineSnapshot(`
    "arrow-type: fromArrow: no dtype holds elements of Dictionary<Int32, Utf8>.
    The types are Bool, Uint8, Uint16, Uint32, Uint64, Int8, Int16, Int32, Int64, Float16, Float32, Float64, and lists of one size of them; convert the column, or read its values with toArray()."
  `);
  expect(refusal(() => jl.fromArrow([1, 2] as any))).toMatchInlineSnapshot(`
    "bad-operand: fromArrow: [1, 2] is neither a column nor a table of Arrow.
    Pass a Vector or a Table of apache-arrow, such as table or table.getChild(name)."
  `);
  expect(refusal(() => jl.toArrow(arrow, jl.ones([2], { dtype: "bfloat16" })))).toMatchInlineSnapshot(`
    "arrow-type: toArrow: Arrow has no type for bfloat16.
    Convert the tensor first: x.to("float32")."
  `);
  expect(refusal(() => jl.toArrow(arrow, jl.tensor(1)))).toMatchInlineSnapshot(`
    "bad-dimension: toArrow: a 0-d tensor has no length.
    Give it a dimension with x.reshape(1)."
  `);
  expect(refusal(() => jl.toArrow(arrow, { x: jl.ones([2]), y: jl.ones([3]) }))).toMatchInlineSnapshot(`
    "shape-mismatch: toArrow: the columns have 2 and 3 elements.
    The columns of a table have one length."
  `);
  expect(refusal(() => jl.toArrow(arrow, { x: 5 } as any))).toMatchInlineSnapshot(`
    "bad-operand: toArrow: column "x": 5 is not a tensor.
    Make a tensor of an array with jl.tensor(...)."
  `);
  expect(refusal(() => jl.toArrow({} as any, jl.ones([2])))).toMatchInlineSnapshot(`
    "bad-argument: toArrow: an object of Object is not the library.
    Pass what \`import * as arrow from "apache-arrow"\` gives; \`npm install apache-arrow\` installs it."
  `);
});
