// Half types through the library, on the device of JITLAB_TEST_DEVICE: of every operation of one argument, for every one of
// the 65536 numbers of float16 and of bfloat16, the result is that of float32, rounded once. On a GPU some functions have a form
// for half types: the result is that of float64, or hardly further from it than half a unit.
import { beforeAll, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { device } from "../support/device.js";
import { dtypes, ops, planOf, roundTo } from "../support/functor-harness.js";
import { floorOf, type Half, halfError, halves, numbersOf } from "../support/half-error.js";
import { type Call, compileCalls } from "./kernels.js";

/** Operations of one argument that compute a half type in float32; a few know the half type's own numbers. */
const named = Object.keys(ops).filter((name) => {
  const op = ops[name];
  const plan = op?.arity === 1 ? planOf(op, dtypes.float16) : undefined;
  return (
    plan &&
    !("refuse" in plan) &&
    plan.compute.name === "float16" &&
    plan.out.name === "float16" &&
    !op?.overrides?.float16
  );
});

/** Units of the half type that a result of a form for half types may be off: half of one from its rounding, the rest from before. */
const allowed = 0.51;
const hasForm = (name: string) => device === "cuda" && ops[name]?.halves !== undefined;

function callOf(name: string, dtype: Half | "float32" | "float64", values: Float32Array): Call {
  const on = { dtype, device };
  return { name, operands: [jl.tensor(values, on)], out: jl.empty([values.length], on) };
}
function resultOf({ name, operands, out }: Call): number[] {
  (jl as unknown as Record<string, (...args: unknown[]) => jl.Tensor>)[name]?.(...operands, { out });
  return out.toArray() as number[];
}

beforeAll(() => {
  const few = new Float32Array(65536);
  compileCalls(
    named.flatMap((name) =>
      ["float32" as const, ...halves, ...(hasForm(name) ? ["float64" as const] : [])].map((dtype) =>
        callOf(name, dtype, few),
      ),
    ),
  );
});

test("nearly all operations of one argument are among these", () => {
  expect(named.length).toBeGreaterThan(75);
  expect(named).toContain("digamma");
});

test.each(halves.flatMap((half) => named.map((name) => [name, half] as const)))(
  `%s in %s on ${device}`,
  (name, half) => {
    const values = numbersOf(half);
    const wanted = resultOf(callOf(name, "float32", values)).map((x) => roundTo(dtypes[half], x));
    const got = resultOf(callOf(name, half, values));
    const exact = hasForm(name) ? resultOf(callOf(name, "float64", values)) : undefined;
    const isRight = (x: number, i: number) =>
      exact === undefined
        ? Object.is(x, wanted[i])
        : halfError(half, values[i] as number, x, exact[i] as number, floorOf(name)) <= allowed;
    const wrong = got.findIndex((x, i) => !isRight(x, i));
    expect(wrong < 0 ? "" : `${name}(${values[wrong]}) is ${got[wrong]} instead of ${wanted[wrong]}`).toBe(
      "",
    );
  },
);
