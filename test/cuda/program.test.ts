// The fused kernels of programs as NVRTC compiles them, no GPU needed.
import { beforeAll, describe, expect, test } from "vitest";
import { cubinResources } from "../../dist/runtime/device/cuda/cubin.js";
import { findNvrtc } from "../../dist/runtime/device/cuda/library-search.js";
import { cudaTarget } from "../../dist/runtime/device/cuda/nvrtc.js";
import * as jl from "../../dist/runtime/index.js";
import type { KernelRequest } from "../../dist/runtime/launch/obtain.js";
import { epiloguePrograms } from "../support/epilogue-programs.js";
import { gpuTarget, requestsOf, requestsOnGpu } from "../support/gpu-text.js";
import { jointPrograms } from "../support/joint-programs.js";
import { keptCompile } from "../support/kept-compile.js";
import { lossPrograms } from "../support/loss-programs.js";
import { ownRowPrograms } from "../support/own-row-programs.js";
import { programOf } from "../support/programs/program.js";
import { callOnce } from "../support/programs/ways.js";
import { rowPrograms } from "../support/row-programs.js";
import { textFunctors } from "../support/text-functors.js";

const nvrtc = findNvrtc();
if (!nvrtc)
  console.warn(
    "SKIPPED: NVRTC was not found; install it with `pip install nvidia-cuda-nvrtc` in a venv and set VIRTUAL_ENV",
  );

beforeAll(() => jl.setDevice("cpu"));

/** Compiles each different kernel. */
function compileEach(requests: readonly KernelRequest[]): number {
  const sources = new Set(requests.map(({ source }) => source));
  for (const source of sources) {
    const { binary, log } = keptCompile(gpuTarget.compiler, {
      source,
      flags: gpuTarget.flags,
      name: "fused",
    });
    expect(binary.length, source).toBeGreaterThan(500);
    expect(log, source).not.toContain("warning");
  }
  return sources.size;
}

/** The kernels of a program over two matrices and a row, which are made first. */
function lossRequests(name: string, shape: number[], dtype: jl.DTypeName): readonly KernelRequest[] {
  let made = 0;
  const requests = requestsOnGpu(() => {
    const args = [shape, shape, [shape[1] as number]].map((own) => jl.zeros(own, { dtype }));
    made = args.length;
    jl.compile(lossPrograms[name]?.body as (...args: unknown[]) => jl.Tensor)(...args);
  });
  return requests.slice(made);
}

/** The kernels of a row program that is called after its operands were made. */
function rowRequests(
  name: string,
  shape: readonly [number, number],
  dtype: jl.DTypeName,
  target = gpuTarget,
): readonly KernelRequest[] {
  let made = 0;
  const requests = requestsOf(target, () => {
    const [x, gain, bias] = [[...shape], [shape[1]], [shape[1]]].map((own) => jl.zeros(own, { dtype }));
    made = 3;
    jl.compile(rowPrograms[name] as (...args: unknown[]) => jl.Tensor)(x, gain, bias);
  });
  return requests.slice(made);
}

describe.skipIf(!nvrtc)("NVRTC compiles", () => {
  test.each(Object.entries(textFunctors))(
    "%s, a functor in C++, with the operations around it",
    (_, text) => {
      const f = jl.jit(text);
      const requests = requestsOnGpu(() => {
        for (const dtype of ["float32", "float16", "float64"] as const) {
          const [x, y] = [jl.zeros([8, 4], { dtype }), jl.zeros([4], { dtype })];
          jl.compile(() => f(x.mul(2), y).add(f(x, x)).to("float16"))();
          jl.fuse`exp(${f}(${x}, ${y})) * 2`;
        }
      });
      const fused = requests.filter(({ op }) => op.startsWith("fused_"));
      expect(fused.length).toBe(6);
      compileEach(fused);
    },
  );

  test.each(Object.entries(ownRowPrograms))("%s, with reductions of one's own", (_, body) => {
    for (const shape of [
      [300, 5],
      [40, 300],
      [4, 8192],
    ]) {
      const requests = requestsOnGpu(() => {
        for (const dtype of ["float32", "float16", "float64"] as const)
          jl.compile(body)(jl.zeros(shape, { dtype }));
      });
      const rows = requests.filter(({ variant }) => variant.startsWith("row/"));
      expect(rows.length).toBe(3);
      compileEach(rows);
    }
  });

  test.each(Object.entries(textFunctors))("%s, a functor in C++, in kernels of reductions", (_, text) => {
    const f = jl.jit(text);
    const requests = requestsOnGpu(() => {
      // Rows in registers, whole words and not, rows in parts, and columns.
      for (const shape of [
        [8, 64],
        [8, 33],
        [2, 9000],
      ] as const) {
        const [x, y] = [jl.zeros(shape), jl.zeros([shape[1]])];
        jl.compile(() => f(x, y).add(f(x, x).max({ dim: -1, keepdim: true })))();
        jl.compile(() => f(x, y).to("float16").sum(0))();
      }
    });
    const fused = requests.filter(({ op }) => op.startsWith("fused_"));
    expect(fused.filter(({ op }) => op.startsWith("fused_rows")).length).toBe(2);
    compileEach(fused);
  });

  test.each(Object.entries(epiloguePrograms))(
    "%s, after reductions that no row kernel runs",
    (_, { body }) => {
      for (const dtype of ["float32", "float16"] as const) {
        const requests = requestsOnGpu(() => {
          const [x, y, row] = [[2, 9000], [2, 9000], [9000]].map((shape) => jl.zeros(shape, { dtype }));
          jl.compile(body as (...args: unknown[]) => jl.Tensor)(x, y, row);
        });
        expect(requests.map(({ op }) => op).join()).toMatch(/(sum|max|mean)_fused_/);
        compileEach(requests.filter(({ op }) => op.includes("fused_")));
      }
    },
  );

  test.each(Object.entries(jointPrograms))("%s, of long rows, in one kernel", (_, { body, kernels }) => {
    for (const dtype of ["float32", "float16", "float64"] as const) {
      let made = 0;
      const requests = requestsOnGpu(() => {
        const [x, y] = [jl.zeros([3_000_001], { dtype }), jl.zeros([3_000_001], { dtype })];
        made = 2;
        jl.compile(body)(x, y);
      }).slice(made);
      // Each in two passes.
      expect(requests.filter(({ variant }) => variant.includes("in parts"))).toHaveLength(kernels);
      compileEach(requests);
    }
  });

  test("negations of int16 as those of int32, since the assembler widens neg.s16 wrongly", () => {
    const requests = requestsOnGpu(() => {
      const x = jl.zeros([8], { dtype: "int16" });
      jl.compile(() => [x.neg().to("int64").add(1), x.abs().to("float32").add(1)])();
    });
    for (const { source, op } of requests.filter((one) => one.op.startsWith("fused_"))) {
      const { assembly } = keptCompile(gpuTarget.compiler, { source, flags: gpuTarget.flags, name: "fused" });
      expect([op, assembly]).toEqual([op, expect.stringMatching(/neg\.s32/)]);
      expect(assembly).not.toMatch(/(neg|abs)\.s16/);
    }
  });

  test("the coordinates of a mask's places, which ask for ten quotients", () => {
    const requests = requestsOnGpu(() => {
      const places = jl.zeros([100], { dtype: "int64" });
      jl.compile((x: jl.Tensor) => [1056, 264, 66, 2, 1].map((by) => x.floorDivide(by).remainder(3)))(places);
    });
    expect(compileEach(requests.filter(({ op }) => op.startsWith("fused_floorDivide")))).toBe(1);
  });

  test("the fused kernels of random programs", () => {
    const requests = requestsOnGpu(() => {
      for (let seed = 1; seed <= 60; seed++) callOnce(programOf(seed), "fused");
    });
    const fused = requests.filter(({ op }) => op.startsWith("fused"));
    expect(fused.some(({ op }) => op.startsWith("fused_rows"))).toBe(true);
    expect(compileEach(fused)).toBeGreaterThan(40);
  });

  test("maps over lists, whose arguments are a table", () => {
    const requests = requestsOnGpu(() => {
      const xs = [5, 40, 300].map((n) => jl.zeros([n]));
      jl.compile(() => xs.map((x) => x.sin().mul(0.5)))();
      jl.compile(() => xs.map((x) => x.add(1)))();
      jl.compile(() => xs.map((x) => x.to("complex64").to("float16")))();
      jl.compile(() => xs.map((x) => x.lgamma()))();
    });
    const tables = requests.filter(({ variant }) => variant.includes("groups"));
    expect(tables).toHaveLength(4);
    expect(tables[0]?.source).toContain("one(table.group[group]");
    compileEach(tables);
  });

  test("maps over lists beside tensors of no dimensions", () => {
    const requests = requestsOnGpu(() => {
      const lr = jl.zeros([]);
      for (const dtype of ["float32", "float16"] as const) {
        const parameters = [[5], [40, 3], [300]].map((shape) => jl.zeros(shape, { dtype }));
        const { init, step } = jl.optim.adamW({ lr });
        const state = init(parameters);
        jl.compile(() => step(parameters, parameters, state))();
      }
      const odd = [5, 41, 300].map((n) => jl.zeros([n + 1]).narrow(0, 1, n));
      jl.compile(() => odd.map((x) => x.mul(lr)))();
    });
    const tables = requests.filter(({ variant }) => variant.includes("groups"));
    expect(tables.length).toBeGreaterThanOrEqual(3);
    for (const { source } of tables) expect(source).toMatch(/const \w+ in\d+ = \*args\.in\d+;/);
    compileEach(tables);
  });

  test("a hundred steps of an optimizer as one launch, whose arguments are not copied", () => {
    const target = cudaTarget("sm_90", 13000);
    const requests = requestsOf(target, () => {
      const lists = Array.from({ length: 100 }, () => [1, 2, 3, 4].map(() => jl.zeros([1000])));
      jl.compile(() => {
        for (const [p, g, m, v] of lists as [jl.Tensor, jl.Tensor, jl.Tensor, jl.Tensor][]) {
          m.mul_(0.9).add_(g.mul(0.1));
          v.mul_(0.999).add_(g.mul(g).mul(0.001));
          p.sub_(m.mul(0.01).div(v.sqrt().add(1e-8)));
        }
      })();
    });
    const tables = requests.filter(({ variant }) => variant.includes("groups"));
    // Before CUDA 12.1 they are several.
    expect(tables).toHaveLength(target.argumentBytes > 4096 ? 1 : 3);
    for (const request of tables) {
      const { source } = request;
      const adam = { source, flags: gpuTarget.flags, name: "adam" };
      const { binary } = keptCompile(gpuTarget.compiler, adam, true);
      expect(cubinResources(binary, request.symbol)?.localBytes).toBe(0);
    }
  });

  test.each(Object.keys(lossPrograms))("%s of rows that no kernel holds", (name) => {
    for (const dtype of ["float32", "bfloat16", "float64"] as const) {
      const requests = [
        [6, 8208],
        [3, 70_001],
      ].flatMap((shape) => lossRequests(name, shape, dtype));
      compileEach(requests);
      expect(requests.filter(({ op }) => /^fused\w+_(sum|mean|argmax)$/.test(op)).length).toBeGreaterThan(0);
    }
  });

  test.each(Object.keys(rowPrograms))("%s of rows as one kernel", (name) => {
    for (const dtype of ["float32", "bfloat16", "float64"] as const) {
      for (const length of [10, 40, 1000, 1030, 8192]) {
        const requests = rowRequests(name, [6, length], dtype);
        expect(requests.map(({ variant }) => variant.replace(/\W.*/, ""))).toEqual(["row"]);
        compileEach(requests);
      }
    }
    expect(rowRequests(name, [6, 8193], "float32").length).toBeGreaterThan(1);
  });

  test.each(Object.keys(rowPrograms))("%s of rows that blocks share", (name) => {
    for (const dtype of ["float32", "bfloat16", "float64"] as const) {
      for (const length of [8193, 16_384, 2 ** 19]) {
        const requests = rowRequests(name, [2, length], dtype, cudaTarget("sm_90", 13000, 132));
        const shared = requests.filter(({ variant }) =>
          /^row\/256(x4)? of 8( full)? in (16|128) blocks/.test(variant),
        );
        expect(shared.length).toBe(1);
        // The moments of half types are of numbers of two types.
        if (dtype === "float32") expect(requests.length).toBe(1);
        compileEach(requests);
      }
    }
    // More blocks than run at the same time.
    expect(rowRequests(name, [2, 2 ** 19], "float32", cudaTarget("sm_90", 13000, 60)).length).toBeGreaterThan(
      1,
    );
  });

  test("a reduction of long rows, of which nothing needs the elements again, waits for no block", () => {
    const requests = requestsOf(cudaTarget("sm_90", 13000, 132), () => {
      const x = jl.zeros([2, 16_384]);
      jl.compile((x: jl.Tensor) => x.mul(2).sum(-1).add(1))(x);
    });
    expect(requests.filter(({ variant }) => variant.includes("blocks"))).toEqual([]);
  });
});
