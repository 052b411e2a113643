// The cell splitter: what is a magic, what is TypeScript, and what a wrong use says.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: cells with templates are plain text here.
import { describe, expect, test } from "vitest";
import { parseArguments, splitWords } from "../../dist/magics/arguments.js";
import { expandCell } from "../../dist/magics/expand.js";
import type { Magic } from "../../dist/magics/magic.js";
import { splitCell } from "../../dist/magics/parse.js";

const table: readonly Magic[] = [
  {
    name: "time",
    kinds: ["line", "cell"],
    usage: "[expression]",
    options: [],
    rawArguments: true,
    doc: "Times.",
    expand: ({ raw }, body) =>
      body === undefined
        ? { prologue: `$magic.time(() => (${raw}))`, keepBody: false }
        : { prologue: '$magic.begin("time");', keepBody: true },
  },
  {
    name: "show",
    kinds: ["line"],
    usage: "f [--device D]",
    options: [
      { name: "--device", short: "-d", value: "D", doc: "Device." },
      { name: "--quiet", short: "-q", doc: "Quiet." },
      { name: "--number", short: "-n", value: "N", doc: "Number." },
    ],
    doc: "Shows.",
    expand: ({ positional, options }) => ({
      prologue: `$magic.show(${JSON.stringify([positional, options])});`,
      keepBody: false,
    }),
  },
  {
    name: "kernel",
    kinds: ["cell"],
    usage: "",
    options: [],
    doc: "Kernel.",
    expand: (_, body) => ({ prologue: `/** doc */\nconst k = ${JSON.stringify(body)};`, keepBody: false }),
  },
  {
    name: "loop",
    kinds: ["cell"],
    usage: "",
    options: [],
    doc: "Loop.",
    expand: (_, body = "") => ({
      prologue: `${body.includes("await") ? "await $magic.loop(async" : "$magic.loop("}() => {`,
      keepBody: true,
      epilogue: "})",
    }),
  },
];

function text(code: string, declared: readonly string[] = []): string {
  return expandCell(code, table, (name) => declared.includes(name)).text;
}

function problem(code: string): string {
  return expandCell(code, table)
    .problems.map(({ start, end, message }) => `${start}-${end} ${message}`)
    .join("\n");
}

describe("magics where a statement starts", () => {
  test.each([
    ["%show a", '$magic.show([["a"],{}]);'],
    ["const a = 1;\n%show a\na", 'const a = 1;\n$magic.show([["a"],{}]);\na'],
    ["const a = f()\n%show a", 'const a = f()\n$magic.show([["a"],{}]);'],
    ["for (const i of xs) {\n  %time f(i)\n}", "for (const i of xs) {\n  $magic.time(() => (f(i)))\n}"],
    ["const y = %time f(x)", "const y = $magic.time(() => (f(x)))"],
    ["y.z = %time f(x)", "y.z = $magic.time(() => (f(x)))"],
    ["%%time\nconst a = 1\n%show a", '$magic.begin("time");\nconst a = 1\n$magic.show([["a"],{}]);'],
    ["\n\n%%time\na", '$magic.begin("time");\na'],
    ["%%kernel\na\nb", '/** doc */\nconst k = "a\\nb";'],
    ["%%loop\n!ls", 'await $magic.loop(async() => {\nawait $magic.shell("ls");\n})'],
    ["!npm install \\\n  d3\n1", 'await $magic.shell("npm install   d3");\n1'],
    ["const files = !ls *.ts", 'const files = await $magic.lines("ls *.ts")'],
    ["!./run.sh | grep x", 'await $magic.shell("./run.sh | grep x");'],
    ["f?", '$magic.help("f");'],
    ["jl.add??", '$magic.help("jl.add", true);'],
    ["??jl.add", '$magic.help("jl.add", true);'],
    ["?f", '$magic.help("f");'],
    ["%time?", '$magic.help("%time");'],
    ["%%kernel?", '$magic.help("%%kernel");'],
    ["%time f(x)\n[1, 2].map(g)", "$magic.time(() => (f(x)));\n[1, 2].map(g)"],
  ])("%j", (code, expanded) => {
    expect(problem(code)).toBe("");
    expect(text(code)).toBe(expanded);
  });
});

describe("TypeScript stays TypeScript", () => {
  test.each([
    "a\n%b",
    "const r = 10\n  % 3",
    "const r =\n%time",
    "a\n%b in c",
    "a\n%b - c",
    "f(\n%time x\n)",
    "[1,\n%time\n]",
    "`\n%time x\n`",
    "`${f(`\n%time x`)}\n!ls`",
    "/*\n%time x\n*/",
    "// %time x",
    '"a" // !ls\n/%time/.test(s)',
    "a / b; `%time`",
    "if (x) /'/.test(y)\nz",
    "const done = false\n!done",
    "!f(x)",
    "!!isNaN",
    "! isNaN(x)",
    "!(a && b)",
    "!/usr/.test(path)",
    "const ok = !isNaN(x)",
    "cond ? a : b",
    "const v = cond?\n  a : b",
    "cond?\n  a : b",
    "cond\n  ? a\n  : b",
    "a ??\n  b",
    "x!\n  .y",
    "type T = `%${string}`",
  ])("%j", (code) => {
    expect(problem(code)).toBe("");
    expect(text(code, ["isNaN"])).toBe(code);
  });

  test("a negation needs a name that is declared", () => {
    expect(text("const ok = !ready", ["ready"])).toBe("const ok = !ready");
    expect(text("const ok = !ready")).toBe('const ok = await $magic.lines("ready")');
    expect(text("!find . -name x", ["find"])).toBe('await $magic.shell("find . -name x");');
    expect(text("! ls -l")).toBe('await $magic.shell("ls -l");');
    expect(text("!!ls *.ts")).toBe('await $magic.lines("ls *.ts")');
    expect(text("!! ready", ["ready"])).toBe("!! ready");
  });
});

describe("an exclamation mark before", () => {
  const known = ["x", "y", "ls", "Map", "undefined"];

  test.each([
    "function () { return 1 }()",
    "function () {\n  return 1;\n}()",
    "async function () {}()",
    "async () => 1",
    "await p",
    "await Promise.all([x])",
    "new X()",
    "new Date(NaN).getTime()",
    "new.target",
    "typeof x",
    "void 0",
    "delete x.y",
    "class {}",
    "import.meta.url",
    'import("node:fs")',
    "this.x",
    "true",
    "null",
    "x instanceof Map",
    "x in y",
    "x as boolean",
    "x satisfies unknown",
    "x + 1",
    "x - 1",
    "x * y % 2",
    "x / 2",
    "x ?? y",
    "x?.y",
    "x!.y",
    "x &&",
    "x;",
    "~x",
    "-x",
    "+x",
    "++x.y",
    "(x)",
    "[x].length",
    "{}",
    '"a"',
    "`a`",
    "0",
    "1 + x",
    "/a b/i.test(x)",
  ])("%s is an expression", (code) => {
    expect(text(`!${code}`, known)).toBe(`!${code}`);
    expect(text(`const a = !${code}`, known)).toBe(`const a = !${code}`);
  });

  test.each([
    "ls -l",
    "ls *.csv",
    "ls x y",
    "x -l",
    "x --version",
    "y 'a b'",
    "git status",
    "time sleep 1",
    "if true; then echo a; fi",
    "for i in 1 2; do echo $i; done",
    "export A=1; env",
    "import picture.png",
    "new-session -d",
    "async.sh",
    "typeof-it",
    "7z x a.zip",
    "2to3 x.py",
    "~/run.sh",
    "~root/run.sh",
    "./run.sh",
    "$HOME/run.sh",
    "/usr/bin/env node",
  ])("%s is a command", (command) => {
    expect(text(`!${command}`, known)).toBe(`await $magic.shell(${JSON.stringify(command)});`);
  });
});

test("parts know where the words of a magic stand", () => {
  const surroundings = { isLineMagic: () => false, isDeclared: () => false };
  expect(splitCell("1\n  x = %show  a b", surroundings)).toMatchInlineSnapshot(`
    [
      {
        "end": 4,
        "kind": "code",
        "start": 0,
      },
      {
        "body": undefined,
        "end": 18,
        "kind": "magic",
        "name": "show",
        "nameStart": 9,
        "percents": "%",
        "raw": "a b",
        "rawStart": 15,
        "start": 4,
        "target": "x = ",
      },
    ]
  `);
});

test("every offset of the user's own text is found in the expansion", () => {
  const code = "const a = 1\n%time a.toFixed(2)\nconst y = %time a\n!ls\n%%loop";
  const cell = expandCell(code, table);
  const verbatim = cell.pieces.filter((piece) => piece.verbatim);
  for (const piece of verbatim) {
    expect(cell.text.slice(piece.start, piece.end)).toBe(code.slice(piece.cellStart, piece.cellEnd));
  }
  expect(verbatim.map((piece) => code.slice(piece.cellStart, piece.cellEnd))).toEqual([
    "const a = 1\n",
    "a.toFixed(2)",
    "\n",
    "const y = ",
    "a",
    "\n",
    "\n",
  ]);
  expect(cell.pieces.map((piece) => piece.start)).toEqual([
    0,
    ...cell.pieces.slice(0, -1).map((piece) => piece.end),
  ]);
});

test("words and options", () => {
  const show = table[1]!;
  const parse = (raw: string) => {
    const { positional, options } = parseArguments(show, raw, "%");
    return { positional, options };
  };
  expect(splitWords('a "b c" d="e f"').map((word) => word.text)).toEqual(["a", "b c", "d=e f"]);
  expect(parse("add float32")).toEqual({ positional: ["add", "float32"], options: {} });
  expect(parse("add --device cpu")).toEqual({ positional: ["add"], options: { device: "cpu" } });
  expect(parse("add --device=cuda:1 -q")).toEqual({
    positional: ["add"],
    options: { device: "cuda:1", quiet: true },
  });
  expect(parse("-n5 -qd cpu x")).toEqual({
    positional: ["x"],
    options: { number: "5", quiet: true, device: "cpu" },
  });
  expect(parse("-n 5 -- -x")).toEqual({ positional: ["-x"], options: { number: "5" } });
  expect(parse('alpha=-1 -1 "-q"')).toEqual({ positional: ["alpha=-1", "-1", "-q"], options: {} });
});

test("what a wrong use says", () => {
  const wrong = [
    "%foo",
    "%%foo\nx",
    "%kernel x",
    "%%show\nx",
    "%tmie x",
    "%matplotlib inline",
    "%%python\nprint(1)",
    "%%time",
    "%%kernel",
    "%%kernel\n",
    "1;\n%%time\nx",
    "%show --devise cpu",
    "%show -x",
    "%show --quiet=1",
    "%show --device",
    '%show "a b',
  ];
  expect(wrong.map((code) => `${JSON.stringify(code)}: ${problem(code)}`).join("\n")).toMatchInlineSnapshot(`
    ""%foo": 0-4 Line magic function \`%foo\` not found.
    "%%foo\\nx": 0-5 Cell magic \`%%foo\` not found.
    "%kernel x": 0-9 Line magic function \`%kernel\` not found (But cell magic \`%%kernel\` exists, did you mean that instead?).
    "%%show\\nx": 0-6 Cell magic \`%%show\` not found (But line magic \`%show\` exists, did you mean that instead?).
    "%tmie x": 0-7 Line magic function \`%tmie\` not found. Did you mean \`%time\`?
    "%matplotlib inline": 0-18 Line magic function \`%matplotlib\` not found. Figures are shown automatically; remove the line.
    "%%python\\nprint(1)": 0-8 Cell magic \`%%python\` not found. %%script PROGRAM runs the body with a program, such as %%script python3.
    "%%time": 0-6 %%time is a cell magic, but the cell body is empty. Did you mean the line magic %time (single %)?
    "%%kernel": 0-8 %%kernel is a cell magic, but the cell body is empty.
    "%%kernel\\n": 0-8 %%kernel is a cell magic, but the cell body is empty.
    "1;\\n%%time\\nx": 3-9 Cell magic \`%%time\` must stand on the first line of its cell.
    "%show --devise cpu": 0-18 %show: unrecognized option --devise. Did you mean "--device"?
    "%show -x": 0-8 %show: unrecognized option -x. Its options are --device, --quiet, --number.
    "%show --quiet=1": 0-15 %show: option --quiet takes no value.
    "%show --device": 0-14 %show: option --device needs a value (D).
    "%show \\"a b": 0-10 No closing quotation: "a b"
  `);
});

test("a wrong use leaves the rest of the cell", () => {
  const cell = expandCell("const a = 1\n%foo x\na", table);
  expect(cell.text).toBe("const a = 1\n;\na");
  expect(cell.problems).toHaveLength(1);
});
