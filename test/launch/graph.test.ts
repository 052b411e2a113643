// Graphs: launches recorded once and replayed, on whichever device the tests run.
import { beforeAll, describe, expect, it } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { device as testDevice, useDevice } from "../support/device.js";

const other = testDevice === "cpu" ? undefined : "cpu";

beforeAll(useDevice);

describe("jl.graph", () => {
  it("runs nothing while it records, and everything at each replay", () => {
    const x = jl.tensor([1, 2, 3]);
    const step = jl.graph(() => x.mul_(2).add_(1));
    expect(step.launches).toBe(2);
    expect(x.toArray()).toEqual([1, 2, 3]);
    expect(step()).toBe(x);
    step();
    expect(x.toArray()).toEqual([7, 11, 15]);
  });

  it("reads new inputs, and gives its results in the same tensors", () => {
    const x = jl.tensor([1, 2, 3, 4]).reshape(2, 2);
    const y = jl.tensor([10, 20]);
    const step = jl.graph(() => ({ sum: x.T.add(y), big: x.gt(2) }));
    const first = step();
    expect(first.sum.toArray()).toEqual([
      [11, 23],
      [12, 24],
    ]);
    expect(first.big.toArray()).toEqual([
      [false, false],
      [true, true],
    ]);
    y.copy_(jl.tensor([100, 200]));
    const second = step();
    expect(second.sum).toBe(first.sum);
    expect(second.sum.toArray()).toEqual([
      [101, 203],
      [102, 204],
    ]);
  });

  it("keeps scalars and parameters as they were", () => {
    const x = jl.tensor([1, 2]);
    const scaled = jl.jit("template <typename T> T scaled(T x, T by) { return x * by; }", {
      params: { by: 3 },
    });
    let by = 5;
    const step = jl.graph(() => [scaled(x, { by }), scaled(x), x.add(by)]);
    by = 100;
    expect(step().map((tensor) => tensor.toArray())).toEqual([
      [5, 10],
      [3, 6],
      [6, 7],
    ]);
  });

  it("keeps the memory of tensors that were disposed of or became unreachable", () => {
    const count = 50_000;
    let x: jl.Tensor | undefined = jl.full([count], 3);
    const step = jl.graph(() => {
      const doubled = (x as jl.Tensor).mul(2);
      const result = doubled.add(1);
      doubled.dispose();
      return result;
    });
    x.dispose();
    x = undefined;
    // Whatever is allocated now must not get the memory that the replay writes or reads.
    const others = Array.from({ length: 8 }, () => jl.zeros([count]));
    expect(step().eq(7).toArray()).toEqual(new Array(count).fill(true));
    for (const other of others) expect(other.eq(0).toArray()).toEqual(new Array(count).fill(true));
  });

  it("gives the memory back when it is disposed of", () => {
    const live = () => jl.memory.stats().find(({ device }) => device.startsWith(testDevice))?.liveBytes ?? 0;
    const x = jl.zeros([2 ** 20]);
    const before = live();
    const step = jl.graph(() => {
      const y = x.add(1);
      y.dispose();
    });
    expect(live()).toBeGreaterThan(before);
    step();
    step.dispose();
    step.dispose();
    expect(live()).toBe(before);
    expect(() => step()).toThrow(/disposed/);
  });

  it("survives that its kernels are forgotten", () => {
    const x = jl.tensor([1, 2]);
    const step = jl.graph(() => x.sinh_());
    jl.cache.clear({ op: "sinh" });
    expect(step().toArray()).toEqual(jl.tensor([1, 2]).sinh().toArray());
    step.dispose();
  });

  it("counts its launches", () => {
    const launches = () => jl.timings().find(({ op }) => op === "cosh")?.launches ?? 0;
    const x = jl.tensor([1, 2]);
    const step = jl.graph(() => x.cosh());
    const before = launches();
    step();
    step();
    expect(launches() - before).toBe(2);
  });

  it("is seen by recordings, launch by launch", () => {
    const x = jl.tensor([1, 2]);
    const step = jl.graph(() => x.cosh().add(1));
    step();
    for (const device of [false, true]) {
      const { launches } = jl.record(() => step(), { device });
      expect(launches.map(({ op, origin, bytes }) => [op, origin, bytes])).toEqual([
        ["cosh", "memory", 16],
        ["add", "memory", 16],
      ]);
      expect(launches.every(({ phases }) => phases.launchMs >= 0)).toBe(true);
      expect(launches.every(({ deviceUs }) => (deviceUs !== undefined) === device)).toBe(true);
    }
  });

  it("works without any launch", () => {
    const step = jl.graph(() => 42);
    expect([step(), step.launches]).toEqual([42, 0]);
  });

  it.each([
    ["reads of elements", (x: jl.Tensor) => x.add(1).toArray(), /Reading a tensor needs elements/],
    ["console.log", (x: jl.Tensor) => String(x), /Reading a tensor needs elements/],
    ["nested graphs", (x: jl.Tensor) => jl.graph(() => x.add(1)), /another graph/],
    ["asynchronous functions", async (x: jl.Tensor) => x.add(1), /asynchronous/],
  ])("refuses %s, and records again afterwards", (_, fn, message) => {
    const x = jl.tensor([1]);
    expect(() => jl.graph(() => fn(x))).toThrow(message);
    expect(
      jl
        .graph(() => x.add(1))()
        .toArray(),
    ).toEqual([2]);
  });

  it("refuses what is no function", () => {
    expect(() => jl.graph(3 as never)).toThrow(/a function/);
  });

  it.skipIf(!other)(
    "records launches on two devices, but no copies between them (needs one beside the cpu)",
    () => {
      const x = jl.tensor([1]);
      const y = jl.tensor([1], { device: other as string });
      const step = jl.graph(() => [x.add(1), y.add(2), x.mul(5)]);
      expect(step.launches).toBe(3);
      for (let i = 0; i < 2; i++) expect(step().map((one) => one.item())).toEqual([2, 3, 5]);
      expect(() => jl.graph(() => x.to(other as string))).toThrow(/needs elements/);
    },
  );
});
