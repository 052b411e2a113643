// The reference: every function and method of the library has its page, and every example gives what it says.
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as arrow from "apache-arrow";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { formsOf } from "../../dist/magics/child/reference.js";
import * as jl from "../../dist/runtime/index.js";
import { useReference } from "../support/reference/device.js";

// @ts-expect-error a script without types
const { errorCases, internal, reference } = (await import("../../scripts/reference.mjs")) as {
  errorCases: { code: string; call: string }[];
  internal: string[];
  reference: () => { entries: { name: string; forms: Form[] }[] }[];
};

interface Form {
  readonly calls: readonly string[];
  readonly text: string;
  readonly options?: readonly {
    readonly name: string;
    readonly type: string;
    readonly doc: string;
    readonly default?: string;
  }[];
  readonly example?: string;
  readonly gives?: string;
}

const entries = reference().flatMap((section) => section.entries);
const known = new Set(entries.map(({ name }) => name));
const ops = new Set(Object.entries(jl.ops).flatMap(([name, op]) => [name, ...(op.aliases ?? [])]));
const isOp = (name: string) => ops.has(name) || (name.endsWith("_") && ops.has(name.slice(0, -1)));
const needsGpu = ["cuda", "rawKernel"];
const hasGpu = jl.devices().some(({ kind, available }) => kind === "cuda" && available);

const AsyncFunction = (async () => {}).constructor as FunctionConstructor;
const run = (text: string): unknown => new AsyncFunction("jl", "arrow", `return ${text};`)(jl, arrow);

const start = process.cwd();
const folder = mkdtempSync(join(tmpdir(), "jitlab-reference-"));
// The files that examples read.
copyFileSync(new URL("../data/tables/rgb.png", import.meta.url), join(folder, "photo.png"));
copyFileSync(new URL("../data/tables/prices.parquet", import.meta.url), join(folder, "prices.parquet"));
writeFileSync(join(folder, "prices.csv"), "city,price\nParis,2\nRome,3\n");
beforeAll(() => {
  useReference();
  process.chdir(folder);
});
afterAll(() => {
  process.chdir(start);
  rmSync(folder, { recursive: true, force: true });
});

test("every function of the library has an entry", () => {
  const functions = Object.entries(jl)
    .filter(([name, value]) => typeof value === "function" && /^[a-z]/.test(name))
    .map(([name]) => name);
  expect(functions.filter((name) => !known.has(name) && !isOp(name) && !internal.includes(name))).toEqual([]);
});

test("every option of every function is listed, with a type and a meaning", () => {
  const forms = entries.flatMap(({ name, forms }) => forms.map((form) => ({ name, ...form })));
  const withoutList = forms.filter(
    ({ calls, options }) => calls.some((call) => /\boptions\??:/.test(call)) && options === undefined,
  );
  expect(withoutList.map(({ name }) => name)).toEqual([]);
  const all = forms.flatMap(({ name, options = [] }) => options.map((option) => ({ of: name, ...option })));
  expect(all.length).toBeGreaterThan(400);
  expect(all.filter(({ type }) => type === "" || (/^[A-Z]$/.test(type) && type !== "P"))).toEqual([]);
  // Their functions say what these are.
  const said = ["logspace.base", "nonzero.asTuple", "kthvalue.keepdim", "jit.params", "record.device"];
  const unsaid = all.filter(({ doc }) => doc === "").map(({ of, name }) => `${of}.${name}`);
  expect([...new Set(unsaid)].filter((one) => !said.includes(one))).toEqual([]);
  const found = (of: string, name: string) => all.find((one) => one.of === of && one.name === name);
  expect(found("bincount", "minlength")).toMatchObject({ type: "number", default: "0" });
  expect(found("scaledDotProductAttention", "isCausal")).toMatchObject({ type: "boolean", default: "false" });
  expect(found("conv2d", "padding")?.doc).toContain("(the default)");
  expect(formsOf(jl, ["jl", "conv2d"], jl.conv2d)?.[0]?.options?.map(({ name }) => name)).toContain(
    "padding",
  );
});

test("every method of a tensor has an entry", () => {
  const methods = Object.entries(Object.getOwnPropertyDescriptors(jl.Tensor.prototype))
    .filter(([name, { value }]) => typeof value === "function" && name !== "constructor")
    .map(([name]) => name);
  expect(methods.length).toBeGreaterThan(400);
  expect(methods.filter((name) => !known.has(name) && !isOp(name))).toEqual([]);
});

test("every entry says what it does, and has an example", () => {
  const without = entries.filter(({ forms }) => !forms.some(({ example, gives }) => example && gives));
  expect(without.map(({ name }) => name)).toEqual([]);
  expect(entries.filter(({ forms }) => !forms[0]?.text).map(({ name }) => name)).toEqual([]);
});

test("what the build wrote is what the sources say", () => {
  const written = JSON.parse(
    readFileSync(new URL("../../dist/runtime/reference.json", import.meta.url), "utf8"),
  ) as Record<string, Form[]>;
  expect(written).toEqual(Object.fromEntries(entries.map(({ name, forms }) => [name, forms])));
});

test("jl.arange?, x.slice? and %help jl.rand find their entries", () => {
  const x = jl.ones([3]);
  expect(formsOf(jl, ["jl", "arange"], jl.arange)?.[0]?.calls[0]).toContain("jl.arange(end: number");
  expect(formsOf(jl, ["x", "slice"], x.slice)?.[0]?.calls).toContain("x.slice(text: string): Tensor<D>");
  expect(formsOf(jl, ["jl", "rand"], undefined)?.[0]?.text).toContain("Uniform numbers");
  expect(formsOf(jl, ["mine"], () => 1)).toBeUndefined();
  expect(formsOf(jl, ["x", "sum"], undefined)).toBeUndefined();
});

describe("examples", () => {
  const examples = entries.flatMap(({ name, forms }) =>
    forms.filter(({ example }) => example).map(({ example, gives }) => ({ name, example, gives }) as const),
  );
  test.each(examples)("$name: $example", async ({ name, example, gives }) => {
    if (needsGpu.includes(name) && !hasGpu) return expect(example).toContain(name);
    expect(await run(example as string)).toEqual(await run(gives as string));
  });

  test("of the operations", async () => {
    // Two show a limit of float32; the reference device computes all floating-point numbers as float64.
    const examples = Object.entries(jl.ops)
      .filter(([name]) => name !== "spacing" && name !== "nanToNum")
      .map(([name, { example }]) => [name, ...example.split(" // ")]);
    const program = jl.compile(() => examples.map(([, call]) => new Function("jl", `return ${call};`)(jl)));
    const results = program() as jl.Tensor[];
    for (const [i, [name, , gives]] of examples.entries()) {
      const wanted = numbersOf(await run(gives as string));
      const given = numbersOf(results[i]?.toArray());
      expect(given.length, name).toBe(wanted.length);
      for (const [at, value] of given.entries()) {
        const want = wanted[at] as number;
        expect(Math.abs(value - want), `${name}: ${value} beside ${want}`).toBeLessThanOrEqual(
          1e-9 + 1e-4 * Math.abs(want),
        );
      }
    }
  });
});

/** The numbers in nested arrays, of complex numbers both parts. */
function numbersOf(value: unknown): number[] {
  if (Array.isArray(value)) return value.flatMap(numbersOf);
  if (value !== null && typeof value === "object") return Object.values(value).flatMap(numbersOf);
  return [Number(value)];
}

test.each(errorCases)("$call throws $code", async ({ code, call }) => {
  const thrown = (async () => run(call))().then(
    () => "nothing",
    (error: jl.JitlabError) => error.code,
  );
  expect(await thrown).toBe(code);
});
