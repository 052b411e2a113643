// Statistics of large tensors: the bits of their separate operations, in few kernels.
import { beforeAll, describe, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { useAnyDevice } from "../support/device.js";
import { drawn } from "../support/draw.js";
import { type Results, rounding, shown } from "../support/shown.js";

beforeAll(useAnyDevice);

type T = jl.Tensor;

const rows = 1024;
const columns = 1030;

/** A matrix of more than 2^20 values. */
const large = (dtype: jl.DTypeName): T => rounding([rows, columns], dtype);

/** Each function along rows, and how many kernels it takes there. */
const functions: Readonly<Record<string, (x: T, dim: number | undefined) => Results>> = {
  softmax: (x, dim = 0) => x.softmax(dim),
  logSoftmax: (x, dim = 0) => x.logSoftmax(dim),
  logsumexp: (x, dim) => x.logsumexp({ dim }),
  var: (x, dim) => x.var({ dim }),
  std: (x, dim) => x.std({ dim, correction: 0 }),
  varMean: (x, dim) => x.varMean({ dim }),
  stdMean: (x, dim) => x.stdMean({ dim, keepdim: true }),
  norm: (x, dim) => x.norm({ dim }),
  nansum: (x, dim) => x.nansum({ dim }),
  nanmean: (x, dim) => x.nanmean({ dim }),
  countNonzero: (x, dim) => x.countNonzero(dim),
  "max with indices": (x, dim = 0) => ({ ...x.max(dim, { indices: true }) }),
};

describe.each(["float32", "float16"] as const)("%s", (dtype) => {
  test.each(drawn(Object.entries(functions), 4))("%s", { timeout: 60_000 }, (_, body) => {
    const x = large(dtype);
    const steps = jl.compile(body, { backend: "steps" });
    for (const dim of [-1, 0, undefined]) expect(shown(body(x, dim))).toEqual(shown(steps(x, dim)));
    const { launches } = jl.record(() => body(x, -1));
    expect(launches).toHaveLength(1);
  });
});

test("equal stores no comparisons", () => {
  const [x, y] = [large("float32"), large("float32")];
  y.narrow(0, 1023, 1).narrow(1, 1029, 1).add_(1e-3);
  for (const other of [x, large("float32"), y]) {
    expect(x.equal(other)).toBe(other !== y);
    const { launches } = jl.record(() => x.equal(other));
    // The parts of a long reduction are joined by a second launch.
    expect(launches.map(({ op }) => op)).toEqual(["fused_eq_all", "all"]);
  }
});

test("a compiled function takes the operations into its own kernels", () => {
  const x = large("float32");
  const f = jl.compile((y: T) => y.mul(2).softmax(-1).add(1));
  expect(shown(f(x))).toEqual(shown(x.mul(2).softmax(-1).add(1)));
  expect(f.program()?.kernels).toHaveLength(1);
});

const liveBytes = () => jl.memory.stats().reduce((sum, one) => sum + one.liveBytes, 0);

test("a later write into the tensor copies nothing", () => {
  const x = large("float32");
  for (const body of Object.values(functions)) {
    const result = body(x, -1);
    const before = liveBytes();
    x.add_(1);
    expect(liveBytes()).toBeLessThanOrEqual(before);
    expect(result).toBeDefined();
  }
});

test("refusals leave nothing deferred", () => {
  const x = jl.ones([rows, columns], { dtype: "int32" });
  expect(() => x.softmax(-1)).toThrow(/softmax does not take int32/);
  expect(() => large("float32").softmax(7)).toThrow(/dimension 7/);
  const { launches } = jl.record(() => x.add(1));
  expect(launches).toHaveLength(1);
});
