// The tables of names from other libraries: none names what jitlab has, and the code of each has right types.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as tables from "../../dist/kernel/language/foreign-names.js";
import * as jl from "../../dist/runtime/index.js";
import { CellRunner } from "../support/cell-runner.js";

const folder = mkdtempSync(join(tmpdir(), "jitlab-foreign-names-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const runner = new CellRunner(folder, {});

beforeAll(() => {
  const setup = [
    'import * as jl from "jitlab";',
    "const x = jl.rand([4, 4]), y = x, z = x, edges = x, n = 3;",
    "const f = (v: jl.Tensor) => v.square().sum();",
    "const mask = x.gt(0), indexes = jl.tensor([0n, 1n]), pixels = new Uint8Array(3072);",
    "const table: jl.ArrowTable = null!;",
  ].join("\n");
  expect(runner.convert(setup).errors).toEqual([]);
});

const adviceOf = (runner: CellRunner) => (cell: string) =>
  runner.convert(cell).errors[0]?.message.split("\n").slice(1).join("\n");
const adviceFor = adviceOf(runner);
const codeIn = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, code]) => code!);
const { tensorNames, libraryNames, globalNames, optionNames } = tables;
const texts = new Set([tensorNames, libraryNames, globalNames, optionNames].flatMap(Object.values<string>));

test("no entry names what exists", () => {
  const tensor = jl.zeros([1], { device: "cpu" });
  expect(Object.keys(tensorNames).filter((name) => name in tensor)).toEqual([]);
  expect(Object.keys(libraryNames).filter((name) => name in jl)).toEqual([]);
  expect(Object.keys(globalNames).filter((name) => name in globalThis)).toEqual([]);
});

test.each([...texts])("%s", (text) => {
  for (const code of codeIn(text)) expect(runner.convert(code).errors, code).toEqual([]);
  expect(text.replace(/`[^`]*`/g, "")).not.toMatch(/\b(?:jl\.\w+\(|x\.\w+)/);
  for (const [, path] of text.matchAll(/\bjl\.([\w.]+\w)/g)) {
    expect(
      path!.split(".").reduce((owner: any, name) => owner?.[name], jl),
      path,
    ).toBeDefined();
  }
});

test("every name gets its advice where it is typed", () => {
  // Another notebook: the code of the advices declares some of the names.
  const runner = new CellRunner(folder, {});
  runner.convert('import * as jl from "jitlab"; const x = jl.rand([4, 4]);');
  const adviceFor = adviceOf(runner);
  for (const [name, text] of Object.entries(tensorNames))
    expect(adviceFor(`x.${name}`), name).toBe(tables.shown(text));
  for (const [name, text] of Object.entries(libraryNames)) {
    expect(adviceFor(`jl.${name}`), name).toBe(tables.shown(text));
    if (!(name in globalNames) && !(name in globalThis) && !["delete", "display"].includes(name))
      expect(adviceFor(`${name}(x)`), name).toBe(tables.shown(text));
  }
});

const groups = { linalg: jl.linalg, fft: jl.fft, optim: jl.optim } as const;

describe("a name that jitlab has in another place", () => {
  test.each(Object.entries(groups))("of jl.%s", (group, members) => {
    for (const name of Object.keys(members)) {
      if (!(name in jl)) expect(adviceFor(`jl.${name}(x)`), name).toContain(`jl.${group}.${name}`);
      if (!(name in jl.zeros([1], { device: "cpu" })) && !(name in tensorNames) && !(name in jl))
        expect(adviceFor(`x.${name}()`), name).toContain(`jl.${group}.${name}`);
    }
  });

  test.each([
    ["x.crossEntropy(y)", "It is jl.crossEntropy(...) here."],
    ["jl.toArray(x)", "It is x.toArray(...) here."],
    ["jl.linalg.crossEntropy(x)", "It is jl.crossEntropy(...) here."],
    ["zeros([3])", "The library has it: jl.zeros(...)."],
    ["zeros_like(x)", "The library has it: jl.zerosLike(...)."],
    ["svd(x)", "The library has it: jl.linalg.svd(...)."],
  ])("%s", (cell, advice) => expect(adviceFor(cell)).toBe(advice));

  test("a name that is not called may be anything", () => {
    expect(adviceFor("zeros + 1")).toBe("");
  });
});

test.each([
  ["jl.fft(x)", "It holds functions: jl.fft.fft(...)."],
  ["jl.linalg(x)", "It holds functions: jl.linalg.cholesky(...)."],
  ["jl.optim(x)", "It holds functions: jl.optim.adam(...)."],
  ["jl.zeros([2]).shape()", "It is a value, not a function: leave out the parentheses."],
])("%s", (cell, advice) => expect(adviceFor(cell)?.split("\n").at(-1)).toBe(advice));

test("habits of PyTorch name what to write", () => {
  const habits = [
    ["x.sum().backward()", /jl\.grad\(f\)\(x\)/],
    ["x.requires_grad_()", /jl\.grad\(f\)/],
    ["jl.tensor([1], { requires_grad: true })", /jl\.grad\(f\)/],
    ["x.detach()", /jl\.stopGradient\(x\)/],
    ["jl.no_grad()", /jl\.stopGradient/],
    ["jl.svd(x)", /jl\.linalg\.svd/],
    ["x.inverse()", /jl\.linalg\.inv\(x\)/],
    ["jl.solve(x, x)", /jl\.linalg\.solve/],
    ["jl.fori_loop(x)", /jl\.scan/],
    ["jl.nn.Linear(3, 4)", /no layers/],
    ["new jl.DataLoader(x)", /jl\.batches/],
    ["jl.from_numpy(x)", /jl\.load/],
  ] as const;
  for (const [cell, advice] of habits) expect(adviceFor(cell), cell).toMatch(advice);
});
