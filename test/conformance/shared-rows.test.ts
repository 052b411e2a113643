// Reductions of one tensor, compiled: the bits of the separate calls, and one kernel that reads the tensor once.
import { beforeAll, describe, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { device, useDevice } from "../support/device.js";
import { jointPrograms } from "../support/joint-programs.js";
import { ownRowPrograms } from "../support/own-row-programs.js";
import { rounding as filled, shown } from "../support/shown.js";

beforeAll(useDevice);

type T = jl.Tensor;

const isGpu = device.startsWith("cuda");

const last = { dim: -1, keepdim: true } as const;

interface Case {
  readonly kernels: number;
  readonly body: (x: T, y: T) => readonly T[];
}

const cases: Readonly<Record<string, Case>> = {
  "a sum and a maximum": { kernels: 1, body: (x) => [x.sum(-1), x.max(-1)] },
  "a mean and a variance": { kernels: 1, body: (x) => [x.mean(-1), x.var(-1)] },
  "values and their indexes": {
    kernels: 1,
    body: (x) => {
      const { values, indices } = x.max(1, { indices: true });
      return [values, indices];
    },
  },
  "the smallest and the largest": { kernels: 1, body: (x) => Object.values(x.aminmax({ dim: -1 })) },
  "a difference of two reductions": { kernels: 1, body: (x) => [x.max(-1).sub(x.min(-1))] },
  "reductions of what is computed from one tensor": {
    kernels: 1,
    body: (x, y) => [x.sum(-1), x.mul(y).sum(-1), x.abs().max(last)],
  },
  "rows scaled to one range": {
    kernels: 1,
    body: (x) => {
      const [low, high] = [x.min(last), x.max(last)];
      return [x.sub(low).div(high.sub(low)), x.mean(-1)];
    },
  },
  // Nothing is saved by one kernel for two tensors.
  "reductions of two tensors": { kernels: 2, body: (x, y) => [x.sum(-1), y.sum(-1)] },
  "reductions over other dimensions": { kernels: 2, body: (x) => [x.sum(-1), x.max(0)] },
  "a reduction that needs the result of another kernel": {
    kernels: 3,
    body: (x) => [x.sum(-1), x.sub(x.max(0)).max(-1)],
  },
};

describe.each(["float32", "float16"] as const)("%s", (dtype) => {
  test.each(Object.entries(cases))("%s", (_, { body, kernels }) => {
    const f = jl.compile(body);
    for (const shape of [
      [40, 300],
      [7, 1030],
    ]) {
      const [x, y] = [filled(shape, dtype), filled(shape, dtype).neg()];
      const want = shown(body(x, y));
      expect(shown(f(x, y))).toEqual(want);
      expect(shown(f(x, y))).toEqual(want);
      expect(f.program()?.kernels).toHaveLength(kernels);
    }
  });
});

// Longer than a row of any kernel, and in parts of which the last one is not whole.
describe("reductions of everything, or of few long rows", () => {
  const [x, y] = [filled([3, 20_000], "float32"), filled([3, 20_000], "float32").neg()];
  const whole = Object.entries(jointPrograms);

  test.each(whole)("%s", (_, { body, kernels, isSharable }) => {
    const passes = jl.explain(jl.compile(body), x, y).map(({ variant }) => variant);
    const inParts = isGpu && isSharable ? 0 : kernels;
    expect(passes.filter((variant) => variant.includes("in parts"))).toHaveLength(inParts);
  });

  // A C++ compiler takes seconds for all of them.
  test.each(whole.slice(isGpu ? 0 : -2))("%s: the bits of the separate calls", (_, { body }) => {
    expect(shown(jl.compile(body)(x, y))).toEqual(shown(body(x, y)));
  });

  test("of half types, along rows, with a write between them", () => {
    const written = (z: T) => {
      const before = z.max(-1);
      z.narrow(1, 5, 1).fill_(7);
      return [before, z.sum(last), z.max(-1)];
    };
    const [a, b] = [filled([3, 40_000], "float16"), filled([3, 40_000], "float16")];
    expect(shown(jl.compile(written)(a))).toEqual(shown(written(b)));
  });
});

test("a tensor that is written between two reductions", () => {
  const body = (x: T) => {
    const before = x.sum(-1);
    x.narrow(0, 0, 1).fill_(7);
    return [before, x.max(-1), x.mean(-1), x];
  };
  expect(shown(jl.compile(body)(filled([4, 50], "float32")))).toEqual(
    shown(body(filled([4, 50], "float32"))),
  );
});

test("a reduction that is asked for twice is computed once and stored twice", () => {
  const x = filled([4, 50], "float32");
  const f = jl.compile((y: T) => [y.sum(-1), y.sum(last)]);
  expect(shown(f(x))).toEqual(shown([x.sum(-1), x.sum(last)]));
  const [kernel] = jl.explain(f, x);
  expect(kernel?.source.match(/namespace of_x/g)).toHaveLength(1);
});

describe.each(["float32", "float16", "float64"] as const)("reductions of one's own, %s", (dtype) => {
  test.each(Object.entries(ownRowPrograms))("%s", (_, body) => {
    const f = jl.compile(body);
    for (const shape of [
      [40, 300],
      [7, 1030],
      [300, 5],
    ]) {
      const x = filled(shape, dtype);
      expect(shown([f(x)].flat())).toEqual(shown([body(x)].flat()));
      expect(f.program()?.kernels).toHaveLength(1);
    }
  });
});

test("a reduction whose text has lines for the preprocessor has a kernel of its own", () => {
  const doubled = jl.reduction("template <typename T> T added(T a, T b) { return a + b; }", {
    identity: 0,
    map: "#define TWICE 2\ntemplate <typename T> T doubled(T x) { return x * TWICE; }",
  });
  const body = (x: T) => x.mul(doubled(x, last));
  const f = jl.compile(body);
  const x = filled([40, 300], "float32");
  expect(shown([f(x)])).toEqual(shown([body(x)]));
  expect(f.program()?.kernels).toHaveLength(2);
});
