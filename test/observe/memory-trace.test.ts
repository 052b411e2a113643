// jl.traceMemory: the lines that take memory, the peak of the pool, garbage apart from what is reachable.
import { beforeAll, describe, expect, it } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { useAnyDevice } from "../support/device.js";
import { refusal } from "../support/refusal.js";

beforeAll(useAnyDevice);

const mib = 2 ** 20;
const repeated = <T>(n: number, f: (x: T) => T, x: T): T => (n === 0 ? x : repeated(n - 1, f, f(x)));
const owned = () => jl.memory.stats().reduce((sum, { liveBytes }) => sum + liveBytes, 0);

describe("traceMemory", () => {
  it("has the peak of the allocator, and the lines that hold it", () => {
    jl.memory.collect();
    const start = owned();
    const trace = jl.traceMemory();
    const x = jl.ones([mib / 4]);
    const y = x.add(1);
    const most = owned();
    x.dispose();
    const { startBytes, peakBytes, endBytes, lines } = trace.stop();
    expect([startBytes, peakBytes]).toEqual([start, most]);
    expect(endBytes).toBe(owned());
    expect(lines.map(({ allocations, peakBytes: held }) => [allocations, held])).toEqual([
      [1, mib],
      [1, mib],
    ]);
    expect(lines.map((line) => line.endBytes).sort((a, b) => a - b)).toEqual([0, mib]);
    for (const { place } of lines) expect(place).toMatch(/^memory-trace\.test\.ts:\d+:\d+$/);
    expect(y.at(0).item()).toBe(2);
  });

  it("counts what is dropped as garbage, and nothing of it with using", () => {
    jl.memory.collect();
    const x = jl.ones([mib / 4]);
    const traced = (run: () => void) => {
      const trace = jl.traceMemory();
      run();
      return trace.stop();
    };
    const dropped = traced(() => void x.add(1).sum().item());
    const freed = traced(() => {
      const y = x.add(1);
      y.sum().item();
      y.dispose();
    });
    expect(dropped.garbageBytes - freed.garbageBytes).toBe(mib);
    expect(dropped.lines[0]).toMatchObject({ peakBytes: mib, endBytes: 0 });
  });

  it("measures the peak that using reaches, and what checkpoint saves", () => {
    const x = jl.ones([mib / 4]);
    const peakOf = (run: () => void, options?: jl.MemoryTraceOptions) => {
      jl.memory.collect();
      const trace = jl.traceMemory(options);
      run();
      const { startBytes, peakBytes } = trace.stop();
      return peakBytes - startBytes;
    };
    const repeat = (step: () => void) => () => {
      for (let i = 0; i < 3; i++) step();
    };
    const dropping = repeat(() => void x.add(1).mul(2).sum().item());
    const freeing = repeat(() => {
      using y = x.add(1);
      using z = y.mul(2);
      z.sum().item();
    });
    const measured = peakOf(dropping, { collect: true });
    expect(peakOf(dropping)).toBeGreaterThan(1.9 * measured);
    expect(measured / peakOf(freeing)).toBeCloseTo(1, 1);

    const layer = (y: jl.Tensor) => y.sin().exp().tanh().square();
    const layers = (one: typeof layer) => jl.grad((y: jl.Tensor) => repeated(6, one, y).sum());
    const all = peakOf(() => void layers(layer)(x), { collect: true });
    expect(peakOf(() => void layers(jl.checkpoint(layer))(x), { collect: true })).toBeLessThan(0.8 * all);
  }, 60_000);

  it("refuses options that do not exist", () => {
    expect(refusal(() => jl.traceMemory({ collects: true } as never))).toMatch(
      /^unknown-option: traceMemory has no option "collects"/,
    );
  });

  it("sees nothing after its end", () => {
    const trace = jl.traceMemory();
    const before = trace.stop();
    jl.ones([mib]);
    expect(before.lines).toEqual([]);
    expect(before.owned).toEqual([]);
  });
});
