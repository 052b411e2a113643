// A corpus of real programs, compiled: the bits of the separate calls at a first and a second call, and the numbers of kernels
// and bytes that they take on the cpu and on a GPU, as a file. The GPU's plans need none.
import { join } from "node:path";
import { beforeAll, describe, expect, it, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { device, useAnyDevice } from "../support/device.js";
import { elementBits } from "../support/element-bits.js";
import { requestsOnGpu } from "../support/gpu-text.js";
import { type CorpusProgram, corpus } from "../support/program-corpus.js";

beforeAll(useAnyDevice);

const table = join(import.meta.dirname, "..", "__snapshots__", "program-corpus.txt");

/** Dtype, shape, strides and bits of the results, and of the tensors that may have been written. */
function outcome({ make, run }: CorpusProgram, scale: number, rate: number, through = run): string[] {
  jl.manualSeed(5);
  const tensors = make(scale);
  const result = through(tensors, rate);
  return [...[result].flat(), ...tensors].map((one) => {
    const x = one as jl.Tensor;
    return `${x.dtype.name} ${x.shape} ${x.strides} ${elementBits(x).join(" ")}`;
  });
}

describe("a program of the corpus has the bits of the separate calls, at every call", () => {
  it.each(Object.keys(corpus))("%s", (name) => {
    const own = corpus[name] as CorpusProgram;
    const compiled = jl.compile(own.run, { name });
    // Another scalar, another size, and the first ones again.
    for (const [scale, rate] of [
      [1, 0.5],
      [1, 0.25],
      [2, 0.75],
      [1, 0.5],
    ] as const) {
      expect(outcome(own, scale, rate, compiled)).toEqual(outcome(own, scale, rate));
    }
  });
});

/** What one call plans: operations, kernels, and the peak in bytes. */
function planned({ make, run }: CorpusProgram, onGpu: boolean): string {
  const tensors = make(1);
  const compiled = jl.compile(run);
  const call = () => void compiled(tensors, 0.5);
  if (onGpu) requestsOnGpu(call);
  else call();
  const { operations, kernels, peak } = compiled.program() as jl.Program;
  return `${operations.length} operations in ${kernels.length} kernels, peak ${peak.program} of ${peak.separate} bytes`;
}

// The plans of both do not depend on the device on which the tests run; a GPU's own test is the one above.
test.skipIf(device !== "cpu")("kernels and peaks are those of the table", async () => {
  const lines = Object.entries(corpus).flatMap(([name, own]) => {
    // Elements have no values where nothing is launched.
    const gpu = name === "a look in the middle" ? "" : `  gpu  ${planned(own, true)}\n`;
    return `${name}\n  cpu  ${planned(own, false)}\n${gpu}`;
  });
  expect(lines.length).toBeGreaterThanOrEqual(25);
  await expect(lines.join("")).toMatchFileSnapshot(table);
});

describe("a compiled function needs", () => {
  const step = (x: jl.Tensor, rate: number) => {
    const y = x.mul(rate).add(1);
    const e = y.sub(y.max({ dim: -1, keepdim: true })).exp();
    return e.div(e.sum({ dim: -1, keepdim: true }));
  };
  const cold = (launches: readonly jl.Launch[]) =>
    launches.filter(({ origin }) => origin !== "memory").length;

  it("one program and no further kernel for 1000 scalars", () => {
    const f = jl.compile(step);
    const x = jl.rand([4, 30]);
    f(x, 0);
    const { launches } = jl.record(() => {
      for (let i = 1; i <= 1000; i++) f(x, i / 7);
    });
    expect(cold(launches)).toBe(0);
    // Whole numbers take a path of their own to the same program.
    expect(f.report()).toMatchObject({ calls: 1001, hits: 999, misses: [] });
    expect(f.report().programs).toHaveLength(1);
  });

  it("one program and few forms of its kernels for 1000 sizes", () => {
    const f = jl.compile(step);
    const forms = new Set<string>();
    for (let n = 4; n <= 1003; n++) {
      const { launches } = jl.record(() => f(jl.empty([3, n]), 0.5));
      for (const { key } of launches) forms.add(key);
    }
    expect(f.report().programs).toHaveLength(1);
    expect(f.report().misses).toEqual([]);
    if (device === "cpu") expect(forms.size).toBe(2);
  });

  it.skipIf(device !== "cpu")("few forms of its kernels for 1000 sizes on a GPU", () => {
    const f = jl.compile(step);
    const texts = new Set<string>();
    for (let n = 4; n <= 1003; n++) {
      const x = jl.empty([3, n]);
      for (const { source } of requestsOnGpu(() => void f(x, 0.5))) texts.add(source);
    }
    expect(texts.size).toBe(17);
  });
});
