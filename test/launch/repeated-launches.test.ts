// Launches that a program repeats: when they become a graph, which of them are updated in it, and when they are queued one by
// one. The device is one that writes down what is queued.
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { DeviceError } from "../../dist/runtime/base/errors.js";
import type { RepeatedWork } from "../../dist/runtime/device/device.js";
import { FakeLauncher, type Queued } from "../support/fake-launches.js";
import { randomSource } from "../support/random.js";

const chain = (...words: number[]): Queued[] => words.map((word, i) => [`k${i}`, word, 4]);

/** Runs launches as a program does; returns what that queued. */
function ran(device: FakeLauncher, work: RepeatedWork, launches: readonly Queued[]): Queued[] {
  const before = device.queued.length;
  work.run(() => {
    for (const one of launches) device.launch(one);
  });
  return device.queued.slice(before);
}

/** A device and a program that has a graph of launches with these words. */
function learned(words: readonly number[], mostChanged?: number) {
  const device = new FakeLauncher();
  const work = device.work(mostChanged);
  for (let i = 0; i < 2; i++) ran(device, work, chain(...words));
  expect(device).toMatchObject({ graphs: 1, graphLaunches: 0 });
  return { device, work };
}

test("launches are queued at once until the same kernels ran twice, then as one", () => {
  const { device, work } = learned([1, 2, 3]);
  expect(ran(device, work, chain(1, 2, 3))).toEqual(chain(1, 2, 3));
  expect(device).toMatchObject({ graphs: 1, graphLaunches: 1, updates: 0 });
});

test("only launches with other arguments or blocks are updated", () => {
  const { device, work } = learned([1, 2, 3]);
  expect(ran(device, work, chain(1, 9, 3))).toEqual(chain(1, 9, 3));
  expect(device).toMatchObject({ graphLaunches: 1, updates: 1 });
  const wider: Queued[] = [...chain(1, 9), ["k2", 3, 5]];
  expect(ran(device, work, wider)).toEqual(wider);
  expect(device).toMatchObject({ graphLaunches: 2, updates: 2 });
  expect(ran(device, work, chain(1, 9, 3))).toEqual(chain(1, 9, 3));
  expect(device).toMatchObject({ graphs: 1, graphLaunches: 3, updates: 3 });
});

test("with too many changes they are queued one by one, and the graph gets all of them later", () => {
  const { device, work } = learned([1, 2, 3, 4], 1);
  expect(ran(device, work, chain(5, 6, 7, 4))).toEqual(chain(5, 6, 7, 4));
  expect(device).toMatchObject({ graphLaunches: 0, updates: 0 });
  // One differs from the run before, three from the graph.
  expect(ran(device, work, chain(5, 6, 7, 8))).toEqual(chain(5, 6, 7, 8));
  expect(device).toMatchObject({ graphLaunches: 1, updates: 4 });
  expect(ran(device, work, chain(5, 6, 7, 8))).toEqual(chain(5, 6, 7, 8));
  expect(device).toMatchObject({ graphs: 1, graphLaunches: 2, updates: 4 });
});

test("another kernel, a missing one and one more are queued in their order, and the graph is dropped", () => {
  for (const other of [
    [...chain(1), ["other", 2, 4], ["k2", 3, 4]] as Queued[],
    chain(1, 2),
    chain(1, 2, 3, 4),
    [],
  ]) {
    const { device, work } = learned([1, 2, 3]);
    expect(ran(device, work, other)).toEqual(other);
    expect(device).toMatchObject({ graphLaunches: 0, live: 0 });
    // The next graph takes twice as many runs.
    for (let i = 0; i < 4; i++) ran(device, work, chain(1, 2, 3));
    expect(device).toMatchObject({ graphs: 2, graphLaunches: 0, live: 1 });
    expect(ran(device, work, chain(1, 7, 3))).toEqual(chain(1, 7, 3));
    expect(device).toMatchObject({ graphLaunches: 1, updates: 1 });
  }
});

test("whoever uses the device in between finds the launches queued", () => {
  const { device, work } = learned([1, 2, 3]);
  const before = device.queued.length;
  work.run(() => {
    for (const one of chain(1, 2)) device.launch(one);
    expect(device.queued.length).toBe(before);
    device.use();
    expect(device.queued.slice(before)).toEqual(chain(1, 2));
    device.launch(["k2", 9, 4]);
    expect(device.queued.slice(before)).toEqual(chain(1, 2, 9));
  });
  expect(device.queued.slice(before)).toEqual(chain(1, 2, 9));
  expect(device).toMatchObject({ graphs: 1, live: 1, graphLaunches: 0 });
  expect(ran(device, work, chain(1, 2, 3))).toEqual(chain(1, 2, 3));
  expect(device).toMatchObject({ graphLaunches: 1, updates: 0 });
});

test("a launch that waits for all of its blocks is queued at once, after those before it", () => {
  const { device, work } = learned([1, 2, 3]);
  const before = device.queued.length;
  work.run(() => {
    device.launch(["k0", 1, 4]);
    device.launch(["k1", 2, 4], true);
    device.launch(["k2", 3, 4]);
  });
  expect(device.queued.slice(before)).toEqual(chain(1, 2, 3));
  expect(device.graphLaunches).toBe(0);
});

test("an error in between leaves what was launched before it", () => {
  const { device, work } = learned([1, 2, 3]);
  const before = device.queued.length;
  const fails = () =>
    work.run(() => {
      device.launch(["k0", 8, 4]);
      throw new Error("no memory");
    });
  expect(fails).toThrow("no memory");
  expect(device.queued.slice(before)).toEqual(chain(8));
  expect(ran(device, work, chain(8, 2, 3))).toEqual(chain(8, 2, 3));
  expect(device).toMatchObject({ graphLaunches: 1, updates: 1 });
});

test("programs in programs keep the order of their launches", () => {
  const { device, work } = learned([1, 2, 3]);
  const inner = device.work();
  for (let i = 0; i < 2; i++) ran(device, inner, chain(5, 6));
  const before = device.queued.length;
  work.run(() => {
    device.launch(["k0", 1, 4]);
    ran(device, inner, chain(5, 6));
    device.launch(["k1", 2, 4]);
    device.launch(["k2", 3, 4]);
  });
  expect(device.queued.slice(before)).toEqual([...chain(1), ...chain(5, 6), ["k1", 2, 4], ["k2", 3, 4]]);
});

test("launches that an interrupt left behind are queued before the next use, and once", () => {
  const { device, work } = learned([1, 2, 3]);
  const before = device.queued.length;
  const endless = () =>
    work.run(() => {
      for (const one of chain(7, 2)) device.launch(one);
      for (;;);
    });
  // An interrupt skips what handles errors.
  expect(() => runInNewContext("endless()", { endless }, { timeout: 20 })).toThrow(/timed out/);
  expect(device.queued.length).toBe(before);
  // Outside of a program: the next launch of another cell, which may be of the same kernel.
  device.launch(["k2", 9, 4]);
  device.launch(["other", 9, 4]);
  expect(device.queued.slice(before)).toEqual([...chain(7, 2), ["k2", 9, 4], ["other", 9, 4]]);
  expect(ran(device, work, chain(1, 2, 3))).toEqual(chain(1, 2, 3));
  device.use();
  expect(device.queued.length).toBe(before + 7);
});

describe("a device that refuses", () => {
  test.each(["compose", "update", "launch"] as const)("to %s: launches are queued one by one", (refuses) => {
    const device = new FakeLauncher();
    const work = device.work();
    if (refuses === "compose") device.refuses = refuses;
    for (let i = 0; i < 2; i++) ran(device, work, chain(1, 2, 3));
    device.refuses = refuses;
    for (const words of [
      [1, 5, 3],
      [1, 6, 3],
      [4, 6, 3],
    ])
      expect(ran(device, work, chain(...words))).toEqual(chain(...words));
    expect(device).toMatchObject({ graphLaunches: 0, live: 0 });
    device.refuses = undefined;
    for (let i = 0; i < 20; i++) ran(device, work, chain(1, 2, 3));
    expect(device).toMatchObject({ graphLaunches: 0, live: 0 });
  });
});

test("a graph with a kernel that is unloaded is dropped", () => {
  const { device, work } = learned([1, 2, 3]);
  device.unload("k1");
  expect(device.live).toBe(0);
  expect(ran(device, work, chain(1, 2, 3))).toEqual(chain(1, 2, 3));
  expect(device.graphLaunches).toBe(0);
});

test("one launch makes no graph, and a released program none", () => {
  const device = new FakeLauncher();
  const single = device.work();
  for (let i = 0; i < 9; i++) ran(device, single, chain(1));
  expect(device.graphs).toBe(0);
  const { device: other, work } = learned([1, 2]);
  work.release();
  expect(other.live).toBe(0);
});

test("launches are measured again one by one, and as one with the arguments of the last run", () => {
  const { device, work } = learned([1, 2, 3], 0);
  ran(device, work, chain(4, 5, 6));
  const before = device.queued.length;
  work.again();
  work.again(0);
  work.again(2);
  expect(device.queued.slice(before)).toEqual([...chain(4, 5, 6), ...chain(4, 5, 6), ...chain(4, 5, 6)]);
  expect(device).toMatchObject({ graphLaunches: 2, updates: 5 });
});

test("10000 random runs queue what they launch, in order", () => {
  const { below: upTo } = randomSource(7);
  let together = 0;
  for (let seed = 0; seed < 50; seed++) {
    const device = new FakeLauncher();
    const programs = Array.from({ length: 2 }, () => ({
      work: device.work(upTo(5)),
      kernels: Array.from({ length: 1 + upTo(6) }, () => `k${upTo(4)}`),
    }));
    const expected: Queued[] = [];
    const words = Array.from({ length: 8 }, () => upTo(3));
    for (let run = 0; run < 200; run++) {
      const program = programs[upTo(2)] as (typeof programs)[0];
      if (upTo(30) === 0) program.kernels[upTo(program.kernels.length)] = `k${upTo(4)}`;
      if (upTo(60) === 0) program.kernels.length = 1 + upTo(program.kernels.length);
      if (upTo(40) === 0) device.unload(`k${upTo(4)}`);
      if (upTo(3) === 0) words[upTo(8)] = upTo(100);
      if (upTo(25) === 0) device.refuses = (["compose", "update", "launch"] as const)[upTo(3)];
      else device.refuses = undefined;
      const fails = upTo(20) === 0 ? upTo(program.kernels.length) : -1;
      try {
        program.work.run(() => {
          program.kernels.forEach((name, i) => {
            if (i === fails) throw new RangeError("in the middle");
            const one: Queued = [name, words[i] as number, 1 + ((words[i] as number) % 2)];
            expected.push(one);
            device.launch(one, upTo(100) === 0);
            if (upTo(50) === 0) {
              device.use();
              expect(device.queued).toEqual(expected);
            }
          });
        });
      } catch (error) {
        if (!(error instanceof RangeError) && !(error instanceof DeviceError)) throw error;
      }
      if (device.queued.length !== expected.length) expect(device.queued).toEqual(expected);
    }
    expect(device.queued).toEqual(expected);
    for (const { work } of programs) work.release();
    expect(device.live).toBe(0);
    together += device.graphLaunches;
  }
  expect(together).toBeGreaterThan(1000);
});
