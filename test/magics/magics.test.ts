// The output of magics, with a fake host and a fake library with fixed numbers.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { makeMagicRuntime } from "../../dist/magics/child/magic-runtime.js";
import { CompileError, DeviceError } from "../../dist/runtime/base/errors.js";
import { FakeHost, fakeLibrary } from "../support/magic-host.js";

let host: FakeHost;
let library: ReturnType<typeof fakeLibrary>;
let magic: ReturnType<typeof makeMagicRuntime>;

beforeEach(() => {
  host = new FakeHost();
  library = fakeLibrary();
  magic = makeMagicRuntime(host, library as any);
});

const home = process.cwd();
let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "jitlab-magics-"));
});
afterEach(() => {
  process.chdir(home);
  rmSync(folder, { recursive: true, force: true });
});

test("%timings: a table and a figure", () => {
  magic.timings({ plot: true });
  expect(host.text()).toMatchInlineSnapshot(`
    "2 kernels in this process, cuda:0

    kernel  dtypes                   layout      from      generate  look up  compile     load  first launch  launches  warm launch  on device
    gcd     int64                    contiguous  compiled    1.5 ms   250 μs    77 ms  1.25 ms         40 μs      1000         4 μs       5 μs
    lerp    float32, float64 → bool  strided2    disk        1.5 ms   250 μs        –  1.25 ms         40 μs         1            –       5 μs

    program  operations  kernels  runs  plan  compile  launch
    step              5        2     2  1 ms     9 ms       –
    Compile and launch

    Phases of the first call: █ generate  ▓ look up  ▒ compile  ░ load  ▪ first launch
    gcd int64                              █▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒░  80 ms
    lerp float32, float64 → bool strided2  █▪                                        3.04 ms

    First call against one warm launch (log scale)
    gcd int64                              warm launch 4 μs, first call 80 ms (20,000×)
    lerp float32, float64 → bool strided2  warm launch –, first call 3.04 ms"
  `);
});

test("%timings of one op, of an unknown one", () => {
  magic.timings({ name: "jl.gcd", plot: false });
  expect(host.text()).toContain("1 kernel in this process, cuda:0, contiguous");
  expect(() => magic.timings({ name: "gdc", plot: false })).toThrowErrorMatchingInlineSnapshot(
    `[UsageError: %timings: no kernel of "gdc" ran yet. Did you mean "gcd"?]`,
  );
});

test("%%timings shows the cell's own launches, with device time", async () => {
  await host.cell(() => magic.begin("timings", { plot: false }));
  expect(library.calls).toContain('record {"device":true}');
  expect(host.text()).toMatchInlineSnapshot(`
    "3 launches of 2 kernels in 90 ms, cuda:0

    kernel  dtypes                   layout      from      generate  look up  compile     load  first launch  launches  warm launch  on device
    gcd     int64                    contiguous  compiled    1.5 ms   250 μs    77 ms  1.25 ms         40 μs         2         4 μs       5 μs
    lerp    float32, float64 → bool  strided2    disk        1.5 ms   250 μs        –  1.25 ms         40 μs         1            –          –

    program  operations  kernels  runs  plan  compile  launch
    step              5        2     2  1 ms     9 ms  300 μs"
  `);
});

test("%cache status, list, clear, verify", () => {
  magic.cache("status");
  magic.cache("clear");
  magic.cache("verify");
  expect(host.text()).toMatchInlineSnapshot(`
    "Totals of the kernel cache

    what                         value
    place                        /home/me/.cache/jitlab/kernels.db
    kernels                      41
    size                         3.3 MiB (of 1.0 GiB, 0.3 %)
    compiled by this process     3 kernels in 310 ms
    fetched from disk            2 kernels, saving 154 ms
    hit rate of this process     40 % (2 of 5 kernels)
    launches served from memory  1,234
    fetches by every process     812, saving 1min 5s
    hit rate of every process    95 % (812 of 853 kernels)

    Why was this compiled? gcd int64: no kernel of it was stored.
    Cleared the kernel cache: 41 kernels, 3.3 MiB.
    Checked 41 kernels: 2 of them had a wrong checksum or seal and were deleted."
  `);
  expect(library.calls).toEqual(["clear", "verify"]);
  magic.cache("list");
  expect(host.text().replace(/\d[\d,]* days ago/, "N days ago")).toMatchInlineSnapshot(`
    "1 kernel in the cache

    kernel  dtypes  layout      for    from      compiled by        when                 size  compile  hits here  elsewhere
    gcd     int64   contiguous  sm_90  compiled  node7, process -1  N days ago  22.9 KiB    77 ms          3          9"
  `);
});

test("%cache sums up, then lists what is used here first, then what was used last, and leaves out the rest", () => {
  const [entry] = library.cache.list();
  const { here: _, ...elsewhere } = { ...entry!, op: "erf" };
  library.cache.list = () => [...Array.from({ length: 24 }, () => elsewhere), entry!] as any;
  magic.cache();
  const text = host.text();
  expect(text).toMatch(/^Totals of the kernel cache\n/);
  expect(text).toMatch(/\n\nKernel cache: 25 kernels, 1 of them used here\n\nkernel .*\ngcd .*\nerf /);
  expect(text.match(/^erf /gm)).toHaveLength(19);
  expect(text).toContain("\n\nAnd 5 more: %cache list shows all.");
});

test("%precompile hands all kernels over at once and counts them", () => {
  magic.precompile(["gcd", "digamma", "float32", "int64"], { device: "cpu" });
  expect(library.calls).toEqual([
    'precompile gcd float32, gcd int64, digamma float32, digamma int64 {"device":"cpu"}',
  ]);
  expect(host.text()).toBe("3 kernels compiled, 1 already stored, in 1.5 s.");
});

test("%%cache tells compiled, disk and memory apart", async () => {
  await host.cell(() => magic.begin("cache", {}));
  expect(host.text()).toMatchInlineSnapshot(`
    "Origin of the cell's 2 kernels

    kernel  dtypes                   layout      from      launches   cost  saved  compiled by            size  hits
    gcd     int64                    contiguous  compiled         2  80 ms      –  node7, process -1  22.9 KiB    12
    lerp    float32, float64 → bool  strided2    disk             1   3 ms      –  –                         –     –

    Why compiled?
    gcd int64: the nearest stored kernel has other dtypes (int32 there, int64 here)."
  `);
});

test("%source lists the kernel and marks its functor", () => {
  magic.show("source", { target: "jl.gcd", dtypes: ["int64"], device: "cuda" });
  expect(library.calls).toEqual(['explain {"device":"cuda","dtypes":["int64"]}']);
  expect(host.text()).toMatchInlineSnapshot(`
    "gcd  int64  contiguous  CUDA C++
    1   // gcd
    2 | template <typename T>
    3 | __device__ inline T op_gcd(T a, T b) {
    4 |   return a < b ? a : b;
    5 | }
    6   void run();"
  `);
});

test("%source needs no compiler, %ptx says what is missing", () => {
  const missing = () => {
    throw new DeviceError("no-nvrtc", "NVRTC was not found.", "Install it.");
  };
  const [explanation] = library.explain(undefined, {});
  const bare = Object.defineProperties(
    { ...explanation },
    { cached: { get: missing }, ptx: { get: missing } },
  );
  library.explain = () => [bare as any];
  magic.show("source", { target: "gcd", dtypes: [] });
  expect(host.text()).toContain("op_gcd");
  expect(() => magic.show("ptx", { target: "gcd", dtypes: [] })).toThrow("Install it.");
});

test("what the library refuses is one line of IPython's kind, in a line magic and after a cell", async () => {
  const missing = () => {
    throw new DeviceError(
      "no-disassembler",
      "Neither nvdisasm nor cuobjdump was found.",
      "Install the toolkit.",
    );
  };
  const [explanation] = library.explain(undefined, {});
  const bare = Object.defineProperty({ ...explanation }, "sass", { get: missing });
  library.explain = () => [bare as any];
  library.explainKey = () => bare as any;
  expect(() => magic.show("sass", { target: "gcd", dtypes: [] })).toThrowErrorMatchingInlineSnapshot(
    `[UsageError: %sass: Neither nvdisasm nor cuobjdump was found. Install the toolkit.]`,
  );
  await expect(host.cell(() => magic.begin("sass", {}))).rejects.toThrowErrorMatchingInlineSnapshot(
    `[UsageError: %%sass: Neither nvdisasm nor cuobjdump was found. Install the toolkit.]`,
  );
});

test("%%ptx lists the cell's kernels for the architecture that it names", async () => {
  const asked: unknown[] = [];
  const { explainKey } = library;
  library.explainKey = (key: string, arch?: string) => {
    asked.push([key, arch]);
    return explainKey(key);
  };
  await host.cell(() => magic.begin("ptx", { arch: "sm_80" }));
  expect(asked).toEqual([
    ["k1", "sm_80"],
    ["k2", "sm_80"],
  ]);
});

test("a compiled kernel's listing tells its registers, memory and occupancy", () => {
  const [explanation] = library.explain(undefined, {});
  const resources = {
    registers: 40,
    sharedBytes: 1536,
    localBytes: 0,
    occupancy: { threads: 1536, of: 2048 },
  };
  library.explain = () => [{ ...explanation, resources } as any];
  for (const kind of ["source", "ptx", "sass"] as const) {
    magic.show(kind, { target: "gcd", dtypes: [] });
    expect(host.text()).toMatch(
      /^gcd .* {2}40 registers {2}1\.5 KiB of shared memory {2}no spills {2}occupancy 75 % \(1,536 of 2,048 threads\)$/m,
    );
  }
  library.explain = () => [
    { ...explanation, resources: { registers: 1, sharedBytes: 0, localBytes: 48 } } as any,
  ];
  magic.show("ptx", { target: "gcd", dtypes: [] });
  expect(host.text()).toMatch(
    / {2}1 register {2}no shared memory {2}48 bytes of local memory \(spills, arrays\) {2}occupancy: needs such a GPU$/m,
  );
});

describe("%source warns of double arithmetic", () => {
  const functor = (body: string) => `template <typename T>\nT f(T x) {\n  ${body}\n}`;
  function warningOf(body: string, kernel: { dtypes?: string[]; arch?: string; ptx?: string | Error } = {}) {
    const source = functor(body);
    host.locals.f = Object.assign(() => 0, { functor: true, source });
    const [explanation] = library.explain(undefined, {});
    const { dtypes = ["float32", "float32"], arch = "x86-64", ptx = "" } = kernel;
    const text = `// f\n${source}\nvoid run() { double x = 1.5; }\n`;
    const one = { ...explanation, op: "f", dtypes, arch, cached: false, source: text };
    const get = () => {
      if (typeof ptx === "string") return ptx;
      throw ptx;
    };
    library.explain = () => [Object.defineProperty(one, "ptx", { get }) as any];
    magic.show("source", { target: "f", dtypes: [] });
    return /^Warning: (.*)$/m.exec(host.text())?.[1];
  }

  test.each([
    ["return x * 0.5;", "0.5"],
    ["return x + .5e-3;", ".5e-3"],
    ["return 1e-3 / x;", "1e-3"],
    ["return T(x * 2.);", "2."],
    ["return x == 0.25 ? x : T(1.5);", "0.25"],
  ])("%s", (body, constant) => {
    expect(warningOf(body)).toBe(
      `This kernel may compute in double, which many GPUs do at 1/64 of the rate of float. Line 4 has the double constant ${constant}: write T(${constant}).`,
    );
  });

  test("a variable of type double", () => {
    expect(warningOf("double y = x; return y;")).toMatch(/Line 4 has the type double: write T or float\.$/);
  });

  test.each([
    "return x * T(0.5);",
    "const T half = 0.5, third = -0.25; return x * half;",
    "return 0.5;",
    "return x * 0.5f + x * 2;",
    "return static_cast<T>(0.5) * x; // 0.5 * x",
    "return fma(x, T(1e-3), x);",
  ])("not for %s", (body) => {
    expect(warningOf(body)).toBe(undefined);
  });

  test("not where something of it is a double", () => {
    expect(warningOf("return x * 0.5;", { dtypes: ["float64", "float64"] })).toBe(undefined);
    expect(warningOf("return x * 0.5;", { dtypes: ["float32", "float32", "float64 scalar"] })).toBe(
      undefined,
    );
  });

  test("by the instructions of the PTX, where there is one", () => {
    const arch = "sm_90";
    const clean = ".reg .f64 %fd<3>;\n\tmov.f64 %fd1, 0d3FE0000000000000;\n\tst.param.f64 [x], %fd1;\n";
    expect(warningOf("return x * 0.5;", { arch, ptx: clean })).toBe(undefined);
    const wide =
      "\tcvt.f64.f32 \t%fd1, %f1;\n\t@%p1 mul.rn.f64 %fd2, %fd1, %fd1;\n\tmul.rn.f64 %fd3, %fd1, %fd1;\n";
    expect(warningOf("return x * x;", { arch, ptx: wide })).toBe(
      "This kernel computes in double (cvt.f64.f32, mul.rn.f64), which many GPUs do at 1/64 of the rate of float. Check for constants and functions of type double.",
    );
    const missing = new DeviceError("no-nvrtc", "NVRTC was not found.");
    expect(warningOf("return x * 0.5;", { arch, ptx: missing })).toMatch(
      /^This kernel may compute in double/,
    );
  });

  test("as text that cannot be markup", () => {
    warningOf("return x * 0.5;");
    magic.show("source", { target: "f", dtypes: [] });
    const shown = host.shown.at(-1) as any;
    expect(shown.data["text/html"]).toContain("<b>Warning:</b> This kernel may compute");
  });
});

test("%ptx and %sass", () => {
  magic.show("ptx", { target: "gcd", dtypes: [] });
  magic.show("sass", { target: "gcd", dtypes: [] });
  expect(host.text()).toMatchInlineSnapshot(`
    "gcd  int64  contiguous  sm_90  PTX  from the cache
    1   .version 9.0
    2   ret;
    gcd  int64  contiguous  sm_90  SASS  from the cache
    1   EXIT ;"
  `);
});

test("names are variables first, then ops; others are refused", () => {
  host.locals.gcd = 5;
  host.locals.my = { f: library.digamma };
  magic.show("source", { target: "my.f", dtypes: [] });
  magic.show("source", { target: "gcd", dtypes: [] });
  host.locals.notes = "text";
  expect(() => magic.show("source", { target: "notes", dtypes: [] })).toThrowErrorMatchingInlineSnapshot(
    `[UsageError: %source: notes is not an op or functor but a string.]`,
  );
  expect(() => magic.show("ptx", { target: "digama", dtypes: [] })).toThrowErrorMatchingInlineSnapshot(
    `[UsageError: %ptx: no op or functor is called "digama". Did you mean "digamma"?]`,
  );
});

test("%%source shows each kernel of the cell once", async () => {
  await host.cell(() => magic.begin("source", {}));
  expect(host.shown).toHaveLength(1);
  expect(host.text().match(/^gcd {2}int64/gm)).toHaveLength(1);
});

test("%time prints IPython's lines and the compile time, and gives the value", () => {
  expect(magic.time(() => 42)).toBe(42);
  const times = host.text().replace(/\d+(\.\d+)? ([mμn]?s)\b/g, "N s");
  expect(times).toBe(
    "CPU times: user N s, sys: N s, total: N s\nWall time: N s\nCompile  : N s (1 kernel compiled, 1 from disk)",
  );
  expect(library.calls).toContain("synchronize");
});

test("%time calls kernels from disk loaded, not compiled", () => {
  const { startRecording } = library;
  library.startRecording = (options) => ({
    stop: () => {
      const recording = startRecording(options).stop();
      return { ...recording, launches: recording.launches.filter(({ origin }) => origin === "disk") };
    },
  });
  magic.time(() => 42);
  expect(host.text()).toMatch(/^Load {5}: [\d.]+ [mμ]?s \(1 kernel from disk\)$/m);
});

test("%time of a throwing expression prints nothing", () => {
  expect(() => magic.time(() => JSON.parse("{"))).toThrow(SyntaxError);
  expect(host.text()).toBe("");
});

test("%%time reports after the cell, and not after a failure", async () => {
  await host.cell(() => magic.begin("time", {}));
  expect(host.text()).toContain("Wall time:");
  await host
    .cell(() => {
      magic.begin("time", {});
      throw new Error("no");
    })
    .catch(() => {});
  expect(host.text()).toBe("");
});

test("%timeit counts loops, tells the first call apart and gives a result", async () => {
  let calls = 0;
  const result = magic.timeit({ loops: 3, repeat: 2, output: true }, () => () => calls++);
  expect(calls).toBe(1 + 3 * 2);
  expect(result).toMatchObject({ loops: 3, repeat: 2 });
  expect(result.allRuns).toHaveLength(2);
  const printed = host.text();
  expect(printed).toMatch(/^First call: [^\n]+\. Compile: 83 ms \(1 kernel compiled, 1 from disk\)\n/);
  expect(printed).toMatch(
    / ± .+ per loop \(mean ± std\. dev\. of 2 runs, 3 loops each\)\nBandwidth: [\d.e+]+ GB\/s \(5\.9 KiB per loop\)$/,
  );
  await magic.timeitAsync({ loops: 1, repeat: 1, quiet: true }, async () => async () => calls++);
  expect(calls).toBe(9);
  expect(host.text()).toBe("");
});

test("%bench compares expressions", async () => {
  const times = await magic.bench({ labels: ["fast", "slow"] }, () => [
    () => 1,
    () => Array.from({ length: 3000 }),
  ]);
  expect(Object.keys(times)).toEqual(["fast", "slow"]);
  expect((times.slow as number) > (times.fast as number)).toBe(true);
  const curves = await magic.bench({ labels: ["f"], sizes: [1, 2] }, () => [() => 1]);
  expect(curves.f?.map((ms) => ms > 0)).toEqual([true, true]);
  host.shown = [];
  await magic.bench({ labels: ["fast", "slow"] }, () => [() => 1, () => Array.from({ length: 3000 })]);
  expect(host.text().replace(/[\d.]+ [nμm]?s/g, "N s")).toMatch(
    /^expression .*\n(fast|slow) +N s .*\n(fast|slow) +N s /,
  );
  expect(host.text()).toBe("");
});

test("%device lists and chooses", () => {
  magic.device();
  magic.device("cuda:0");
  expect(host.text()).toMatchInlineSnapshot(`
    "device  state             description
    cuda:0  works    default  NVIDIA H200
    wasm    missing           left out
    The default device is cuda:0 (NVIDIA H200)."
  `);
  expect(library.calls).toEqual(["setDevice cuda:0"]);
});

test("%lsmagic is IPython's", () => {
  magic.lsmagic();
  expect(host.text()).toMatchInlineSnapshot(`
    "Available line magics:
    %bench  %cache  %cd  %config  %device  %diff  %env  %export  %guards  %help  %history  %inspect  %load  %lsmagic  %memory  %npm  %precision  %precompile  %program  %ptx  %pwd  %reset  %roofline  %run  %sass  %source  %sx  %system  %time  %timeit  %timings  %typecheck  %who  %whos  %xmode

    Available cell magics:
    %%bash  %%cache  %%capture  %%compare  %%compile  %%cuda  %%digits  %%file  %%html  %%javascript  %%kernel  %%latex  %%markdown  %%memory  %%nan  %%profile  %%ptx  %%reduction  %%roofline  %%sass  %%script  %%sh  %%source  %%svg  %%time  %%timeit  %%timings  %%writefile

    Automagic is OFF, % prefix IS needed for line magics."
  `);
});

test("help of ops, variables, magics and unknown names", () => {
  magic.help("gcd");
  host.locals.answer = { a: 42 };
  magic.help("answer");
  magic.help("%device");
  expect(host.text()).toMatchInlineSnapshot(`
    "jl.gcd
    Greatest common divisor.

    call      jl.gcd(a, b)  or  a.gcd(b)
    functor   jl::gcd(a, b)
    dtypes    integers
    cached    int64 contiguous
    example   jl.gcd(a, b)
    answer: Object
    { a: 42 }
    %device [name]

    Shows the devices and which one is the default, or makes another the default.

        %device
        %device cpu
        %device cuda:1"
  `);
  magic.help("Math.max");
  expect(host.text()).toContain("Math.max: function\n[Function: max]");
  expect(() => magic.help("digama")).toThrowErrorMatchingInlineSnapshot(
    `[UsageError: Object \`digama\` not found. Did you mean "digamma"?]`,
  );
  expect(() => magic.help("%timeti")).toThrowErrorMatchingInlineSnapshot(
    `[UsageError: Object \`%timeti\` not found. Did you mean "timeit"?]`,
  );
  magic.help();
  expect(host.text()).toMatch(/^%%kernel +Defines a function on tensors from CUDA C\+\+ over scalars\.$/m);
});

test("help of functions of the library and of methods", () => {
  magic.help("jl.arange");
  magic.help("jl.slice");
  expect(host.text()).toMatchInlineSnapshot(`
    "jl.arange(end: number, options?: TensorOptions<D>): Tensor<D>
    Numbers from \`start\` (default 0) up to, not including, \`end\` in steps; int32 if all three are integers, else float32. PyTorch's are int64, whose elements are bigints in JavaScript: pass \`{ dtype: "int64" }\` where their products exceed int32.
        dtype: DTypeName. The dtype of the elements; default: the function's own, float32 for most.
        device: string. A device name; default: the default device.
        jl.arange(1, 6, 2).toArray() // [1, 3, 5]

    jl.arange(start: number, end: number, step?: number | TensorOptions<D>, options?: TensorOptions<D>): Tensor<D>
        dtype: DTypeName. The dtype of the elements; default: the function's own, float32 for most.
        device: string. A device name; default: the default device.
    jl.slice(x, text: string)
    x.slice(text: string): Tensor<D>
    NumPy's slice notation, such as \`x.slice("1:3, ::2")\`, negative steps included; a view.
        jl.arange(6).slice("1:5:2").toArray() // [1, 3]"
  `);
  host.locals.arange = "mine";
  magic.help("arange");
  expect(host.text()).toContain("arange: string\n'mine'");
  expect(() => magic.help("y.slice")).toThrow("not found");
  expect(() => magic.help("aranje")).toThrow('Did you mean "arange"?');
});

test("%who and %whos", () => {
  Object.assign(host.locals, { b: "text", a: 1, f: () => 1 });
  magic.who([]);
  magic.whos(["string", "number"]);
  magic.who(["Map"]);
  expect(host.text()).toMatchInlineSnapshot(`
    "a	 b	 f	 
    Variable   Type      Data/Info
    ------------------------------
    a          number    1
    b          string    text
    No variables match your requested type."
  `);
});

test("%reset, %typecheck and %load ask the parent", () => {
  host.locals.x = 1;
  magic.reset();
  expect(host.locals).toEqual({});
  magic.config("typecheck", "warn");
  magic.load("package.json");
  expect(host.requests.slice(0, 2)).toEqual([{ kind: "reset" }, { kind: "typecheck", mode: "warn" }]);
  expect((host.requests[2] as any).text).toMatch(/^\/\/ %load package.json\n\{/);
  expect(() => magic.load("nowhere.ts")).toThrowErrorMatchingInlineSnapshot(
    `[UsageError: %load cannot read nowhere.ts: ENOENT.]`,
  );
});

test("%history", () => {
  magic.history({ numbers: true });
  expect(host.text()).toBe("   1: const x = 1\n   3: x + 1\n      x + 2");
});

test("%%capture keeps output and shows it again", async () => {
  let kept: any;
  await host.cell(() => {
    kept = magic.capture({});
    host.print("hi\n");
    host.display({ "text/plain": "shown" });
  });
  expect(host.text()).toBe("");
  expect(kept.stdout).toBe("hi\n");
  kept.show();
  expect(host.text()).toBe("hi\nshown");
});

test("%%kernel checks the functor and tells errors by the cell's lines", () => {
  const source = "template <typename T>\nT f(T x) {\n\treturn x +;\n}\n";
  magic.kernel(source, { name: "f" });
  expect(library.calls).toEqual(["check"]);
  const complaint = { line: 3, column: 12, severity: "error" as const, message: "expected expression" };
  const refuse = (error: Error) => () =>
    Object.assign(() => 0, {
      check: () => {
        throw error;
      },
    });
  library.jit = refuse(new CompileError("f does not compile: 1 error.", "", "", [complaint])) as any;
  expect(() => magic.kernel(source, { name: "f" })).toThrowErrorMatchingInlineSnapshot(
    `[CompileError: f does not compile: 1 error.]`,
  );
  library.jit = refuse(new DeviceError("no-device", "No device works here.")) as any;
  expect(magic.kernel(source, { name: "f" })).toBeTypeOf("function");
});

test("shell commands print, give their lines, and know the notebook's variables", async () => {
  host.locals.word = "hello";
  await magic.shell("echo $word {word} $HOME_LESS; echo oops >&2");
  expect(host.text()).toBe("hello hello");
  expect(host.errors).toBe("oops\n");
  expect(await magic.lines("printf 'a\\nb\\n'")).toEqual(["a", "b"]);
});

test("%%bash runs the cell, keeps output on demand and reports a failure", async () => {
  expect(await magic.script(["sh"], "echo out", { out: true, err: false, check: true })).toMatchObject({
    stdout: "out\n",
  });
  await expect(
    magic.script(["sh"], "exit 3", { out: false, err: false, check: true }),
  ).rejects.toThrowErrorMatchingInlineSnapshot(`
    [JitlabError: sh returned exit status 3.
    Pass --no-raise-error to continue anyway.]
  `);
  await magic.script(["sh"], "exit 3", { out: false, err: false, check: false });
  await expect(
    magic.script(["no-such-program"], "", { out: false, err: false, check: true }),
  ).rejects.toThrowErrorMatchingInlineSnapshot(
    `[UsageError: Cannot run no-such-program: it is not installed, or not on the PATH.]`,
  );
});

test("%cd, %env and %%writefile", () => {
  magic.cd(folder);
  magic.writefile("a.txt", "one", false);
  magic.writefile("a.txt", "two", true);
  magic.writefile("a.txt", "three", false);
  magic.setEnv("JITLAB_TEST_VALUE", "1 2");
  expect(host.text().split("\n").slice(1).join("\n")).toMatchInlineSnapshot(`
    "Writing a.txt
    Appending to a.txt
    Overwriting a.txt
    env: JITLAB_TEST_VALUE=1 2"
  `);
  expect(readFileSync(join(folder, "a.txt"), "utf8")).toBe("three\n");
  expect(magic.env("JITLAB_TEST_VALUE")).toBe("1 2");
  magic.cd("-");
  expect(process.cwd()).toBe(home);
  expect(() => magic.env("JITLAB_NOT_SET")).toThrowErrorMatchingInlineSnapshot(
    `[UsageError: Environment does not have key: JITLAB_NOT_SET]`,
  );
  expect(() => magic.cd("/no/such/folder")).toThrowErrorMatchingInlineSnapshot(
    `[UsageError: %cd: cannot change to "/no/such/folder": ENOENT.]`,
  );
});

test("the plotting library is sent once where the notebook shall hold it", () => {
  magic.config("plots", "html");
  magic.timings({ plot: true });
  magic.timings({ plot: true });
  const bundles = host.shown.flatMap((one) =>
    typeof one === "string" ? [] : [String(one.data["text/html"])],
  );
  expect(bundles.filter((text) => text.includes('data-jitlab="plotly"'))).toHaveLength(1);
});

test("no name or text of the user becomes markup", () => {
  const evil = '<img src=x onerror="alert(1)">';
  host.locals.evil = evil;
  magic.whos([]);
  magic.help("evil");
  const ulp = { float32: 0, float64: 0 };
  library.ops = { evil: { arity: 1, rule: "toBool", functor: evil, doc: evil, example: evil, ulp } } as any;
  delete host.locals.evil;
  magic.help("evil");
  library.timings = () => [{ ...fakeLibrary().timings()[0]!, op: evil, dtypes: [evil], variant: evil }];
  magic.timings({ plot: true });
  expect(host.shown).toHaveLength(5);
  for (const one of host.shown) {
    const { "text/plain": _, ...rich } = (one as Exclude<typeof one, string>).data;
    expect(JSON.stringify(rich)).not.toContain("<img src=x");
  }
});
