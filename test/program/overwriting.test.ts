// Compiled functions that write into their arguments: over the earlier elements, where nothing reads those any more.
import { beforeAll, describe, expect, it } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { useAnyDevice } from "../support/device.js";

beforeAll(useAnyDevice);

const n = 5000;

/** How many blocks of memory five warm calls allocate. */
function allocations(run: () => unknown): number {
  run();
  run();
  const count = () => jl.memory.stats().reduce((sum, { allocations }) => sum + allocations, 0);
  const before = count();
  for (let i = 0; i < 5; i++) run();
  return count() - before;
}

describe("a write of a compiled function", () => {
  it("needs no fresh memory if nothing reads the earlier elements", () => {
    const x = jl.ones([n]);
    const y = jl.ones([n]);
    expect(allocations(jl.compile(() => x.add_(1)))).toBe(0);
    x.fill_(1);
    const one = jl.compile(() => x.mul_(0.5).add_(y));
    expect(allocations(one)).toBe(0);
    expect(x.at(n - 1).item()).toBeCloseTo(2, 1);
    const several = jl.compile(() => {
      for (const t of [x, y]) t.mul_(2).sub_(1);
    });
    expect(allocations(several)).toBe(0);
    expect(y.at(7).item()).toBe(1);
  });

  it("takes fresh memory if a tensor that may be read later needs the earlier elements", () => {
    const x = jl.ones([n]);
    const kept: jl.Tensor[] = [];
    const step = jl.compile(() => {
      kept.push(x.mul(10));
      x.mul_(2);
      kept.push(x.mul(100));
      x.add_(1);
    });
    step();
    step();
    expect(kept.map((one) => one.at(3).item())).toEqual([10, 200, 30, 600]);
    expect(x.at(3).item()).toBe(7);
  });

  it("takes fresh memory also where elements were read between the writes", () => {
    const x = jl.ones([n]);
    const kept: jl.Tensor[] = [];
    const step = jl.compile(() => {
      kept.push(x.mul(10));
      x.mul_(2);
      kept.push(jl.tensor(x.at(3).item() as number));
      x.add_(1);
    });
    step();
    step();
    expect(kept.map((one) => one.flatten().at(0).item())).toEqual([10, 2, 30, 6]);
    expect(x.at(3).item()).toBe(7);
  });

  it("reads other elements than it writes before they are gone", () => {
    const x = jl.arange(n).to("float32");
    const turn = jl.compile(() => x.copy_(x.mul(1).flip(0)));
    turn();
    expect(x.at(0).item()).toBe(n - 1);
    expect(x.at(n - 1).item()).toBe(0);
    const half = jl.compile(() => {
      const sum = x.sum();
      x.mul_(0.5);
      return sum.add(x.sum());
    });
    expect(half().item()).toBeCloseTo((n * (n - 1) * 3) / 4, -3);
  });

  it("of some elements waits for a kernel that reads others of them", () => {
    const x = jl.arange(8).to("float32");
    const shift = jl.compile((x: jl.Tensor, y: jl.Tensor) => {
      const doubled = x.narrow(0, 0, 4).mul(2);
      x.narrow(0, 1, 4).copy_(y.add(7));
      return doubled;
    });
    expect(shift(x, jl.zeros([4])).toArray()).toEqual([0, 2, 4, 6]);
    expect(x.toArray()).toEqual([0, 7, 7, 7, 7, 5, 6, 7]);
  });

  it("of two values of a tensor that one kernel stores, gives only one the earlier memory", () => {
    const x = jl.arange(8).to("float32");
    const step = jl.compile((x: jl.Tensor) => {
      x.mul_(2);
      const seven = x.mul(7);
      x.narrow(0, 0, 2).fill_(5); // the rest of the doubled elements is read below
      const flipped = x.flip(0).add(1);
      x.copy_(seven);
      return flipped;
    });
    expect(step(x).toArray()).toEqual([15, 13, 11, 9, 7, 5, 6, 6]);
    expect(x.toArray()).toEqual([0, 14, 28, 42, 56, 70, 84, 98]);
  });

  it("leaves all elements as they were where a later kernel fails", () => {
    const x = jl.ones([n]);
    const broken = jl.jit("float f(float a) { return a + missing; }", { name: "f" });
    const step = jl.compile((bad: boolean) => {
      x.add_(1);
      const sum = x.sum();
      if (bad) return broken(sum);
      return sum;
    });
    expect(step(false).item()).toBe(2 * n);
    expect(() => step(true)).toThrow("missing");
    expect(x.at(0).item()).toBe(3);
    expect(step(false).item()).toBe(4 * n);
  });

  it("writes many small tensors into one block", () => {
    const all = Array.from({ length: 50 }, () => [jl.ones([n / 5]), jl.ones([n / 5])] as const);
    const kept: jl.Tensor[] = [];
    const step = jl.compile(() => {
      for (const [a, b] of all) {
        a.mul_(0.5).add_(b);
        kept.push(a.mul(3));
      }
    });
    expect(allocations(step)).toBeLessThan(20);
    expect(kept[0]?.at(1).item()).toBe(4.5);
    expect(all[49]?.[0].at(1).item()).toBeCloseTo(2, 1);
  });
});

describe("a write after a compiled call", () => {
  // The result of mul is part of the kernel of sin: it is computed when it is read.
  const made: jl.Tensor[] = [];
  const f = jl.compile((x: jl.Tensor) => {
    made.push(x.mul(2));
    return (made.at(-1) as jl.Tensor).sin();
  });

  it("leaves the earlier elements to what still needs them", () => {
    const x = jl.ones([n]);
    f(x);
    x.add_(1);
    f(x);
    x.narrow(0, 0, 2).fill_(5);
    f(x);
    x.copy_(jl.zeros([n]));
    f(x);
    x.dispose();
    expect(made.map((one) => [one.at(0).item(), one.at(n - 1).item()])).toEqual([
      [2, 2],
      [4, 4],
      [10, 4],
      [0, 0],
    ]);
  });

  it("leaves them also where it is no map: writes by index and by mask, graphs", () => {
    const at = jl.tensor([0n, 1n]);
    const values = jl.tensor([10, 20]);
    const x = jl.zeros([3]);
    const replay = jl.graph(() => x.scatter_(0, at, values));
    const writes = {
      scatter: () => x.scatter_(0, at, values),
      scatterAdd: () => x.scatterAdd_(0, at, values),
      indexAdd: () => x.indexAdd_(0, at, values),
      indexPut: () => x.indexPut_([at], values),
      set: () => x.set([at], values),
      mask: () => x.set([x.gt(1)], 9),
      graph: () => replay(),
    };
    const g = jl.compile((write: () => void) => {
      const hundreds = x.mul(100);
      jl.eager(write);
      return hundreds;
    });
    for (const [name, write] of Object.entries(writes)) {
      x.copy_(jl.tensor([1, 2, 3]));
      expect(g(write).toArray(), name).toEqual([100, 200, 300]);
      x.copy_(jl.tensor([1, 2, 3]));
      f(x);
      write();
      expect(made.at(-1)?.toArray(), name).toEqual([2, 4, 6]);
      expect(x.toArray(), name).not.toEqual([1, 2, 3]);
    }
  });

  it("copies nothing: the new elements are in fresh memory", () => {
    const x = jl.ones([n]);
    f(x);
    const before = x.pointer;
    expect(allocations(() => x.add_(1))).toBe(0);
    expect(x.pointer).not.toBe(before);
    expect(x.at(0).item()).toBe(8);
  });

  it("changes nothing if the operation fails", () => {
    const x = jl.ones([n]).to("int32");
    f(x);
    expect(() => x.mul_(0.5)).toThrow(/int32/);
    expect(() => x.copy_(jl.ones([3]))).toThrow(/3/);
    expect([x.at(0).item(), x.at(n - 1).item(), made.at(-1)?.at(1).item()]).toEqual([1, 1, 2]);
  });

  it("leaves the earlier elements where its kernel refuses an index", () => {
    const [x, table] = [jl.arange(6, { dtype: "float32" }), jl.ones([4])];
    const chosen = jl.compile((index: jl.Tensor) => x.copy_(table.take(index.add(0))));
    for (let call = 0; call < 3; call++) {
      expect(() => chosen(jl.tensor([3, 2, 1, 0, 9, 1]))).toThrow(/index 9/);
      expect(x.toArray()).toEqual([0, 1, 2, 3, 4, 5]);
    }
    chosen(jl.tensor([3, 2, 1, 0, 3, 1]));
    expect(x.toArray()).toEqual([1, 1, 1, 1, 1, 1]);
  });
});
