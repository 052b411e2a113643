// Programs whose launches are queued as one: over a libcuda without a GPU, which writes down what is launched, and on a GPU the
// elements that they compute.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findCompiler } from "../../dist/runtime/device/cpu/toolchain.js";
import { findNvrtc } from "../../dist/runtime/device/cuda/library-search.js";
import { releaseMemory } from "../../dist/runtime/device/memory.js";
import * as jl from "../../dist/runtime/index.js";
import { getDevice } from "../../dist/runtime/launch/devices.js";
import { mostChangedOf, mostOf } from "../../dist/runtime/tuning/program.js";
import { device, useDevice } from "../support/device.js";
import { buildFakeCuda } from "../support/fake-cuda.js";
import { pretendGraphs } from "../support/pretended-graphs.js";
import { callsBefore, choose } from "../support/queueing.mjs";

test("as many launches may change as take the time that a graph gains", () => {
  // Five launches take 16 us, a graph 6, and 1 more for each that changed.
  expect(mostOf([16, 6, 11], 5)).toBe(5);
  expect(mostOf([10, 6, 11], 5)).toBe(3);
  expect(mostOf([6.13, 6, 11], 5)).toBe(0);
  expect(mostOf([6, 6, 11], 5)).toBe(-1);
  // Updates that cost nothing.
  expect(mostOf([16, 6, 6], 5)).toBe(5);
  expect(mostOf([16, 6, 5], 5)).toBe(5);
  expect(mostChangedOf("one graph, up to 12 changed")).toBe(12);
  expect(mostChangedOf("one graph, none changed")).toBeUndefined();
  expect(mostChangedOf("one by one")).toBeUndefined();
});

describe.skipIf(findCompiler().path === "" || findNvrtc() === undefined)(
  "the launches of programs, with a libcuda that has no GPU (needs a C++ compiler and NVRTC)",
  () => {
    const folder = mkdtempSync(join(tmpdir(), "jitlab-queueing-"));
    afterAll(() => rmSync(folder, { recursive: true, force: true }));
    const run = (changes: Record<string, string> = {}) =>
      JSON.parse(
        execFileSync(process.execPath, [join(import.meta.dirname, "..", "support/queueing-process.mjs")], {
          env: {
            ...process.env,
            LD_LIBRARY_PATH: folder,
            JITLAB_DEVICE: "cuda",
            JITLAB_CACHE_DIR: join(folder, "cache"),
            FAKE_CUDA_LOG: join(folder, "log"),
            FAKE_CUDA_MIB: "1000",
            ...changes,
          },
          encoding: "utf8",
        }),
      );
    beforeAll(() => buildFakeCuda(folder));

    const graph = ["launch", "graph"];
    const single = ["launch", "launch"];
    const calls = (kernels: number, ...hows: string[][]) =>
      hows.map((how) => ({ kernels, isSame: true, how }));

    test("are those of single launches, whatever changes between calls", { timeout: 120_000 }, () => {
      const said = run();
      expect(said.changes).toEqual(calls(3, graph, graph, graph, graph, single, graph, graph));
      expect(said.rows).toEqual(calls(4, graph, graph, graph, graph, graph));
      expect(said.replayed).toEqual(calls(3, graph, graph, graph));
      expect(said.inPlace).toEqual(calls(4, graph, graph, graph, graph));
      expect(said).toMatchObject({
        usual: "graph",
        recorded: "launch",
        timed: "launch",
        records: 3,
        counted: 3,
      });
      expect(said.tuned[0]).toEqual({ form: "one by one", isDefault: true });
      expect(said.tuned[1].form).toMatch(/^one graph, /);
    });

    test("stay single where the device makes no graph, and with JITLAB_SYNC", { timeout: 120_000 }, () => {
      for (const changes of [{ FAKE_CUDA_GRAPH: "2" }, { JITLAB_SYNC: "1" }] as Record<string, string>[]) {
        const said = run(changes);
        expect(said.changes).toEqual(calls(3, ...new Array(7).fill(single)));
        expect(said).toMatchObject({ usual: "launch", tuned: [] });
      }
    });
  },
);

// On another device than a GPU graphs are pretended, before anything is loaded.
const pretended = device.startsWith("cuda") ? undefined : pretendGraphs(getDevice(device));

describe("programs whose launches are queued as one", () => {
  beforeAll(useDevice);
  afterAll(() => void jl.tuning.clear());

  const chain = (x: jl.Tensor, ...steps: number[]) =>
    steps.reduce((value, step) => value.mul(step).add(1), x);
  const rows = (x: jl.Tensor) => {
    const centered = x.sub(x.mean());
    return [centered.mul(centered).sum(0), centered.max(1), centered.sum()];
  };
  const inPlace = (x: jl.Tensor, by: number) => {
    x.add_(by);
    x.mul_(by);
    return x.sum();
  };
  const list = (result: unknown) => [result].flat().map((one) => (one as jl.Tensor).toArray());
  const tensors = () =>
    [1, 2, 3].map((seed) =>
      jl
        .arange(40 * 300)
        .reshape(40, 300)
        .mul(seed)
        .sin(),
    );

  function endlessly(run: () => void): void {
    for (;;) run();
  }

  /** A function that is compiled after up to `mostChanged` changed launches were chosen for it, and called often enough. */
  function together(
    body: (...args: never[]) => unknown,
    args: () => readonly unknown[],
    mostChanged: number,
    options: jl.CompileOptions = { backend: "steps" },
  ): (...args: readonly unknown[]) => unknown {
    const compile = () => jl.compile(body, options) as unknown as (...args: readonly unknown[]) => unknown;
    const first = compile();
    expect(choose(() => first(...args()), mostChanged).length).toBeGreaterThan(0);
    const step = compile();
    let runs = 0;
    const own = getDevice();
    const { repeated } = own;
    own.repeated = (most) => {
      const work = repeated?.call(own, most);
      const run = (queue: () => void) => {
        runs++;
        work?.run(queue);
      };
      return work && { ...work, run };
    };
    for (let i = 0; i <= callsBefore + 1; i++) step(...args());
    own.repeated = repeated as never;
    expect(runs).toBeGreaterThan(2);
    if (pretended) expect(pretended.launches).toBeGreaterThan(0);
    return step;
  }

  test.each([0, 1, 100])(
    "of which %i launches may change compute what single calls compute",
    (mostChanged) => {
      const [x, y, z] = tensors() as [jl.Tensor, jl.Tensor, jl.Tensor];
      const step = together(chain, () => [x, 1, 2, 3, 4, 5], mostChanged);
      for (let i = 0; i < 60; i++) {
        const steps = [1, 2, i % 5, 4, i % 3 === 0 ? i : 5];
        const input = [x, x, y, z][i % 4] as jl.Tensor;
        expect(list(step(input, ...steps))).toEqual(list(chain(input, ...steps)));
      }
      const rowStep = together(rows, () => [x], mostChanged, {});
      for (const input of [x, x, y, z, x, y]) expect(list(rowStep(input))).toEqual(list(rows(input)));
    },
  );

  test("keep results of earlier calls, and find memory that came and went", () => {
    const [x, y] = tensors() as [jl.Tensor, jl.Tensor];
    const step = together(chain, () => [x, 1, 2, 3], 100);
    const kept = Array.from({ length: 20 }, (_, i) => step(i % 2 ? x : y, i, 2, 3) as jl.Tensor);
    releaseMemory();
    const fresh = x.add(1);
    const late = step(fresh, 7, 8, 9);
    fresh.dispose();
    const others = Array.from({ length: 20 }, () => jl.zeros([40, 300]));
    expect(list(late)).toEqual(list(chain(x.add(1), 7, 8, 9)));
    kept.forEach((one, i) => {
      expect(list(one)).toEqual(list(chain(i % 2 ? x : y, i, 2, 3)));
    });
    for (const other of others) expect(other.sum().item()).toBe(0);
  });

  test("write in place, replay and take donated memory", () => {
    const [x] = tensors() as [jl.Tensor];
    const [one, other] = [x.clone(), x.clone()];
    const step = together(inPlace, () => [x.clone(), 2], 100);
    for (let i = 0; i < 12; i++) {
      expect(list(step(one, (i % 3) - 1))).toEqual(list(inPlace(other, (i % 3) - 1)));
      expect(list(one)).toEqual(list(other));
    }
    for (const options of [
      { backend: "steps", replay: true },
      { backend: "steps", donate: [0] },
      { backend: "steps", replay: true, donate: [0] },
    ] as jl.CompileOptions[]) {
      const given = together(chain, () => [x.clone(), 1, 2, 3], 100, options);
      for (let i = 0; i < 12; i++)
        expect(list(given(x.clone(), 1, 2, i % 4))).toEqual(list(chain(x, 1, 2, i % 4)));
    }
  });

  test("are measured without a change, also where an interrupt ends that", async () => {
    const [x] = tensors() as [jl.Tensor];
    const changed = x.clone();
    const step = jl.compile(inPlace, { backend: "steps" }) as unknown as typeof inPlace;
    choose(() => step(changed, 2), 100);
    expect(list(changed)).toEqual(list(x.add(2).mul(2)));
    const { repeated } = getDevice();
    getDevice().repeated = (most) => {
      const work = repeated?.call(getDevice(), most);
      return work && { ...work, launches: 3, again: () => endlessly(() => work.again()) };
    };
    const other = jl.compile(inPlace, { backend: "steps" }) as unknown as typeof inPlace;
    const measure = () => choose(() => other(changed, 3), 100);
    expect(() => runInNewContext("measure()", { measure }, { timeout: 2000 })).toThrow(/timed out/);
    getDevice().repeated = repeated as never;
    await new Promise((resolve) => setTimeout(resolve));
    expect(list(changed)).toEqual(list(x.add(2).mul(2).add(3).mul(3)));
  });

  test("are queued one by one where the host tests indexes in between", () => {
    const [x] = tensors() as [jl.Tensor];
    const index = jl.arange(40).to("int32");
    const step = jl.compile((a: jl.Tensor) => a.indexSelect(0, index).mul(2), { backend: "steps" });
    expect(choose(() => step(x), 100)).toEqual([]);
    expect(list(step(x))).toEqual(list(x.mul(2)));
  });

  test("are recorded, timed, captured by a graph and measured without a change", async () => {
    const [x, y] = tensors() as [jl.Tensor, jl.Tensor];
    const step = together(chain, () => [x, 1, 2, 3], 100);
    const wanted = list(chain(x, 1, 2, 3));
    const { value, launches } = jl.record(() => step(x, 1, 2, 3), { device: true });
    expect(list(value)).toEqual(wanted);
    expect(launches).toHaveLength(6);
    for (const { deviceUs } of launches) expect(deviceUs).toBeGreaterThan(0);
    expect(list(step(y, 1, 2, 3))).toEqual(list(chain(y, 1, 2, 3)));
    const graph = jl.graph(() => step(x, 1, 2, 3));
    expect(list(step(y, 1, 2, 4))).toEqual(list(chain(y, 1, 2, 4)));
    expect(list(graph())).toEqual(wanted);
    graph.dispose();
  });

  test("break where elements are read, and go on after an exception", () => {
    const [x, y] = tensors() as [jl.Tensor, jl.Tensor];
    const reads = (a: jl.Tensor, by: number) => {
      const centered = a.sub(a.mean()).mul(by);
      const most = centered.max().item() as number;
      return centered.div(most).add(by).sum(0);
    };
    const step = together(reads, () => [x, 2], 100);
    for (let i = 0; i < 9; i++)
      expect(list(step(i % 2 ? x : y, i + 1))).toEqual(list(reads(i % 2 ? x : y, i + 1)));
    const fails = (a: jl.Tensor, by: number) => {
      a.add_(by);
      a.mul_(by);
      if (by === 3) throw new RangeError("three");
      return a.sum();
    };
    const [one, other] = [x.clone(), x.clone()];
    const failing = together(fails, () => [x.clone(), 2], 100);
    for (const by of [2, 3, 2, 2, 3]) {
      try {
        failing(one, by);
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError);
      }
      inPlace(other, by);
      expect(list(one)).toEqual(list(other));
    }
  });
});
