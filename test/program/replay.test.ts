// The option replay of jl.compile: calls with equal arguments launch the kernels of an earlier one without running the function.
import { runInThisContext } from "node:vm";
import { beforeAll, describe, expect, it } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { device, isCompiled, useAnyDevice } from "../support/device.js";
import { emptyGarbage } from "../support/garbage.js";
import { refused } from "../support/refusal.js";

beforeAll(useAnyDevice);

const last = { dim: -1, keepdim: true } as const;

/** A compiled function that is replayed, and the calls that ran its body. */
function counted<F extends (...args: any[]) => unknown>(body: F, options: jl.CompileOptions = {}) {
  const ran: number[] = [];
  let calls = 0;
  const noting = (...args: Parameters<F>) => {
    ran.push(calls);
    return body(...args);
  };
  const inner = jl.compile(noting, { name: "step", ...options, replay: true });
  const call = (...args: Parameters<F>): ReturnType<F> => {
    calls++;
    return inner(...args) as ReturnType<F>;
  };
  return { call, ran, inner };
}

const checks = [1, 2, 3, 5, 9, 17];

/** Calls a body twenty times, replayed and as it is: results must be equal, and the body runs only for checks. */
function agree(body: (x: jl.Tensor) => jl.Tensor, runs: readonly number[] = checks) {
  const { call, ran } = counted(body);
  for (let i = 0; i < 20; i++) {
    const x = jl
      .arange(64)
      .reshape(8, 8)
      .mul(0.1 * i)
      .sin();
    expect(call(x).toArray(), `call ${i + 1}`).toEqual(body(x).toArray());
  }
  expect(ran).toEqual(runs);
}

const always = Array.from({ length: 20 }, (_, i) => i + 1);

describe("a replayed function", () => {
  it("runs for calls 1, 2, 3, 5, 9, 17, and its other calls have the same results", () => {
    agree((x) => x.mul(2).add(1));
    agree((x) =>
      x
        .sub(x.max(last))
        .exp()
        .div(x.sub(x.max(last)).exp().sum(last)),
    );
    agree((x) => x.mul(x.sum(0)).T.add(x).sum());
    agree((x) => x.T.mul(2).reshape(4, 16));
    const weights = jl.rand([8, 8]);
    agree((x) => x.mul(weights).sum(0));
    agree((x) => x.add(jl.full([8, 8], 3)).mul(jl.arange(8)));
  });

  it("writes parts of tensors that it makes", () => {
    agree((x) => jl.cat([x.sin(), x.T], 1).square().sum(0));
    agree((x) =>
      jl
        .stack([x, x.add(1)])
        .mul(2)
        .cumsum(0),
    );
    agree((x) => {
      const y = x.clone();
      y.narrow(0, 0, 2).mul_(2);
      return y;
    });
    agree((x) => {
      const y = x.mul(2);
      const before = [y.sum(0), y.exp(), y.T.sub(y)] as const;
      y.narrow(1, 3, 3).add_(x.narrow(1, 0, 3));
      y.select(0, 1).fill_(5);
      return y.add(before[0]).add(before[1]).matmul(before[2]);
    });
    agree((x) => {
      const y = jl.zeros([8, 8]);
      y.narrow(0, 0, 4).copy_(x.narrow(0, 4, 4));
      y.add_(1);
      y.narrow(0, 2, 4).mul_(x.narrow(0, 0, 4));
      return y;
    });
    agree((x) =>
      jl.grad((one: jl.Tensor) =>
        jl
          .cat([one.narrow(0, 1, 3), one.mul(one)])
          .sin()
          .sum(),
      )(x),
    );
  });

  const places = (...at: number[]) => jl.tensor(at.map(BigInt));
  const loss: Record<string, (x: jl.Tensor, rows: jl.Tensor) => jl.Tensor> = {
    sort: (x) => x.sort(1).values.mul(x.argsort(0)).cos().sum(),
    topk: (x) => x.topk(2, 1).values.square().sum(),
    gather: (x) => x.gather(1, x.argsort(1)).mul(x).sum(),
    indexSelect: (x, rows) => x.indexSelect(0, rows).square().sum(),
    at: (x, rows) => x.at(rows, rows.sub(1)).exp().mul(x.at(rows).sum()).sum(),
    take: (x, rows) => x.take(rows.mul(4)).square().sum(),
    "max and min with indices": (x) =>
      x
        .max(1, { indices: true })
        .values.mul(x.T.min(0, { indices: true }).values)
        .sum(),
    median: (x) => x.median(1).values.square().sum().mul(x.median()),
    quantile: (x) => x.quantile(0.3, 1).square().sum(),
    mode: (x) => x.round().mul(x).mode(0).values.exp().sum(),
    cummax: (x) => x.cummax(1).values.square().sum(),
    "scatterAdd and indexAdd": (x, rows) =>
      x
        .scatterAdd(0, rows.reshape(-1, 1), x.exp())
        .indexAdd(0, rows, x.narrow(0, 0, 3))
        .square()
        .sum(),
    "indexCopy and indexPut_": (x, rows) => {
      const y = x.indexCopy(0, rows, x.narrow(0, 1, 3).mul(x.sum()));
      return y
        .indexPut_([rows], x.narrow(0, 2, 3), { accumulate: true })
        .square()
        .sum();
    },
  };
  it.each(Object.keys(loss))("reads and writes by index tensors in derivatives: %s", (name) => {
    const step = jl.valueAndGrad(loss[name] as (typeof loss)[string]);
    const { call, ran, inner } = counted(step);
    for (let i = 0; i < 12; i++) {
      const x = jl
        .arange(20)
        .reshape(5, 4)
        .add(1.7)
        .mul(0.3 * i + 0.1)
        .sin();
      const rows = places((i + 1) % 5, i % 4, i % 4);
      const [found, expected] = [call(x, rows), step(x, rows)];
      expect(found.value.equal(expected.value), `value ${i}`).toBe(true);
      expect(found.grad.equal(expected.grad), `gradient ${i}`).toBe(true);
    }
    expect(ran).toEqual([1, 2, 3, 5, 9]);
    expect(inner.report()).toMatchObject({ replayed: 7, unreplayed: [] });
  });

  it("refuses an index out of bounds as the function does, and goes on", () => {
    const table = jl.rand([4, 2]);
    const bodies: ((x: jl.Tensor, index: jl.Tensor) => jl.Tensor)[] = [
      (x, index) =>
        x
          .mul(2)
          .indexSelect(0, index)
          .sum(0)
          .add(jl.rand([2]).sum().mul(0)),
      (x, index) => x.indexAdd(0, index, x.narrow(0, 0, 2)).sum(),
      (x, index) =>
        x
          .mul(2)
          .indexSelect(0, index)
          .sum(0)
          .add(x.indexFill(0, index, 3).sum()),
    ];
    for (const body of bodies) {
      const { call, ran } = counted(body);
      for (let i = 1; i <= 7; i++) call(table, places(i % 4, 3));
      const outside = places(1, 4);
      jl.manualSeed(5);
      const problem = refused(() => call(table, outside));
      const after = jl.rand([1]).item();
      jl.manualSeed(5);
      const expected = refused(() => jl.compile(body)(table, outside));
      expect([problem?.code, problem?.message]).toEqual(["bad-index", expected?.message]);
      expect(problem?.message).toContain("index 4 at position [1]");
      expect(jl.rand([1]).item()).toBe(after);
      expect(call(table, places(0, 3)).equal(body(table, places(0, 3)))).toBe(true);
      expect(ran).toEqual([1, 2, 3, 5, 8, 9]);
    }
  });

  it("takes donated memory once the indexes are tested", () => {
    const body = (table: jl.Tensor, index: jl.Tensor) => {
      const { value, grad } = jl.valueAndGrad((t: jl.Tensor) => t.indexSelect(0, index).square().sum())(
        table,
      );
      return { value, table: table.sub(grad.mul(0.1)) };
    };
    const { call, ran } = counted(body, { donate: [0] });
    let table = jl.rand([2 ** 12, 4]);
    let other = table.clone();
    for (let i = 0; i < 12; i++) {
      const index = places(i, 2 * i, i);
      const [found, expected] = [call(table, index), body(other, index)];
      expect(found.value.item()).toBe(expected.value.item());
      expect(found.table.equal(expected.table), `call ${i}`).toBe(true);
      expect(refused(() => table.sum())?.code).toBe("donated-tensor");
      [table, other] = [found.table, expected.table];
    }
    expect(ran).toEqual([1, 2, 3, 5, 9]);
    const before = table.clone();
    expect(refused(() => call(table, places(1, -1, 0)))?.code).toBe("bad-index");
    expect(before.equal(other)).toBe(true);
  });

  it("writes parts of its arguments and of tensors that it holds", () => {
    const held = jl.zeros([4]);
    const { call, ran } = counted((x: jl.Tensor, y: jl.Tensor) => {
      const before = x.mul(3);
      x.narrow(0, 0, 2).add_(y.narrow(0, 1, 2));
      held.narrow(0, 1, 2).add_(1);
      y.narrow(0, 0, 1).mul_(2);
      y.add_(x);
      return before.add(x);
    });
    for (let i = 1; i <= 12; i++) {
      const [x, y] = [jl.full([4], i), jl.tensor([1, 2, 3, 4])];
      const view = x.narrow(0, 1, 2);
      expect(call(x, y).toArray()).toEqual([4 * i + 2, 4 * i + 3, 4 * i, 4 * i]);
      expect(x.toArray()).toEqual([i + 2, i + 3, i, i]);
      expect(view.toArray()).toEqual([i + 3, i]);
      expect(y.toArray()).toEqual([i + 4, i + 5, i + 3, i + 4]);
      expect(held.toArray()).toEqual([0, i, i, 0]);
    }
    expect(ran).toEqual([1, 2, 3, 5, 9]);
  });

  it("writes a part of a donated argument, and of one that another operation is to read", () => {
    const { call, ran } = counted(
      (x: jl.Tensor) => {
        x.narrow(0, 0, 1).add_(1);
        return x.mul(2);
      },
      { donate: [0] },
    );
    for (let i = 0; i < 6; i++) expect(call(jl.full([3], i)).toArray()).toEqual([2 * i + 2, 2 * i, 2 * i]);
    expect(ran).toEqual([1, 2, 3, 5]);
    const write = counted((x: jl.Tensor) => void x.narrow(0, 0, 1).add_(1));
    const x = jl.zeros([2]);
    const later = jl.compile(() => {
      const sum = x.add(10);
      jl.eager(() => write.call(x));
      return sum;
    });
    for (let i = 0; i < 6; i++) {
      expect(later().toArray()).toEqual([10 + i, 10]);
      expect(x.toArray()).toEqual([i + 1, 0]);
    }
  });

  it("makes its result anew: structures, several tensors, views of one", () => {
    const { call, ran } = counted((x: jl.Tensor) => {
      const y = x.mul(2);
      return { list: [y, y.narrow(0, 1, 2)], x, text: "done", none: undefined, size: x.size };
    });
    const all = Array.from({ length: 8 }, (_, i) => {
      const x = jl.full([4], i);
      return { x, result: call(x) };
    });
    expect(ran).toEqual([1, 2, 3, 5]);
    all.forEach(({ x, result }, i) => {
      expect(result.x).toBe(x);
      expect({ ...result, list: result.list.map((y) => y.toArray()), x: 0 }).toEqual({
        list: [Array(4).fill(2 * i), [2 * i, 2 * i]],
        x: 0,
        text: "done",
        none: undefined,
        size: 4,
      });
      result.list[1]?.fill_(7);
      expect(result.list[0]?.toArray()).toEqual([2 * i, 7, 7, 2 * i]);
    });
  });

  it("runs again for other numbers, shapes, layouts, dtypes and structures", () => {
    const { call, ran } = counted((xs: readonly jl.Tensor[], rate: number) => xs.map((x) => x.mul(rate)));
    const x = () => jl.ones([2, 3]);
    const kinds: [readonly jl.Tensor[], number][] = [
      [[x()], 2],
      [[x()], 3],
      [[x(), x()], 2],
      [[x().T], 2],
      [[x().to("float64")], 2],
      [[jl.ones([3, 2])], 2],
    ];
    const twice = x();
    kinds.push([[twice, twice], 2]);
    for (let i = 0; i < 4; i++) for (const [xs, rate] of kinds) call(xs, rate);
    const n = kinds.length;
    expect(ran).toEqual(Array.from({ length: 3 * n }, (_, i) => i + 1));
    expect(call([jl.ones([2, 3])], 2).map((y) => y.toArray())).toEqual([
      [
        [2, 2, 2],
        [2, 2, 2],
      ],
    ]);
  });

  it("makes a tensor that stands twice in a result once", () => {
    const { call } = counted((x: jl.Tensor) => {
      const y = x.mul(2);
      return { list: [y, y], y, apart: x.mul(2), view: y.narrow(0, 0, 1) };
    });
    for (let i = 0; i < 8; i++) {
      const { list, y, apart, view } = call(jl.full([4], i));
      expect(list[0]).toBe(y);
      expect(list[1]).toBe(y);
      expect(apart === y).toBe(false);
      expect([y, apart, view].map((one) => one.at(0).item())).toEqual([2 * i, 2 * i, 2 * i]);
    }
  });

  it("writes where the function writes", () => {
    const held = jl.zeros([4]);
    const { call, ran } = counted((x: jl.Tensor) => {
      held.add_(x);
      x.mul_(2);
      return x;
    });
    for (let i = 1; i <= 12; i++) {
      const x = jl.ones([4]);
      const view = x.narrow(0, 0, 2);
      expect(call(x)).toBe(x);
      expect([x.toArray(), view.toArray(), held.toArray()]).toEqual([[2, 2, 2, 2], [2, 2], Array(4).fill(i)]);
    }
    expect(ran).toEqual([1, 2, 3, 5, 9]);
  });

  it("leaves old elements to those who still need them", () => {
    const x = jl.ones([4]);
    const { call } = counted(() => void x.add_(1));
    for (let i = 0; i < 5; i++) call();
    const kept: jl.Tensor[] = [];
    jl.compile(() => void kept.push(x.mul(10)))();
    call();
    expect(kept[0]?.toArray()).toEqual([60, 60, 60, 60]);
    expect(x.toArray()).toEqual([7, 7, 7, 7]);
  });

  it("writes once where an interrupt ends a call", async () => {
    const [x, y] = [jl.zeros([4096]), jl.zeros([4096])];
    const { inner } = counted(() => {
      x.add_(1);
      y.copy_(y.flip(0)).add_(1);
    });
    for (let i = 0; i < 4; i++) inner();
    const interrupted = { step: inner, done: 4 };
    (globalThis as { replayed?: typeof interrupted }).replayed = interrupted;
    // A busy machine makes few calls in a round.
    for (let round = 0; round < 10 || interrupted.done <= 10; round++) {
      expect(() =>
        runInThisContext("for (;;) { replayed.step(); replayed.done++; }", { timeout: 5 + round }),
      ).toThrow("timed out");
      await Promise.resolve();
      for (const tensor of [x, y]) {
        const [first, end] = [tensor.at(0).item(), tensor.at(4095).item()];
        expect([interrupted.done, interrupted.done + 1]).toContain(first);
        // V8 ends a kernel on wasm or the reference device as it ends a loop of JavaScript.
        if (isCompiled && device !== "wasm") expect(end).toBe(first);
        tensor.fill_(interrupted.done);
      }
    }
  });

  it("draws the next random numbers", () => {
    const body = (x: jl.Tensor) => x.add(jl.rand([4])).add(jl.randn([4]));
    const { call, ran } = counted(body);
    const x = jl.zeros([4]);
    const run = (one: (x: jl.Tensor) => jl.Tensor) => {
      jl.manualSeed(5);
      const all = Array.from({ length: 10 }, () => [one(x).toArray(), jl.rand([1]).item()]);
      jl.manualSeed(6n);
      return [...all, one(x).toArray()];
    };
    expect(run(call)).toEqual(run(body));
    expect(ran).toEqual([1, 2, 3, 5, 9]);
    const seeded = counted(() => {
      jl.manualSeed(1);
      return jl.rand([2]);
    });
    for (let i = 0; i < 6; i++) seeded.call();
    expect(seeded.ran).toHaveLength(6);
  });

  it("is one launch for the steps of many parameters", () => {
    const make = () =>
      Array.from({ length: 20 }, (_, i) => [jl.full([50 + i], 1), jl.full([50 + i], 0.5)] as const);
    const [a, b] = [make(), make()];
    const step = (list: typeof a) => () => {
      for (const [p, g] of list) p.sub_(g.mul(0.1).mul(g));
    };
    const { call } = counted(step(a));
    for (let i = 0; i < 7; i++) {
      call();
      step(b)();
    }
    expect(jl.record(call).launches).toHaveLength(1);
    step(b)();
    for (const [i, [p]] of a.entries()) expect(p.toArray()).toEqual(b[i]?.[0].toArray());
  });

  it("takes arguments that other functions left pending, and writes into them", () => {
    const bodies: ((x: jl.Tensor) => unknown)[] = [
      (x) => x.add_(1).mul(2),
      (x) => x.fill_(3).mul(2),
      (x) => void x.copy_(x.cumsum(0)),
    ];
    for (const body of bodies) {
      const { call, ran } = counted(body);
      for (let i = 1; i <= 8; i++) {
        let [x, wanted] = [jl.full([2], i), jl.full([2], i)];
        const keep = jl.compile((one: jl.Tensor) => {
          x = one.mul(10);
          return one.sub(1);
        });
        if (i % 2 === 0) keep(wanted.clone());
        if (i % 2 === 0) wanted = wanted.mul(10);
        expect([call(x), x].map(String), `call ${i}`).toEqual([body(wanted), wanted].map(String));
      }
      expect(ran).toEqual([1, 2, 3, 5]);
    }
  });

  it("writes into donated arguments where a result needs it", () => {
    const { call, ran } = counted(
      (x: jl.Tensor, y: jl.Tensor) => {
        const sum = x.sum();
        x.mul_(2);
        return [y.add(sum), x.add(1)];
      },
      { donate: [0] },
    );
    for (let i = 0; i < 6; i++)
      expect(call(jl.ones([2]), jl.ones([2])).map((one) => one.toArray())).toEqual([
        [3, 3],
        [3, 3],
      ]);
    expect(ran).toEqual([1, 2, 3, 5]);
  });

  it("takes the memory of donated arguments", () => {
    const { call, ran } = counted((x: jl.Tensor) => x.mul(0.5).add(1), { donate: [0] });
    let x = jl.zeros([4096]);
    const { pointer } = x;
    for (let i = 0; i < 8; i++) {
      const before = x;
      x = call(x);
      expect(x.pointer).toBe(pointer);
      expect(refused(() => before.toArray())?.code).toBe("donated-tensor");
    }
    expect(x.narrow(0, 0, 1).item()).toBe(2 - 2 ** -7);
    expect(ran).toEqual([1, 2, 3, 5]);
  });

  it("keeps no tensor of its calls", async () => {
    const alive: WeakRef<object>[] = [];
    const note = (tensor: jl.Tensor) => {
      alive.push(new WeakRef(tensor), new WeakRef(tensor.storage));
      return tensor;
    };
    const { call } = counted((x: jl.Tensor) => [{ y: x.mul(2), z: x.sin().sum() }, x.T, 1] as const);
    const run = () => {
      for (let i = 0; i < 6; i++) {
        const [{ y, z }, t] = call(note(jl.rand([64, 64])));
        for (const one of [y, z, t]) note(one);
      }
    };
    run();
    // The targets of weak references live until their job ends.
    await new Promise((resolve) => setImmediate(resolve));
    emptyGarbage();
    expect(alive.filter((one) => one.deref() !== undefined)).toHaveLength(0);
  });

  it("counts in reports and recordings", () => {
    const { call, inner } = counted((x: jl.Tensor) => x.mul(2).add(1));
    for (let i = 0; i < 7; i++) call(jl.ones([3]));
    expect(inner.report()).toMatchObject({
      calls: 7,
      hits: 6,
      replayed: 3,
      unreplayed: [],
      programs: [{ operations: 2, kernels: 1, hits: 6 }],
    });
    expect(inner.program()?.operations).toHaveLength(2);
    const { launches, regions } = jl.record(() => call(jl.ones([3])));
    expect(launches.map(({ op }) => op).at(-1)).toMatch(/^fused/);
    expect(regions?.at(-1)?.name).toBe("step");
  });
});

describe("a function that cannot be replayed runs at each call", () => {
  it.each<[string, (x: jl.Tensor) => unknown]>([
    ["elements are read", (x) => x.mul(x.at(0).item() as number)],
    ["elements are read", (x) => x.mul(2).sum().item()],
    ["an operation is not deferred", (x) => jl.eager(() => x.add(1)).mul(2)],
    ["a seed is set", () => jl.manualSeed(1)],
    [
      "nothing is computed at its end, or a tensor of numbers is read, or one that is gone",
      (x) => x.add(jl.tensor([1, 2])),
    ],
    [
      "nothing is computed at its end, or a tensor of numbers is read, or one that is gone",
      (x) => jl.tensor([1, 2]).add_(x),
    ],
    ["a tensor of numbers is made", (x) => x.add(jl.eager(() => jl.tensor([1, 2])))],
    [
      "a tensor from outside is written, beside reads or writes by index tensors, which may be refused",
      (x) => void x.indexFill_(0, jl.zeros([1], { dtype: "int64" }), 2),
    ],
    [
      "indexes are tested before a tensor from outside is written; it could be returned instead",
      (x) => x.sub_(x.indexSelect(0, jl.zeros([1], { dtype: "int64" }))),
    ],
    [
      "elements are read or written by index tensors, but no result needs them",
      (x) => {
        x.indexSelect(0, jl.zeros([1], { dtype: "int64" }));
        return x.add(1);
      },
    ],
    [
      "nothing is computed at its end, or a tensor of numbers is read, or one that is gone",
      (x) => {
        const y = jl.tensor([1, 2]);
        y.narrow(0, 0, 1).add_(x.narrow(0, 0, 1));
        return y;
      },
    ],
    ["the result is not made of tensors and new plain arrays and objects", (x) => new Set([x.add(1)])],
    ["nothing is computed at its end, or a tensor of numbers is read, or one that is gone", (x) => x],
  ])("and says why: %s", (why, body) => {
    const { call, ran, inner } = counted(body);
    for (let i = 0; i < 4; i++) call(jl.ones([2]));
    expect(ran).toHaveLength(4);
    expect(inner.report()).toMatchObject({ replayed: 0, unreplayed: [why] });
  });

  it("reads elements, finds places, makes other objects", () => {
    agree((x) => (x.sum().item() > 1e9 ? x : x.add(1)), always);
    agree((x) => x.nonzero().add(1), always);
    const { call, ran } = counted((x: jl.Tensor) => new Map([["y", x.add(1)]]));
    for (let i = 0; i < 6; i++)
      expect(
        call(jl.ones([2]))
          .get("y")
          ?.toArray(),
      ).toEqual([2, 2]);
    expect(ran).toHaveLength(6);
  });

  it("is asynchronous, or throws", async () => {
    const later = counted(async (x: jl.Tensor) => {
      const y = x.add(1);
      await undefined;
      return y.mul(2);
    });
    for (let i = 0; i < 6; i++) expect((await later.call(jl.ones([2]))).toArray()).toEqual([4, 4]);
    expect(later.ran).toHaveLength(6);
    const failing = counted((x: jl.Tensor) => {
      x.add_(1);
      throw new RangeError("no");
    });
    const x = jl.zeros([1]);
    for (let i = 0; i < 6; i++) expect(() => failing.call(x)).toThrow(RangeError);
    expect(x.toArray()).toEqual([6]);
  });

  it("holds memory that is gone, or that the host shares", () => {
    const held = jl.ones([2]);
    const { call, ran } = counted((x: jl.Tensor) => x.add(held));
    for (let i = 0; i < 4; i++) call(jl.ones([2]));
    expect(ran).toEqual([1, 2, 3]);
    held.dispose();
    expect(refused(() => call(jl.ones([2])))?.code).toBe("disposed-tensor");
    expect(refused(() => call(jl.ones([2])))?.code).toBe("disposed-tensor");
    if (device !== "cpu") return;
    const shared = jl.fromTypedArray(Float32Array.of(1, 2));
    const other = counted((x: jl.Tensor) => x.add(1));
    for (let i = 0; i < 6; i++) expect(other.call(shared).toArray()).toEqual([2, 3]);
    expect(other.ran).toHaveLength(6);
  });

  const hidden = (value: number) => Object.defineProperty({}, "k", { value });
  const deep = (value: number) => Array.from({ length: 40 }).reduce((inner: unknown) => [inner], value);
  const leaf = (value: any): number => (Array.isArray(value) ? leaf(value[0]) : value);
  const symbol = Symbol("k");
  it.each<[string, (i: number) => any, (o: any) => number]>([
    ["symbols", (i) => ({ [symbol]: i }), (o) => o[symbol]],
    ["hidden properties", hidden, (o) => o.k],
    ["keys of an array", (i) => Object.assign([1], { k: i }), (o) => o.k],
    ["holes", (i) => (i % 2 ? [undefined] : new Array(1)), (o) => (0 in o ? 1 : 2)],
    ["another prototype", (i) => (i % 2 ? {} : Object.create(null)), (o) => ("toString" in o ? 1 : 2)],
    ["many levels", deep, leaf],
  ])("has arguments of which it cannot tell whether they are equal: %s", (_, make, read) => {
    const { call } = counted((x: jl.Tensor, o: any) => x.mul(read(o)));
    for (let i = 1; i <= 6; i++) expect(call(jl.ones([1]), make(i)).item(), `call ${i}`).toBe(read(make(i)));
  });

  it("changes its arguments' arrays and objects, or returns them", () => {
    const step = counted((x: jl.Tensor, state: { sum: jl.Tensor; calls: number[] }) => {
      state.sum = state.sum.add(x);
      return state.sum;
    });
    const state = { sum: jl.zeros([1]), calls: [] };
    for (let i = 1; i <= 6; i++) expect(step.call(jl.ones([1]), state).item()).toBe(i);
    expect(step.inner.report().unreplayed).toEqual(["an argument's array or object is changed"]);
    const same = counted((xs: jl.Tensor[]) => {
      xs[0]?.add_(1);
      return xs;
    });
    const xs = [jl.zeros([1])];
    for (let i = 1; i <= 6; i++) expect(same.call(xs)).toBe(xs);
    expect(xs[0]?.item()).toBe(6);
  });

  it("is called by another compiled function, or while a graph records", () => {
    const { call, ran } = counted((x: jl.Tensor) => x.mul(3));
    const outer = jl.compile((x: jl.Tensor) => call(x.add(1)).add(1));
    for (let i = 0; i < 6; i++) expect(outer(jl.ones([2])).toArray()).toEqual([7, 7]);
    const graph = jl.graph(() => call(jl.ones([2])));
    expect(graph().toArray()).toEqual([3, 3]);
    graph.dispose();
    expect(ran).toHaveLength(7);
  });
});

describe("an argument that the function holds too", () => {
  const [w, y] = [() => jl.tensor([1, 2, 3]), () => jl.tensor([10, 20, 30])];
  type Body = (held: jl.Tensor, others: jl.Tensor) => (x: jl.Tensor) => readonly jl.Tensor[];
  const bodies: Record<string, Body> = {
    "as an operand": (held) => (x) => [x.mul(held)],
    "as the second result": (held) => (x) => [x.add(1), held],
    "as a view of it": (held) => (x) => [x.add(held.slice("::-1")), held.narrow(0, 1, 2)],
    "beside what it writes": (held) => (x) => {
      x.mul_(2);
      return [x.add(held)];
    },
    "as what it writes": (held) => (x) => {
      held.add_(1);
      return [x.mul(2)];
    },
    "as one of two": (held, other) => (x) => [x.mul(held).sub(other)],
  };
  const orders: Record<string, string> = {
    "first, and often": "wwwwyyyy",
    "first, once": "wyyyyw",
    "second, once": "ywyyyywy",
    "later, when the function is no longer run": "yyyyyyzwzwwy",
    "by turns with another one that it holds": "owowowowzz",
  };
  const cases = Object.keys(bodies).flatMap((name) =>
    Object.keys(orders).map((order) => [name, order] as const),
  );
  it.each(cases)("%s, given %s, is not taken for an argument", (name, order) => {
    const called = (options: jl.CompileOptions) => {
      const tensors: Record<string, jl.Tensor> = { w: w(), y: y(), o: y().neg() };
      const body = (bodies[name] as Body)(tensors.w as jl.Tensor, tensors.o as jl.Tensor);
      const step = jl.compile(body, options);
      return [...(orders[order] as string)].map((letter) => {
        const x = tensors[letter] ?? y().add(5);
        const made = step(x);
        const seen = made.map((one) => [one === x, one.toArray()]);
        return [...seen, x.toArray(), tensors.w?.toArray()];
      });
    };
    expect(called({ replay: true })).toEqual(called({ backend: "eager" }));
  });

  it("is told from another one that it holds, in each place", () => {
    const [a, b] = [w(), y()];
    const step = jl.compile((u: jl.Tensor, v: jl.Tensor) => [u.sub(a), v.mul(b)], { replay: true });
    const all = [a, b, jl.tensor([4, 5, 6])];
    for (let turn = 0; turn < 6; turn++) {
      for (const u of all) {
        for (const v of all) {
          const want = [u.sub(a).toArray(), v.mul(b).toArray()];
          expect(step(u, v).map((one) => one.toArray())).toEqual(want);
        }
      }
    }
    expect(step.report().replayed).toBeGreaterThan(8);
  });

  it("costs one more call that runs the function, where its arguments are in the same memory first", () => {
    const { call, ran } = counted((x: jl.Tensor) => x.mul(2));
    const [x, other] = [y(), w()];
    for (const one of [x, x, x, x, other, x, other, x])
      expect(call(one).toArray()).toEqual(one.mul(2).toArray());
    expect(ran).toEqual([1, 2, 3, 5]);
    const { call: again, ran: runs } = counted((one: jl.Tensor) => one.mul(2));
    for (const one of [x, x, x, x, x, x, other, x, other]) again(one);
    expect(runs).toEqual([1, 2, 3, 5, 7, 9]);
  });
});

describe("a function that does something else is the error replay-diverged", () => {
  const [x, y] = [() => jl.ones([3]), () => jl.full([3], 2)];
  const held = [x(), y()];
  const bodies: Record<string, [(turn: number) => unknown, RegExp]> = {
    "another number": [
      (t) => x().mul(t),
      /the number 0 of operation 2, mul of .*replay\.test\.ts:\d+:\d+, is now 1/,
    ],
    "another operation": [(t) => (t ? x().sin() : x().cos()), /operation 2 was cos of .*, now sin of /],
    "one more": [(t) => (t ? x().sin().mul(2) : x().sin()), /operation 3, mul of .*, is new/],
    "one less": [(t) => (t ? x().sin() : x().sin().mul(2)), /operation 3, mul of .*, is missing/],
    "another tensor": [
      (t) => held[t]?.add(1),
      /operation 1, add of .*, reads another tensor, which is no argument/,
    ],
    "another result": [
      (t) => ((a, b) => (t ? [a, b] : [b, a]))(x().sin(), x().cos()),
      /the result was .*, now /,
    ],
    "other results": [
      (t) => ((a, b) => [a, b, (t ? a : b).exp()])(x().sin(), x().cos()),
      /operation 5, exp of .*, reads other results/,
    ],
    "another written tensor": [(t) => void held[t]?.fill_(1), /it writes into other tensors/],
    "elements that are read": [(t) => (t ? x().add(1).sum().item() : x().add(1).sum()), /elements are read/],
  };
  it.each(Object.entries(bodies))("%s", (_, [body, message]) => {
    let turn = 0;
    const step = jl.compile(() => body(turn), { name: "step", replay: true });
    for (let i = 0; i < 4; i++) step();
    turn = 1;
    const error = refused(step);
    expect(error?.code).toBe("replay-diverged");
    expect(error?.message).toMatch(/^step: call 5 with equal arguments differs from the first one: /);
    expect(error?.message).toMatch(message);
    turn = 0;
    expect(refused(step)).toBeUndefined();
  });
});
