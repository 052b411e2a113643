// Completion, hover and completeness, in the positions of the user's own text. A bar marks the cursor.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { makeService } from "../support/cell-runner.js";

const folder = mkdtempSync(join(tmpdir(), "jitlab-completion-"));
mkdirSync(join(folder, "sub"));
writeFileSync(join(folder, "sub", "data.csv"), "");
writeFileSync(join(folder, "side.ts"), "export const inside = 1;\n");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const service = makeService(folder);
for (const cell of [
  "const text = 'a'; let numbers = [1, 2]",
  "/**\n * Doubles a number.\n * @param x what to double\n */\nfunction double(x: number): number { return 2 * x }",
  'import * as jl from "jitlab"',
  "class Point { xCoordinate = 1; move(by: number) {} }\nconst point = new Point()",
]) {
  expect(service.convert(cell, "In").errors).toEqual([]);
}

function complete(marked: string): { replaced: string; matches: string[]; types: string[] } {
  const cursor = marked.indexOf("|");
  const code = marked.replace("|", "");
  const { start, end, matches } = service.complete(code, cursor);
  expect(end).toBe(cursor);
  return {
    replaced: code.slice(start, end),
    matches: matches.map((one) => one.text),
    types: matches.map((one) => one.type),
  };
}

function inspect(marked: string, detail = 0): string | undefined {
  return service.inspect(marked.replace("|", ""), marked.indexOf("|"), detail)?.text;
}

describe("completion", () => {
  test.each([
    ["%cache |", ["status", "list", "clear", "verify"]],
    ["%cache   cl|", ["clear"]],
    ["%device |", ["cuda", "cpu", "wasm", "opencl"]],
    ["%config device = |", ["cuda", "cpu", "wasm", "opencl"]],
    ["%cd |", ["side.ts", "sub/"]],
    ["text\n%load |\ntext", ["side.ts", "sub/"]],
    ["!ls |", ["side.ts", "sub/"]],
  ])("%j after a blank lists the magic's own words", (marked, matches) => {
    expect(complete(marked).matches).toEqual(matches);
  });

  test.each([
    ["import fs from 'node:f|'", "node:f", "node:fs"],
    ["import fs from 'node:f|", "node:f", "node:fs"],
    ["import fs from 'node:f|\nconst a = 1", "node:f", "node:fs"],
    ["const fs = require('node:f|", "node:f", "node:fs"],
    ["await import('node:f|", "node:f", "node:fs"],
    ["'node:f|", "node:f", "node:fs"],
    ["'node:f|'", "node:f", "node:fs"],
    ['const name = "node:fs/p|"', "node:fs/p", "node:fs/promises"],
    ['await import("worker_|")', "worker_", "worker_threads"],
    ["import { readFile } from 'node:fs/p|", "p", "promises"],
    ["import { inside } from './s|", "s", "side"],
  ])("%j completes the name of a module", (marked, start, match) => {
    const { replaced, matches, types } = complete(marked);
    expect(replaced).toBe(start);
    expect(matches).toContain(match);
    expect(types[matches.indexOf(match)]).toMatch(/^(?:module|path)$/);
  });

  test.each([
    ['const o = { "two words": 1, "a/b": 2, tall: 3 }; o["|', "", ["a/b", "tall", "two words"]],
    ['const o = { "two words": 1, "a/b": 2, tall: 3 }; o["two w|"]', "two w", ["two words"]],
    ["const o = { 'a/b': 2, tall: 3 }; o[ 'a/|", "a/", ["a/b"]],
  ])("%j lists the keys of an object", (marked, start, matches) => {
    expect(complete(marked)).toMatchObject({ replaced: start, matches });
  });

  test("hover in a functor has the types that are found for its parameters, values and results", () => {
    const functor = (marked: string) =>
      inspect(
        `const f = jl.jit((x, { scale }) => { const up = x > 0; ${marked} }, { params: { scale: 2 } });`,
      );
    expect(functor("return up ? x * sca|le : x;")).toContain("(parameter) scale: number");
    expect(functor("return u|p ? x : -x;")).toBe("const up: boolean");
    expect(functor("const half = x / 2; return hal|f;")).toBe("const half: number");
    const shown = inspect("const f = jl.jit((x, y) => ({ sum: x + y, less: x < y })); f|") ?? "";
    expect(shown).toMatch(/x: jl.Tensor<any> \| jl.Scalar, y: jl.Tensor<any> \| jl.Scalar/);
    expect(shown).toMatch(/sum: number;\n\s+less: boolean;/);
    const captured = inspect("const g = jl.jit((x, beta = 2) => x * beta); g|") ?? "";
    expect(captured).toMatch(/x: jl.Tensor<any> \| jl.Scalar/);
    expect(captured).not.toContain("beta");
    const less = "const { less } = jl.jit((x, y) => ({ sum: x + y, less: x < y }))(1, 2); les|s";
    expect(inspect(less)).toBe("const less: jl.Tensor<any>");
  });

  test("hover of an operation has its formula, its operands and an example", () => {
    const shown = inspect("jl.lga|mma");
    expect(shown).toContain("Logarithm of the magnitude of the gamma function: log |Γ(a)|.");
    expect(shown).toContain("@param a real numbers; integers become float32");
    expect(shown).toContain("@example jl.lgamma(jl.tensor([0.5, 1, 5]))");
    expect(inspect("jl.ad|d")).toContain("alpha: The factor of b; out: the tensor to write into");
  });

  test.each([
    ["text.toUpp|", "toUpp", ["toUpperCase"], "function"],
    ["text.toUpp|x", "toUpp", ["toUpperCase"], "function"],
    ["const y = text.leng|", "leng", ["length"], "property"],
    ["doub|", "doub", ["double"], "function"],
    ["point.x|", "x", ["xCoordinate"], "property"],
    ["point.mo|\nconst z = 1", "mo", ["move"], "function"],
    ["new Poi|", "Poi", ["Point"], "class"],
    ["conti|", "conti", ["continue"], "keyword"],
    ["jl.linsp|", "linsp", ["linspace"], "function"],
    ["jl.hypo|", "hypo", ["hypot"], "function"],
    ["const half = (x: number) => x / 2\nhal|", "hal", ["half"], "function"],
    ["const inner = 5\ninn|", "inn", ["inner"], "constant"],
    ["clearOut|", "clearOut", ["clearOutput"], "function"],
    ["process.versio|", "versio", ["version", "versions"], "property"],
    ["[1].toSort|", "toSort", ["toSorted"], "function"],
    ["'🙂'; text.toUpp|", "toUpp", ["toUpperCase"], "function"],
    ["numbers.map(n => n.toFi|)", "toFi", ["toFixed"], "function"],
    ["{ a: doub| }", "doub", ["double"], "function"],
    ["import { ins| } from './side'", "ins", ["inside"], "constant"],
    ["import x from './sid|'", "sid", ["side"], "path"],
    ["import x from 'jit|'", "jit", [], "module"],
  ])("%s", (marked, replaced, matches, type) => {
    const found = complete(marked);
    expect(found).toMatchObject({ replaced, matches });
    if (matches.length > 0) expect(new Set(found.types)).toEqual(new Set([type]));
  });

  test("offers the values of a string type", () => {
    const { replaced, matches, types } = complete("jl.tensor([1], { dtype: 'floa|' })");
    expect({ replaced, types: new Set(types) }).toEqual({ replaced: "floa", types: new Set(["string"]) });
    expect(matches).toEqual(["float16", "float32", "float64"]);
  });

  test("is not case-sensitive where nothing fits exactly", () => {
    expect(complete("text.touppercase|").matches).toEqual(["toUpperCase"]);
  });

  test("offers nothing of the kernel's own", () => {
    const { matches } = complete("|");
    expect(matches).toEqual(expect.arrayContaining(["text", "display", "console", "const"]));
    expect(
      matches.filter(
        (name) => /^(\$|__\w*[a-z])/.test(name) && name !== "__dirname" && name !== "__filename",
      ),
    ).toEqual([]);
  });

  test("works inside cells with magics", () => {
    expect(complete("%%time\nconst a = 1\ntext.toUpp|").matches).toEqual(["toUpperCase"]);
    expect(complete("%lsmagic\ntext.toUpp|").matches).toEqual(["toUpperCase"]);
    expect(complete("%time text.toUpp|").matches).toEqual(["toUpperCase"]);
    expect(complete("const q = %time text.toUpp|").matches).toEqual(["toUpperCase"]);
    expect(complete("%timeit -n5 text.toUpp|").matches).toEqual(["toUpperCase"]);
    expect(complete("%program text.toUpp|").matches).toEqual(["toUpperCase"]);
    expect(complete("%program text.at(text.toUpp|").matches).toEqual(["toUpperCase"]);
    expect(complete("%guards text.toUpp|").matches).toEqual(["toUpperCase"]);
    expect(complete("%%compile\ntext.toUpp|").matches).toEqual(["toUpperCase"]);
    expect(complete("%%compare\nconst a = 1\ntext.toUpp|").matches).toEqual(["toUpperCase"]);
  });
});

describe("completion of magics", () => {
  test("names", () => {
    expect(complete("%lsm|")).toEqual({ replaced: "%lsm", matches: ["%lsmagic"], types: ["magic"] });
    expect(complete("%%writ|").matches).toEqual(["%%writefile"]);
    expect(complete("%timei|").matches).toEqual(["%%timeit", "%timeit"]);
    expect(complete("1;\n%timei|").matches).toEqual(["%timeit"]);
    expect(complete("const x = %timei|").matches).toEqual(["%timeit"]);
    expect(complete("%|").matches).toEqual(expect.arrayContaining(["%time", "%%time", "%%kernel"]));
    expect(complete("a %|").matches).not.toContain("%time");
  });
  test("options and their values", () => {
    expect(complete("%source --dev|").matches).toEqual(["--device"]);
    expect(complete("%source jl.add --device c|")).toMatchObject({ replaced: "c", matches: ["cuda", "cpu"] });
    expect(complete("%source jl.add --device=c|")).toMatchObject({ replaced: "c", matches: ["cuda", "cpu"] });
    expect(complete("%%kernel --re|\nfloat f(float x) { return x; }").matches).toEqual(["--returns"]);
  });
  test("ops, functors, dtypes and words", () => {
    expect(complete("%source digam|").matches).toEqual(["digamma"]);
    expect(complete("%source doub|").matches).toEqual(["double"]);
    expect(complete("%source add bflo|").matches).toEqual(["bfloat16"]);
    expect(complete("%source jl.digam|")).toMatchObject({ replaced: "digam", matches: ["digamma"] });
    expect(complete("%help lsm|").matches).toEqual(["lsmagic"]);
    expect(complete("%typecheck w|").matches).toEqual(["warn"]);
    expect(complete("%xmode P|").matches).toEqual(["Plain"]);
    expect(complete("%config prec|").matches).toEqual(["precision"]);
    expect(complete("%config xmode=V|")).toMatchObject({ replaced: "V", matches: ["Verbose"] });
    expect(complete("%config typecheck = o|").matches).toEqual(["on", "off"]);
  });
  test("bodies that are no TypeScript", () => {
    expect(complete("%%kernel\ntemplate <typename T> T half(T input) { return inp|").matches).toEqual([
      "input",
    ]);
    expect(complete("%%kernel\nfloat f(float x) { return jl::gc|(x); }").matches).toEqual(["gcd"]);
    expect(complete("%%kernel\nfloat f(float x) { return M_P|; }").matches).toContain("M_PI");
    expect(complete("%%kernel\nfloat f(float x) { return expm|(x); }")).toMatchObject({
      replaced: "expm",
      matches: ["expm1"],
    });
    expect(complete("%%cuda\n__global__ void f(int* counts) { atomicA|(cou); }").matches).toEqual([
      "atomicAdd",
    ]);
    expect(complete("%%cuda\n__global__ void f(int* counts) { cou| }").matches).toEqual(["counts"]);
    expect(complete("%%cuda --temp|\n__global__ void f() {}").matches).toEqual(["--templates"]);
    expect(complete("%%reduction p --identity 1\nT com|").matches).toEqual(["combine"]);
    expect(
      complete("%%reduction p --identity 1\nT combine(T a, T b) { return jl::gc|(a, b); }").matches,
    ).toEqual(["gcd"]);
    expect(complete("%%reduction p --ret|\nT combine(T a, T b) { return a; }").matches).toEqual([
      "--returns",
    ]);
    expect(complete("%%bash\nmessage=1\necho $mess|").matches).toEqual(["message"]);
  });
  test("paths", () => {
    expect(complete("%load su|").matches).toEqual(["sub/"]);
    expect(complete("%load sub/da|")).toMatchObject({ replaced: "da", matches: ["data.csv"] });
    expect(complete("!cat sub/|").matches).toEqual(["data.csv"]);
  });
});

describe("hover", () => {
  test("types and documentation", () => {
    expect(inspect("dou|ble(2)")).toMatchInlineSnapshot(`
      "function double(x: number): number

      Doubles a number.

      @param x what to double"
    `);
    expect(inspect("text.leng|th")).toContain("(property) String.length: number");
    expect(inspect("numbers|")).toBe("let numbers: number[]");
    expect(inspect("point.move|")).toContain("(method) Point.move(by: number): void");
  });
  test("inside a call it is the function's", () => {
    expect(inspect("double(|)")).toContain("function double(x: number): number");
    expect(inspect("double(1 + |2)")).toContain("function double(x: number): number");
  });
  test("documentation of libraries", () => {
    expect(inspect("JSON.stringify|")).toContain(
      "Converts a JavaScript value to a JavaScript Object Notation (JSON) string",
    );
    expect(inspect("jl.tensor|")).toContain("Creates a tensor from nested arrays");
  });
  test("markdown has the type as code", () => {
    expect(service.inspect("double", 3, 0)?.markdown).toMatchInlineSnapshot(`
      "\`\`\`typescript
      function double(x: number): number
      \`\`\`

      Doubles a number.

      - \`x\`: what to double"
    `);
  });
  test("works inside cells with magics", () => {
    expect(inspect("%%time\nconst a = 1\ntext.leng|th")).toContain("String.length");
    expect(inspect("%time dou|ble(2)")).toContain("function double");
  });
  test("of a magic is its help", () => {
    expect(inspect("%lsma|gic")).toMatchInlineSnapshot(`
      "%lsmagic

      Lists the available magics."
    `);
    expect(inspect("%%ti|me\n1")).toContain("Times one run");
    expect(inspect("%time?|")).toContain("Times one run");
  });
  test("of nothing is nothing", () => {
    expect(inspect("|")).toBe(undefined);
    expect(inspect("unknownName|")).toBe(undefined);
  });
});

describe("completeness", () => {
  test.each([
    ["", "complete"],
    ["1 + 1", "complete"],
    ["const x = `a\nb`", "complete"],
    ["await f()", "complete"],
    ["{ a: 1 }", "complete"],
    ["if (a) { b }", "complete"],
    ["function f(x) {", "incomplete"],
    ["f(1,", "incomplete"],
    ["a +", "incomplete"],
    ["const x =", "incomplete"],
    ["`abc", "incomplete"],
    ["`abc ${", "incomplete"],
    ["/* abc", "incomplete"],
    ["x = [1,\n2", "incomplete"],
    ["class A {\n  m() {}", "incomplete"],
    ["'abc", "invalid"],
    ["const = 1", "invalid"],
    ["}", "invalid"],
    ["a b", "invalid"],
    ["%lsmagic", "complete"],
    ["1\n%time f(x)", "complete"],
    ["%nothing", "invalid"],
    ["!ls", "complete"],
    ["!ls \\", "incomplete"],
    ["f?", "complete"],
    ["%%time", "incomplete"],
    ["%%time\nf(x)\n", "incomplete"],
    ["%%time\nf(x)\n\n", "complete"],
    ["%%kernel\nT f(T x) {\n\n", "complete"],
  ])("%j is %s", (code, status) => {
    expect(service.isComplete(code).status).toBe(status);
  });
  test("indents after an opening bracket", () => {
    expect(service.isComplete("if (a) {").indent).toBe("  ");
    expect(service.isComplete("if (a) {\n  f([").indent).toBe("    ");
    expect(service.isComplete("if (a) {\n  f()").indent).toBe("  ");
  });
});
