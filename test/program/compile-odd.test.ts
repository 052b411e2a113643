// Unusual uses of compiled functions: odd results, other devices, disposed tensors, recursion, errors and recordings inside.
// Each equals the separate calls, and the next call works like the first.
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { openSink } from "../../dist/runtime/launch/sink.js";
import { device, useDevice } from "../support/device.js";

beforeAll(useDevice);
// Whatever happened, nothing is deferred any more.
afterEach(() => expect(openSink()).toBeUndefined());

const outcomeOf = (run: () => unknown): unknown => {
  try {
    return run();
  } catch (error) {
    const { code, name, message } = error as jl.JitlabError;
    return code ?? `${name}: ${message}`;
  }
};
const launchesOf = (run: () => unknown): string[] => jl.record(run).launches.map(({ op }) => op);

it("a compiled function runs where its arguments are, one device after the other", () => {
  const scaled = (a: jl.Tensor, b: jl.Tensor) => a.add(1).mul(b).sum();
  const f = jl.compile(scaled);
  for (const place of ["cpu", "wasm", "cpu"]) {
    const [a, b] = [jl.tensor([1, 2], { device: place }), jl.tensor([3, 4], { device: place })];
    expect([f(a, b).device.name, f(a, b).item()]).toEqual([place, 18]);
  }
});

describe("a compiled function may return", () => {
  const x = () => jl.ones([3]);
  const y = (z: unknown): unknown => (z as jl.Tensor).toArray();

  it("nothing, a number, a function, null", () => {
    for (const value of [undefined, 3, null, () => 1]) {
      const f = jl.compile(() => {
        x().add(1);
        return value;
      });
      expect(f()).toBe(value);
    }
  });

  it("tensors in maps, sets, classes, private fields, closures and cycles", () => {
    class Pair {
      readonly shown = x().add(1);
      readonly #hidden = x().add(2);
      hidden = () => this.#hidden;
    }
    const result = jl.compile(() => {
      const self: Record<string, unknown> = {
        map: new Map([[x().add(3), new Set([x().add(4)])]]),
        pair: new Pair(),
      };
      self.self = self;
      return Object.freeze(self);
    })();
    const [[key, set]] = [...(result.map as Map<unknown, Set<unknown>>)] as [[unknown, Set<unknown>]];
    const pair = result.pair as Pair;
    expect([pair.shown, pair.hidden(), key, [...set][0]].map(y)).toEqual([2, 3, 4, 5].map((n) => [n, n, n]));
  });

  it("objects with getters that throw or compute, and revoked proxies, which stay untouched", () => {
    let read = 0;
    const odd = jl.compile(() => {
      const { proxy, revoke } = Proxy.revocable({}, {});
      revoke();
      return {
        get broken(): never {
          throw new Error("read");
        },
        get counted() {
          return ++read;
        },
        proxy,
        sum: x().add(1),
      };
    })();
    expect(read).toBe(0);
    expect(y(odd.sum)).toEqual([2, 2, 2]);
  });

  it("an array of a million numbers, and nesting deeper than the stack", () => {
    let deep: unknown = x().add(1);
    const f = jl.compile(() => {
      for (let i = 0; i < 100_000; i++) deep = [deep];
      return [deep, new Array(1_000_000).fill(1), new Float64Array(10)];
    });
    expect(f()).toHaveLength(3);
  });

  it("a generator, whose operations run as they come", () => {
    const f = jl.compile(function* (z: jl.Tensor) {
      yield z.add(1);
      yield z.add(2).mul(2);
    });
    expect([...f(x())].map(y)).toEqual([
      [2, 2, 2],
      [6, 6, 6],
    ]);
  });
});

describe("a compiled function that gets or uses", () => {
  it("a disposed tensor gives the error of the separate call, and its results may be disposed of", () => {
    const gone = jl.ones([3]);
    gone.dispose();
    const f = (z: jl.Tensor) => z.add(1).mul(2);
    expect(outcomeOf(() => jl.compile(f)(gone))).toBe(outcomeOf(() => f(gone)));
    const freed = jl.compile((z: jl.Tensor) => {
      const inner = z.add(1);
      const result = inner.mul(2);
      inner.dispose();
      return [result, outcomeOf(() => inner.add(1))];
    })(jl.ones([2])) as [jl.Tensor, unknown];
    expect(freed[0].toArray()).toEqual([4, 4]);
    expect(freed[1]).toBe(outcomeOf(() => gone.add(1)));
    const result = jl.compile(f)(jl.ones([2]));
    result.dispose();
    expect(outcomeOf(() => result.toArray())).toBe(outcomeOf(() => gone.toArray()));
  });

  it.skipIf(device !== "cpu")(
    "tensors of two devices refuses what the separate call refuses, and serves each",
    () => {
      const [here, there] = [jl.ones([3]), jl.ones([3], { device: "wasm" })];
      const mixed = (a: jl.Tensor, b: jl.Tensor) => a.add(b);
      expect(outcomeOf(() => jl.compile(mixed)(here, there))).toBe(outcomeOf(() => mixed(here, there)));
      const both = jl.compile((a: jl.Tensor, b: jl.Tensor) => [
        a.add(1).mul(2),
        b.add(1).mul(3),
        b.neg().to("cpu").add(a),
      ]);
      expect(both(here, there).map((z) => [z.device.name, ...(z.toArray() as number[])])).toEqual([
        ["cpu", 4, 4, 4],
        ["wasm", 6, 6, 6],
        ["cpu", 0, 0, 0],
      ]);
    },
  );

  it("itself: recursion joins one program, and one without end is the usual error", () => {
    const power: (z: jl.Tensor, n: number) => jl.Tensor = jl.compile(
      (z: jl.Tensor, n: number): jl.Tensor => (n === 0 ? z : power(z, n - 1).mul(z)),
    );
    const two = jl.full([2], 2);
    expect(launchesOf(() => expect(power(two, 10).toArray()).toEqual([2048, 2048]))).toHaveLength(1);
    const endless: (z: jl.Tensor) => jl.Tensor = jl.compile((z: jl.Tensor): jl.Tensor => endless(z.add(1)));
    expect(outcomeOf(() => endless(two))).toMatch(/^RangeError: Maximum call stack/);
    expect(power(two, 2).toArray()).toEqual([8, 8]);
  });

  it("a write and then an error, of the body or of memory, keeps the write", () => {
    const x = jl.zeros([2]);
    const f = jl.compile((bytes: number) => {
      x.add_(1);
      return jl.ones([bytes]).add(1);
    });
    expect(outcomeOf(() => f(2 ** 50))).toMatch(/memory/);
    expect(x.toArray()).toEqual([1, 1]);
    expect(f(2).toArray()).toEqual([2, 2]);
    expect(x.toArray()).toEqual([2, 2]);
  });

  it("timers and promises between its jobs", async () => {
    const x = jl.ones([2]);
    const seen: string[][] = [];
    const f = jl.compile(async () => {
      const y = x.add(1).mul(2);
      setTimeout(() => seen.push(launchesOf(() => x.neg().abs())), 0);
      await new Promise((resolve) => setTimeout(resolve, 20));
      seen.push(launchesOf(() => y.add(1)));
      return y;
    });
    const [one, two] = await Promise.all([f(), f()]);
    expect(one.toArray()).toEqual(two.toArray());
    expect(seen.slice(0, 2)).toEqual([
      ["neg", "abs"],
      ["neg", "abs"],
    ]);
    expect(openSink()).toBeUndefined();
  });

  it("jl.record in its middle records what is computed there", () => {
    const x = jl.ones([2]);
    const f = jl.compile(() => {
      const y = x.add(1);
      const { launches, value } = jl.record(() => y.mul(2).sum().item());
      return [y, launches.length, value];
    });
    const [y, launches, value] = f() as [jl.Tensor, number, number];
    expect(value).toBe(8);
    expect(launches).toBeGreaterThan(0);
    expect(y.toArray()).toEqual([2, 2]);
  });

  it("jl.graph in its middle, and around it", () => {
    const x = jl.ones([2]);
    const inner = jl.compile((z: jl.Tensor) => z.add(1).mul(2));
    const made: unknown[] = [];
    const f = jl.compile(() => {
      const y = x.mul(3);
      made.push(outcomeOf(() => jl.graph(() => y.add(1))));
      return y.add(1);
    });
    const plain = outcomeOf(() => jl.graph(() => x.add(1)));
    const result = f();
    expect(result.toArray()).toEqual([4, 4]);
    expect(typeof made[0]).toBe(typeof plain);
    const around = outcomeOf(() => jl.graph(() => inner(x)));
    expect(typeof around).toBe(typeof plain);
    expect(inner(x).toArray()).toEqual([4, 4]);
  });
});

it("one kernel reads a repeated element at its own place and at one of an index tensor", () => {
  const x = jl.full([1, 1], 5).expand([1, 3]);
  const index = jl.zeros([1, 3], { dtype: "int64" });
  const before = jl.compile((x: jl.Tensor) => x.gather(1, index).add(x));
  const after = jl.compile((x: jl.Tensor) => x.mul(3).add(x.gather(1, index)));
  expect(before(x).toArray()).toEqual([[10, 10, 10]]);
  expect(after(x).toArray()).toEqual([[20, 20, 20]]);
});
