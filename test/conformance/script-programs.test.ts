// jl.jit of functions inside compiled functions: they share kernels with the operations around them, and every result has the bits
// of the separate calls.
import { beforeAll, describe, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { sendTo } from "../../dist/runtime/launch/sink.js";
import { Collector } from "../../dist/runtime/program/schedule/collect.js";
import { elementBits } from "../support/element-bits.js";
import { casesOn, everyDevice } from "../support/every-device.js";
import { corpus, use } from "../support/script-corpus.js";

type Call = (...args: jl.Tensor[]) => jl.Tensor;

const values: Partial<Record<jl.DTypeName, readonly (readonly number[])[]>> = {
  float32: [
    [-7.5, -3, -2.5, -1, -0.5, -0, 0.125, 0.5, 1, 1.5, 2, 3.25],
    [-2, 3, 0, 1, -1.5, 7, -0.25, 2, 1, -8, 2.5, 4],
  ],
  int32: [
    [-7, 0, 3, 12, 100, -1],
    [2, 5, 3, -4, 7, 1],
  ],
};
const dtypes = Object.keys(values) as jl.DTypeName[];

const bodies = Object.entries(corpus).flatMap(([name, { fn, integers, except = [] }]) => {
  const f = jl.jit(fn, { use, name }) as unknown as Call;
  // Two calls of it among operations, and one of them beside another use of its result.
  const body: Call = (x, y) => {
    const first = f(...[x.add(1), y].slice(0, fn.length));
    return first.add(f(...[y, x.mul(2)].slice(0, fn.length)).mul(3));
  };
  const suits = dtypes.filter((dtype) => !except.includes(dtype) && (integers || dtype !== "int32"));
  return suits.map((dtype) => ({ name, dtype, body, compiled: jl.compile(body) as Call }));
});

describe.each(everyDevice)("on %s", (device) => {
  const cases = casesOn(device, bodies);
  const args = (dtype: jl.DTypeName) =>
    (values[dtype] ?? []).map((list) => jl.tensor([...list], { dtype, device }));

  // Compiled together beforehand: one by one the kernels take most of the time.
  beforeAll(() => {
    const collector = new Collector();
    sendTo(collector);
    try {
      for (const { body, compiled, dtype } of cases) {
        body(...args(dtype));
        compiled(...args(dtype));
      }
    } finally {
      sendTo(undefined);
    }
    collector.compile((error) => {
      throw error;
    });
  }, 600_000);

  test.each(cases)(
    "$name in $dtype has the bits of separate calls, in one kernel",
    ({ dtype, body, compiled }) => {
      const given = args(dtype);
      const { value, launches } = jl.record(() => compiled(...given));
      expect(launches.map(({ op }) => op)).toEqual([expect.stringContaining("fused_")]);
      expect(elementBits(value)).toEqual(elementBits(body(...given)));
    },
  );

  test("halves are rounded where the separate calls round them", () => {
    const call = (name: string) => jl.jit(corpus[name]?.fn as never, { use, name }) as unknown as Call;
    const [polynomial, swish, distance] = ["polynomial", "swish", "distance"].map(call) as [Call, Call, Call];
    const body: Call = (x, y) => distance(swish(polynomial(x.mul(0.3))), polynomial(y)).sub(x);
    for (const dtype of ["float16", "bfloat16"] as const) {
      const [x, y] = [jl.rand([1000], { device }).to(dtype), jl.rand([1000], { device }).to(dtype)];
      const { value, launches } = jl.record(() => jl.compile(body)(x, y));
      expect(launches).toHaveLength(1);
      expect(elementBits(value)).toEqual(elementBits(body(x, y)));
    }
  }, 120_000);
});
