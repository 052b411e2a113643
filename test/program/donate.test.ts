// The option donate of jl.compile: the memory of arguments goes to results, and the arguments cannot be used any more.
import { beforeAll, describe, expect, it } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { useAnyDevice } from "../support/device.js";
import { refused } from "../support/refusal.js";

beforeAll(useAnyDevice);

const n = 4096;
const last = { dim: -1, keepdim: true } as const;

/** Calls a function that donates its first argument; true if the result has its memory. */
function takes(body: (x: jl.Tensor) => jl.Tensor, x: jl.Tensor): boolean {
  const want = body(x).toArray();
  const { pointer } = x;
  const result = jl.compile(body, { donate: [0] })(x);
  expect(result.toArray()).toEqual(want);
  expect(refused(() => x.toArray())?.code).toBe("donated-tensor");
  return result.pointer === pointer;
}

describe("a donated argument", () => {
  it("gives its memory to a result, at each call", () => {
    const step = jl.compile(
      ({ p, m }: Record<"p" | "m", jl.Tensor>, g: jl.Tensor) => {
        const next = m.mul(0.9).add(g);
        return { p: p.sub(next.mul(0.1)), m: next };
      },
      { donate: [0] },
    );
    const g = jl.rand([n]);
    let state = { p: jl.rand([n]), m: jl.zeros([n]) };
    let want = { p: state.p.clone(), m: state.m.clone() };
    const places = [state.p.pointer, state.m.pointer];
    for (let i = 0; i < 4; i++) {
      want = { m: want.m.mul(0.9).add(g), p: want.p.sub(want.m.mul(0.9).add(g).mul(0.1)) };
      state = step(state, g);
      expect([state.p.pointer, state.m.pointer]).toEqual(places);
    }
    expect(state.p.toArray()).toEqual(want.p.toArray());
    expect(state.m.toArray()).toEqual(want.m.toArray());
    expect(g.size).toBe(n);
  });

  it("keeps its elements until the last kernel has read them", () => {
    const x = () => jl.rand([64, 64]);
    expect(takes((x) => x.mul(2).add(1), x())).toBe(true);
    expect(takes((x) => x.sub(x.sum(0)).mul(3), x())).toBe(true);
    expect(takes((x) => x.add(x.T), x())).toBe(false);
    expect(takes((x) => x.add(x.flip(0)), x())).toBe(false);
    takes((x) => x.reshape([n]).add(x.T.contiguous().reshape([n])), x());
    expect(takes((x) => x.cumsum(0), x())).toBe(false);
    takes(
      (x) =>
        x
          .sub(x.max(last))
          .exp()
          .div(x.sub(x.max(last)).exp().sum(last)),
      x(),
    );
    takes((x) => x.sin().add(x.cos().exp()).mul(x.sin().tanh()).div(x.cosh()), x());
    expect(takes((x) => x.to("float64").mul(2), x())).toBe(false);
  });

  it("is not written over where a result's elements are wider than those that are read at their places", () => {
    const x = jl.arange(280).to("float32").reshape(70, 4);
    const y = jl.zeros([70], { dtype: "complex128" });
    const f = (x: jl.Tensor, y: jl.Tensor) => {
      y.copy_(x.flatten().narrow(0, 0, 70));
      return x.T.add(0);
    };
    const want = y.clone();
    f(x.clone(), want);
    jl.compile(f, { donate: [0] })(x, y);
    expect(y.equal(want)).toBe(true);
    const narrow = (x: jl.Tensor) =>
      x
        .flatten()
        .narrow(0, 0, n / 2)
        .to("float64")
        .mul(2);
    expect(takes(narrow, jl.rand([n]))).toBe(false);
  });

  it("gives its memory to what follows from a reduction, if this does not reduce it", () => {
    for (const columns of [3, 64, 1000]) {
      const g = jl.rand([300, columns]);
      const p = () => jl.rand([columns]);
      expect(takes((p) => p.sub(g.sum(0).mul(0.1)), p())).toBe(true);
      expect(takes((p) => g.mul(2).sum(0).sqrt().mul(p), p())).toBe(true);
      expect(takes((p) => p.sub(g.mul(p).sum(0)), p())).toBe(false);
      expect(takes((p) => g.sum(0).add(p.flip(0)), p())).toBe(false);
    }
    const square = jl.rand([64, 64]);
    expect(takes((x) => x.sum(0, { keepdim: true }).add(x.narrow(0, 0, 1)), square)).toBe(false);
    expect(takes((x) => x.sum(0).mul(2).add(x), jl.rand([1]))).toBe(false);
  });

  it("belongs to one of several results, each with its own elements", () => {
    const body = (x: jl.Tensor) => [x.sin(), x.cos().exp(), x.tanh().sin()];
    const x = jl.rand([n]);
    const want = body(x).map((y) => y.toArray());
    const { pointer } = x;
    const results = jl.compile(body, { donate: [0] })(x);
    expect(results.map((y) => y.toArray())).toEqual(want);
    expect(results.filter((y) => y.pointer === pointer).length).toBeLessThan(2);
  });

  it("keeps its elements until the other steps of its launch have read them", () => {
    const f = jl.compile((x: jl.Tensor) => [x.neg(), x.narrow(0, 0, 4).neg()] as const, { donate: [0] });
    const run = () => f(jl.arange(8).to("float32")).map((y) => y.toArray());
    expect(run()).toEqual([
      [-0, -1, -2, -3, -4, -5, -6, -7],
      [-0, -1, -2, -3],
    ]);
  });

  it("shares a launch with the steps of other arguments", () => {
    const make = () => Array.from({ length: 8 }, (_, i) => jl.rand([n + i]));
    const [xs, ys] = [make(), make()];
    const want = xs.map((x, i) =>
      x
        .mul(2)
        .add(ys[i] as jl.Tensor)
        .toArray(),
    );
    const places = xs.map(({ pointer }) => pointer);
    const step = jl.compile(
      (xs: jl.Tensor[], ys: jl.Tensor[]) => xs.map((x, i) => x.mul(2).add(ys[i] as jl.Tensor)),
      {
        donate: [0],
      },
    );
    const results = step(xs, ys);
    expect(results.map((y) => y.toArray())).toEqual(want);
    expect(results.map(({ pointer }) => pointer)).toEqual(places);
  });

  it("is an error when it is used, which names the function and what to do", () => {
    const double = jl.compile((x: jl.Tensor) => x.mul(2), { name: "double", donate: [0] });
    const x = jl.ones([3]);
    const view = x.narrow(0, 1, 2);
    double(x);
    expect(refused(() => x.add(1))?.message).toMatch(
      /^This float32 tensor of shape \[3\] was donated to double, .*\n.*pass x\.clone\(\)/,
    );
    expect(refused(() => view.toArray())?.code).toBe("donated-tensor");
    expect(refused(() => double(x))?.code).toBe("donated-tensor");
  });

  it("stays where it is returned, where the body throws, and in an async function", async () => {
    const x = jl.ones([n]);
    jl.compile((x: jl.Tensor) => ({ same: x, y: x.add(1) }), { donate: [0] })(x);
    expect(x.sum().item()).toBe(n);
    const failing = jl.compile(
      (x: jl.Tensor) => {
        x.add(1);
        throw new RangeError("no");
      },
      { donate: [0] },
    );
    expect(() => failing(x)).toThrow(RangeError);
    expect(x.sum().item()).toBe(n);
    const later = jl.compile(
      async (x: jl.Tensor) => {
        await undefined;
        return x.add(1);
      },
      { donate: [0] },
    );
    expect((await later(x)).sum().item()).toBe(2 * n);
  });

  it("is missed by tensors that were kept instead of returned, with an error that says so", () => {
    const x = jl.ones([n]);
    const kept: jl.Tensor[] = [];
    jl.compile(() => void kept.push(x.mul(3)))();
    const step = jl.compile(
      (x: jl.Tensor) => {
        kept.push(x.mul(5));
        return x.add(1);
      },
      { donate: [0] },
    );
    expect(step(x).sum().item()).toBe(2 * n);
    for (const one of kept) expect(refused(() => one.toArray())?.code).toBe("donated-tensor");
  });

  it("is gone in every backend, within other compiled functions and while a graph records", () => {
    const double = (x: jl.Tensor) => x.mul(2);
    for (const backend of ["eager", "steps", "fused"] as const) {
      const x = jl.ones([n]);
      expect(
        jl
          .compile(double, { backend, donate: [0] })(x)
          .sum()
          .item(),
      ).toBe(2 * n);
      expect(refused(() => x.toArray())?.code).toBe("donated-tensor");
    }
    const inner = jl.compile(double, { donate: [0] });
    const x = jl.ones([n]);
    expect(
      jl
        .compile((x: jl.Tensor) => inner(x.add(1)).add(x))(x)
        .sum()
        .item(),
    ).toBe(5 * n);
    expect(
      jl
        .compile((x: jl.Tensor) => inner(x).add(1))(x)
        .sum()
        .item(),
    ).toBe(3 * n);
    expect(refused(() => x.toArray())?.code).toBe("donated-tensor");
    const y = jl.ones([n]);
    const step = jl.graph(() => inner(y));
    expect(step().sum().item()).toBe(2 * n);
    expect(refused(() => y.toArray())?.code).toBe("donated-tensor");
    step.dispose();
  });

  it("may be what the host or a graph holds: its memory is left alone", () => {
    const array = Float32Array.from({ length: n }, () => 1);
    if (jl.getDevice() === "cpu") {
      expect(
        jl
          .compile((x: jl.Tensor) => x.mul(2), { donate: [0] })(jl.fromTypedArray(array))
          .sum()
          .item(),
      ).toBe(2 * n);
      expect(array[0]).toBe(1);
    }
    const x = jl.ones([n]);
    const read = jl.graph(() => x.add(1));
    const { pointer } = x;
    expect(jl.compile((x: jl.Tensor) => x.mul(7), { donate: [0] })(x).pointer).not.toBe(pointer);
    expect(read().sum().item()).toBe(2 * n);
    read.dispose();
  });

  it("is tested where operations refuse elements that no result needs", () => {
    const index = (...places: number[]) => jl.tensor(places.map(BigInt));
    const bodies: ((x: jl.Tensor, index: jl.Tensor) => unknown)[] = [
      (x, index) => x.take(index),
      (x, index) => x.indexFill(0, index, 3),
      (x) => x.bernoulli(),
    ];
    for (const body of bodies) {
      const f = jl.compile(
        (x: jl.Tensor, index: jl.Tensor) => {
          body(x, index);
          return x.mul(2);
        },
        { donate: [0, 1] },
      );
      expect(f(jl.ones([2]), index(0, 1)).toArray()).toEqual([2, 2]);
      if (body.length === 1) continue;
      const [x, outside] = [jl.ones([2]), index(0, 7)];
      expect(refused(() => f(x, outside))?.code).toBe("bad-index");
      expect(x.toArray()).toEqual([1, 1]);
    }
  });

  it("is named by its position, a whole number from 0", () => {
    const code = (donate: unknown) =>
      refused(() => jl.compile((x: jl.Tensor) => x, { donate: donate as number[] }))?.code;
    expect([code(0), code([-1]), code([0.5]), code(["x"])]).toEqual(Array(4).fill("bad-argument"));
    expect(
      jl
        .compile((x: jl.Tensor, rate: number) => x.mul(rate), { donate: [1, 5] })(jl.ones([2]), 3)
        .toArray(),
    ).toEqual([3, 3]);
  });
});
