// TypeScript 6 in cells, and the parts that this Node lacks.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { CellRunner, described } from "../support/cell-runner.js";

const folder = mkdtempSync(join(tmpdir(), "jitlab-typescript-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const notebook = new CellRunner(folder);

function errors(code: string): string[] {
  return notebook.convert(code).errors.map(described);
}

test("is version 6, of the package's own", () => {
  expect(notebook.service.settings.libraries.ts.version).toBe("6.0.3");
});

describe("using", () => {
  const disposed = /This float32 tensor of shape \[3\] was disposed/;

  test("frees a tensor at the end of its block", async () => {
    await notebook.run('import * as jl from "jitlab";\nlet kept: jl.Tensor;');
    expect(await notebook.run("{ using y = jl.ones([3]); kept = y; y.sum().item() }\nkept.shape")).toEqual([
      3,
    ]);
    await expect(notebook.run("kept.toArray()")).rejects.toThrow(disposed);
  });

  test("frees it where the block throws", async () => {
    await expect(
      notebook.run("{ using y = jl.ones([3]); kept = y; throw new Error('stop') }"),
    ).rejects.toThrow("stop");
    await expect(notebook.run("kept.toArray()")).rejects.toThrow(disposed);
  });

  test("frees it at the end of a function and of a loop's step", async () => {
    const code = "function total() { using y = jl.ones([3]); kept = y; return y.sum().item() }\ntotal()";
    expect(await notebook.run(code)).toBe(3);
    await expect(notebook.run("kept.toArray()")).rejects.toThrow(disposed);
    await notebook.run("for (let i = 0; i < 2; i++) { using y = jl.ones([3]); kept = y }");
    await expect(notebook.run("kept.toArray()")).rejects.toThrow(disposed);
  });

  test("at a cell's top frees at its end, and the name is the cell's own", async () => {
    const cell = "using z = jl.ones([3]);\nkept = z;\nconst twice = z.mul(2);\nlet n = 1;\nz.sum().item()";
    expect(await notebook.run(cell)).toBe(3);
    await expect(notebook.run("kept.toArray()")).rejects.toThrow(disposed);
    expect(await notebook.run("n += 1; [twice.sum().item(), n]")).toEqual([6, 2]);
    expect(errors("z")).toEqual(["0:0+1 TS2304 Cannot find name 'z'."]);
  });

  test("waits for what is disposed of asynchronously", async () => {
    await notebook.run("let log: string[] = []");
    const resource = "{ [Symbol.asyncDispose]: async () => { await null; log.push('disposed') } }";
    await notebook.run(`{ await using r = ${resource}; log.push("used") }`);
    expect(await notebook.run("log")).toEqual(["used", "disposed"]);
    await notebook.run(`await using r = ${resource}`);
    expect(await notebook.run("log.length")).toBe(3);
  });

  test("takes only what can be disposed of", () => {
    expect(errors("{ using y = 5 }")[0]).toContain("TS2850");
  });
});

describe("the language of today", () => {
  test.each([
    [
      "NoInfer",
      "function first<C extends string>(all: C[], one: NoInfer<C>) { return one }\nfirst(['a'], 'a')",
      "a",
    ],
    ["const type parameters", "function same<const T>(x: T): T { return x }\nsame(['a', 1])[0].length", 1],
    ["satisfies", "({ a: 1 } satisfies Record<string, number>).a", 1],
    [
      "inferred type predicates",
      "[1, undefined].filter((x) => x !== undefined).map((x) => x.toFixed(1))[0]",
      "1.0",
    ],
    ["arrays of ES2023", "[3, 1, 2].toSorted().with(0, 9)", [9, 2, 3]],
    ["accessors", "class A { accessor v = 3 }\nnew A().v", 3],
  ])("%s", async (_, code, expected) => {
    expect(await notebook.run(code)).toEqual(expected);
  });

  test("NoInfer refuses what another argument does not allow", () => {
    expect(errors("first(['a'], 'b')")).toEqual([
      "0:13+3 TS2345 Argument of type '\"b\"' is not assignable to parameter of type '\"a\"'.",
    ]);
  });
});

// One line for each name: a Node that has it runs it, one that lacks it is named in the error.
describe("what came after ES2023", () => {
  test.each([
    ["Object.groupBy", "Object.groupBy([1, 2, 3], (n) => (n % 2 ? 'odd' : 'even')).odd", [1, 3]],
    ["Map.groupBy", "Map.groupBy([1, 2, 3], (n) => n % 2).get(1)", [1, 3]],
    ["Set.prototype.union", "[...new Set([1]).union(new Set([2]))]", [1, 2]],
    ["Promise.withResolvers", "typeof Promise.withResolvers<number>().resolve", "function"],
    ["Promise.try", "await Promise.try(() => 5)", 5],
    ["Iterator.from", "Iterator.from([1, 2]).map((n) => n + 1).toArray()", [2, 3]],
    ["RegExp.escape", "RegExp.escape('.').length", 2],
    ["Array.fromAsync", "await Array.fromAsync([1, 2])", [1, 2]],
    ["Float16Array", "new Float16Array([1.5])[0]", 1.5],
  ])("%s", async (name, code, expected) => {
    const [owner = "", ...path] = name.split(".");
    let there: unknown = Reflect.get(globalThis, owner);
    for (const key of path) there = there === undefined ? undefined : Reflect.get(there as object, key);
    if (there !== undefined) expect(await notebook.run(code)).toEqual(expected);
    else
      expect(errors(code)[0]).toMatch(
        /\nNode [\d.]+, which runs the cells, does not have it\. Install .*Node/,
      );
  });
});
