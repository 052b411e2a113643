// jl.traceMemory: the lines that take memory, the peak of the pool, garbage apart from what is reachable.
import { readFileSync } from "node:fs";
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
    const { startBytes, peakBytes, endBytes, lines, places } = trace.stop();
    expect(places.map((place) => lines.findIndex((line) => line.place === place))).toHaveLength(3);
    expect([places[0], places[2]]).toEqual([places[2], places[0]]);
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

describe("memoryTimeline", () => {
  const layer = (y: jl.Tensor) => y.sin().exp().tanh().square();
  const x = () => jl.rand([mib / 4]);
  /** The peak of a call beyond what was owned before it, without garbage. */
  const peakOf = (run: () => unknown) => {
    jl.memory.collect();
    const trace = jl.traceMemory({ collect: true });
    const held = [run()];
    const { startBytes, peakBytes } = trace.stop();
    return held.length > 0 ? peakBytes - startBytes : 0;
  };
  const savingOf = (report: jl.MemoryReport, by: string) => {
    const { before = 0, after = 0 } = report.savings.find((one) => one.by === by) ?? {};
    return before - after;
  };

  it("has the peak of the allocator within a hundredth, garbage included", () => {
    jl.memory.collect();
    const highest = () => jl.memory.stats().reduce((sum, { peakBytes }) => sum + peakBytes, 0);
    // More than anything before it in this process.
    const [large, before] = [jl.rand([2 ** 23]), highest()];
    const trace = jl.traceMemory();
    const result = layer(large).add(1).mul(2).sum();
    const { peakBytes } = trace.stop();
    expect(highest()).toBeGreaterThan(before);
    expect(Math.abs(peakBytes / highest() - 1)).toBeLessThan(0.01);
    expect(result.item()).toBeGreaterThan(0);
  });

  it("has the lines of the peak, apart from garbage", () => {
    const { timeline, live, plannedBytes } = jl.memoryTimeline((y: jl.Tensor) => {
      const kept = y.add(1);
      const total = y.mul(2).sqrt().sum();
      return [kept, total];
    }, x());
    const lines = readFileSync(new URL(import.meta.url), "utf8").split("\n");
    const [first] = live.lines;
    expect(lines[Number(first?.place.split(":")[1]) - 1]).toMatch(/y\.(add\(1\)|mul\(2\))/);
    expect(Math.abs((live.peakBytes - live.startBytes) / (3 * mib) - 1)).toBeLessThan(0.05);
    expect(timeline.peakBytes - timeline.startBytes).toBeGreaterThanOrEqual(live.peakBytes - live.startBytes);
    expect(plannedBytes).toBe(undefined);
  });

  it("measures what using saves, as it does in the code", () => {
    const report = jl.memoryTimeline((y: jl.Tensor) => {
      for (let i = 0; i < 4; i++) y.add(i).mul(2).sqrt().sum().item();
    }, x());
    const own = x();
    const peak = peakOf(() => {
      for (let i = 0; i < 4; i++) {
        using a = own.add(i);
        using b = a.mul(2);
        using c = b.sqrt();
        c.sum().item();
      }
    });
    const [using] = report.savings.filter(({ by }) => by === "using");
    expect(Math.abs((using?.after ?? 0) / peak - 1)).toBeLessThan(0.1);
    expect(using?.before).toBe(report.timeline.peakBytes - report.timeline.startBytes);
  });

  it("measures what donate saves, as it does in the code", () => {
    const step = (y: jl.Tensor, z: jl.Tensor) => y.mul(0.9).add(z);
    const report = jl.memoryTimeline(jl.compile(step), x(), x());
    expect(report.plannedBytes).toBe(mib);
    const peakWith = (options: jl.CompileOptions) => {
      const run = jl.compile(step, options);
      run(x(), x());
      const args = [x(), x()] as const;
      const peak = peakOf(() => run(...args));
      expect(args).toHaveLength(2);
      return peak;
    };
    const saved = peakWith({}) - peakWith({ donate: [0, 1] });
    expect(saved).toBe(mib);
    expect(Math.abs(savingOf(report, "donate") / saved - 1)).toBeLessThan(0.1);
  });

  it("measures what checkpoint saves, as it does in a network", () => {
    // Like most layers it keeps its input.
    const wide = (y: jl.Tensor) =>
      y
        .expand(8, mib / 4)
        .sin()
        .exp()
        .sum();
    const network = (one: typeof layer) => {
      const own = x();
      const run = jl.grad((y: jl.Tensor) => wide(one(y)));
      return peakOf(() => run(own));
    };
    const saved = network(layer) - network(jl.checkpoint(layer));
    expect(saved).toBe(2 * mib);
    expect(Math.abs(savingOf(jl.memoryTimeline(layer, x()), "checkpoint") / saved - 1)).toBeLessThan(0.1);
  });

  it("draws the same numbers in each run, changes no argument, and takes what cannot be compiled", () => {
    const own = x();
    const before = own.sum().item();
    jl.manualSeed(4);
    jl.rand([1]);
    const next = jl.rand([1]).item();
    jl.manualSeed(4);
    const seen = new Set<number>();
    const report = jl.memoryTimeline((y: jl.Tensor) => {
      seen.add(
        y
          .mul_(jl.rand([1]))
          .sum()
          .item() as number,
      );
    }, own);
    expect(seen.size).toBe(1);
    expect(jl.rand([1]).item()).toBe(next);
    expect(own.sum().item()).toBe(before);
    expect(report.savings.map(({ by }) => by)).not.toContain("checkpoint");
  });

  it("refuses what it cannot run, with what to do", () => {
    expect(refusal(() => jl.memoryTimeline(3 as never, ...([] as never)))).toMatch(
      /^bad-argument: memoryTimeline: what to run is 3, not a function/,
    );
    expect(refusal(() => jl.memoryTimeline(async () => 1))).toMatch(
      /^bad-argument: memoryTimeline: the function is async\.\nLoad data/,
    );
    const inner = (y: jl.Tensor) => y.add(jl.memoryTimeline(layer, y).live.peakBytes);
    expect(refusal(() => jl.compile(inner)(x()))).toMatch(/jl\.memoryTimeline/);
    expect(() =>
      jl.memoryTimeline(() => {
        throw new RangeError("mine");
      }),
    ).toThrow(RangeError);
  });
});
