// Replayed calls over the same memory: a device with graphs gets their launches as one piece of work. Other devices get a stand-in
// that keeps the launches and makes them again.
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { DeviceError } from "../../dist/runtime/base/errors.js";
import type { ComposedWork, Device } from "../../dist/runtime/device/device.js";
import * as jl from "../../dist/runtime/index.js";
import { getDevice } from "../../dist/runtime/launch/devices.js";
import { device, useAnyDevice } from "../support/device.js";
import { useOwnCache } from "../support/own-cache.js";

useOwnCache();
beforeAll(useAnyDevice);

let own: Device["compose"];
let made: number;
let ran: number;
let isBroken: boolean;

beforeEach(() => {
  const real = getDevice(device) as Device & { compose?: Device["compose"] };
  own = real.compose;
  [made, ran, isBroken] = [0, 0, false];
  real.compose = (queue: () => void): ComposedWork => {
    made++;
    if (isBroken) throw new DeviceError("broken", "No graph can be made.");
    const work = own ? own.call(real, queue) : { launch: queue, release: () => {} };
    return {
      launch: () => {
        ran++;
        work.launch();
      },
      release: work.release,
    };
  };
});

afterEach(() => {
  const real = getDevice(device) as { compose?: Device["compose"] };
  if (Object.getPrototypeOf(real).compose === own) delete real.compose;
  else real.compose = own;
});

const [rows, columns] = [48, 40];
type Step = (p: jl.Tensor[], x: jl.Tensor) => { p: jl.Tensor[]; loss: jl.Tensor };
const step: Step = ([w, b] = [], x) => {
  const loss = jl.valueAndGrad((w: jl.Tensor, b: jl.Tensor) => x.matmul(w).add(b).tanh().square().mean(), {
    argnums: [0, 1],
  });
  const { value, grad } = loss(w as jl.Tensor, b as jl.Tensor);
  const [g, h] = grad as unknown as [jl.Tensor, jl.Tensor];
  return { p: [(w as jl.Tensor).sub(g.mul(0.1)), (b as jl.Tensor).sub(h.mul(0.1))], loss: value };
};
const start = () => {
  jl.manualSeed(3);
  return [jl.randn([columns, 24]), jl.zeros([24])];
};

/** Trains by separate calls and by a compiled function; both must have the same bits. Returns the compiled function. */
function train(
  calls: number,
  options: jl.CompileOptions,
  next: (i: number, x: jl.Tensor) => jl.Tensor,
  each?: (i: number) => void,
) {
  const fast = jl.compile(step, { replay: true, ...options });
  let [a, b] = [start(), start()];
  let x = jl.rand([rows, columns]);
  for (let i = 0; i < calls; i++) {
    x = next(i, x);
    const [one, two] = [fast(a, x), step(b, x)];
    [a, b] = [one.p, two.p];
    each?.(i);
    expect(
      [one.loss, ...a].map((y) => y.toArray()),
      `call ${i + 1}`,
    ).toEqual([two.loss, ...b].map((y) => y.toArray()));
  }
  return fast;
}

describe("the launches of replayed calls", () => {
  it("become one piece of work where they have the same memory", () => {
    const fast = train(40, { donate: [0] }, (_, x) => x);
    expect(made).toBeGreaterThan(0);
    expect(made).toBeLessThan(6);
    expect(ran).toBeGreaterThan(15);
    expect(fast.report().replayed).toBeGreaterThan(25);
  });

  it("are made by themselves where memory is another one, and become one again", () => {
    const held: jl.Tensor[] = [];
    train(60, { donate: [0] }, (i, x) => {
      if (i % 20 < 14) return x;
      held.push(x);
      return x.mul(1 + i / 64);
    });
    expect(ran).toBeGreaterThan(10);
  });

  it("are right where nothing is donated", () => {
    train(30, {}, (_, x) => x);
  });

  it("are made anew after their kernels were unloaded", () => {
    let before = 0;
    train(
      50,
      { donate: [0] },
      (_, x) => x,
      (i) => {
        if (i === 25) jl.cache.clear();
        if (i === 26) expect(ran).toBe(before);
        before = ran;
      },
    );
    expect(ran).toBeGreaterThan(20);
  });

  it("are made by themselves where the device fails to compose them", () => {
    isBroken = true;
    train(30, { donate: [0] }, (_, x) => x);
    expect([made > 0, ran]).toEqual([true, 0]);
  });

  it("leave random numbers, earlier elements and recordings as they are", () => {
    const sum = jl.zeros([16]);
    const body = (x: jl.Tensor, s: jl.Tensor) => {
      s.add_(x);
      const sums = s.cumsum(0).cumsum(0).mul(2).cumsum(0);
      return sums
        .add(jl.rand([16]))
        .cumsum(0)
        .sum();
    };
    const plain = jl.zeros([16]);
    const fast = jl.compile(body, { replay: true });
    const x = jl.ones([16]);
    for (let i = 0; i < 40; i++) {
      const old: jl.Tensor[] = [];
      const was = sum.toArray();
      if (i % 4 === 3) jl.compile(() => void old.push(sum.mul(10)))();
      const [one, two] = [() => fast(x, sum), () => body(x, plain)].map((run) => {
        jl.manualSeed(i);
        return run().item();
      });
      expect([one, sum.toArray()], `call ${i + 1}`).toEqual([two, plain.toArray()]);
      for (const y of old) expect(y.toArray()).toEqual((was as number[]).map((value) => 10 * value));
      if (i === 30) {
        const { launches } = jl.record(() => fast(x, sum));
        body(x, plain);
        expect(launches.length).toBeGreaterThan(3);
      }
    }
    expect(fast.report()).toMatchObject({ unreplayed: [] });
    expect(ran).toBeGreaterThan(3);
  });

  it("write parts of a tensor that no result shares into memory that stays", () => {
    const body = (x: jl.Tensor, y: jl.Tensor) => {
      const joined = jl.cat([x.mul(2).cumsum(0), y.sub(1).cumsum(0), x.cumsum(0)]);
      joined.narrow(0, 5, 2).fill_(7);
      return joined.cumsum(0).sum().add(joined.square().cumsum(0).mul(0.5).sum());
    };
    const fast = jl.compile(body, { replay: true });
    const [x, y] = [jl.rand([2048]), jl.rand([1024])];
    const want = body(x, y).item();
    const live: number[] = [];
    const counts: number[] = [];
    for (let i = 0; i < 31; i++) {
      const z = fast(x, y);
      expect(z.item(), `call ${i + 1}`).toBe(want);
      z.dispose();
      live.push(jl.memory.stats()[0]?.liveBlocks ?? 0);
      counts.push(ran);
    }
    expect(fast.report()).toMatchObject({ unreplayed: [] });
    // Calls 18 to 31 are replayed: what is not composed is the launch of the result.
    expect(Math.max(...live.slice(18)) - Math.min(...live.slice(18))).toBeLessThan(3);
    expect(ran - (counts[24] as number)).toBeGreaterThan(5);
  });

  const part = (x: jl.Tensor, from: number, count: number) => x.narrow(0, from, count);
  const writes: Readonly<Record<string, (x: jl.Tensor, y: jl.Tensor) => jl.Tensor[]>> = {
    "reads before and after": (x, y) => {
      const z = jl.cat([x, y]);
      const before = z.cumsum(0);
      part(z, 1, 3).fill_(5);
      return [before.sum(), z.cumsum(0)];
    },
    "a sum of earlier parts": (x, y) => {
      const z = jl.zeros([x.size + 4]);
      part(z, 2, x.size).copy_(x.cumsum(0));
      part(z, 0, 1).add_(z.sum());
      return [part(z, 0, 5), z.cumsum(0).mul(y.sum())];
    },
    "a part of itself": (x, y) => {
      const z = jl.cat([x.mul(2), y]);
      const a = part(z, 0, 4);
      a.copy_(a.cumsum(0));
      return [z.cumsum(0), a.sum()];
    },
    "an argument": (x, y) => {
      part(x, 1, 2).add_(y.sum());
      return [jl.cat([x, x]).cumsum(0).sum(), x.cumsum(0)];
    },
    "a result": (x, y) => {
      const z = jl.cat([x, y]);
      return [z, z.cumsum(0)];
    },
    "many parts, one after the other": (x) => {
      const z = jl.zeros([x.size]);
      for (let k = 0; k < 4; k++) part(z, k, 1).copy_(part(x, k, 1).add(z.sum()));
      return [z.cumsum(0), z.add(1).cumsum(0)];
    },
  };
  it.each(Object.entries(writes))("write parts of tensors as separate calls do: %s", (_, body) => {
    for (const isKept of [true, false]) {
      const fast = jl.compile(body, { replay: true });
      const y = jl.arange(24).to("float32");
      let [one, two] = [0, 1].map(() => jl.arange(40).to("float32")) as [jl.Tensor, jl.Tensor];
      for (let i = 0; i < 20; i++) {
        if (!isKept) [one, two] = [one.add(i), two.add(i)];
        const [own, other] = [
          [...fast(one, y), one],
          [...body(two, y), two],
        ];
        expect(
          own.map((z) => z.toArray()),
          `call ${i + 1}`,
        ).toEqual(other.map((z) => z.toArray()));
      }
      expect(fast.report()).toMatchObject({ unreplayed: [] });
    }
  });

  it("become one again soon after their memory moved, if they were launched often before", () => {
    const fast = jl.compile((x: jl.Tensor) => x.cumsum(0).mul(2).cumsum(0).mul(3).cumsum(0).sum(), {
      replay: true,
    });
    const all = Array.from({ length: 4 }, () => jl.rand([512]));
    for (let i = 0; i < 160; i++) fast(all[Math.floor(i / 40)] as jl.Tensor).item();
    expect(made).toBeGreaterThan(3);
    expect(ran).toBeGreaterThan(100);
  });

  it("count as launches of their kernels", () => {
    const fast = jl.compile(
      (p: jl.Tensor) => p.mul(0.5).cumsum(0).mul(0.1).cumsum(0).mul(0.1).cumsum(0).mul(0.1),
      {
        replay: true,
        donate: [0],
      },
    );
    let p = jl.rand([512]);
    const total = () => jl.timings().reduce((sum, { launches }) => sum + launches, 0);
    const counts: number[] = [];
    for (let i = 0; i < 30; i++) {
      const before = total();
      p = fast(p);
      counts.push(total() - before);
    }
    expect(fast.report()).toMatchObject({ unreplayed: [] });
    expect(ran).toBeGreaterThan(5);
    // Calls 25 to 30 are replayed.
    expect(new Set(counts.slice(24))).toEqual(new Set([counts[5]]));
  });
});
