// Tensors as the scripts that ask PyTorch write them: `{ dtype, shape, values }`, complex elements as pairs.
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { expect } from "vitest";
import * as jl from "../../dist/runtime/index.js";

/** A written tensor. */
export interface Written {
  readonly dtype: jl.DTypeName;
  readonly shape: readonly number[];
  readonly values: readonly (number | string | readonly [number | string, number | string])[];
}

/** The data of a file in test/data. */
export function writtenData<T>(name: string): T {
  return JSON.parse(gunzipSync(readFileSync(new URL(`../data/${name}`, import.meta.url))).toString()) as T;
}

/** The tensor of a written one. */
export function tensorOf({ values, dtype, shape }: Written): jl.Tensor {
  const elements = values.map((value) =>
    typeof value === "object" ? { re: Number(value[0]), im: Number(value[1]) } : Number(value),
  );
  return jl.tensor(elements, { dtype }).reshape([...shape]);
}

/** Compares a result with PyTorch's: within `error` of the largest element, and equal where that is not finite. */
export function expectWritten(result: jl.Tensor, wanted: Written, error: number, what = ""): void {
  expect(result.shape, what).toEqual(wanted.shape);
  const numbers = [...result.data()].map(Number);
  const want = wanted.values.flat().map(Number);
  const size = Math.max(1e-30, ...want.filter(Number.isFinite).map(Math.abs));
  for (const [i, number] of numbers.entries()) {
    const expected = want[i] as number;
    const told = `${what}[${i}]: ${number}, not ${expected}`;
    if (Number.isFinite(expected))
      expect(Math.abs(number - expected), told).toBeLessThanOrEqual(error * size);
    else expect(number, told).toBe(expected);
  }
}

/** The distance of 1 from the next number of a dtype. */
export function epsilonOf(dtype: string): number {
  return dtype === "float32" || dtype === "complex64" ? 2 ** -23 : 2 ** -52;
}
