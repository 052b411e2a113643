// The bits of a result do not depend on where an element stands and on what stands beside it: every operation over a whole
// tensor and over pieces of it, in dtypes whose vector loops differ.
import { beforeAll, describe, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import type { Op } from "../../runtime/ops/op.js";
import { useDevice } from "../support/device.js";
import { elementBits } from "../support/element-bits.js";
import { type AnyCall, compileCalls } from "./kernels.js";

beforeAll(useDevice);

// Vector loops take up to 64 elements at once, and what remains goes through shorter ones.
const count = 67;
const pieces = [1, 2, 3, 5, 24];
const functions = jl as unknown as Record<string, (...args: jl.Tensor[]) => jl.Tensor>;

interface WholeCall extends AnyCall {
  readonly operands: readonly jl.Tensor[];
}

/** Operands whose products are inexact; those that count are small. */
function operands(arity: number, dtype: jl.DTypeName): jl.Tensor[] {
  return Array.from({ length: arity }, (_, k) => {
    const part = (seed: number) =>
      jl.tensor(
        Float64Array.from({ length: count }, (_, i) => 0.1 + Math.abs(Math.sin(i * 12.9898 + seed) * 0.8)),
      );
    return jl.complex(part(k), part(k + 7)).to(dtype);
  });
}

/** The calls of every operation that takes a dtype. */
function callsOf(dtype: jl.DTypeName): WholeCall[] {
  return Object.entries(jl.ops as Readonly<Record<string, Op>>).flatMap(([name, { arity }]) => {
    const call = { name, operands: operands(arity, dtype) };
    try {
      jl.explain(functions[name] as never, ...(call.operands as never[]));
      return [call];
    } catch (error) {
      if ((error as jl.JitlabError).code === "dtype-refused") return [];
      throw error;
    }
  });
}

describe.each(["complex64", "complex128", "float32", "float64", "float16", "bfloat16"] as const)(
  "%s",
  (dtype) => {
    test("every operation", { timeout: 600_000 }, () => {
      const calls = callsOf(dtype);
      expect(calls.length).toBeGreaterThan(30);
      compileCalls(calls);
      for (const { name, operands: whole } of calls) {
        const apply = functions[name] as (...args: jl.Tensor[]) => jl.Tensor;
        const expected = elementBits(apply(...whole));
        for (const size of pieces) {
          const from = count - 2 * size;
          const part = apply(...whole.map((x) => x.narrow(0, from, size)));
          expect(elementBits(part), `${name} of ${size}`).toEqual(expected.slice(from, from + size));
        }
      }
    });
  },
);
