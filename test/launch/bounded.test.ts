// A process keeps nothing that grows for functors that it no longer uses. JITLAB_BOUNDED=full makes the counts those of a
// long session (20 000 calls, 2 000 texts), and prints the figures.
import { readFileSync } from "node:fs";
import { setImmediate as nextTick } from "node:timers/promises";
import { beforeAll, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { useAnyDevice } from "../support/device.js";
import { emptyGarbage } from "../support/garbage.js";

beforeAll(useAnyDevice);

const full = process.env.JITLAB_BOUNDED === "full";
const calls = full ? 20_000 : 1000;
const texts = full ? 2000 : 12;
const minutes = 60_000;

const mapped = () => readFileSync("/proc/self/maps", "utf8").split("\n");
/** Mappings of loaded kernels: a handful for each. */
const mappedKernels = () => mapped().filter((line) => line.includes("jitlab-kernel")).length;

/** Mappings of the process, rows of jl.timings and megabytes, after what is unreachable was collected. */
async function kept() {
  // Finalizers run between jobs, and what they free may reach other objects.
  for (let i = 0; i < 3; i++) {
    emptyGarbage();
    await nextTick();
  }
  const mappings = mapped().length;
  const { rss, heapUsed } = process.memoryUsage();
  const mb = (bytes: number) => Math.round(bytes / 2 ** 20);
  return {
    kernels: mappedKernels(),
    mappings,
    rows: jl.timings().length,
    rssMb: mb(rss),
    heapMb: mb(heapUsed),
  };
}

function say(what: string, before: object, after: object): void {
  if (full)
    process.stdout.write(`${what}: before ${JSON.stringify(before)}, after ${JSON.stringify(after)}\n`);
}

const x = () => jl.tensor([1, 2, 3]);
const numbered = (i: number) => `template <typename T> T numbered(T x) { return x + T(${i}); }`;

test("calls of jl.jit with one text add one kernel", async () => {
  const operand = x();
  jl.jit(numbered(0.5))(operand);
  const before = await kept();
  for (let i = 0; i < calls; i++) jl.jit(numbered(0.25))(operand);
  const after = await kept();
  say(`${calls} calls of one text`, before, after);
  expect(after.rows).toBe(before.rows + 1);
  expect(after.kernels - before.kernels).toBeLessThan(10);
});

test(
  "texts that are dropped one by one leave no code loaded",
  async () => {
    const operand = x();
    const some = Math.min(texts, 100);
    const compileAndCall = async (from: number, to: number) => {
      for (let i = from; i < to; i += some) {
        const chunk = Array.from({ length: Math.min(some, to - i) }, (_, k) => numbered(i + k));
        jl.precompile(chunk.map((text) => [jl.jit(text), "float32"]));
        for (const [k, text] of chunk.entries()) {
          expect(jl.jit(text)(operand).toArray()).toEqual([1, 2, 3].map((value) => value + i + k));
          if (k % 50 === 0) await kept();
        }
      }
    };
    // Those that are loaded when the first figures are taken stand for what a process keeps.
    await compileAndCall(0, some);
    const before = await kept();
    await compileAndCall(some, some + texts);
    const after = await kept();
    say(`${texts} texts`, before, after);
    // One kernel that was called last on either side.
    expect(after.kernels - before.kernels).toBeLessThan(10);
    // Rows of unloaded kernels stay for a while.
    expect(after.rows).toBeLessThan(700);
  },
  20 * minutes,
);

// Needs more stored kernels than a process loads before it looks for unreachable functors.
test.runIf(full)(
  "a long job that makes one functor after the other unloads too (JITLAB_BOUNDED=full)",
  async () => {
    const operand = x();
    const before = await kept();
    let most = 0;
    for (let i = 0; i < texts; i++) {
      jl.jit(numbered(i))(operand);
      most = Math.max(most, mappedKernels());
    }
    say(`${texts} texts in one job`, before, { most });
    expect(most).toBeLessThan(600 * 6);
  },
  minutes,
);

test(
  "fresh templates of jl.fuse with one text add one kernel",
  async () => {
    const operand = x();
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of a template
    const fresh = () => new Function("jl", "x", "return jl.fuse`sin(${x}) * 2 + ${x}`");
    const first = fresh();
    const run = (template: ReturnType<typeof fresh>): jl.Tensor => template(jl, operand);
    run(first);
    const before = await kept();
    for (let i = 0; i < calls; i++) run(fresh());
    const after = await kept();
    run(first);
    say(`${calls} fresh templates`, before, after);
    expect(after.rows).toBe(before.rows);
    expect(after.kernels).toBe(before.kernels);
  },
  10 * minutes,
);
