// jl.compile: each of its guarantees. program-fuzz.test.ts fuzzes that results have the bits of the separate calls.
import { runInThisContext } from "node:vm";
import { beforeAll, describe, expect, it } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { device, useDevice } from "../support/device.js";

beforeAll(useDevice);

/** The operations of the kernels that a call launches. */
const launchesOf = (run: () => unknown): string[] => jl.record(run).launches.map(({ op }) => op);
const codeOf = (run: () => unknown): unknown => {
  try {
    run();
  } catch (error) {
    return (error as jl.JitlabError).code;
  }
  return undefined;
};

describe("a compiled function", () => {
  it("computes maps over one shape in one kernel", () => {
    const [x, y] = [jl.arange(12).reshape(3, 4).to("float32"), jl.arange(4).to("float32")];
    const f = jl.compile((rate: number) => x.add(y).mul(rate).sin().add(x));
    const want = x.add(y).mul(0.5).sin().add(x).toArray();
    expect(f(0.5).toArray()).toEqual(want);
    expect(launchesOf(() => f(0.25))).toHaveLength(1);
    expect(launchesOf(() => f(0.25))[0]).toMatch(/^fused/);
  });

  it("computes a repeated operation once, unless a scalar is part of it", () => {
    const x = jl.rand([8]);
    const sines = (body: () => unknown) => {
      const { source = "" } = jl.explain(jl.compile(body))[0] ?? {};
      return /void fused\([\s\S]*?\n\}/.exec(source)?.[0].match(/op_sin/g)?.length;
    };
    expect(sines(() => x.sin().add(x.sin().mul(x.cos())).add(x.sin()))).toBe(1);
    expect(sines(() => x.mul(2).sin().add(x.mul(2).sin()))).toBe(2);
    const [a, b] = jl.compile(() => [x.sin(), x.sin()] as const)();
    a.fill_(0);
    expect(b.toArray()).toEqual(x.sin().toArray());
  });

  it("stores several results of one kernel, and none that nobody asks for", () => {
    const x = jl.ones([5]);
    const f = jl.compile(() => {
      const y = x.mul(2);
      const unused = y.exp();
      return { y, z: [y.add(1), new Map([["w", y.sub(1)]])], unused: unused.shape };
    });
    const result = f();
    expect(launchesOf(f)).toHaveLength(1);
    expect(result.y.toArray()).toEqual([2, 2, 2, 2, 2]);
    expect((result.z[1] as Map<string, jl.Tensor>).get("w")?.toArray()).toEqual([1, 1, 1, 1, 1]);
  });

  it("writes in the order of the body, whatever is read before, between and after", () => {
    const x = jl.arange(6).to("float32");
    const before = jl.compile(() => {
      const old = x.mul(10);
      x.add_(1);
      x.narrow(0, 0, 2).copy_(old.narrow(0, 4, 2));
      return old;
    })();
    expect(x.toArray()).toEqual([40, 50, 3, 4, 5, 6]);
    expect(before.toArray()).toEqual([0, 10, 20, 30, 40, 50]);
  });

  it("computes an escaped tensor when somebody looks, from the elements of the call", () => {
    const x = jl.ones([4]);
    const kept: jl.Tensor[] = [];
    const f = jl.compile(() => void kept.push(x.add(1)));
    expect(launchesOf(f)).toEqual([]);
    x.fill_(100);
    f();
    const [first, second] = kept as [jl.Tensor, jl.Tensor];
    x.dispose();
    expect(first.toArray()).toEqual([2, 2, 2, 2]);
    expect(second.toArray()).toEqual([101, 101, 101, 101]);
    expect(codeOf(() => x.item())).toBe("not-a-scalar");
  });

  it("computes what is looked at in its middle and goes on", () => {
    const x = jl.tensor([1, 2, 3]);
    const f = jl.compile((y: jl.Tensor) => {
      const sum = y.mul(2).sum();
      return (sum.item() as number) > 10 ? y.neg() : y.add(1);
    });
    expect(f(x).toArray()).toEqual([-1, -2, -3]);
    expect(f(x.sub(1)).toArray()).toEqual([1, 2, 3]);
  });

  it("refuses a look under fullGraph", () => {
    const x = jl.ones([2]);
    const f = jl.compile(() => x.add(1).sum().item(), { fullGraph: true, name: "step" });
    expect(f).toThrow(/^step: the elements of a result of sum are needed/);
    expect(codeOf(f)).toBe("graph-break");
    expect(x.add(1).toArray()).toEqual([2, 2]);
  });

  it("does the writes before an exception, and rethrows it", () => {
    const x = jl.ones([3]);
    const f = jl.compile(() => {
      x.add_(1);
      throw new Error("of the body");
    });
    expect(f).toThrow("of the body");
    expect(x.toArray()).toEqual([2, 2, 2]);
    expect(launchesOf(() => x.add(1))).toEqual(["add"]);
  });

  it("refuses what the separate call refuses, at the call", () => {
    const x = jl.arange(4);
    const codes = jl.compile(() => [
      codeOf(() => x.add(jl.ones([3]))),
      codeOf(() => x.add_(0.5)),
      codeOf(() => x.fill_(2n ** 40n)),
      codeOf(() => jl.bitwiseAnd(jl.ones([2]), 1)),
      codeOf(() => x.narrow(0, 0, 3).add_(x.narrow(0, 1, 3))),
    ])();
    expect(codes).toEqual([
      "shape-mismatch",
      "output-dtype",
      "scalar-overflow",
      "dtype-refused",
      "output-overlap",
    ]);
  });

  it("runs at once in jl.eager, where it reads what the function around it deferred", () => {
    const inner = jl.compile((x: jl.Tensor) => x.mul(2));
    for (const backend of ["steps", "fused"] as const) {
      const x = jl.tensor(Int32Array.of(1, -2, 7), { device });
      const [quotient, triple, twice] = jl.compile(
        () => {
          const q = x.div(7);
          const t = q.mul(3);
          return [q, t, jl.eager(() => inner(q)), q.add(t)] as const;
        },
        { backend },
      )();
      const eager = x.div(7);
      expect(quotient.equal(eager)).toBe(true);
      expect(triple.equal(eager.mul(3))).toBe(true);
      expect(twice.equal(eager.mul(2))).toBe(true);
    }
  });

  it("may call functions of the library in jl.eager that are programs of their own", () => {
    const x = jl.rand([2 ** 10, 2 ** 10], { device });
    const [y, shares, sum] = jl.compile(() => {
      const z = x.mul(3);
      return [z, jl.eager(() => z.softmax(-1)), z.add(1)] as const;
    })();
    expect(shares.equal(x.mul(3).softmax(-1))).toBe(true);
    expect(sum.equal(y.add(1))).toBe(true);
  });

  it("joins the tape of the function that calls it; jl.eager leaves it", () => {
    const x = jl.ones([3]);
    const inner = jl.compile((y: jl.Tensor) => y.mul(2));
    const outer = jl.compile(() => inner(inner(x)).add(1));
    expect(outer().toArray()).toEqual([5, 5, 5]);
    expect(launchesOf(outer)).toHaveLength(1);
    const apart = jl.compile(() => jl.eager(() => x.mul(2)).add(1));
    apart();
    expect(launchesOf(apart)).toEqual(["mul", "add"]);
  });

  it("defers an async function up to its first await", async () => {
    const x = jl.ones([3]);
    const f = jl.compile(async () => {
      const y = x.add(1).mul(2);
      x.add_(1);
      await Promise.resolve();
      return y.add(x);
    });
    const promise = f();
    expect(x.toArray()).toEqual([2, 2, 2]);
    expect((await promise).toArray()).toEqual([6, 6, 6]);
  });

  it("gives random numbers of their own to each call, as the separate calls have them", () => {
    const f = (): jl.Tensor => jl.rand([8]).add(jl.rand([8]));
    const compiled = jl.compile(f);
    const twice = (run: () => jl.Tensor) => {
      jl.manualSeed(7);
      return [run().toArray(), run().toArray()];
    };
    expect(twice(compiled)).toEqual(twice(f));
  });

  // The cpu is the device whose memory JavaScript sees.
  it.skipIf(device !== "cpu")("never defers what reads memory that the host shares", () => {
    const x = jl.ones([3]);
    const array = x.asTypedArray();
    const y = jl.compile(() => {
      const sum = x.add(1);
      array[0] = 50;
      return sum;
    })();
    expect(y.toArray()).toEqual([2, 2, 2]);
  });

  it("computes ten thousand operations without a break", () => {
    const x = jl.zeros([4]);
    const f = jl.compile(() => {
      let y = x;
      for (let i = 0; i < 10_000; i++) y = i % 100 === 99 ? y.T.add(1) : y.add(1);
      return y;
    });
    // One operation over and over is the same kernel text, up to where the limit of a kernel's size cuts it.
    expect(f().toArray()).toEqual([10_000, 10_000, 10_000, 10_000]);
  }, 120_000);

  it("computes in parts what defers without end, and what was not read yet stays right", () => {
    const [x, early] = [jl.zeros([4]), [] as jl.Tensor[]];
    const count = 2 ** 14 + 3000;
    const f = jl.compile(() => {
      let y = x;
      for (let i = 0; i < count; i++) {
        y = y.add(1);
        if (i === 9) early.push(y);
      }
      x.fill_(7);
      return y.add(early[0] as jl.Tensor);
    });
    expect(f().toArray()).toEqual(Array(4).fill(count + 10));
    expect(f.report().breaks).toEqual([expect.stringMatching(/^16384 operations up to add of /)]);
    expect(f.program()?.operations.length).toBeLessThan(4000);
    expect(early[0]?.toArray()).toEqual([10, 10, 10, 10]);
    expect(x.toArray()).toEqual([7, 7, 7, 7]);
  }, 120_000);

  it("computes in parts what reads much memory that was allocated meanwhile", () => {
    const sum = jl.zeros([]);
    const f = jl.compile(() => {
      for (let i = 0; i < 40; i++) {
        const batch = jl.eager(() => jl.empty([2 ** 24]));
        batch.select(0, 0).fill_(i);
        sum.add_(batch.select(0, 0));
      }
    });
    f();
    expect(sum.item()).toBe(780);
    expect(f.report().breaks.length).toBeGreaterThan(0);
  });

  it("takes one piece of memory for what its kernels pass on, and gives it back", () => {
    const n = 100;
    const kept: jl.Tensor[] = [];
    // What is read in another order goes to memory first.
    const body = (x: jl.Tensor) => {
      const [a, b] = [x.exp(), x.sin()];
      const c = a.T.mul(2).add(b.T);
      const d = c.T.sub(1);
      kept.push(c);
      return d.T.mul(c).T.add(d);
    };
    const f = jl.compile(body);
    const x = jl.rand([n, n]);
    const want = body(x).toArray();
    f(x);
    jl.memory.collect();
    const [before] = jl.memory.stats(x.device);
    const y = f(x);
    const [after] = jl.memory.stats(x.device);
    expect(f.program()?.kernels.length).toBeGreaterThan(1);
    expect(Number(after?.allocations) - Number(before?.allocations)).toBe(2);
    expect(Number(after?.liveBlocks) - Number(before?.liveBlocks)).toBe(1);
    expect(y.toArray()).toEqual(want);
    // What escaped is computed again.
    expect(kept[2]?.toArray()).toEqual(kept[0]?.toArray());
  });

  it("rounds less with exact: false, and says so in the kernel's text", () => {
    const x = jl.tensor([1 + 2 ** -12, 2.71, -1000.1]);
    const casts = (y: jl.Tensor) =>
      y
        .to("float16")
        .to("float32")
        .mul(y)
        .add(-(1 + 2 ** -11));
    const [exact, loose] = [jl.compile(casts), jl.compile(casts, { exact: false })];
    expect(exact(x).toArray()).toEqual(casts(x).toArray());
    const [first, ...others] = loose(x).toArray() as number[];
    // The product of 1 + 2^-12 with itself is one of 24 bits only after it was rounded, which contraction leaves out.
    expect(first).toBe(device === "wasm" ? 0 : 2 ** -24);
    const values = [Math.fround(2.71), Math.fround(-1000.1)];
    others.forEach((one, i) => {
      expect(one).toBeCloseTo((values[i] as number) ** 2 - 1, 0);
      expect(one).not.toBe(casts(x).toArray()[i + 1]);
    });
    const [kernel] = jl.explain(loose, x);
    expect(kernel?.source).toContain(
      "// exact: false. Results that are not stored are not rounded to half types; a*b + c may be rounded once.",
    );
    expect(jl.explain(exact, x)[0]?.source).not.toContain("exact: false");
    // A stored result has its dtype, and a long function is never contracted.
    const stored = jl.compile((y: jl.Tensor) => [y.to("float16"), y.to("float16").sin().mul(y)], {
      exact: false,
    });
    expect((stored(x)[0] as jl.Tensor).toArray()).toEqual(x.to("float16").toArray());
    expect(jl.explain(stored, x)[0]?.source).not.toContain("may be rounded once");
  });

  it("draws normal numbers beside complex functions of the same names", () => {
    const z = jl.rand([4, 6]).to("complex64");
    const body = () => z.exp().add(jl.randn([4, 6]));
    jl.manualSeed(3);
    const want = body().toArray();
    jl.manualSeed(3);
    expect(jl.compile(body)().toArray()).toEqual(want);
  });

  it("needs no further kernel for another scalar, and none for another size", () => {
    const f = jl.compile((x: jl.Tensor, rate: number) => x.mul(rate).add(1));
    f(jl.ones([10]), 0);
    const cold = (run: () => unknown) =>
      jl.record(run).launches.filter(({ origin }) => origin !== "memory").length;
    expect(cold(() => Array.from({ length: 100 }, (_, i) => f(jl.ones([10]), i / 7)))).toBe(0);
    expect(cold(() => Array.from({ length: 100 }, (_, i) => f(jl.ones([i + 1]), 0.5)))).toBe(0);
  });

  it("survives interrupts at any moment: writes happen once, and the next job is not deferred", async () => {
    const x = jl.zeros([4096]);
    const state = globalThis as { interrupted?: { step: () => unknown; done: number } };
    const f = jl.compile(() => x.narrow(0, 0, 4095).add_(1));
    f();
    const interrupted = { step: f, done: 1 };
    state.interrupted = interrupted;
    for (let round = 0; round < 20; round++) {
      expect(() =>
        runInThisContext("for (;;) { interrupted.step(); interrupted.done++; }", { timeout: 5 + round }),
      ).toThrow("timed out");
      await Promise.resolve();
      expect([interrupted.done, interrupted.done + 1]).toContain(x.at(0).item());
      expect(launchesOf(() => x.add(1))).toEqual(["add"]);
      // V8 ends a kernel on wasm as it ends a loop of JavaScript, within a separate call too.
      if (device !== "wasm") expect(x.at(4094).item()).toBe(x.at(0).item());
      x.fill_(interrupted.done);
    }
    expect(interrupted.done).toBeGreaterThan(1);
  });

  it("is explained without a launch; what it writes and draws stays", () => {
    const x = jl.ones([6]);
    const f = jl.compile((y: jl.Tensor) => {
      y.add_(jl.rand([6]));
      return y.mul(2).exp().sum();
    });
    jl.manualSeed(3);
    const want = jl.rand([2]).toArray();
    jl.manualSeed(3);
    let kernels: jl.Explanation[] = [];
    expect(launchesOf(() => (kernels = jl.explain(f, x)))).toEqual([]);
    expect(kernels.map(({ op }) => op)).toEqual(["fused_rand_add", "fused_mul_exp_sum"]);
    expect(kernels[1]?.source).toContain("namespace exp_float32");
    expect(x.toArray()).toEqual([1, 1, 1, 1, 1, 1]);
    expect(jl.rand([2]).toArray()).toEqual(want);
  });

  it("is explained without a change to pending tensors, which it may read", () => {
    let pending = jl.empty([0]);
    const f = jl.compile((x: jl.Tensor) => {
      if (x.at(0).item() > 5) x.fill_(7).set("0", 5);
      return x.mul(2);
    });
    const keep = jl.compile((x: jl.Tensor) => {
      pending = x.mul(10);
      jl.explain(f, pending);
      return pending.add(1);
    });
    expect(keep(jl.ones([2])).toArray()).toEqual([11, 11]);
    expect(pending.toArray()).toEqual([10, 10]);
    const leave = jl.compile((x: jl.Tensor) => {
      pending = x.mul(10);
      return x.add(1);
    });
    for (const g of [jl.compile((x: jl.Tensor) => x.fill_(7).set("0", 5)), f]) {
      leave(jl.ones([2]));
      expect(jl.explain(g, pending).length).toBeGreaterThan(0);
      expect(pending.toArray()).toEqual([10, 10]);
    }
  });

  it("is explained up to its first break", () => {
    const f = jl.compile((y: jl.Tensor) => ((y.sum().item() as number) > 3 ? y.exp() : y.sin()), {
      name: "step",
    });
    const kernels = jl.explain(f, jl.ones([6]));
    expect(kernels.map(({ op }) => op)).toEqual(["sum"]);
    expect(kernels[0]?.note).toMatch(/^step reads elements of a result of sum of compile.test.ts:\d+:\d+:/);
  });

  it("reports calls, programs, breaks, and misses in words and places", () => {
    const f = jl.compile(
      (x: jl.Tensor, y: jl.Tensor) => {
        const z = x.mul(y);
        return z.add((z.sum().item() as number) > 0 ? 1 : 2).exp();
      },
      { name: "step" },
    );
    const [x, y] = [jl.ones([4, 6]), jl.ones([4, 6])];
    for (let i = 0; i < 3; i++) f(x, y);
    f(x, jl.ones([], { dtype: "float64" }));
    f(jl.ones([5, 6]), jl.ones([5, 6]));
    const { calls, hits, programs, misses, breaks, name } = f.report();
    expect({ calls, hits, name }).toEqual({ calls: 5, hits: 2, name: "step" });
    // Another size is no other program. The product is part of its sum's kernel, and computed again after the look.
    expect(programs).toEqual([
      { operations: 4, kernels: 2, hits: 0, needs: "float32[n,m], float64[]", peakBytes: expect.any(Number) },
      {
        operations: 4,
        kernels: 2,
        hits: 2,
        needs: "float32[n,m], float32[n,m]",
        peakBytes: expect.any(Number),
      },
    ]);
    expect(misses).toHaveLength(1);
    expect(misses[0]).toMatch(
      /^call 4: operation 1 \(compile.test.ts:\d+:\d+\) was mul\(float32\[n,m\], float32\[n,m\]\), now mul\(float32\[n,m\], float64\[\]\)$/,
    );
    expect(breaks).toHaveLength(1);
    expect(breaks[0]).toMatch(/^sum of compile.test.ts:/);
  });

  it("tells what its last call ran: operations, kernels, traffic and memory", () => {
    const f = jl.compile(
      (x: jl.Tensor) => {
        const y = x.sin().mul(2).add(x);
        return y.sub(y.sum().item() as number);
      },
      { name: "step" },
    );
    expect(f.program()).toBeUndefined();
    f(jl.ones([1000]));
    const { name, operations, kernels, traffic, peak, breaks } = f.program() as jl.Program;
    expect(name).toBe("step");
    expect(
      operations.map(({ text, kernels, reads, isStored }) => ({ text, kernels, reads, isStored })),
    ).toEqual([
      // A GPU computes them again where they are read last.
      { text: "sin(float32[1000])", kernels: expect.arrayContaining([0]), reads: [], isStored: false },
      {
        text: "mul(float32[1000], float32)",
        kernels: expect.arrayContaining([0]),
        reads: [0],
        isStored: false,
      },
      {
        text: "add(float32[1000], float32[1000])",
        kernels: expect.arrayContaining([0]),
        reads: [1],
        isStored: expect.any(Boolean),
      },
      { text: "sum(float32[1000])", kernels: expect.any(Array), reads: [2], isStored: true },
      { text: "sub(float32[1000], float32)", kernels: expect.any(Array), reads: [2], isStored: true },
    ]);
    expect(operations[0]?.place).toMatch(/^compile.test.ts:\d+:\d+$/);
    expect(breaks).toEqual([
      { kernel: kernels.length - 1, text: expect.stringMatching(/^sum of compile.test/) },
    ]);
    // Apart, six vectors are read, and four and a number are written.
    expect(traffic.separate).toBe(4 * (6 * 1000 + 4 * 1000 + 1));
    expect(traffic.program).toBeLessThan(traffic.separate);
    expect(peak.program).toBeLessThanOrEqual(peak.separate);
  });

  it("says of each line of a fused kernel where its operation was called", () => {
    const x = jl.rand([8]);
    const f = jl.compile(() => {
      const wave = x.sin();
      const again = x.sin();
      return wave.mul(2).add(again.exp());
    });
    const [{ source, places }] = jl.explain(f) as [jl.Explanation];
    const lines = source.split("\n");
    const told = places.map(({ line, place }) => [
      /op_\w+/.exec(lines[line - 1] ?? "")?.[0],
      place.split(":")[1],
    ]);
    const first = Number(told[0]?.[1]);
    // On a processor the lines stand in more than one loop.
    expect([
      ...new Set(told.filter(([name]) => name).map(([name, line]) => `${name} ${Number(line) - first}`)),
    ]).toEqual(["op_sin 0", "op_mul 2", "op_exp 2", "op_add 2"]);
    expect(source).not.toContain("compile.test.ts");
  });

  it("names the operation and its place where a kernel does not compile, and goes on afterwards", () => {
    const wild = jl.jit("template <typename T> T wild(T x) { return x + nowhere; }");
    const x = jl.ones([3]);
    const f = jl.compile((y: jl.Tensor) => {
      x.add_(1);
      return (wild(y.mul(2)) as jl.Tensor).add(1);
    });
    for (let call = 1; call <= 2; call++) {
      expect(() => f(x)).toThrow(
        /wild does not compile[\s\S]*\nThe kernel computes add of compile.test.ts:\d+:\d+, mul of .*, wild of .*, add of compile.test.ts:\d+:\d+\.$/,
      );
    }
    expect(x.add(1).toArray()).toEqual([4, 4, 4]);
  });

  it("is called by its place where it has no name", () => {
    expect(jl.compile(() => 1).report().name).toMatch(/^compiled at compile.test.ts:\d+:\d+$/);
  });

  it("tells recordings of its runs, and keeps a row for each plan", () => {
    const f = jl.compile((x: jl.Tensor, y: jl.Tensor) => x.atan2(y).sum().add(1), { name: "timed" });
    const calls = () => [f(jl.ones([9]), jl.ones([9])), f(jl.ones([9]), jl.ones([9]))];
    const { regions, launches } = jl.record(calls);
    expect(regions.map(({ name, operations }) => [name, operations])).toEqual([
      ["timed", 3],
      ["timed", 3],
    ]);
    const [first, second] = regions as [jl.Region, jl.Region];
    expect(first.phases.planMs).toBeGreaterThan(0);
    expect(second.phases).toMatchObject({ planMs: 0, compileMs: 0 });
    const end = first.startMs + first.phases.planMs + first.phases.compileMs + first.phases.launchMs;
    const inFirst = launches.filter(({ startMs }) => startMs >= first.startMs && startMs <= end);
    expect(inFirst.length).toBe(first.kernels);
    expect(jl.programTimings().filter(({ name }) => name === "timed")).toMatchObject([
      { operations: 3, kernels: first.kernels, runs: 2 },
    ]);
  });

  it("refuses what is no function and what is no backend", () => {
    expect(codeOf(() => jl.compile(3 as never))).toBe("bad-argument");
    expect(codeOf(() => jl.compile(() => {}, { backend: "fast" as never }))).toBe("bad-argument");
  });
});
