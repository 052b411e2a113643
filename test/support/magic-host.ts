// A cell host and a library for tests of magics: both keep what they are told, and every number is fixed.
import type { CellHost, DisplayName, MimeBundle, ProgressBar } from "../../dist/magics/host.js";
import type { CacheEntry, Copy, KernelTiming, Launch, Region } from "../../dist/magics/library.js";

/** What a magic showed: printed text, or a bundle. */
export type Shown = string | { data: MimeBundle; metadata: MimeBundle; named?: DisplayName };

export class FakeHost implements CellHost {
  readonly locals: Record<string, unknown> = {};
  readonly requests: unknown[] = [];
  shown: Shown[] = [];
  errors = "";
  /** What happened to bars of progress; undefined where the front end has none. */
  bars: string[] | undefined;
  #ending: ((value: unknown) => void) | undefined;
  #after: ((failed: boolean) => void | Promise<void>)[] = [];

  cellName = "cell 1";
  run = "run 1";

  identity() {
    return { name: this.cellName, run: this.run, file: "In[3]" };
  }
  display(data: MimeBundle, metadata: MimeBundle = {}, named?: DisplayName): void {
    this.shown.push({ data, metadata, ...(named && { named }) });
  }
  progressBar(max: number): ProgressBar | undefined {
    if (this.bars === undefined) return undefined;
    const { bars } = this;
    return {
      view: { "application/vnd.jupyter.widget-view+json": { max } },
      step: (done, words) => void bars.push(`${done}: ${words}`),
      close: () => void bars.push("closed"),
    };
  }
  print(text: string): void {
    this.shown.push(text);
  }
  printError(text: string): void {
    this.errors += text;
  }
  after(fn: (failed: boolean) => void | Promise<void>): void {
    this.#after.push(fn);
  }
  ending(fn: (value: unknown) => void): void {
    this.#ending = fn;
  }
  request(request: unknown): void {
    this.requests.push(request);
  }
  showErrors(mode: string): void {
    this.requests.push({ showErrors: mode });
  }
  unloadModule(path: string): void {
    this.requests.push({ unloadModule: path });
  }
  definitions() {
    return [];
  }

  history() {
    return [
      { number: 1, code: "const x = 1" },
      { number: 3, code: "x + 1\nx + 2" },
    ];
  }
  capture() {
    const before = this.shown;
    this.shown = [];
    return () => {
      const kept = this.shown;
      this.shown = before;
      return {
        stdout: kept.filter((one) => typeof one === "string").join(""),
        stderr: "",
        outputs: kept.filter((one): one is Exclude<Shown, string> => typeof one !== "string"),
      };
    };
  }

  /** Runs a cell and then what was to happen after it. */
  async cell(body: () => unknown): Promise<void> {
    let failed = true;
    try {
      const value = body();
      this.#ending?.(value);
      await value;
      failed = false;
    } finally {
      for (const fn of this.#after.splice(0).reverse()) await fn(failed);
    }
  }

  /** The text of everything shown since the last call. */
  text(): string {
    const all = this.shown
      .splice(0)
      .map((one) => (typeof one === "string" ? one : `${one.data["text/plain"]}\n`));
    return all.join("").trimEnd();
  }
}

const phases = { generateMs: 1.5, lookupMs: 0.25, compileMs: 77, loadMs: 1.25, launchMs: 0.04 };
const warm = { generateMs: 0, lookupMs: 0, compileMs: 0, loadMs: 0, launchMs: 0.004 };

export const gcd = {
  key: "k1",
  op: "gcd",
  variant: "contiguous",
  dtypes: ["int64", "int64", "int64"],
  device: "cuda:0",
};
export const lerp = {
  key: "k2",
  op: "lerp",
  variant: "strided2",
  dtypes: ["bool", "float32", "float64"],
  device: "cuda:0",
};

export const copies: Copy[] = [
  { device: "cuda:0", direction: "to host", bytes: 8_000, startMs: 88, copyMs: 0.5 },
];

export const regions: Region[] = [
  {
    name: "step",
    operations: 5,
    kernels: 2,
    startMs: 70,
    phases: { planMs: 1, compileMs: 9, launchMs: 0.5 },
  },
  {
    name: "step",
    operations: 5,
    kernels: 2,
    startMs: 85,
    phases: { planMs: 0, compileMs: 0, launchMs: 0.1 },
  },
];

export const launches: Launch[] = [
  { ...gcd, origin: "compiled", startMs: 81, phases, bytes: 3000, deviceUs: 6 },
  { ...gcd, origin: "memory", startMs: 82, phases: warm, bytes: 3000, deviceUs: 4 },
  { ...lerp, origin: "disk", startMs: 84, phases: { ...phases, compileMs: 0 }, bytes: 0 },
];

const timing: KernelTiming = {
  ...gcd,
  origin: "compiled",
  generateMs: 1.5,
  lookupMs: 0.25,
  compileMs: 77,
  loadMs: 1.25,
  firstLaunchMs: 0.04,
  launches: 1000,
  launchUs: 4,
  deviceUs: 5,
};

export const timings: KernelTiming[] = [
  timing,
  { ...timing, ...lerp, origin: "disk", compileMs: 0, launches: 1, launchUs: 0 },
];

const entry: CacheEntry = {
  ...gcd,
  arch: "sm_90",
  compiler: "nvrtc 13.0",
  bytes: 23_456,
  compileMs: 77,
  createdAt: 0,
  lastUse: 0,
  host: "node7",
  pid: -1,
  hits: 12,
  hitsHere: 3,
  own: false,
  here: "compiled",
};

const explanation = {
  key: "k1",
  op: "gcd",
  variant: "contiguous",
  dtypes: ["int64", "int64", "int64"],
  layout: "contiguous",
  language: "CUDA C++",
  places: [],
  arch: "sm_90",
  cached: true,
  source:
    "// gcd\ntemplate <typename T>\n__device__ inline T op_gcd(T a, T b) {\n  return a < b ? a : b;\n}\nvoid run();\n",
  ptx: ".version 9.0\nret;\n",
  sass: "EXIT ;\n",
};

/** A library whose functions are marked by a property, with the kernels above. */
export function fakeLibrary() {
  const calls: string[] = [];
  const marked = (name: string, more: object = {}) => Object.assign(() => name, { functor: true, ...more });
  const gcdFunction = marked("gcd");
  return {
    calls,
    Tensor: class Tensor {},
    gcd: gcdFunction,
    digamma: marked("digamma"),
    ops: {
      gcd: {
        arity: 2,
        rule: "integersOnly",
        functor: "jl::gcd(a, b)",
        ulp: { float32: 0, float64: 0 },
        doc: "Greatest common divisor.",
        example: "jl.gcd(a, b)",
      },
      digamma: {
        arity: 1,
        rule: "toFloat",
        functor: "jl::digamma(a)",
        ulp: { float32: 2, float64: 2 },
        doc: "Digamma.",
        example: "jl.digamma(x)",
      },
    },
    functorOf: (fn: any) => (fn?.functor ? {} : undefined),
    isExplainable: (fn: any) => fn?.functor !== undefined,
    timings: () => timings,
    programTimings: () => [{ name: "step", operations: 5, kernels: 2, planMs: 1, compileMs: 9, runs: 2 }],
    startRecording: (options = {}) => {
      calls.push(`record ${JSON.stringify(options)}`);
      return { stop: () => ({ value: undefined, launches, copies, regions, durationMs: 90 }) };
    },
    synchronize: () => void calls.push("synchronize"),
    explain: (_fn: unknown, options: unknown) => {
      calls.push(`explain ${JSON.stringify(options)}`);
      return [explanation];
    },
    explainKey: (key: string) => (key === "k1" ? explanation : undefined),
    jit: (source: string, options: any) => marked(options.name, { source, check: () => calls.push("check") }),
    cache: {
      status: () => ({
        path: "/home/me/.cache/jitlab/kernels.db",
        mode: "disk",
        reason: "",
        kernels: 41,
        bytes: 3_456_789,
        maxBytes: 2 ** 30,
        process: {
          compiled: 3,
          disk: 2,
          remote: 0,
          memoryHits: 1234,
          compileMs: 310,
          savedMs: 154,
          remoteSavedMs: 0,
          lastMiss: {
            key: "k1",
            op: "gcd",
            dtypes: ["int64", "int64", "int64"],
            why: "no kernel of it was stored",
          },
        },
        all: { hits: 812, savedMs: 65_000 },
      }),
      why: (key: string) =>
        key === "k1" ? "the nearest stored kernel has other dtypes (int32 there, int64 here)" : "",
      list: () => [entry],
      clear: () => calls.push("clear") && 41,
      verify: () => calls.push("verify") && { checked: 41, damaged: 2 },
    },
    devices: () => [
      {
        name: "cuda:0",
        kind: "cuda",
        description: "NVIDIA H200",
        available: true,
        isDefault: true,
        reason: "",
      },
      { name: "wasm", kind: "wasm", description: "", available: false, isDefault: false, reason: "left out" },
    ],
    precompile: (entries: any[], options: any) => {
      const words = entries.map(([fn, ...dtypes]) => [fn(), ...dtypes].join(" "));
      calls.push(`precompile ${words.join(", ")} ${JSON.stringify(options)}`);
      return { compiled: entries.length - 1, cached: 1, ms: 1500 };
    },
    setPrintOptions: (options: object) => void calls.push(`setPrintOptions ${JSON.stringify(options)}`),
    setDevice: (name: string) => void calls.push(`setDevice ${name}`),
    getDevice: () => "cuda:0",
    memory: { stats: () => [], collect: () => undefined },
  };
}
