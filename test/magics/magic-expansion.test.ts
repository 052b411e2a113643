// The expansions of magics, and their errors for wrong arguments.
import { expect, test } from "vitest";
import { parseArguments } from "../../dist/magics/arguments.js";
import { findMagic, helpText, magics } from "../../dist/magics/table.js";

function expand(line: string, body?: string): string {
  const [, name = "", raw = ""] = /^%+(\w+)\s*(.*)$/.exec(line) ?? [];
  const magic = findMagic(name);
  if (!magic) throw new Error(`no magic ${name}`);
  try {
    const { prologue, keepBody, epilogue } = magic.expand(
      parseArguments(magic, raw, body === undefined ? "%" : "%%"),
      body,
    );
    return [prologue, ...(keepBody ? ["<body>"] : []), ...(epilogue === undefined ? [] : [epilogue])].join(
      "\n",
    );
  } catch (error) {
    return String(error);
  }
}

const functor = "template <typename T>\nT lerp(T x, const T& y, T alpha) { return x + alpha * (y - x); }\n";

test("%%kernel declares a constant typed by the functor's signature", () => {
  expect(expand("%%kernel alpha=0.5 --fma", functor)).toMatchInlineSnapshot(`
    "/**
     * \`\`\`cuda
     * template <typename T>
     * T lerp(T x, const T& y, T alpha) { return x + alpha * (y - x); }
     * \`\`\`
     */
    const lerp = $magic.kernel<[x: 0, y: 0], { alpha: number }, [0]>("template <typename T>\\nT lerp(T x, const T& y, T alpha) { return x + alpha * (y - x); }\\n", {"name":"lerp","params":{"alpha":0.5},"fma":true});"
  `);
  expect(
    expand(
      "%%kernel halves",
      "// two results\nvoid split(float x, float& a, float &b, int n = 3) { a = b = x / n; }",
    ),
  ).toMatchInlineSnapshot(`
    "/**
     * \`\`\`cuda
     * // two results
     * void split(float x, float& a, float &b, int n = 3) { a = b = x / n; }
     * \`\`\`
     */
    const halves = $magic.kernel<[x: 0], { n: number }, [a: 0, b: 0]>("// two results\\nvoid split(float x, float& a, float &b, int n = 3) { a = b = x / n; }", {"name":"halves","params":{"n":3}});"
  `);
});

test("%%kernel takes the last function and reads comments, strings and nested braces", () => {
  const body =
    'template <typename T> T sq(T x) { if (x > 0) { return x; } return "}"[0]; } // T no(T x) {\nint f(int n) { return sq(n); }';
  expect(expand("%%kernel", body)).toContain("const f = $magic.kernel<[n: 0], {}, [0]>(");
});

test("%%kernel complains in one line", () => {
  const complaints = [
    expand("%%kernel", " \n"),
    expand("%%kernel", "int x;"),
    expand("%%kernel alpa=1", functor),
    expand("%%kernel alpha=big", functor),
    expand("%%kernel one two", functor),
    expand("%%kernel alpha=1 alpha=2", functor),
    expand("%%kernel k=2", "float f(float x) { return x; }"),
    expand("%%kernel a$", functor),
    expand("%%kernel new", functor),
    expand("%%kernel", "void f(int a) {}"),
    expand("%%kernel shape=1", "float f(float x, float shape) { return x; }"),
    expand("%%kernel", "int f(int a) { return a; }\nint f(int b) { return b; }"),
  ];
  expect(complaints.join("\n")).toMatchInlineSnapshot(`
    "UsageError: %%kernel is a cell magic, but the cell body is empty. Write for example: template <typename T> T twice(T x) { return x + x; }
    UsageError: %%kernel: The text defines no function. Write for example: template <typename T> T twice(T x) { return x + x; }
    UsageError: %%kernel: lerp has no parameter "alpa". Did you mean "alpha"? Its parameters are x, y, alpha.
    UsageError: %%kernel: the default of alpha must be a number, true or false, not "big".
    UsageError: %%kernel takes one name, but got one and two.
    UsageError: %%kernel: alpha has two defaults. Pass one.
    UsageError: %%kernel: f has no parameter "k". Its parameters are x. Declare it in the signature, for example: T k
    UsageError: %%kernel: "a$" is not a name that C++ accepts. Use letters, digits and underscores.
    UsageError: %%kernel: new is a TypeScript keyword; use another name: %%kernel my_new
    UsageError: %%kernel: f returns void and has no reference parameter. Return a value, or write results to parameters such as T& out.
    UsageError: %%kernel: f: a parameter cannot be called shape. That name is an option of calls; choose another.
    UsageError: %%kernel: f is defined twice, at lines 2 and 3. The last function is the entry and needs a name of its own."
  `);
});

test("a kernel's text is one literal, whatever it holds", () => {
  const line = expand("%%kernel", 'int f(int a) { /* "quoted" \\n `x` $y \u2028 */ return a; }')
    .split("\n")
    .at(-1);
  expect(line).not.toContain("\u2028");
  expect(line).toContain('\\"quoted\\" \\\\n `x` $y \\u2028');
});

test("line magics that look at code", () => {
  const lines = [
    "%source jl.digamma float64 --device cpu",
    "%ptx gcd int64 --arch sm_90",
    "%timings gcd --no-plot",
    "%cache",
    "%device cuda:1",
    "%help timeit",
    "%precompile add mul float32 --device cpu",
  ];
  expect(lines.map((line) => expand(line)).join("\n")).toMatchInlineSnapshot(`
    "$magic.show("source", {"target":"jl.digamma","dtypes":["float64"],"device":"cpu"});
    $magic.show("ptx", {"target":"gcd","dtypes":["int64"],"arch":"sm_90"});
    $magic.timings({"name":"gcd","plot":false});
    $magic.cache();
    $magic.device("cuda:1");
    $magic.help("timeit");
    $magic.precompile(["add","mul","float32"], {"device":"cpu"});"
  `);
});

test("cell magics that watch their cell keep its body", () => {
  const lines = [
    "%%timings",
    "%%source",
    "%%sass --arch sm_90",
    "%%cache",
    "%%time",
    "%%profile --trace t.json",
    "%%capture out --no-stderr",
  ];
  expect(lines.map((line) => expand(line, "x.exp()")).join("\n")).toMatchInlineSnapshot(`
    "$magic.begin("timings", {"plot":true});
    <body>
    $magic.begin("source", {});
    <body>
    $magic.begin("sass", {"arch":"sm_90"});
    <body>
    $magic.begin("cache", {});
    <body>
    $magic.begin("time", {});
    <body>
    $magic.begin("profile", {"plot":true,"trace":"t.json"});
    <body>
    const out = $magic.capture({"stderr":false});
    <body>"
  `);
});

test("%time takes expressions, statements and await", () => {
  expect(expand("%time x.exp()")).toBe("$magic.time(() => (x.exp()))");
  expect(expand("%time x.exp(); // warm")).toBe("$magic.time(() => (x.exp()));");
  expect(expand("%time fetch('http://a')")).toBe("$magic.time(() => (fetch('http://a')))");
  expect(expand("%time await load()")).toBe("await $magic.timeAsync(async () => (await load()))");
  expect(expand("%time const y = x.exp()")).toBe(
    '$magic.begin("time", {}); const y = x.exp(); $magic.end("time");',
  );
});

test("%timeit takes IPython's options, and set-up code in a cell", () => {
  expect(expand("%timeit -n5 -r 3 -qo x.exp()")).toBe(
    '$magic.timeit({"loops":5,"repeat":3,"quiet":true,"output":true}, () => () => (x.exp()))',
  );
  expect(expand("%%timeit const y = 2", "x.mul(y)")).toBe(
    "$magic.timeit({}, () => { const y = 2; return () => {\n<body>\n}; })",
  );
  expect(expand("%%timeit", "await f()")).toBe(
    "await $magic.timeitAsync({}, async () => { return async () => {\n<body>\n}; })",
  );
});

test("%bench makes variables from the size", () => {
  expect(expand('%bench --with "x = jl.rand([n])" --sizes 10,100 x.exp() ; x.sin()')).toBe(
    'await $magic.bench({"labels":["x.exp()","x.sin()"],"sizes":[10,100]}, (n: number) => { const x = jl.rand([n]); return [() => (x.exp()), () => (x.sin())]; });',
  );
});

test("magics of habit", () => {
  const lines: [string, string?][] = [
    ["%env A=1 2"],
    ["%env A"],
    ["%cd ~/data files"],
    ["%typecheck warn"],
    ["%history 3 -n"],
    ["%npm install d3"],
    ["%run tools.ts"],
    ["%%bash --out text", "echo hi\n"],
    ["%%script node -", "1"],
    ["%%writefile -a notes.txt", "a"],
    ["%%html", "<b>x</b>"],
  ];
  expect(lines.map(([line, body]) => expand(line, body)).join("\n")).toMatchInlineSnapshot(`
    "$magic.setEnv("A", "1 2");
    $magic.env("A")
    $magic.cd("~/data files");
    $magic.config("typecheck", "warn");
    $magic.history({"last":3,"numbers":true});
    await $magic.shell("npm install d3");
    $magic.unload("tools.ts"); $magic.ran(await import("./tools"), "tools.ts", "./tools");
    const { stdout: text } = await $magic.script(["bash"], "echo hi\\n", {"out":true,"err":false,"check":true});
    await $magic.script(["node","-"], "1", {"out":false,"err":false,"check":true});
    $magic.writefile("notes.txt", "a", true);
    $magic.rich("text/html", "<b>x</b>");"
  `);
});

test("wrong uses are told in one line", () => {
  const lines: [string, string?][] = [
    ["%source"],
    ["%source gcd --devce cpu"],
    ["%source gcd --device"],
    ["%timings a b"],
    ["%cache stats"],
    ["%typecheck of"],
    ["%time"],
    ["%%time x", "x"],
    ["%timeit -z x"],
    ["%timeit -n 0 x"],
    ["%timeit"],
    ["%bench"],
    ["%bench --with 3 x"],
    ["%run a.py"],
    ["%load"],
    ["%%capture a-b", "1"],
    ["%%script", "1"],
  ];
  const complaints = lines.map(([line, body]) => expand(line, body));
  for (const complaint of complaints) expect(complaint).toMatch(/^UsageError: [^\n]+$/);
  expect(complaints.join("\n")).toMatchInlineSnapshot(`
    "UsageError: %source needs an op or a functor: %source jl.digamma float64. See %source?
    UsageError: %source: unrecognized option --devce. Did you mean "--device"?
    UsageError: %source: option --device needs a value (D).
    UsageError: %timings: unexpected argument "b". See %timings?
    UsageError: %cache: unknown action "stats". Did you mean "status"? The actions are status, list, clear, verify.
    UsageError: %typecheck takes on, warn or off, not "of". Did you mean "on"?
    UsageError: %time needs an expression: %time x.exp(). See %time?
    UsageError: Can't use statement directly after '%%time'!
    UsageError: %timeit: unrecognized option -z. Its options are --loops, --repeat, --precision, --quiet, --output.
    UsageError: %timeit: --loops (-n) must be a positive integer, not "0".
    UsageError: %timeit needs an expression: %timeit x.exp(). See %timeit?
    UsageError: %bench needs expressions: %bench x.exp() ; x.sin(). See %bench?
    UsageError: %bench: --with takes name = expression, separated by ;, not "3".
    UsageError: %run runs .ts, .js, .mjs, .cjs and .ipynb files, not "a.py".
    UsageError: %load needs a file: %load FILE. See %load?
    UsageError: %%capture: "a-b" is not a name that TypeScript accepts.
    UsageError: %%script needs a program: %%script python3"
  `);
});

test("every record is complete: a summary, a usage line, documented options", () => {
  for (const magic of magics) {
    expect(magic.doc, magic.name).toMatch(/^[A-Z][^\n]*[.!]/);
    expect(magic.kinds.length).toBeGreaterThan(0);
    for (const option of magic.options) {
      expect(option.name).toMatch(/^--[a-z][a-z-]*$/);
      expect(option.doc).toMatch(/\.$/);
    }
  }
  expect(new Set(magics.map((magic) => magic.name)).size).toBe(magics.length);
});

test("the help of a magic", () => {
  expect(helpText(findMagic("timeit")!)).toMatchInlineSnapshot(`
    "%timeit [-n N] [-r R] [-p P] [-q] [-o] expression
    %%timeit [-n N] [-r R] [-p P] [-q] [-o] expression

    Times many runs of an expression; as %%timeit, of a cell, with set-up code on the magic's line.

    The first call, which compiles, is made before and reported separately; the device is synchronized inside each run.
    If kernels ran, it also shows their bandwidth as a percentage of the device's copy speed.

    Options:
      -n, --loops N      Loops per run; default: enough for 0.2 s.
      -r, --repeat R     Runs; default 7.
      -p, --precision P  Significant digits; default 3.
      -q, --quiet        Print nothing.
      -o, --output       Return an object with loops, repeat, best, worst, average, stdev and allRuns."
  `);
});
