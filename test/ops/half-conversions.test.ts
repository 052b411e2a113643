// Casts to and from the half types: every half, and of floats the halves, the points half way between two of them, and the
// neighbors of both; by separate casts, and between the steps of one kernel.
import { beforeAll, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { fromBfloat16, fromFloat16, toBfloat16, toFloat16 } from "../../runtime/base/half.js";
import { useDevice } from "../support/device.js";
import { type Half, halves, numbersOf } from "../support/half-error.js";

beforeAll(useDevice);

const rounded: Readonly<Record<Half, (x: number) => number>> = {
  float16: (x) => fromFloat16(toFloat16(x)),
  bfloat16: (x) => fromBfloat16(toBfloat16(x)),
};

/** Every half, the points half way to its neighbor, and the floats beside both. */
function floatsAround(half: Half): Float32Array {
  const all = numbersOf(half);
  const centers = all.map((x, i) => (x + (all[i + 1] ?? 0)) / 2);
  const bits = new Uint32Array(Float32Array.from([...all, ...centers]).buffer);
  const near = Uint32Array.from([...bits].flatMap((word) => [word, word + 1, word - 1]));
  return new Float32Array(near.buffer);
}

function expectSame(got: jl.Tensor, want: ArrayLike<number>): void {
  const values = got.toArray() as number[];
  expect(values).toHaveLength(want.length);
  expect(values.findIndex((value, i) => !Object.is(value, want[i]))).toBe(-1);
}

test.each(halves)("every %s is the float that it was", (half) => {
  const bits = Uint16Array.from({ length: 65536 }, (_, i) => i);
  const x = jl.fromTypedArray(bits, { dtype: half });
  expectSame(x.to("float32"), numbersOf(half));
  expectSame(
    jl.compile((y: jl.Tensor) => y.to("float32").neg())(x),
    numbersOf(half).map((value) => -value),
  );
});

test.each(halves)("floats become the nearest %s, the even one of two", (half) => {
  const floats = floatsAround(half);
  const want = Array.from(floats, rounded[half]);
  const x = jl.fromTypedArray(floats);
  expectSame(x.to(half).to("float32"), want);
  const within = jl.compile((y: jl.Tensor) => {
    const low = y.to(half);
    return { low, wide: low.to("float32"), isZero: low.to("bool").logicalNot() };
  });
  const { low, wide, isZero } = within(x);
  expectSame(low.to("float32"), want);
  expectSame(wide, want);
  expect(isZero.toArray()).toEqual(want.map((value) => value === 0));
});

test("a step takes halves of both types, from memory and from the step before", () => {
  const x = jl.fromTypedArray(floatsAround("float16"));
  const [low, coarse] = [x.to("float16"), x.to("bfloat16")];
  const body = (y: jl.Tensor, half: jl.Tensor, other: jl.Tensor) => ({
    between: y.to("float16").to("bfloat16").to("float16"),
    read: other.to("float16").add(half.to("bfloat16")),
    sum: half.add(other.to("float16")).view(-1, 2).sum(1),
  });
  const [want, got] = [body(x, low, coarse), jl.compile(body)(x, low, coarse)];
  for (const name of ["between", "read", "sum"] as const) {
    expectSame(got[name].to("float32"), want[name].to("float32").toArray() as number[]);
  }
});
