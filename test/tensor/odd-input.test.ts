// Invalid input, in a separate process: it never ends or hangs the process or changes another tensor, and every error is one
// of ours. Every function of the library and every method of a tensor is fed.
import { execFile } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { drawn } from "../support/draw.js";
import { refusal } from "../support/refusal.js";

const script = fileURLToPath(new URL("../support/odd-input.mjs", import.meta.url));

interface Report {
  refused: number;
  worked: number;
  fed: number;
  /** Errors that are not the library's, with where they come from. */
  foreign: Record<string, string>;
  corrupted: string[];
}

// ODD_INPUT_CALLS=10000 makes so many of each seed.
const calls = process.env.ODD_INPUT_CALLS ?? "2500";

test("many half numbers are read without a list of them all, for which a small heap has no room", async () => {
  const code = `import * as jl from "${new URL("../../dist/runtime/index.js", import.meta.url)}";
    const x = jl.full([2 ** 24], 1.5, { dtype: process.argv[1], device: "cpu" });
    console.log(x.data().at(-1));`;
  for (const dtype of ["float16", "bfloat16"]) {
    const args = ["--max-old-space-size=64", "--input-type=module", "-e", code, dtype];
    expect((await promisify(execFile)(process.execPath, args)).stdout).toBe("1.5\n");
  }
});

test.each(drawn([1, 2, 3, 4], 2))(
  "odd input of seed %i is refused or works",
  { timeout: 300_000 },
  async (seed) => {
    const cwd = mkdtempSync(join(tmpdir(), "jitlab-odd-"));
    // With three gigabytes of memory, tensors of a milliard elements are refused; no time is lost on filling them.
    const limited = `ulimit -d 3000000; exec "$0" "$@"`;
    const command = [process.execPath, script, String(seed), calls];
    const { stdout } = await promisify(execFile)("/bin/sh", ["-c", limited, ...command], { cwd });
    const report = JSON.parse(stdout) as Report;
    expect(report.foreign).toEqual({});
    expect(report.corrupted).toEqual([]);
    expect(report.fed).toBeGreaterThan(80);
    expect(report.refused).toBeGreaterThan(300);
    expect(report.worked).toBeGreaterThan(200);
  },
);

const on = { device: "cpu" };

test("an object that only has a tensor's prototype is none, whatever it is asked or used for", () => {
  const fake = Object.create(jl.Tensor.prototype) as jl.Tensor;
  const x = jl.ones([2], on);
  const told = /This object has a tensor's methods but is not a tensor/;
  for (const field of ["shape", "dtype", "device", "size", "ndim", "T"] as const)
    expect(refusal(() => fake[field])).toMatch(told);
  expect(refusal(() => String(fake))).toMatch(told);
  expect(refusal(() => fake.dispose())).toMatch(told);
  expect(refusal(() => fake.add(1))).not.toContain("nothing");
  expect(refusal(() => x.add(fake))).not.toContain("nothing");
  expect(refusal(() => x.add(1, { out: fake }))).not.toContain("nothing");
  expect(refusal(() => jl.save("/nowhere", fake))).toContain("is not a tensor");
  expect(fake instanceof jl.Tensor).toBe(false);
  expect(x instanceof jl.Tensor).toBe(true);
});

test("a tensor is not cloned behind its back", () => {
  expect(() => structuredClone(jl.ones([2], on))).toThrow(/could not be cloned/);
});

test("nested arrays of more empty arrays than there can be are refused", () => {
  expect(refusal(() => jl.zeros([2 ** 32, 2 ** 32, 0], on).toArray())).toMatch(/more than .* \(67108864\)/);
  expect(jl.zeros([2, 0, 2 ** 32], on).toArray()).toEqual([[], []]);
});

test("enormous counts are refused before anything is allocated for them, or end at once where they mean nothing", () => {
  const [x, row] = [jl.ones([2, 3], on), jl.ones([1], on).expand(2 ** 30)];
  expect(x.diff(2 ** 53 - 1).shape).toEqual([2, 0]);
  expect(x.chunk(1e9)).toHaveLength(2);
  const parts = /parts are more than the 1048576/;
  for (const split of [
    () => x.tensorSplit(1e9),
    () => row.unbind(),
    () => row.split(1),
    () => jl.zeros([0], on).chunk(1e9),
  ])
    expect(refusal(split)).toMatch(parts);
  expect(refusal(() => x.repeatInterleave(2 ** 45))).toContain("no memory");
  expect(refusal(() => x.repeatInterleave(jl.tensor([1n, 2n ** 45n], on), 0))).toContain("no memory");
  expect(refusal(() => x.repeatInterleave(2 ** 53 - 1))).toContain("the shape");
});

test("lists and values that are none are refused by name", () => {
  const x = jl.ones([2, 2], on);
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  const not = <T = never>(value: unknown) => value as T;
  expect(refusal(() => x.tensordot(x, not([[0]])))).toContain("not a list of two");
  expect(refusal(() => x.tensordot(x, not(proxy)))).toContain("a proxy that was revoked, not a list of two");
  expect(refusal(() => x.histogram(3, { range: not(5) }))).toContain("range is 5, not a list of two");
  expect(refusal(() => x.threshold(1, not(proxy)))).toContain("neither a tensor nor a number");
  expect(refusal(() => x.set(not(proxy), 1))).toContain("a proxy that was revoked");
  expect(refusal(() => x.indexPut_(not(proxy), 1))).toContain("the indexes are a proxy that was revoked");
  expect(refusal(() => jl.explain(jl.add, x, not(proxy)))).toContain("a proxy that was revoked");
  expect(refusal(() => jl.flatten(not(undefined)))).toContain("is not a tensor");
  expect(refusal(() => jl.toArrow(not(proxy), x))).toContain("a proxy that was revoked is not the library");
  expect(refusal(() => jl.toArrow(not({ makeVector() {} }), not(null)))).toContain(
    "null is neither a tensor nor",
  );
  expect(refusal(() => jl.fromArrow(not(proxy)))).toContain("a proxy that was revoked is neither a column");
  for (const join of [jl.hstack, (list: jl.Tensor[]) => jl.cat(list, 1)])
    expect(refusal(() => join([x, jl.ones([2], on)]))).toContain(
      "Only the extents of dimension 1 may differ",
    );
  const combine = Proxy.revocable(() => 1, {});
  combine.revoke();
  expect(refusal(() => jl.reduction(not<string>(combine.proxy), { identity: 0 }))).toContain(
    "has no text to translate",
  );
  const add = not<(value: number) => number>({ proxy });
  expect(refusal(() => jl.jit((x: number) => x + add(x), { use: not({ add: proxy }) }))).toContain("proxy");
  expect(refusal(() => x.add(x, { alpha: not(proxy) }))).toContain("a proxy that was revoked");
  expect(refusal(() => x.indexAdd(0, jl.tensor([0n], on), not(3), { alpha: 2 }))).toContain(
    "3 is not a tensor",
  );
  expect(refusal(() => x.gt(0).maskedFill_(x.gt(0), not(Symbol("s"))))).toContain(
    "neither a tensor nor a number",
  );
});

test("a process that may open no more files is told so", async () => {
  // All files are loaded first; then every free descriptor is taken but a few.
  const code = `import { closeSync, openSync } from "node:fs";
    import * as jl from ${JSON.stringify(fileURLToPath(new URL("../../dist/runtime/index.js", import.meta.url)))};
    const opened = [];
    try { for (;;) opened.push(openSync("/dev/null")); } catch {}
    for (const free of [0, 4, 30]) {
      for (let i = 0; i < free; i++) closeSync(opened.pop());
      try {
        jl.jit("template <typename T> T f(T x) { return x + 41; }")(jl.ones([2], { device: "cpu" }));
      } catch (error) {
        console.log(error instanceof jl.JitlabError, error.message);
      }
    }
    process.exit();`;
  const limited = `ulimit -n 256; exec "$0" "$@"`;
  const command = [process.execPath, "--input-type=module", "-e", code];
  const { stdout } = await promisify(execFile)("/bin/sh", ["-c", limited, ...command]);
  expect(stdout).toMatch(/^true .*EMFILE/);
  expect(stdout).not.toMatch(/^false/m);
});
