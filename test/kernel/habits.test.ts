// Habits of IPython's users in a real kernel: %run, %xmode, %precision, %config, %who, `??`.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ofType, outputTypes, plain, printed, result, useKernel } from "../support/kernel.js";

const folder = mkdtempSync(join(tmpdir(), "jitlab-habits-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const kernel = useKernel({ cwd: folder, env: { JITLAB_DEVICE: "cpu" } });

async function run(code: string) {
  const answer = await kernel().execute(code, { stopOnError: false });
  const { status, ename, evalue, traceback } = answer.reply.content as Record<string, any>;
  const shown = ofType(answer, "display_data").map((one: any) => one.content.data["text/plain"]);
  return {
    status,
    error: ename && `${ename}: ${evalue}`,
    traceback: plain(traceback ?? []),
    printed: printed(answer),
    value: result(answer),
    shown: shown.join("\n"),
    types: outputTypes(answer),
  };
}

function notebook(name: string, ...cells: string[]): void {
  const written = cells.map((source, i) =>
    source.startsWith("#")
      ? { cell_type: "markdown", source }
      : { cell_type: "code", source: i % 2 ? source : source.split(/(?<=\n)/) },
  );
  writeFileSync(join(folder, name), JSON.stringify({ cells: written }));
}

describe("%run", () => {
  test("of a TypeScript file binds its exports, typed, and runs it anew each time", async () => {
    const path = join(folder, "helpers.ts");
    writeFileSync(
      path,
      'console.log("ran");\nexport const factor = 3;\nexport const scale = (x: number) => x * factor;\n',
    );
    expect((await run("%run helpers.ts")).printed).toBe("ran\nRan helpers.ts; it exports factor, scale.\n");
    expect((await run("scale(factor)")).value).toBe("9");
    expect((await run('scale("x")')).error).toContain("TS2345");
    expect((await run("%run helpers.ts")).printed).toContain("ran\n");
    writeFileSync(path, "export const factor = 4;\n");
    await run("%run helpers.ts");
    expect((await run("factor")).value).toBe("4");
  });

  test("of a script without imports and exports", async () => {
    writeFileSync(join(folder, "script.ts"), 'const text: string = "ran";\nconsole.log(text);\n');
    const { printed, error } = await run("%run script.ts");
    expect(error).toBeUndefined();
    expect(printed).toBe("ran\nRan script.ts.\n");
  });

  test("of a JavaScript module", async () => {
    writeFileSync(join(folder, "plain.mjs"), "export const five = 5;\nexport default 6;\n");
    expect((await run("%run plain.mjs")).printed).toBe("Ran plain.mjs; it exports five.\n");
    expect((await run("five + 1")).value).toBe("6");
  });

  test("of a notebook binds what its cells declare and prints what they print, but shows no values", async () => {
    notebook(
      "setup.ipynb",
      "# Title",
      "const base = 10;\nbase + 1",
      "%%kernel twice\ntemplate <typename T> T twice(T x) { return x + x; }",
      'import * as jl from "jitlab";\nconst doubled = twice(jl.tensor([base]));\nconsole.log("done");',
    );
    const { types, printed } = await run("%run setup.ipynb");
    expect(printed).toBe("done\n");
    expect(types).toEqual(["execute_input", "stream"]);
    expect((await run("[base, doubled.item()]")).value).toBe("[ 10, 20 ]");
  });

  test("of a notebook ends at the first cell that fails, and says where", async () => {
    notebook("broken.ipynb", "const before = 1;", "throw new Error(`boo`);", "const behind = 1;");
    const { error, traceback } = await run("%run broken.ipynb");
    expect(error).toBe("Error: boo");
    expect(traceback).toMatch(/\n {4}at In\[\d+: broken\.ipynb 2\]:1:7$/);
    expect((await run("before")).value).toBe("1");
    expect((await run("behind")).error).toContain("Cannot find name 'behind'");
    notebook("types.ipynb", "const text: string = 1;");
    expect((await run("%run types.ipynb")).error).toMatch(
      /^TypeScriptError: In\[\d+: types\.ipynb 1\]:1:7 - TS2322/,
    );
  });

  test("%history numbers the cells as the notebook does, also those that failed", async () => {
    const failed = (await kernel().execute("const wrong: string = 1;", { stopOnError: false })).reply.content;
    const number = failed.execution_count as number;
    await kernel().execute("2 + 2", { storeHistory: false });
    const { printed } = await run("%history 2 -n");
    expect(printed).toBe(
      `${`${number}`.padStart(4)}: const wrong: string = 1;\n${`${number + 1}`.padStart(4)}: %history 2 -n\n`,
    );
  });

  test("does not list what it ran in %history", async () => {
    const { printed } = await run("%history");
    expect(printed).toContain("\n%run setup.ipynb\n");
    expect(printed).not.toContain("const base = 10;");
  });

  test.each([
    ["%run", "%run needs a file: %run FILE. See %run?"],
    ["%run setup.py", '%run runs .ts, .js, .mjs, .cjs and .ipynb files, not "setup.py".'],
    ["%run missing.ipynb", "%run: missing.ipynb cannot be read: ENOENT."],
    ["%run text.ipynb", "%run: text.ipynb is not a notebook: it is not JSON."],
    ["%run list.ipynb", "%run: list.ipynb is not a notebook: it has no cells."],
  ])("%s is refused in one line", async (code, message) => {
    writeFileSync(join(folder, "text.ipynb"), "# no notebook");
    writeFileSync(join(folder, "list.ipynb"), "[]");
    expect((await run(code)).traceback).toBe(`UsageError: ${message}`);
  });
});

describe("%xmode", () => {
  beforeAll(async () => {
    await run("function inner() {\n  throw new RangeError('far');\n}");
  });

  test.each([
    ["Minimal", /^RangeError: far$/],
    ["Plain", /^RangeError: far\n {4}at inner \(In\[\d+\]:2:9\)\n {4}at In\[\d+\]:1:\d$/],
    [
      "Verbose",
      /^RangeError: far\n {2}1 \| function[\s\S]*\n {4}at inner \(In[\s\S]*dist\/kernel\/child\/cell-runner\.js[\s\S]*\n {4}at .*node:/,
    ],
    [
      "context",
      /^RangeError: far\n {2}1 \| function inner\(\) \{\n> 2 \| {3}throw new[\s\S]*\n {4}at In\[\d+\]:1:\d$/,
    ],
  ])("%s", async (mode, pattern) => {
    const { printed } = await run(`%xmode ${mode}`);
    expect(printed).toBe(`Exception reporting mode: ${mode === "context" ? "Context" : mode}\n`);
    expect((await run("inner()")).traceback).toMatch(pattern);
  });
});

describe("%precision and %config", () => {
  test("%precision sets the digits of tensors", async () => {
    await run('import * as jl from "jitlab";\nconst third = jl.tensor([1, 10]).div(3);');
    const elements = async () => /\[.*?\]/.exec((await run("third")).value ?? "")?.[0];
    expect(await elements()).toBe("[0.3333, 3.3333]");
    await run("%precision 3");
    expect(await elements()).toBe("[0.33, 3.33]");
    expect((await run("%config precision")).printed).toBe("precision = 3\n");
    await run("%config precision = 8");
    expect(await elements()).toBe("[0.3333333, 3.3333333]");
    await run("%precision");
    expect(await elements()).toBe("[0.3333, 3.3333]");
  });

  test("%config lists the settings and changes them", async () => {
    await run("%config typecheck=off");
    expect((await run("const n: number = 'no';")).status).toBe("ok");
    expect((await run("%config")).shown).toMatch(/^typecheck +off +on, warn, off +/m);
    await run("%typecheck on");
    expect((await run("%config typecheck")).printed).toBe("typecheck = on\n");
    expect((await run("%config device")).printed).toBe("device = cpu\n");
    expect((await run("%config device = gpu")).error).toMatch(
      /^UsageError: %config device: Unknown device "gpu"\. [^\n]+$/,
    );
  });
});

test("%who and %whos have the texts of IPython", async () => {
  await run("%reset -f");
  expect((await run("%who")).printed).toBe("Interactive namespace is empty.\n");
  await run('import * as jl from "jitlab";\nconst x = jl.zeros([2, 3]);\nconst list = [1, 2];\nlet n = 1;');
  expect((await run("%who")).printed).toBe("jl\t list\t n\t x\t \n");
  expect((await run("%who Tensor number")).printed).toBe("n\t x\t \n");
  expect((await run("%who Map")).printed).toBe("No variables match your requested type.\n");
  expect((await run("%whos Tensor Array")).shown).toBe(
    "Variable   Type      Data/Info\n------------------------------\nlist       Array     n=2\nx          Tensor    2x3: 6 elems, type `float32`, 24 bytes on cpu",
  );
});

test("a question mark shows what fits a screen", async () => {
  const lines = (await run('import * as jl from "jitlab";\njl?')).shown.split("\n");
  expect(lines.length).toBeLessThan(20);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100);
  expect(lines.slice(-3).join("\n")).toMatch(
    /^\.\.\. and \d{3} more\n\njl\.\w+\? describes one of them; Tab after jl\. lists all\.$/,
  );
  const long = (await run("const many = Array.from({ length: 90 }, (_, i) => ({ i }));\nmany?")).shown;
  expect(long.split("\n").length).toBeLessThan(40);
  expect((await run("const few = { a: 1, b: [2] };\nfew?")).shown).toBe("few: Object\n{ a: 1, b: [ 2 ] }");
});

test("a bigint beside a number names item()", async () => {
  const { error, traceback } = await run('import * as jl from "jitlab";\njl.arange(3).sum().item() * 2');
  const said =
    "Elements of int64 are bigints, also item() of a sum of integers: Number(x.item()) + 1, or x.item() + 1n.";
  expect(error).toBe(`TypeError: Cannot mix BigInt and other types, use explicit conversions\n${said}`);
  expect(traceback.split(said)).toHaveLength(2);
});

test("two question marks show the source too", async () => {
  await run("function half(x: number) {\n  return x / 2;\n}");
  expect((await run("half?")).shown).not.toContain("return x / 2");
  expect((await run("half??")).shown).toContain("return x / 2");
  expect((await run("jl.gcd?")).shown).not.toContain("op_gcd");
  expect((await run("jl.gcd??")).shown).toContain("T op_gcd(T a, T b)");
  expect((await run("%pwd??")).shown).toContain('return value("pwd")');
});

describe("a tensor where a value is meant is an error that says what to write:", () => {
  beforeAll(() => run('import * as jl from "jitlab"; const x = jl.tensor([1, -2]), y = jl.tensor([1, 2]);'));

  test.each([
    "if (x.lt(0).any()) console.log('always');",
    "while (!x.lt(0).any()) break;",
    "const sign = (x.all()) ? 1 : 2;",
    "for (; x.any(); ) break;",
    "if (jl.lt(x, 0)) console.log('always');",
    "x.any() && console.log('always')",
  ])("%s", async (code) => {
    const { error } = await run(code);
    expect(error).toContain("A tensor as a condition is always true, whatever its elements are.\n");
    expect(error).toContain("if (x.lt(0).any().item()) { ... }");
  });

  test.each([
    ["x == y", "x.eq(y).all().item()"],
    ["if (x != y) 1;", "x.ne(y).any().item()"],
  ])("%s", async (code, remedy) => {
    const { error } = await run(code);
    expect(error).toContain("between tensors compares the objects, not their elements.\n");
    expect(error).toContain(remedy);
  });

  test.each([
    ["if (x.lt(0).any().item()) 5;", ""],
    ["let cached: jl.Tensor | undefined; if (!cached) cached = x; cached === x", "true"],
    ["const found = new Map([[1, x]]).get(1) ?? y; found !== y", "true"],
    ["x == null", "false"],
    ["new Map<number, jl.Tensor>().get(1) ? 1 : 2", "2"],
  ])("not %s", async (code, value) => {
    const { status, value: shown = "" } = await run(code);
    expect([status, shown]).toEqual(["ok", value === "" ? shown : value]);
  });
});

describe("shown values", () => {
  test("_, __ and ___ are the last three, Out and In those of a cell", async () => {
    await run("1 + 1");
    await run('"two"');
    await run("const silent = 3");
    const third = await kernel().execute("[_, __]");
    const number = third.reply.content.execution_count as number;
    expect(result(third)).toBe("[ 'two', 2 ]");
    expect((await run("_[1] + ___")).value).toBe("4");
    expect((await run(`Out[${number}]`)).value).toBe("[ 'two', 2 ]");
    expect((await run(`In[${number}]`)).value).toBe("'[_, __]'");
    expect((await run("%who")).printed).not.toMatch(/\b(?:_|Out|In)\b/);
  });

  test("a name that a cell declares is its own", async () => {
    await run("const _ = { mine: 1 }");
    await run("_");
    await run("5");
    expect((await run("_.mine")).value).toBe("1");
  });

  test("a large value is kept while it is among the last three", async () => {
    const shown = await kernel().execute("new Uint8Array(2 ** 21)");
    const number = shown.reply.content.execution_count as number;
    for (const code of ["1", "2"]) await run(code);
    expect((await run(`___.length + Out[${number}].length`)).value).toBe(String(2 ** 22));
    expect((await run(`Out[${number}]`)).error).toBe(
      `Error: Out[${number}] is gone: a large value is kept while it is among the last three. Give a value a name to keep it: const a = ...`,
    );
  });

  test("%reset forgets them", async () => {
    await run("7");
    await run("%reset -f");
    expect((await run("[_, Object.keys(Out).length]")).value).toBe("[ undefined, 0 ]");
  });
});

describe("other runtimes' imports", () => {
  test("npm: finds an installed package, with and without a version", async () => {
    const home = join(folder, "node_modules", "tiny-number");
    mkdirSync(home, { recursive: true });
    writeFileSync(
      join(home, "package.json"),
      '{ "name": "tiny-number", "main": "main.js", "types": "main.d.ts" }',
    );
    writeFileSync(join(home, "main.js"), "exports.tiny = 4;");
    writeFileSync(join(home, "main.d.ts"), "export declare const tiny: number;");
    expect((await run('import { tiny } from "npm:tiny-number@1.2"; tiny')).value).toBe("4");
    expect((await run('(await import("npm:tiny-number")).tiny')).value).toBe("4");
    expect((await run('import { tiny as other } from "npm:tiny-number"; other.length')).error).toContain(
      "TS2339",
    );
  });

  test("a package that awaits while it loads says how it is loaded", async () => {
    const home = join(folder, "node_modules", "slow-start");
    mkdirSync(home, { recursive: true });
    writeFileSync(
      join(home, "package.json"),
      '{ "name": "slow-start", "type": "module", "main": "main.js" }',
    );
    writeFileSync(join(home, "main.js"), "export const ready = await Promise.resolve(9);");
    await run("%typecheck off");
    expect((await run('import { ready } from "slow-start"; ready')).error).toBe(
      'Error: slow-start awaits something while it loads: const module = await import("slow-start") loads it.',
    );
    expect((await run('(await import("slow-start")).ready')).value).toBe("9");
    await run("%typecheck on");
  });

  test.each([
    ["npm:@scope/none@2/deep", "%npm install @scope/none installs it beside the notebook."],
    [
      "jsr:@std/assert",
      '!npx jsr add @std/assert installs it beside the notebook; then import from "@std/assert".',
    ],
    ["https://esm.sh/dayjs", "Node imports no URLs"],
  ])("%s says how it is done here", async (specifier, hint) => {
    expect((await run(`import none from "${specifier}"`)).error).toContain(hint);
  });
});

test.each(["debug", "edit", "store"])("%%%s says what there is instead", async (name) => {
  expect((await run(`%${name}`)).error).toMatch(/not found\. (?:A front end|Edit|Save tensors)/);
});

test("a device is written as its name", async () => {
  await run('import * as jl from "jitlab"');
  expect((await run("jl.zeros([1]).device")).value).toBe("cpu");
  expect((await run("String(jl.zeros([1]).device)")).value).toBe("'cpu'");
});

test("a traceback names the methods that a cell calls, not those that the library calls", async () => {
  await run('import * as jl from "jitlab";');
  const stacked = await run("jl.stack([jl.ones([4]), jl.ones([2])])");
  expect(stacked.error).toContain("stack: the shapes [4] of tensor 0 and [2] of tensor 1");
  expect(stacked.traceback).not.toContain("<anonymous>");
  expect((await run('JSON.parse("{")')).traceback).toContain("at JSON.parse (<anonymous>)");
});

describe("names", () => {
  const define = "const swish = jl.jit((v, beta = 1.5) => v / (1 + Math.exp(-beta * v)));";

  test("a functor has its variable's name in %%cache, %%timings, %source, %program and %%roofline", async () => {
    await run('import * as jl from "jitlab";\nconst numbers = jl.linspace(1, 4, 4);');
    await run(define);
    expect((await run("%%cache\nswish(numbers);")).shown).toMatch(/^swish +float32 /m);
    expect((await run("%%timings --no-plot\nswish(numbers);")).shown).toMatch(/^swish +float32 /m);
    expect((await run("%%roofline --no-plot\nswish(numbers);")).shown).toMatch(/^swish +float32 /m);
    expect((await run("%source swish")).shown).toMatch(/^swish {2}float32 /);
    await run("const twice = jl.compile((v) => swish(swish(v)));");
    const { shown } = await run("%program twice(numbers)");
    expect(shown).toMatch(/^twice: 2 operations/);
    expect(shown).toMatch(/^1 +swish\(float32\[4\]\)/m);
  });

  test("so do its errors, which still point at the function in the cell", async () => {
    const { error } = await run("const sign = jl.jit((v) => {\n  if (v) return 1;\n  return 0;\n});");
    expect(error).toMatch(/^JitlabError: sign cannot be translated\.\nIn\[\d+\]:2:7: /);
    expect((await run("swish(numbers, { bet: 1 } as never)")).error).toContain(
      'swish has no parameter "bet"',
    );
  });

  test("a name that is given stays: an option, a function's own, that of a C++ text", async () => {
    await run('const a = jl.jit((v) => v + 1, { name: "given" });\nconst own = (v: number) => v + 2;');
    await run("const b = jl.jit(own);\nconst c = jl.jit(function inner(v) { return v + 3; });");
    await run('const d = jl.jit("float fromText(float v) { return v + 4; }");');
    const names = await run("[a, b, c, d].map((fn) => (fn as jl.JitFunction).name)");
    expect(names.value).toBe("[ 'given', 'own', 'inner', 'fromText' ]");
  });

  test("equal texts under two names, assignments, reductions and imports by name have theirs", async () => {
    await run('import { jit, reduction } from "jitlab";');
    await run(
      "const first = jit((v) => v * 3), second = jit((v) => v * 3);\nlet later = first;\nlater = jit((v) => v * 4);",
    );
    await run("const total = reduction((p, q) => p + q, { identity: 0 });");
    const names = await run("[first, second, later, total].map((fn: Function) => fn.name)");
    expect(names.value).toBe("[ 'first', 'second', 'later', 'total' ]");
    expect(
      (await run("[first(numbers).at(0).item(), later(numbers).at(0).item(), total(numbers).item()]")).value,
    ).toBe("[ 3, 4, 10 ]");
  });
});
