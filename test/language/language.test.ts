// What cells compile to: each test converts cells one after the other and runs them, as the kernel does.
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { startLanguage } from "../../dist/kernel/language/language-process.js";
import { CellRunner, described } from "../support/cell-runner.js";

const folder = mkdtempSync(join(tmpdir(), "jitlab-language-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const magic = { time: (fn: () => unknown) => fn(), lines: async (command: string) => [command] };
const shared = new CellRunner(folder, magic);

/** The values of cells that run in a notebook without earlier declarations. */
async function values(...cells: readonly string[]): Promise<unknown[]> {
  shared.service.reset();
  const all = [];
  for (const cell of cells) all.push(await shared.run(cell));
  return all;
}

async function lastValue(...cells: readonly string[]): Promise<unknown> {
  return (await values(...cells)).at(-1);
}

/** The type errors of the last cell; the others must have none. */
async function errors(...cells: readonly string[]): Promise<string[]> {
  await values(...cells.slice(0, -1));
  return shared.convert(cells.at(-1) ?? "").errors.map(described);
}

describe("the last expression", () => {
  test("is the cell's value", async () => {
    expect(await values("1 + 1", "const a = 3\na", "[a, 'b']", "a > 2 // comment")).toEqual([
      2,
      3,
      [3, "b"],
      true,
    ]);
  });
  test("is silenced by a semicolon", async () => {
    expect(await values("1 + 1;", "'a';  // b", "const a = 1")).toEqual([undefined, undefined, undefined]);
  });
  test("may be an object literal or a string", async () => {
    expect(await values("{ a: 1 }", "{}", '"use strict"', "{ a: 1, b: [2] } // c")).toEqual([
      { a: 1 },
      {},
      "use strict",
      { a: 1, b: [2] },
    ]);
  });
  test("of a block statement is none", async () => {
    expect(await values("{ const a = 1; a }", "if (true) { 5 }")).toEqual([undefined, undefined]);
  });
});

describe("declarations across cells", () => {
  test.each([
    ["const", "const v = 1", "const v = 'a'", "v.toUpperCase()", "A"],
    ["let", "let v = 1", "let v = [1]", "v.length", 1],
    ["var", "var v = 1", "var v = 'x'", "v.concat('y')", "xy"],
    ["class", "class v { a = 1 }", "class v { b = 2 }", "new v().b", 2],
    ["function", "function v() { return 1 }", "function v() { return 'r' }", "v().length", 1],
    ["enum", "enum v { a }", "enum v { b = 4 }", "v.b", 4],
    ["import", "import { join as v } from 'path'", "import { basename as v } from 'path'", "v('/a/b')", "b"],
    ["const after function", "function v() {}", "const v = 7", "v.toFixed(1)", "7.0"],
    ["class after const", "const v = 7", "class v { static s = 's' }", "v.s.length", 1],
  ])("%s is declared again with its new type", async (_, first, second, use, expected) => {
    expect(await lastValue(first, second, use)).toBe(expected);
  });

  test.each([
    ["for (var v = 0; v < 3; v++) {}", "v.toFixed(1)", "3.0"],
    ["for (var v of ['a', 'b']) {}", "v.toUpperCase()", "B"],
    ["for (var v in { key: 1 }) {}", "v.length", 3],
    ["for (var [w, v] of [[1, 'x']] as [number, string][]) {}", "v.repeat(w + 1)", "xx"],
    ["for (var { w: v, ...others } of [{ w: 1, z: 2 }]) {}", "v + others.z", 3],
    ["{ var v = [1] }", "v.push(5)", 2],
    ["if (true) { var v = new Map([['a', 1]]) } else { var v = new Map<string, number>() }", "v.get('a')", 1],
    ["try { class P { a = 1 } var v = { a: new P().a } } catch {}", "v.a", 1],
    ["interface Q { b: number }\nfor (var v: Q = { b: 4 }; v.b < 6; v = { b: v.b + 1 }) {}", "v.b", 6],
    ["var v = 1; for (var v = 0; v < 2; v++) {}", "v", 2],
    ["for (var v = 2; v < 3; v++) {}\nvar v = 9", "v", 9],
  ])("%s is a variable of later cells", async (cell, use, expected) => {
    expect(await lastValue(cell, use)).toBe(expected);
  });

  test("an old type stays what it was where values still have it", async () => {
    await values("class A { old = 1 }\nconst a = new A()", "class A { young = 'y' }\nconst b = new A()");
    expect(await shared.run("a.old.toFixed() + b.young.length")).toBe("11");
    expect(shared.convert("a.young").errors.map(described)).toEqual([
      "0:2+5 TS2339 Property 'young' does not exist on type 'A'.",
    ]);
  });

  test("types, interfaces and namespaces are visible later", async () => {
    const cells = [
      "interface P { x: number }\ntype Q = P | string",
      "namespace N { export const y: Q = { x: 2 } }",
    ];
    expect(await lastValue(...cells, "const q: Q = N.y\nq")).toEqual({ x: 2 });
    expect(await errors(...cells, "const p: P = { x: '' }")).toEqual([
      "0:15+1 TS2322 Type 'string' is not assignable to type 'number'.",
    ]);
  });

  test("a closure and other cells share a let variable", async () => {
    expect(await values("let n = 0\nconst inc = () => ++n", "inc()", "n = 10", "inc()", "n")).toEqual([
      undefined,
      1,
      10,
      11,
      11,
    ]);
  });

  test("a variable stays its closure's when another cell declares its name", async () => {
    await values("let n = 1\nconst get = () => n", "const n = 'a'");
    expect(await shared.run("get() + n")).toBe("1a");
    expect(await shared.run("let n = [2]")).toBe(undefined);
    expect(await shared.run("n.push(get())\nn")).toEqual([2, 1]);
  });

  test("a cell that throws leaves what it had assigned", async () => {
    await values("let step = 0");
    await expect(
      shared.run("const before = 1; let other = 0; other = 7; step = 5; throw new Error('stop')"),
    ).rejects.toThrow("stop");
    expect(await shared.run("[step, before, other]")).toEqual([5, 1, 7]);
  });

  test("destructuring, loops and shorthand use shared variables", async () => {
    await values("let { a, b: [c, d = 4], ...rest } = { a: 1, b: [2] as number[], e: 5 }\nlet i = 0");
    expect(await shared.run("[a, c, d, rest]")).toEqual([1, 2, 4, { e: 5 }]);
    expect(
      await shared.run("[a, c] = [c, a]; ({ d, ...rest } = { d: 9, e: 6 });\n({ a, c, d, rest })"),
    ).toEqual({
      a: 2,
      c: 1,
      d: 9,
      rest: { e: 6 },
    });
    expect(
      await shared.run(
        "for (i of [7, 8]) {}\nfor (var j = 0, k = 1; j < 3; j++) { var m = j }\n[i, j, k, m]",
      ),
    ).toEqual([8, 3, 1, 2]);
    expect(
      await shared.run("for (var { z } of [{ z: 3 }]) {}\nfor (var key in { q: 1 }) {}\n[z, key]"),
    ).toEqual([3, "q"]);
  });

  test("inner names hide outer ones", async () => {
    expect(
      await lastValue(
        "const x = 1, y = 2",
        "const f = (x: number) => { const o = { y: x, x }; label: for (const y of [3]) { if (y) break label }; return [o, o.y] }\nf(5)",
      ),
    ).toEqual([{ y: 5, x: 5 }, 5]);
  });

  test("classes extend, implement and use private members across cells", async () => {
    expect(
      await lastValue(
        "interface Shape { area(): number }\nabstract class Base<T> { #p = 1; constructor(protected t: T) {} get p() { return this.#p } }",
        "class Sq extends Base<number> implements Shape { area() { return this.t ** 2 + this.p } }\nnew Sq(3).area()",
      ),
    ).toBe(10);
  });

  test("functions of earlier cells see no `this`", async () => {
    expect(await lastValue("function self(this: unknown) { return this }", "self()")).toBe(undefined);
  });

  test("generics and overloads keep their types", async () => {
    const cells = [
      "function first<T>(xs: T[]): T;\nfunction first(xs: string): string;\nfunction first(xs: any) { return xs[0] }",
      "const wrap = <T,>(x: T) => ({ x })",
    ];
    expect(await lastValue(...cells, "first([1]).toFixed(1) + first('ab').length + wrap('q').x.length")).toBe(
      "1.011",
    );
  });

  test("export is accepted and means nothing", async () => {
    expect(
      await lastValue("export const e = 3; export function g() { return e }\nexport class H {}", "e + g()"),
    ).toBe(6);
  });

  test("a cell declares the names that CommonJS has and ES modules do not", async () => {
    const names = ["require", "module", "exports", "__filename", "__dirname"];
    for (const name of names) {
      const own = `const ${name} = { of: "${name}" };`;
      const forms = [
        `${own} ${name}.of`,
        own.replace("const", "let"),
        own.replace("const", "var"),
        `function ${name}() {} ${name}.name`,
        `class ${name} {} ${name}.name`,
        `enum ${name} { A }`,
        `namespace ${name} { export const a = 1 }`,
        `const { ${name} } = { ${name}: 3 };`,
        `import ${name} from "node:path"; ${name}.sep`,
        `import { sep as ${name} } from "node:path"; ${name}`,
        `const keep = 1; const ${name} = await 5;`,
      ];
      for (const form of forms) {
        // The value is the cell's own in a later one, whose imports still work.
        const later = `import { sep } from "node:path"; [typeof sep, ${name}]`;
        const [kind, value] = (await lastValue(form, later)) as unknown[];
        expect([kind, value === undefined], form).toEqual(["string", false]);
      }
    }
  });

  test("a parameter with the name of the wrapper's does not hide an import", async () => {
    const cell =
      'import { sep } from "node:path"; ((exports: number, require: number) => [exports, require, sep])(1, 2)';
    expect(await lastValue(cell)).toEqual([1, 2, "/"]);
  });

  test("default exports and import.meta are accepted", async () => {
    expect(
      await values(
        "export default class { q = 1 }",
        "export default async function () {}",
        "export default 4",
        "import.meta.url.startsWith('file:')",
      ),
    ).toEqual([undefined, undefined, undefined, true]);
  });

  test("pasted data is not kept as a type", async () => {
    await values(
      `const long = "${"x".repeat(50_000)}"`,
      `const wide = { ${Array.from({ length: 9000 }, (_, i) => `k${i}: 1`)} }`,
    );
    expect(shared.service.state.layers.flat().map(({ text }) => text)).toEqual([
      "declare const long: string;",
      "declare const wide: any;",
    ]);
    expect(await shared.run("long.length + wide.k5")).toBe(50_001);
  });

  test("a name of every notebook can be replaced", async () => {
    expect(await lastValue("const display = 5", "display + 1")).toBe(6);
  });

  test("a hundred redeclarations leave one declaration", async () => {
    shared.service.reset();
    for (let i = 0; i < 100; i++) shared.convert(`const v = ${i % 2 ? i : `"${i}"`}; const w${i % 3} = [v]`);
    const names = shared.service.state.layers.flat().map((one) => one.declares?.name);
    expect(names.sort()).toEqual(["v", "w0", "w1", "w2"]);
  });
});

describe("await and import", () => {
  test("await at the top level", async () => {
    expect(
      await lastValue(
        "const r = await Promise.resolve(5)",
        "let s = 0\nfor await (const q of [r]) s += q\ns",
      ),
    ).toBe(5);
    expect(shared.convert("async function f() { await 1 }").hasTopLevelAwait).toBe(false);
  });
  test("every form of import", async () => {
    const cell = `import fs, { existsSync as exists, type PathLike } from "fs"
import * as path from "node:path"
import { type ParsedPath } from "path"
import "os"
typeof fs.readFileSync + exists("/") + path.join("a", "b")`;
    expect(await values(cell, "fs.existsSync('/') && exists('/') && path.sep")).toEqual([
      "functiontruea/b",
      "/",
    ]);
  });
  test("a dynamically imported module keeps its type", async () => {
    const cells = [
      "const fsx = await import('fs')",
      "const { existsSync: ex, default: all } = await import('fs')",
      "fsx.existsSync('/') && ex('/') && typeof all.readFileSync",
    ];
    expect(await lastValue(...cells)).toBe("function");
    expect(await errors(...cells, "fsx.exists()")).toHaveLength(1);
  });
  test("jitlab is typed from any folder", async () => {
    expect(
      await errors(
        'import * as jl from "jitlab"\nimport { tensor } from "jitlab"\njl.tensor([1]); tensor([2])',
      ),
    ).toEqual([]);
    expect(await errors('import * as jl from "jitlab"', "jl.tensorr([1])")).toEqual([
      expect.stringMatching(/^0:3\+7 TS2551 .*Did you mean 'tensor'/),
    ]);
  });
  test("TypeScript files beside the notebook are converted, and checked", async () => {
    writeFileSync(
      join(folder, "helper.ts"),
      "import { two } from './deep'\nexport const twice = (x: number) => two * x\n",
    );
    writeFileSync(join(folder, "deep.ts"), "export const two: number = 2\n");
    const conversion = shared.convert("import { twice } from './helper'\ntwice(4)");
    expect(Object.keys(conversion.files).sort()).toEqual([
      join(folder, "deep.ts"),
      join(folder, "helper.ts"),
    ]);
    expect(conversion.files[join(folder, "helper.ts")]).toContain("sourceMappingURL=data:");
    writeFileSync(join(folder, "deep.ts"), "export const two: string = 3 as number\n");
    utimesSync(join(folder, "deep.ts"), 1, 1);
    expect(shared.convert("import { twice } from './helper'\ntwice(4)").errors.map(described)).toEqual([
      expect.stringContaining("helper.ts:2:37: The left-hand side of an arithmetic operation"),
      expect.stringContaining("deep.ts:1:14: Type 'number' is not assignable to type 'string'."),
    ]);
  });
  test("a package with an exports map only, and JSON", async () => {
    const packageFolder = join(folder, "node_modules", "only-exports");
    mkdirSync(packageFolder, { recursive: true });
    const exports = { "./part": { types: "./part.d.ts", default: "./part.cjs" } };
    writeFileSync(
      join(packageFolder, "package.json"),
      JSON.stringify({ name: "only-exports", version: "1.0.0", exports }),
    );
    writeFileSync(join(packageFolder, "part.d.ts"), "export declare const part: number;\n");
    writeFileSync(join(packageFolder, "part.cjs"), "exports.part = 4;\n");
    writeFileSync(join(folder, "data.json"), '{"a":[1,2]}');
    expect(await lastValue("import { part } from 'only-exports/part'\npart.toFixed(1)")).toBe("4.0");
    expect(await lastValue("import data from './data.json'\ndata.a.length")).toBe(2);
  });
  test("a package installed meanwhile is found", async () => {
    const cell = "import { late } from 'late'\nlate.toFixed()";
    expect((await errors(cell))[0]).toMatch(/^0:21\+6 TS2307 Cannot find module 'late'/);
    mkdirSync(join(folder, "node_modules", "late"), { recursive: true });
    writeFileSync(join(folder, "node_modules", "late", "index.js"), "exports.late = 1;\n");
    writeFileSync(join(folder, "node_modules", "late", "index.d.ts"), "export declare const late: number;\n");
    expect(await lastValue(cell)).toBe("1");
  });
});

test("a negated call of a function without a value runs it", async () => {
  expect(await lastValue("let n = 0\n!function () { n = 5 }()", "n")).toBe(5);
  expect(await lastValue("let n = 0\n!async function () { n = 6 }()", "n")).toBe(6);
  expect(await lastValue("!void 0")).toBe(true);
  expect(await errors("const f = () => {}\nif (!f()) 1")).toEqual([expect.stringContaining("TS1345")]);
});

describe("type errors", () => {
  test("point into the cell", async () => {
    expect(await errors("const a = 1\nconst b: string = a\n  b.foo")).toEqual([
      "1:6+1 TS2322 Type 'number' is not assignable to type 'string'.",
      "2:4+3 TS2339 Property 'foo' does not exist on type 'string'.",
    ]);
  });
  test.each([
    [
      "x + x",
      /TS2365 Operator '\+' cannot be applied to types 'Tensor<"float32">' and 'Tensor<"float32">'\.\n.*x\.add\(y\)/,
    ],
    ["x < 1", /TS2365 .*\n.*x\.lt\(y\)/],
    ["x * 2", /TS2362 .*\n.*x\.mul\(2\)/],
    ["1 - x", /TS2363 .*\n.*jl\.sub\(1, x\)/],
    ["'a' * 2", /TS2362 [^\n]*$/],
    ["x[0]", /TS7053 .*\n.*x\.at\(0\)/],
    ["x.astype('float64')", /TS2339 .*\n.*x\.to\("float64"\)/],
    ["jl.lstsq(x)", /TS2339 Property 'lstsq' does not exist on type 'typeof jitlab'\.\n.*jl\.linalg\.lstsq/],
    ["jl.zeros(2, 3)", /TS2345 .*\n.*jl\.zeros\(\[2, 3\]\)/],
    ["print(x)", /TS2304 Cannot find name 'print'\.\n.*console\.log/],
    ["torch.zeros(3)", /TS2304 Cannot find name 'torch'\.\n.*from "jitlab"/],
    ["nowhere.zeros", /TS2304 Cannot find name 'nowhere'\.$/],
    ["type(x)", /TS2304 .*\n.*x\.dtype/],
    ["nowhere = 5", /TS2304 .*\n.*let nowhere = /],
    ["jl.ones([2], dtype='int32')", /TS2304 .*\n.*\{ dtype: \.\.\. \}/],
    ["jl.ones([2], 'int32')", /TS2559 .*\n.*\{ dtype: "int32" \}/],
    ["x = jl.ones([3])", /TS2588 .*\n.*const x = /],
    ["x.add([1, 2])", /TS2345 .*\n.*jl\.tensor\(\[1, 2, 3\]\)/],
    ["x.add(new Float32Array(2))", /TS2345 .*\n.*jl\.tensor\(/],
    ["x.shape()", /TS2349 .*\n.*\n.*leave out the parentheses/],
    ["Promise.resolve('a').length", /TS2339 .*\n.*\(await p\)\.length/],
    ["import { a } from './nowhere'", /TS2307 .*\n.*folder of the notebook/],
    ["import { a } from '@some/where/deep'", /TS2307 .*\n%npm install @some\/where installs/],
    ["import * as np from 'numpy'", /TS2307 .*\n.*from "jitlab"/],
    ["import 'node:nowhere'; import a from 'node:nowhere'", /TS2307 [^\n]*$/],
    ["import numpy as np", /TS1005 .*\n.*import \* as jl from "jitlab"/],
    ["import os", /TS1005 .*\n.*import \* as name from "os"/],
    ["from math import *", /TS1434 .*\n.*import \* as name from "math"/],
    ["from jitlab import add, sub", /TS1434 .*\n.*import \{ add, sub \} from "jitlab"/],
    ["pip install numpy", /TS1434 .*\n.*%npm/],
    ["ls /tmp x", /TS\d+ .*\n.*!ls/],
    ["cd here there", /TS\d+ .*\n.*%cd/],
    ["print x", /TS1434 .*\n.*console\.log/],
    ["def f(x):\n  return x", /TS1434 .*\n.*function f\(x\)/],
    ["const f = lambda x: x", /TS\d+ .*\n.*\(x\) => /],
    ["[2 * i for i in x]", /TS1005 .*\n.*array\.map/],
    ["for i in range(10):\n  i", /TS1005 .*\n.*for \(/],
    ["if x:\n  1", /TS1005 .*\n.*braces/],
    ["f'a {x}'", /TS1434 .*\n.*backquotes/],
    ["x[0:3]", /TS1005 .*\n.*x\.slice\(/],
    ["1 # one", /TS1127 .*\n.*\/\//],
    ["not x", /TS1434 .*\n.*&&/],
    ['console.log("this or that', /TS1002 Unterminated string literal\.$/],
  ])("of a habit from elsewhere say how it is done here: %s", async (cell, message) => {
    const setup = "import * as jl from 'jitlab'; const x = jl.ones([2]);";
    const [found] = await errors(setup, cell);
    expect(found).toMatch(message);
  });
  test("of missing annotations are none", async () => {
    const loose =
      "function f(x) { return x.a[0] }\nlet later; const list = []; list.push(1); later = list;\nconst o = {}; o['k']";
    expect(await errors(loose, "list.push('a'); later.anything = f")).toEqual([]);
  });
  test("of syntax are found where the cell ends", async () => {
    expect(await errors("function f() {\n  1")).toEqual(["1:3+1 TS1005 '}' expected."]);
    expect((await errors("const = 1"))[0]).toBe("0:6+1 TS1134 Variable declaration expected.");
  });
  test("of magics point at the user's own characters", async () => {
    expect(await errors("const s: string = 'a'", "1;\n%time s.foo")).toEqual([
      "1:8+3 TS2339 Property 'foo' does not exist on type 'string'.",
    ]);
    expect(await errors("%%time\nconst a: string = 1")).toEqual([
      "1:6+1 TS2322 Type 'number' is not assignable to type 'string'.",
    ]);
    expect(await errors("1;\n%nothing")).toEqual(["1:0+8 TS0 Line magic function `%nothing` not found."]);
    expect(await errors("{ a: nothing }")).toEqual(["0:5+7 TS2304 Cannot find name 'nothing'."]);
  });
  test("leave the declarations as they were", async () => {
    await values("const a = 1");
    expect(shared.convert("const a = 'x'; a.foo").errors).toHaveLength(1);
    expect(await shared.run("a.toFixed()")).toBe("1");
  });
  test("are warnings or nothing where the user said so", async () => {
    shared.service.typecheck("warn");
    const warned = shared.convert("const w: string = 5\nw");
    expect(warned.warnings.map(described)).toEqual([
      "0:6+1 TS2322 Type 'number' is not assignable to type 'string'.",
    ]);
    expect(await shared.execute(warned)).toBe(5);
    expect(shared.convert("const = 1").errors).not.toEqual([]);
    shared.service.typecheck("off");
    const unchecked = shared.convert("missing.thing");
    expect([unchecked.errors, unchecked.warnings]).toEqual([[], []]);
    shared.service.typecheck("on");
    expect(shared.convert("missing.thing").errors).toHaveLength(1);
  });
  test("are none for what Node 20 has", async () => {
    expect(
      await lastValue(
        "const t: ReturnType<typeof setTimeout> = setTimeout(() => {}, 0); clearTimeout(t);\n[3, 1].toSorted()",
      ),
    ).toEqual([1, 3]);
    expect(await lastValue("console.assert(true); process.pid > 0 && Buffer.from('ab').length")).toBe(2);
    expect(await lastValue("new Float32Array([2, 1]).toSorted().with(0, 5).at(0)")).toBe(5);
  });
});

describe("source maps", () => {
  function origin(js: string, map: string, text: string): { line: number; column: number } {
    const before = js.slice(0, js.indexOf(text));
    const line = before.split("\n").length - 1;
    const column = before.length - (before.lastIndexOf("\n") + 1);
    const entry = new SourceMap(JSON.parse(map)).findEntry(line, column) as {
      originalLine: number;
      originalColumn: number;
    };
    return { line: entry.originalLine, column: entry.originalColumn };
  }
  test("lead back to the cell's lines", async () => {
    const code =
      "interface A { x: 1 }\nconst a = 1\n\nfunction f(x: number): never {\n  throw new Error(`b`)\n}\n  f(a)";
    const { js, sourceMap } = shared.convert(code);
    expect(origin(js, sourceMap, "throw new")).toEqual({ line: 4, column: 2 });
    expect(origin(js, sourceMap, "f(a)")).toEqual({ line: 6, column: 2 });
    expect(JSON.parse(sourceMap)).toMatchObject({ sources: [`In[${shared.count}]`], sourcesContent: [code] });
  });
  test("pass through magics", async () => {
    const cells = [
      "1;\n%time [1].at(\n0)",
      "const z = 1\n%time z.toFixed(1)\n  z.toFixed(2)",
      "%%time\n  z.toFixed(3)",
    ];
    const first = shared.convert(cells[1] ?? "");
    expect(origin(first.js, first.sourceMap, "z.toFixed(1)")).toEqual({ line: 1, column: 6 });
    expect(origin(first.js, first.sourceMap, "z.toFixed(2)")).toEqual({ line: 2, column: 2 });
    const second = shared.convert(cells[2] ?? "");
    expect(origin(second.js, second.sourceMap, "exports.z.toFixed(3)")).toEqual({ line: 1, column: 2 });
  });
  test("pass through a body that a magic replaces", async () => {
    const { js, sourceMap } = shared.convert("%%writefile a.txt\nline\nline");
    expect(origin(js, sourceMap, "exports.$magic")).toEqual({ line: 0, column: 0 });
  });
});

test("a tsconfig.json beside the notebook makes checks strict", async () => {
  const strict = mkdtempSync(join(tmpdir(), "jitlab-strict-"));
  writeFileSync(
    join(strict, "tsconfig.json"),
    '{ "compilerOptions": { "strict": true, "module": "commonjs" } }',
  );
  const runner = new CellRunner(strict);
  expect(runner.convert("function f(x) { return x }").errors.map(({ code }) => code)).toEqual([7006]);
  expect(await runner.run("import { sep } from 'path'\nsep")).toBe("/");
  rmSync(strict, { recursive: true });
});

describe("the process", () => {
  test("converts, forgets, is interrupted and goes on", async () => {
    const language = startLanguage(folder);
    const first = await language.convert("const x = 1\nx", "In[1]");
    expect(first.js).toContain("exports.x = x");
    expect((await language.convert("const y = x", "In[2]")).errors).toEqual([]);
    await language.forget("In[2]");
    expect((await language.convert("y", "In[3]")).errors.map(({ code }) => code)).toEqual([2304]);

    const endless = language.convert(
      `const big = ${JSON.stringify(Array.from({ length: 2e5 }, (_, i) => ({ i })))}`,
      "In[4]",
    );
    setTimeout(() => language.interrupt(), 50);
    await expect(endless).rejects.toMatchObject({ name: "Interrupted" });
    expect((await language.convert("x + 1", "In[5]")).errors).toEqual([]);

    await language.typecheck("off");
    expect((await language.convert("x.foo", "In[6]")).errors).toEqual([]);
    await language.reset();
    await language.typecheck("on");
    expect((await language.convert("x", "In[7]")).errors.map(({ code }) => code)).toEqual([2304]);
    await language.close();
    await expect(language.convert("1", "In[8]")).rejects.toMatchObject({ name: "Interrupted" });
  });
});
