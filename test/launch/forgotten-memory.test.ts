// Loops that forget their results: memory stays constant, and no memory that anything reaches is freed. Freed memory is
// overwritten in tests, so a use of it shows.
import { beforeAll, describe, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { device, useDevice } from "../support/device.js";
import { ended } from "../support/ended.js";

// FORGOTTEN_TENSORS=10000000 is the full length.
const most = Number(process.env.FORGOTTEN_TENSORS ?? 40_000);
const MiB = 2 ** 20;
let x: jl.Tensor;
beforeAll(() => {
  useDevice();
  x = jl.arange(5000, { dtype: "float32" });
});

const stats = () => jl.memory.stats().find((one) => one.device === x.device.name) as { liveBytes: number };

/** The growth of owned memory while a loop runs, after what it needs at first. */
function growth(turns: number, turn: (i: number) => void): number {
  for (let i = 0; i < turns / 10; i++) turn(i);
  jl.memory.collect();
  const before = stats().liveBytes;
  for (let i = 0; i < turns; i++) turn(i);
  jl.memory.collect();
  return stats().liveBytes - before;
}

describe("memory stays constant while a loop", () => {
  test("drops results, young and old ones", () => {
    const recent: jl.Tensor[] = [];
    const turn = (i: number) => {
      recent[i % 97] = x.add(i % 1000);
    };
    expect(growth(most, turn)).toBeLessThan(MiB);
    for (const [at, one] of recent.entries()) {
      const first = one.at(0).item() as number;
      expect(one.at(4999).item()).toBe(first + 4999);
      expect((first - at) % 1).toBe(0);
    }
  });

  test("keeps views of some, and shares of chunks", () => {
    const kept: [jl.Tensor, number][] = [];
    const turn = (i: number) => {
      const value = i % 1000;
      const slot = i % 300;
      const held = kept[slot];
      if (held) expect(held[0].sum().item()).toBe(held[1]);
      const whole = i % 2 ? jl.full([300], value) : jl.full([3], value);
      kept[slot] = [whole.slice("1:3"), 2 * value];
    };
    expect(growth(most / 4, turn)).toBeLessThan(MiB);
    for (const [view, sum] of kept) expect(view.sum().item()).toBe(sum);
  });

  test.skipIf(device !== "cpu")("shares memory with typed arrays", () => {
    let last: Float32Array | undefined;
    const turn = (i: number) => {
      if (last) expect(last[1999]).toBe(i - 1 < 0 ? 0 : (i - 1) % 777);
      last = jl.full([2000], i % 777, { dtype: "float32" }).data() as Float32Array;
    };
    last = undefined;
    for (let i = 0; i < most / 40; i++) turn(i);
    const before = stats().liveBytes;
    for (let i = most / 40; i < most / 8; i++) turn(i);
    jl.memory.collect();
    expect(stats().liveBytes - before).toBeLessThan(MiB);
  });

  test("replays graphs, donates, and differentiates", () => {
    const graph = jl.graph(() => x.mul(2));
    const donating = jl.compile((y: jl.Tensor) => y.mul(0.5).add(1), { donate: [0] });
    const gradient = jl.compile(jl.grad((y: jl.Tensor) => y.square().sum()));
    let state = jl.ones([5000]);
    const turn = (i: number) => {
      state = donating(state);
      if (i % 8 === 0) expect(graph().at(7).item()).toBe(14);
      if (i % 16 === 0) expect((gradient(x) as jl.Tensor).at(9).item()).toBe(18);
    };
    expect(growth(most / 10, turn)).toBeLessThan(MiB);
    expect(state.sum().item()).toBeCloseTo(10_000, 0);
  });

  test("is ended by interrupts anywhere", () => {
    let done = 0;
    const endless = () => {
      for (;;) {
        const y = x.add(1);
        if (++done % 3 === 0) y.dispose();
        else if (done % 50 === 0 && y.at(10).item() !== 11) throw new Error("freed");
      }
    };
    const turn = () => ended(endless, 3);
    expect(growth(Math.min(2000, most / 400), turn)).toBeLessThan(4 * MiB);
    expect(done).toBeGreaterThan(100);
    expect(x.add(1).sum().item()).toBe((5000 * 5001) / 2);
  });
});
