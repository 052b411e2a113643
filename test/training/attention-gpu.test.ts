// Attention of halves by cuDNN beside the same in float64 on the host. `kind === "cuda"` alone runs it.
import { beforeAll, describe, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { device } from "../support/device.js";

const isGpu = device.startsWith("cuda");

type Three = [jl.Tensor, jl.Tensor, jl.Tensor];

/** The same in float64 on the host. */
function wanted(given: readonly jl.Tensor[], isCausal: boolean): jl.Tensor {
  const [q, k, v] = given as Three;
  const scores = q.mul(1 / Math.sqrt(q.shape.at(-1) as number)).matmul(k.mT);
  const [rows, columns] = scores.shape.slice(-2) as [number, number];
  const seen = jl.ones([rows, columns], { dtype: "bool", device: "cpu" }).tril();
  return (isCausal ? seen.where(scores, Number.NEGATIVE_INFINITY) : scores).softmax(-1).matmul(v);
}

const onHost = (x: jl.Tensor) => x.to("cpu").to("float64");
const bits = (x: jl.Tensor) => Buffer.from(x.to("cpu").to("float32").data().buffer).toString("base64");
/** The largest difference, over the unit of the dtype. */
const units = (x: jl.Tensor, y: jl.Tensor) =>
  Number(onHost(x).sub(y).abs().max().item()) / (x.dtype.name === "float16" ? 2 ** -10 : 2 ** -7);

function drawn(dtype: "float16" | "bfloat16", lead: number[], rows: number, columns: number, size: number) {
  const shapes = [rows, columns, columns, rows].map((n) => [...lead, n, size]);
  return shapes.map((shape) => jl.randn(shape).to(dtype)) as [...Three, jl.Tensor];
}

describe.runIf(isGpu)(isGpu ? "on a GPU" : "on a GPU, which was not asked for", () => {
  beforeAll(() => jl.manualSeed(7));

  const forms = [
    [[2, 3], 128, 128, 64],
    [[1, 2], 100, 77, 32],
    [[2, 2], 64, 192, 128],
    [[5], 33, 33, 64],
    [[2, 1, 2, 3], 16, 40, 64],
    [[], 64, 64, 64],
  ] as const;
  const rows = forms.flatMap((form) =>
    (["float16", "bfloat16"] as const).flatMap((dtype) =>
      [false, true].map((isCausal) => ({ form, dtype, isCausal })),
    ),
  );

  test.each(rows)("$dtype $form causal $isCausal", ({ form: [lead, n, m, size], dtype, isCausal }) => {
    const [q, k, v, w] = drawn(dtype, [...lead], n, m, size);
    const f = (...given: Three) => jl.scaledDotProductAttention(...given, { isCausal });
    const { value, pull } = jl.vjp(f, q, k, v);
    const want = jl.vjp((...given: Three) => wanted(given, isCausal), onHost(q), onHost(k), onHost(v));
    expect(units(value, want.value)).toBeLessThan(2);
    const wantedGradients = want.pull(onHost(w)) as readonly jl.Tensor[];
    for (const [i, g] of (pull(w) as readonly jl.Tensor[]).entries())
      expect(units(g, wantedGradients[i] as jl.Tensor)).toBeLessThan(6);
  });

  test("keeps no scores in the forward pass", () => {
    const [q, k, v] = drawn("bfloat16", [1, 16], 8192, 8192, 64);
    const trace = jl.traceMemory();
    jl.scaledDotProductAttention(q, k, v, { isCausal: true });
    // The scores are 2 GiB.
    expect(trace.stop().peakBytes).toBeLessThan(2 ** 29);
  });

  test("equal calls give equal bits, a thousand times, eager, compiled and replayed", () => {
    const [q, k, v, w] = drawn("bfloat16", [2, 4], 256, 256, 64);
    const run = (...given: [...Three, jl.Tensor]) => {
      const [a, b, c, g] = given;
      return jl.vjp((...x: Three) => jl.scaledDotProductAttention(...x, { isCausal: true }), a, b, c).pull(g);
    };
    const first = (run(q, k, v, w) as readonly jl.Tensor[]).map(bits);
    for (const way of [run, jl.compile(run), jl.compile(run, { replay: true })])
      for (let i = 0; i < 334; i++)
        expect((way(q, k, v, w) as readonly jl.Tensor[]).map(bits)).toEqual(first);
  });

  test("second derivatives are those of the host", () => {
    const [q, k, v] = drawn("float16", [1, 1], 16, 16, 64).map((x) => x.mul(0.5)) as Three;
    const twice = (f: (...given: Three) => jl.Tensor, given: Three) =>
      jl.grad((x: jl.Tensor) =>
        jl
          .grad((y: jl.Tensor) => f(y, given[1], given[2]).square().sum())(x)
          .square()
          .sum(),
      )(given[0]) as jl.Tensor;
    const got = twice((...given) => jl.scaledDotProductAttention(...given).to("float32"), [q, k, v]);
    const want = twice((...given) => wanted(given, false), [onHost(q), onHost(k), onHost(v)]);
    const scale = Number(want.abs().max().item());
    expect(units(got, want) / Math.max(1, scale)).toBeLessThan(16);
  });

  test("lanes are those of the loop", () => {
    const [q, k, v] = drawn("bfloat16", [3, 2], 64, 64, 64);
    const f = (...given: Three) => jl.scaledDotProductAttention(...given);
    const lanes = jl.vmap(f)(q, k, v) as jl.Tensor;
    for (let i = 0; i < 3; i++)
      expect(bits(lanes.select(0, i).contiguous())).toBe(
        bits(f(q.select(0, i), k.select(0, i), v.select(0, i))),
      );
  });

  test("views and parts are read as they are", () => {
    const [q, k, v] = drawn("float16", [2, 64], 4, 4, 64).map((x) => x.transpose(1, 2)) as Three;
    const got = jl.scaledDotProductAttention(q, k, v);
    expect(units(got, wanted([q, k, v].map(onHost), false))).toBeLessThan(2);
  });
});
