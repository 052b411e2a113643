// Launches that are made again over other memory: what of them is kept, and calls of replayed functions that make them.
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { LaunchConfig } from "../../dist/runtime/device/loaded-code.js";
import type { Storage } from "../../dist/runtime/device/storage.js";
import type { View } from "../../dist/runtime/geometry/view.js";
import * as jl from "../../dist/runtime/index.js";
import { openWatcher, type WatchedKernel } from "../../dist/runtime/launch/capture.js";
import { RepeatedLaunches } from "../../dist/runtime/launch/repeated-launches.js";
import { useAnyDevice } from "../support/device.js";
import { useOwnCache } from "../support/own-cache.js";

useOwnCache();
beforeAll(useAnyDevice);

const config: LaunchConfig = { grid: [2, 1, 1], block: [64, 1, 1], sharedBytes: 0 };

/** A kernel of two addresses around a number, which keeps the words of its launches. */
function kernelOf(alignment: number, among: number) {
  const bytes = new Uint8Array(24);
  const words = new BigUint64Array(bytes.buffer);
  const block = { bytes, u32: new Uint32Array(bytes.buffer) };
  const launched: bigint[][] = [];
  const kernel = {
    block,
    fill: () => block,
    addressing: { offsets: [0, 16], alignment, among },
    isLoaded: true,
    again: ({ grid }: LaunchConfig) => void launched.push([...words, BigInt(grid[0])]),
  };
  return { kernel, words, launched };
}

/** The launch of a kernel that reads `from` and writes `to`, seen over some memory. */
function seen({ kernel, words }: ReturnType<typeof kernelOf>, memory: Storage[], from: View, to: View) {
  const pointers = Float64Array.from(memory, ({ pointer }) => pointer);
  let runs = 0;
  const launches = RepeatedLaunches.of(memory, pointers, () => {
    words.set([BigInt(to.pointer), 7n, BigInt(from.pointer)]);
    openWatcher()?.launch(kernel as unknown as WatchedKernel, config, [to], [from, 2], () => void runs++);
  });
  expect(runs).toBe(1);
  expect(openWatcher()).toBeUndefined();
  return launches;
}

const storageAt = (pointer: number) => ({ pointer }) as Storage;
const viewAt = (storage: Storage, distance = 0) =>
  ({
    pointer: storage.pointer + distance,
    storage,
    dtype: {},
    device: {},
    shape: [],
    strides: [],
    size: 1,
  }) as unknown as View;

describe("a launch that was seen", () => {
  const [a, b] = [storageAt(2 ** 40), storageAt(2 ** 40 + 4096)] as const;

  it("gets the addresses of other memory and keeps its other arguments", () => {
    const one = kernelOf(16, 16);
    const launches = seen(one, [a, b], viewAt(a, 32), viewAt(b)) as RepeatedLaunches;
    const now = Float64Array.of(2 ** 41, 2 ** 42 + 64);
    one.words.fill(0n);
    expect(launches.fits(now)).toBe(true);
    launches.launch(now);
    expect(one.launched).toEqual([[2n ** 42n + 64n, 7n, 2n ** 41n + 32n, 2n]]);
  });

  it("fits only memory for which its kernel would be chosen, while that is loaded", () => {
    const launches = seen(kernelOf(16, 16), [a, b], viewAt(a), viewAt(b)) as RepeatedLaunches;
    expect(launches.fits(Float64Array.of(2 ** 40 + 8, 2 ** 41))).toBe(false);
    const product = kernelOf(64, 256);
    const own = storageAt(2 ** 40 + 64);
    const aligned = seen(product, [a, own], viewAt(a), viewAt(own)) as RepeatedLaunches;
    expect(aligned.fits(Float64Array.of(2 ** 41 + 64, 2 ** 41 + 256))).toBe(true);
    expect(aligned.fits(Float64Array.of(2 ** 41 + 128, 2 ** 41 + 256))).toBe(false);
    expect(aligned.fits(Float64Array.of(2 ** 41, 2 ** 41 + 256))).toBe(false);
    product.kernel.isLoaded = false;
    expect([aligned.isLoaded, aligned.fits(Float64Array.of(2 ** 40, 2 ** 40 + 64))]).toEqual([false, false]);
  });

  it("fits operands that begin within a word only at the same places within one", () => {
    const launches = seen(kernelOf(16, 16), [a, b], viewAt(a, 4), viewAt(b)) as RepeatedLaunches;
    expect(launches.fits(Float64Array.of(2 ** 41, 2 ** 42 + 16))).toBe(true);
    expect(launches.fits(Float64Array.of(2 ** 41 + 4, 2 ** 42))).toBe(false);
    expect(launches.fits(Float64Array.of(2 ** 41, 2 ** 42 + 4))).toBe(false);
  });

  it("tells operands apart that lay at one address", () => {
    const same = storageAt(a.pointer);
    const launches = seen(kernelOf(16, 16), [a, same], viewAt(a), viewAt(same)) as RepeatedLaunches;
    expect(launches.fits(Float64Array.of(2 ** 41, 2 ** 41))).toBe(true);
    expect(launches.fits(Float64Array.of(2 ** 41, 2 ** 42))).toBe(false);
  });

  it("is not kept over memory that only it knows, or with addresses at unknown places", () => {
    expect(seen(kernelOf(16, 16), [a], viewAt(a), viewAt(b))).toBeUndefined();
    const unknown = kernelOf(16, 16);
    Object.assign(unknown.kernel, { addressing: undefined });
    expect(seen(unknown, [a, b], viewAt(a), viewAt(b))).toBeUndefined();
    const further = kernelOf(16, 16);
    Object.assign(further.kernel.addressing, { offsets: [0] });
    expect(seen(further, [a, b], viewAt(a), viewAt(b))).toBeUndefined();
  });
});

const last = { dim: -1, keepdim: true } as const;
type Body = (x: jl.Tensor, w: jl.Tensor) => jl.Tensor[];
const bodies: Record<string, Body> = {
  maps: (x, w) => [x.mul(2).add(w.narrow(0, 0, 1)), x.T.sin()],
  rows: (x) => [
    x
      .sub(x.max(last))
      .exp()
      .div(x.sub(x.max(last)).exp().sum(last)),
  ],
  reductions: (x) => [x.mul(3).sum(0), x.sum(), x.T.sum(0).sqrt().add(1), x.argmax(1)],
  products: (x, w) => [x.matmul(w).relu().matmul(x.T), x.T.matmul(w.narrow(1, 0, 3))],
  scans: (x) => [x.mul(2).cumsum(0).add(1), x.cumsum(1)],
  orders: (x) => [x.sort(1).values, x.mul(2).topk(2, 1).values],
  "steps of parameters": (x, w) => [
    ...[x, w, x.narrow(0, 0, 5)].map((one) => one.sub(one.mul(0.1))),
    x.sum(),
  ],
  randomness: (x, w) => [x.add(jl.rand([8, 8])).mul(w), x.sub(w).sum(0)],
  "parts of results": (x, w) => [jl.cat([x, w.mul(2)]), jl.stack([x.sum(0), w.sum(0)])],
};
const make = (i: number) => jl.arange(64).reshape(8, 8).mul(0.1).sin().add(i);

/** Calls a compiled function so often over other memory, and compares its results with those of its body. After call `cleared` kernels are loaded again. */
function expectSameResults(call: Body, body: Body, calls: number, cleared: number): void {
  const held: jl.Tensor[] = [];
  for (let i = 0; i < calls; i++) {
    // Leaves of other sizes in between, so that addresses do not repeat.
    held.push(jl.zeros([1 + 13 * i]));
    const [x, w] = [make(i), make(2 * i).T.contiguous()];
    const results = [call, body].map((one) => {
      jl.manualSeed(i);
      return one(x, w).map((y) => y.toArray());
    });
    expect(results[0], `call ${i + 1}`).toEqual(results[1]);
    if (i === cleared) jl.cache.clear();
  }
}

describe("a compiled function that runs at every call", () => {
  let repeated = 0;
  const launch = RepeatedLaunches.prototype.launch;

  beforeEach(() => {
    repeated = 0;
    RepeatedLaunches.prototype.launch = function (pointers) {
      repeated++;
      launch.call(this, pointers);
    };
  });

  afterEach(() => {
    RepeatedLaunches.prototype.launch = launch;
  });

  it.each(Object.entries(bodies))("computes %s over the memory of each call", (name, body) => {
    expectSameResults(jl.compile(body), body, 12, 7);
    if (name !== "parts of results") expect(repeated).toBeGreaterThan(2);
  });

  it("takes the numbers of each call", () => {
    const body = (x: jl.Tensor, a: number, b: number) => [
      x.mul(a).add(b).div(a),
      x.mul(a).sum(0).add(b),
      x.sub(b).cumsum(1),
    ];
    const call = jl.compile(body);
    const numbers = [1, 1, 1, 1, 2, 2, 2, 0, -0, -0, -0, Number.NaN, Number.NaN, Number.NaN, 1];
    for (const [i, a] of numbers.entries()) {
      const given = [make(i), a, i > 2 ? 3 : 4] as const;
      const [got, want] = [call(...given), body(...given)].map((list) => list.map((y) => y.toArray()));
      expect(got, `call ${i + 1}`).toEqual(want);
    }
    expect(repeated).toBeGreaterThan(5);
    const large = jl.compile((x: jl.Tensor, a: bigint) => x.add(a).mul(x));
    const x = jl.arange(4, { dtype: "int64" });
    for (const a of [2n ** 60n, 2n ** 60n, 2n ** 60n, 2n ** 60n, 2n ** 60n + 1n])
      expect(large(x, a).toArray()).toEqual(x.add(a).mul(x).toArray());
  });

  it("names an index out of bounds after calls without one", () => {
    const call = jl.compile((x: jl.Tensor, at: jl.Tensor) => x.mul(2).indexSelect(0, at).sum(1));
    const [x, at] = [make(0), jl.tensor([1, 7], { dtype: "int64" })];
    for (let i = 0; i < 6; i++)
      expect(call(x, at).toArray()).toEqual(x.mul(2).indexSelect(0, at).sum(1).toArray());
    expect(() => call(x, at.add(1)).toArray()).toThrow(/8/);
    expect(call(x, at).toArray()).toEqual(x.mul(2).indexSelect(0, at).sum(1).toArray());
  });
});

describe("a replayed function", () => {
  it.each(Object.entries(bodies))("computes %s over the memory of each call", (_, body) => {
    const call = jl.compile(body, { replay: true });
    expectSameResults(call, body, 24, 13);
    expect(call.report().replayed).toBeGreaterThan(12);
  });

  it("writes donated and held memory, also where someone needs the old elements", () => {
    const sum = jl.zeros([8, 8]);
    const step = jl.compile(
      (p: jl.Tensor, x: jl.Tensor) => {
        sum.add_(x);
        return p.mul(0.5).add(x.sum(0));
      },
      { replay: true, donate: [0] },
    );
    let [p, wanted, total] = [jl.ones([8, 8]), jl.ones([8, 8]), 0];
    const ones = jl.ones([8, 8]);
    for (let i = 0; i < 24; i++) {
      const old: jl.Tensor[] = [];
      if (i % 3 === 2) jl.compile(() => void old.push(sum.mul(10)))();
      // A pinned argument keeps its memory, so that the result has memory of its own.
      const release = i % 5 === 4 ? p.storage.keep() : undefined;
      p = step(p, ones);
      release?.();
      wanted = wanted.mul(0.5).add(8);
      for (const one of old) expect(one.toArray()).toEqual(ones.mul(10 * total).toArray());
      total++;
      expect([p.toArray(), sum.toArray()], `call ${i + 1}`).toEqual(
        [wanted, ones.mul(total)].map((one) => one.toArray()),
      );
    }
    expect(step.report().replayed).toBeGreaterThan(12);
  });

  it("reads what it has written into an argument, call after call", () => {
    const body = (s: jl.Tensor, x: jl.Tensor) => {
      s.add_(x);
      return [s.cumsum(0).cumsum(0), s.mul(2).cumsum(0).sum(), s.T.sort(0).values];
    };
    const call = jl.compile(body, { replay: true });
    const [a, b, x] = [make(0), make(0), make(1)];
    for (let i = 0; i < 24; i++) {
      const [one, two] = [call(a, x), body(b, x)].map((list) => list.map((y) => y.toArray()));
      expect([one, a.toArray()], `call ${i + 1}`).toEqual([two, b.toArray()]);
    }
    expect(call.report().replayed).toBeGreaterThan(12);
  });

  it("counts and records its launches", () => {
    const call = jl.compile((x: jl.Tensor) => x.mul(2).sum(0).add(1), { replay: true });
    const x = make(0);
    for (let i = 0; i < 12; i++) call(x);
    const kernel = () =>
      jl
        .timings()
        .filter(({ op }) => /^sum_|_sum/.test(op))
        .reduce((n, { launches }) => n + launches, 0);
    const before = kernel();
    for (let i = 0; i < 4; i++) call(x);
    expect(kernel() - before).toBeGreaterThanOrEqual(4);
    const { launches } = jl.record(() => call(x));
    expect(launches.length).toBeGreaterThan(0);
    expect(launches.every(({ bytes }) => bytes > 0)).toBe(true);
  });

  it("refuses to replay with a donated argument that hides its tensors", () => {
    const call = jl.compile((m: { readonly x: jl.Tensor }) => m.x.add(1), { replay: true, donate: [0] });
    class Model {
      constructor(readonly x: jl.Tensor) {}
    }
    for (let i = 0; i < 4; i++) expect(call(new Model(jl.full([2], i))).toArray()).toEqual([i + 1, i + 1]);
    expect(call.report()).toMatchObject({ replayed: 0 });
  });
});
