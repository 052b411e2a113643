import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { withStore } from "../../dist/runtime/cache/current-store.js";
import * as jl from "../../dist/runtime/index.js";
import { getDevice } from "../../dist/runtime/launch/devices.js";
import { loadKernel } from "../../dist/runtime/launch/loaded-kernel.js";
import { type Run, runFrom, runText } from "../../dist/runtime/launch/run.js";
import { collectRuns } from "../../dist/runtime/launch/runs.js";
import { once } from "../../dist/runtime/tuning/measure.js";
import { Workspace } from "../../dist/runtime/tuning/workspace.js";
import { device, useDevice } from "../support/device.js";
import { rowPrograms } from "../support/row-programs.js";

beforeAll(useDevice);

const isGpu = device.startsWith("cuda");
const devices = device === "cpu" ? ["cpu", "wasm"] : [device];
// The embedded compiler is slow, and the loops are the same text.
const onWasm = ["a map", "of elements at a distance", "a chain of functions", "rows", "short rows"];

/** Calls of every kind of map and of rows, on the default device. */
function calls(): Record<string, () => unknown> {
  const x = jl.rand([70, 1030]);
  const half = x.to("float16");
  const double = x.to("float64");
  const late = x.flatten().narrow(0, 1, 20_001);
  const square = x.narrow(1, 0, 70);
  const chain = jl.compile((a: jl.Tensor) => a.sin().mul(0.5).exp().add(a.tanh()).pow(1.5));
  const two = jl.compile((a: jl.Tensor) => [a.sin().exp(), a.cos().log1p()]);
  const sinOf = jl.compile((a: jl.Tensor, b: jl.Tensor) => a.add(b).sin().mul(b));
  const softmax = jl.compile(rowPrograms.softmax as (a: jl.Tensor) => jl.Tensor);
  const row = (i: number) => x.select(0, i).narrow(0, 0, 999);
  const norm = jl.compile(rowPrograms.layernorm as (...all: jl.Tensor[]) => jl.Tensor);
  return {
    "a map": () => x.sin(),
    "of half numbers": () => half.sin(),
    "of doubles": () => double.cos(),
    "of two operands": () => sinOf(x, x),
    "of a broadcast row": () => sinOf(x, x.select(0, 0)),
    "of elements at a distance": () => x.slice(":, ::2").tan(),
    "of a transposed operand": () => sinOf(square, square.T),
    "of misaligned memory": () => late.sin(),
    "in place": () => x.clone().sin_(),
    "a chain of functions": () => chain(x),
    "of two results": () => two(x),
    "a long functor": () => x.digamma().cos(),
    rows: () => softmax(x.narrow(1, 0, 1000)),
    "short rows": () => softmax(x.narrow(1, 0, 12)),
    "rows with a gain": () => norm(x.narrow(1, 0, 999), row(0), row(1)),
    ...(isGpu ? { "an addition": () => x.add(x), "rows of 64": () => softmax(x.narrow(1, 0, 64)) } : {}),
  };
}

function runsOf(call: () => unknown): readonly Run[] {
  return collectRuns(call).runs;
}

/** What the operands' memory holds after one launch of each form. */
function memoryAfter(run: Run): Buffer[] {
  return run.forms.map(({ request }) => {
    const workspace = new Workspace(run);
    const kernel = loadKernel(request(), run.device, 0).retain();
    once(workspace, kernel);
    const memory = Buffer.concat(workspace.read());
    kernel.release();
    workspace.dispose();
    return memory;
  });
}

describe.each(devices)("on %s every form has the bits of the default", (name) => {
  beforeAll(() => jl.setDevice(name));
  afterAll(useDevice);

  // One compile for each form.
  test.each(name === "wasm" ? onWasm : Object.keys(calls()))("%s", { timeout: 120_000 }, (what) => {
    const runs = runsOf(calls()[what] as () => unknown);
    expect(runs.length).toBeGreaterThan(0);
    for (const run of runs) {
      expect(run.forms.length).toBeGreaterThan(1);
      const [own, ...others] = memoryAfter(run) as [Buffer, ...Buffer[]];
      expect(own.some((byte) => byte !== 0)).toBe(true);
      others.forEach((memory, i) => {
        expect(memory.equals(own), run.forms[i + 1]?.name).toBe(true);
      });
    }
  });
});

test("a launch is repeated as it was: the same results from the same operands", () => {
  const x = jl.rand([3, 40_000]);
  const [run] = runsOf(() => x.sin()) as [Run];
  const workspace = new Workspace(run);
  const kernel = loadKernel((run.forms[0] as Run["forms"][0]).request(), run.device, 0).retain();
  once(workspace, kernel);
  const [one, other] = workspace.read() as [Uint8Array, Uint8Array];
  const [out, input] = (run.operands[0]?.region === 0 ? [one, other] : [other, one]).map(
    (bytes) => new Float32Array(bytes.buffer),
  ) as [Float32Array, Float32Array];
  expect(Array.from(out)).toEqual(Array.from(jl.tensor(input).sin().data() as Float32Array));
  kernel.release();
  workspace.dispose();
});

describe("a choice", () => {
  let x: jl.Tensor;
  beforeAll(() => {
    x = jl.rand([50_000]);
  });
  const call = () => x.sin();
  const choose = (form: string, run: Run) => {
    const [own] = run.forms as [Run["forms"][0]];
    const { key, op, variant, dtypes } = loadKernel(own.request(), run.device, 0).clock.identity;
    const place = { kernel: key, model: run.device.model, upTo: 65_536 };
    const facts = { op, variant, dtypes, times: [], measuredAt: 0 };
    withStore((store) => store.tuning.put({ ...place, form, ...facts }), undefined);
    jl.cache.clear({ op: "none" });
  };
  const variantOf = (run: () => unknown) => jl.record(run).launches.at(-1)?.variant;

  afterAll(() => void jl.tuning.clear());

  test("is used for launches of its size only, and named by the variant", () => {
    const [run] = runsOf(call) as [Run];
    const form = run.forms.at(-1)?.name as string;
    const plain = variantOf(call);
    choose(form, run);
    expect(variantOf(call)).toBe(`${plain}, ${form}`);
    expect(variantOf(() => jl.rand([100]).sin())).toBe(plain);
    expect(variantOf(() => jl.rand([70_000]).sin())).toBe(plain);
    // A form that is no longer there is not used.
    choose("a form of another version", run);
    expect(variantOf(call)).toBe(plain);
  });

  test("is used in graphs and by compiled functions", () => {
    const [run] = runsOf(call) as [Run];
    const form = run.forms.at(-1)?.name as string;
    choose(form, run);
    const y = jl.empty([50_000]);
    const graph = jl.graph(() => jl.sin(x, { out: y }));
    const { launches } = jl.record(() => graph());
    expect(launches.map(({ variant }) => variant)).toEqual([expect.stringContaining(form)]);
    expect(y.toArray()).toEqual(x.sin().toArray());
    jl.tuning.clear();
    jl.cache.clear({ op: "none" });
    graph();
    expect(y.toArray()).toEqual(x.sin().toArray());
  });
});

describe("jl.tune", () => {
  afterAll(() => void jl.tuning.clear());

  test("gives a row for each form, keeps the best, and uses it", { timeout: 120_000 }, () => {
    const x = jl.rand([300, 300]);
    const rows = jl.tune((a, b) => a.sin().add(b), x, 1);
    const sin = rows.filter(({ op }) => op === "sin");
    expect(sin.length).toBeGreaterThan(1);
    expect(sin.map(({ isDefault }) => isDefault)).toEqual(sin.map((_, i) => i === 0));
    expect(sin.filter(({ isChosen }) => isChosen)).toHaveLength(1);
    for (const row of sin)
      expect(row).toMatchObject({
        ...{ dtypes: ["float32", "float32"], device: getDevice(device).name, upTo: 262_144 },
      });
    expect(sin.every(({ us }) => us > 0)).toBe(true);
    const chosen = sin.find(({ isChosen }) => isChosen);
    const stored = jl.tuning.list().find(({ op }) => op === "sin");
    expect(stored).toMatchObject({
      ...{ kernel: chosen?.key, form: chosen?.form, upTo: 262_144, model: getDevice(device).model },
      times: sin.map(({ form, us }) => ({ form, us })),
    });
    const { launches } = jl.record(() => x.sin());
    const suffix = chosen?.isDefault ? "" : `, ${chosen?.form}`;
    expect(launches[0]?.variant).toBe(`${chosen?.variant}${suffix}`);
  });

  test("tunes the kernels of compiled functions", { timeout: 120_000 }, () => {
    const softmax = jl.compile(rowPrograms.softmax as (x: jl.Tensor) => jl.Tensor);
    const rows = jl.tune(softmax, jl.rand([200, 300]));
    expect(rows.length).toBeGreaterThan(1);
    expect(rows[0]?.op).toMatch(/^fused_rows/);
  });

  test("runs the function once, and measures on other memory", () => {
    const x = jl.full([20_000], 0.5);
    let calls = 0;
    jl.tune(() => {
      calls++;
      x.sin_();
    });
    expect(calls).toBe(1);
    expect(x.item.call(x.narrow(0, 7, 1))).toBeCloseTo(Math.sin(0.5), 6);
  });

  test("tells its progress", () => {
    const steps: jl.TuneProgress[] = [];
    const x = jl.rand([20_000]);
    const rows = jl.tuning.call(() => x.cos(), { onProgress: (step) => steps.push(step) });
    const total = rows.length + 1;
    expect(steps.map(({ done }) => done)).toEqual(Array.from({ length: total }, (_, i) => i + 1));
    expect(steps.at(-1)).toEqual({ done: total, total, step: "measured", op: "cos" });
  });

  test("is over where an interrupt ends it", async () => {
    const x = jl.rand([20_000]);
    const endless = () =>
      jl.tune(() => {
        x.sin();
        for (;;);
      });
    expect(() => runInNewContext("endless()", { endless }, { timeout: 200 })).toThrow(/timed out/);
    // The interrupted job's last microtask.
    await Promise.resolve();
    expect(jl.tune(() => x.sin()).length).toBeGreaterThan(1);
  });

  test("refuses what it cannot tune", () => {
    const x = jl.rand([100]);
    expect(() => jl.tune(5 as never)).toThrow(/tune: what to tune is 5, not a function/);
    expect(() => jl.tune(() => 5)).toThrow(/launched no kernel/);
    expect(() => jl.tune(async () => x.sin())).toThrow(/asynchronous/);
    expect(() => jl.record(() => jl.tune(() => x.sin()))).toThrow(/launches are being recorded/);
    expect(() => jl.graph(() => jl.tune(() => x.sin()))).toThrow(/a graph is being recorded/);
    expect(() => jl.tune(() => x.sum())).toThrow(
      /the kernels that the function launched have one form only: sum/,
    );
    expect(() =>
      jl.tune(() => {
        throw new Error("of the function");
      }),
    ).toThrow("of the function");
    // The recording that failed is closed.
    expect(jl.tune(() => x.sin()).length).toBeGreaterThan(1);
  });
});

test("a launch as text is the same launch", () => {
  const [run] = runsOf(() => jl.rand([40_000]).sin()) as [Run];
  const again = runFrom(runText(run), run.device);
  const facts = ({ elements, operands, regions, block }: Run) => [elements, operands, regions, [...block]];
  expect(facts(again)).toEqual(facts(run));
  const sources = ({ forms }: Run) => forms.map(({ name, request }) => [name, request().source]);
  expect(sources(again)).toEqual(sources(run));
  expect(memoryAfter(again)).toEqual(memoryAfter(run));
});
