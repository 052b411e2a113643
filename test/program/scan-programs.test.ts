// Scans in compiled functions: operations of their program, with the maps before and after them in their kernels.
import { beforeAll, describe, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { device, useAnyDevice } from "../support/device.js";
import { shown } from "../support/shown.js";

type Body = (x: jl.Tensor, row: jl.Tensor) => jl.Tensor | jl.Tensor[];

const table = (shape: readonly number[]) =>
  jl
    .arange(shape[0] as number)
    .view(-1, 1)
    .add(jl.arange(shape[1] as number).mul(0.37))
    .sin();
const rowOf = (x: jl.Tensor) => x.select(0, 0).add(2);
const ran = (call: () => void) => jl.record(call).launches.map(({ op }) => op.replace(/_block\d+/, ""));

describe("a scan in a compiled function", () => {
  beforeAll(useAnyDevice);

  // Each with the operations of the program's kernels.
  const cases: readonly (readonly [string, Body, readonly number[], readonly string[]])[] = [
    ["maps before it", (x, row) => x.sin().mul(row).cumsum(1), [20, 33], ["fused_sin_mul_cumsum"]],
    ["columns", (x, row) => x.mul(row).add(1).cumsum(0), [20, 33], ["fused_mul_add_cumsum"]],
    ["converted elements", (x) => x.mul(10).to("int32").cumprod(1), [3, 8], ["fused_mul_copy_cumprod"]],
    ["two results", (x) => x.neg().cummax(1).indices, [4, 70], ["fused_neg_cummax"]],
    ["maps after it", (x) => x.cumsum(1).mul(2).add(1), [4, 70], ["cumsum_fused_mul_add"]],
    ["long functions after it", (x) => x.cumsum(1).exp().sin(), [4, 70], ["cumsum_fused_exp_sin"]],
    [
      "maps on both sides",
      (x, row) => x.add(row).cumsum(1).mul(row),
      [4, 70],
      ["fused_add_cumsum_fused_mul"],
    ],
    ["columns and maps after them", (x, row) => x.cumsum(0).div(row), [20, 33], ["cumsum_fused_div"]],
    [
      "elements used again after it",
      (x) => x.mul(2).cumsum(1).div(x.mul(2)),
      [4, 70],
      ["fused_mul_cumsum_fused_mul_div"],
    ],
    [
      "a result that is returned too",
      (x) => {
        const y = x.cumsum(1);
        return [y, y.mul(2), y.mul(3)];
      },
      [4, 70],
      ["cumsum_fused_mul"],
    ],
    [
      "both results in one map",
      (x) => {
        const { values, indices } = x.cummax(1);
        return [values.add(indices), indices];
      },
      [4, 70],
      ["cummax_fused_add"],
    ],
    ["long rows", (x, row) => x.mul(row).add(1).cumsum(1), [2, 9000], ["fused_mul_add_cumsum"]],
    ["maps after long rows", (x, row) => x.cumsum(1).mul(row).exp(), [2, 9000], ["cumsum_fused_mul_exp"]],
    [
      "half types",
      (x) => x.to("float16").cumsum(1).mul(3),
      [4, 70],
      // A processor converts them apart, in vector registers.
      device.startsWith("cuda") ? ["fused_copy_cumsum_fused_mul"] : ["copy", "cumsum_fused_mul"],
    ],
    ["a scan of a scan", (x) => x.cumsum(1).mul(2).cumsum(0), [4, 70], ["cumsum", "fused_mul_cumsum"]],
    ["a sum of its results", (x) => x.cumsum(1).mul(2).sum(), [4, 70], ["cumsum", "rows_mul_sum"]],
    [
      "rows around it",
      (x) =>
        x
          .sub(x.mean(1, { keepdim: true }))
          .cumsum(1)
          .add(1),
      [4, 70],
      ["rows_mean_sub", "cumsum_fused_add"],
    ],
    ["a view of its result", (x) => x.cumsum(1).T.mul(2), [4, 70], ["cumsum", "mul"]],
    ["a slice of its result", (x) => x.cumsum(1).slice(":, 1:").mul(2), [4, 70], ["cumsum", "mul"]],
    ["a transposed operand", (x) => x.T.cumsum(1).mul(2), [4, 70], ["cumsum_fused_mul"]],
    ["a scan of one element", (x) => x.sum().cumsum(0).mul(2), [4, 70], ["sum", "cumsum", "mul"]],
    ["nothing", (x) => x.slice("0:0").cumsum(1).mul(2), [4, 70], ["mul"]],
    [
      "writes into its operand",
      (x) => {
        const own = x.add(0);
        const y = own.cumsum(1);
        own.fill_(1);
        return y.mul(own);
      },
      [4, 70],
      ["copy", "fused_add_cumsum_fused_mul"],
    ],
    [
      "a write over its result",
      (x) => {
        const y = x.cumsum(1);
        y.mul_(2);
        y.narrow(1, 0, 3).fill_(7);
        return y.add(1);
      },
      [4, 70],
      ["cumsum_fused_mul", "copy", "add"],
    ],
  ];

  test.each(cases)("%s", (_, body, shape, kernels) => {
    const x = table(shape);
    const row = rowOf(x);
    const want = shown(body(x, row));
    const compiled = jl.compile(body, { fullGraph: true });
    expect(shown(compiled(x, row))).toEqual(want);
    const again = compiled(x, row);
    expect(shown(again)).toEqual(want);
    expect(compiled.report()).toMatchObject({ calls: 2, hits: 1, misses: [], breaks: [] });
    expect(compiled.program()?.kernels.map(({ name }) => name)).toEqual(kernels);
    for (const backend of ["steps", "eager"] as const)
      expect(shown(jl.compile(body, { backend })(x, row))).toEqual(want);
  });

  test.skipIf(device !== "cpu")("stores elements that take longer to compute twice", () => {
    const compiled = jl.compile((x: jl.Tensor) => x.sin().cumsum(0).mul(2));
    const x = jl.arange(9000).mul(0.37);
    expect(compiled(x).data()).toEqual(x.sin().cumsum(0).mul(2).data());
    expect(compiled.program()?.kernels.map(({ name }) => name)).toEqual(["sin", "cumsum_fused_mul"]);
  });

  test.skipIf(device === "cuda")("reads one operand where it goes across memory", () => {
    const compiled = jl.compile((y: jl.Tensor, z: jl.Tensor) => y.add(z).cumsum(0).mul(2).add(y));
    const [x, y] = [table([20, 33]), table([33, 20]).T.contiguous()];
    expect(compiled(x, y).data()).toEqual(x.add(y).cumsum(0).mul(2).add(x).data());
    expect(compiled.program()?.kernels.map(({ name }) => name)).toEqual(["add", "cumsum", "fused_mul_add"]);
  });

  test("is explained without a launch", () => {
    const x = table([4, 70]);
    const compiled = jl.compile((y: jl.Tensor) => y.neg().cumsum(1).mul(2));
    const launches = ran(() => {
      const [kernel, ...others] = jl.explain(compiled, x);
      expect(others).toEqual([]);
      expect(kernel?.source).toContain("cumsum");
      expect(kernel?.key).toBe(jl.record(() => compiled(x)).launches[0]?.key);
    });
    expect(launches).toHaveLength(1);
  });

  test("is replayed, and its result may be kept, donated to and computed later", () => {
    const x = table([4, 70]);
    const row = rowOf(x);
    const body = (y: jl.Tensor, r: jl.Tensor) => y.neg().cumsum(1).mul(r);
    const want = shown(body(x, row));
    const replayed = jl.compile(body, { replay: true });
    for (let call = 0; call < 6; call++) expect(shown(replayed(x, row))).toEqual(want);
    expect(replayed.report()).toMatchObject({ replayed: 2, unreplayed: [] });
    const donating = jl.compile(body, { donate: [0] });
    expect(shown(donating(x.clone(), row))).toEqual(want);
    let kept: jl.Tensor | undefined;
    jl.compile((y: jl.Tensor) => {
      kept = y.cumsum(1).mul(3);
      y.add(1);
    })(x);
    expect(kept?.data()).toEqual(x.cumsum(1).mul(3).data());
  });

  test("other sizes reuse the kernel", () => {
    const compiled = jl.compile((x: jl.Tensor) => x.neg().cumsum(1).mul(2));
    compiled(table([4, 70]));
    const compiledAgain = jl.timings().length;
    for (const [n, m] of [
      [5, 80],
      [7, 33],
    ] as const) {
      const x = table([n, m]);
      expect(compiled(x).data()).toEqual(x.neg().cumsum(1).mul(2).data());
    }
    expect(compiled.report().programs).toHaveLength(1);
    expect(compiledAgain).toBeGreaterThan(0);
  });

  test("complex elements with scalars in its kernel", () => {
    for (const dtype of ["complex64", "complex128"] as const) {
      const x = jl.arange(10, { dtype }).view(2, 5);
      for (const body of [
        (x: jl.Tensor) => x.mul(2).add(3).cumsum(1),
        (x: jl.Tensor) => x.cumprod(0).mul(2).sub(3),
      ])
        expect(shown(jl.compile(body)(x))).toEqual(shown(body(x)));
    }
  });
});
