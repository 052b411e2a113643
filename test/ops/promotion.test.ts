// Promotion as PyTorch does it: every promote line of the golden file, through the public API and through real operations.
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { codeOf, commonDType } from "../../dist/runtime/functor/operand.js";
import * as jl from "../../dist/runtime/index.js";

interface Line {
  kind: string;
  a: string;
  b: string;
  scalar?: string;
  out: string;
}

const lines = gunzipSync(readFileSync(new URL("../data/golden.jsonl.gz", import.meta.url)))
  .toString()
  .trim()
  .split("\n")
  .map((text) => JSON.parse(text) as Line);
const ours = (line: Line) => [line.a, line.b, line.out].every((name) => name !== "complex32");
const promote = lines.filter((line) => line.kind === "promote" && ours(line));
const scalars = lines.filter((line) => line.kind === "promote_scalar" && ours(line));
const zeroDims = lines.filter((line) => line.kind === "promote_0dim" && ours(line));

/** Only shape and dtype matter to promotion. */
const stand = (dtype: string, shape: number[]) => ({
  pointer: 0,
  shape,
  dtype: jl.dtypes[dtype as jl.DTypeName],
});
const common = (...operands: unknown[]) =>
  commonDType(operands.map((operand) => codeOf(operand, "test"))).name;

const scalarOf: Record<string, jl.Scalar> = { bool: true, int: 2, float: 1.5, complex: { re: 1, im: 2 } };

describe("PyTorch's golden promotions", () => {
  test("the file has lines of every kind", () => {
    expect(promote.length).toBeGreaterThan(100);
    expect(scalars.length).toBeGreaterThan(40);
    expect(zeroDims.length).toBeGreaterThan(100);
  });
  test("of two dtypes", () => {
    for (const { a, b, out } of promote) {
      expect(jl.promoteTypes(a as jl.DTypeName, b as jl.DTypeName), `${a}, ${b}`).toBe(out);
      expect(jl.promoteTypes(b as jl.DTypeName, a as jl.DTypeName), `${b}, ${a}`).toBe(out);
    }
  });
  test("of a tensor and a host scalar", () => {
    for (const { a, scalar = "", out } of scalars) {
      const value = scalarOf[scalar];
      expect(value, scalar).toBeDefined();
      expect(common(stand(a, [3]), value), `${a}, scalar ${scalar}`).toBe(out);
    }
  });
  test("of a tensor and a 0-d tensor", () => {
    for (const { a, b, out } of zeroDims)
      expect(common(stand(a, [3]), stand(b, [])), `${a}, 0-d ${b}`).toBe(out);
  });
});

describe("host scalars are weak", () => {
  test.each([
    ["int32", 2, "int32"],
    ["int32", 2n, "int32"],
    ["int32", 2.5, "float32"],
    ["int32", -0, "float32"],
    ["int32", 2 ** 60, "float32"],
    ["float16", 2.5, "float16"],
    ["bool", 2, "int64"],
    ["uint8", true, "uint8"],
    ["float16", { re: 0, im: 1 }, "complex64"],
    ["float64", { re: 0, im: 1 }, "complex128"],
  ] as [string, jl.Scalar, string][])("%s with %s gives %s", (dtype, scalar, out) => {
    expect(common(stand(dtype, [2]), scalar)).toBe(out);
  });
  test("an integer that the dtype cannot hold is refused", () => {
    expect(() => jl.tensor([1], { dtype: "int8" }).fill_(300)).toThrowErrorMatchingInlineSnapshot(`
      [JitlabError: fill_: 300 does not fit into int8.
      Use a value that fits, or a tensor of a wider dtype: x.to("int64").]
    `);
  });
});
