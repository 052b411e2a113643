// Kernels of users beside those of the library and of the peers: reductions, raw kernels, and functors in TypeScript beside the
// same ones in C++, in turns of a few launches each.
import { median } from "../runtime/base/units.js";
import type { Device } from "../runtime/device/device.js";
import { releaseMemory } from "../runtime/device/memory.js";
import * as jl from "../runtime/index.js";
import { sizeOn } from "./bandwidth.js";
import { rawLaunch } from "./host-cost.js";
import {
  askPeers,
  attempt,
  type Bench,
  deviceMilliseconds,
  hostMicroseconds,
  markedMilliseconds,
  progress,
  type Trial,
} from "./trial.js";

const rowLength = 4096;

/** Reductions, raw kernels and functors. */
export async function custom(bench: Bench): Promise<void> {
  const { device, trials } = bench;
  const own = [...reductions(device), ...rawKernels(device)];
  trials.push(...own, ...translatedFunctors(device));
  for (const { id } of own) {
    const [, name = ""] = id.split("/");
    await askPeers(bench, id, ["custom", name, sizeOn(device)]);
  }
}

/** Throughput over everything and over rows, and what a call costs on the host. */
function reductions(device: Device): Trial[] {
  const add = jl.reduction((a: number, b: number) => a + b, { identity: 0, name: "total" });
  const norm = jl.reduction((a: number, b: number) => a + b, {
    identity: 0,
    name: "norm",
    map: (x) => x * x,
    finish: (a) => Math.sqrt(a),
  });
  const count = 2 ** sizeOn(device);
  const x = jl.rand([count]);
  const rows = x.reshape(count / rowLength, rowLength);
  const cases: readonly (readonly [string, string, () => jl.Tensor])[] = [
    ["sum", "sum of all", () => x.sum()],
    ["reduction", "the same as a custom reduction", () => add(x)],
    ["norm", "a norm as a custom reduction", () => norm(x)],
    ["sum-rows", `sum of rows of ${rowLength}`, () => rows.sum(1)],
    ["reduction-rows", "the same as a custom reduction", () => add(rows, 1)],
  ];
  const throughputs = cases.map(([name, title, call]) =>
    attempt({ id: `custom/${name}`, title, unit: "GB/s" }, () => {
      const milliseconds = deviceMilliseconds(device, () => call().dispose());
      return (count * 4) / (milliseconds * 1e6);
    }),
  );
  const one = jl.rand([1]);
  const calls = [
    ["host-sum", "sum of one element, host", () => one.sum()],
    ["host-reduction", "a custom reduction of one element, host", () => add(one)],
  ] as const;
  const costs = calls.map(([name, title, call]) =>
    attempt({ id: `custom/${name}`, title, unit: "us" }, () => hostMicroseconds(device, call)),
  );
  releaseMemory();
  return [...throughputs, ...costs];
}

/** What a launch costs on the host beside the launch by itself. */
function rawKernels(device: Device): Trial[] {
  if (device.target.kind !== "cuda") return [];
  const [out, x, y] = [jl.zeros([1]), jl.ones([1]), jl.ones([1])];
  const text =
    "__global__ void add(float* out, const float* a, const float* b, int n) { if (threadIdx.x < n) *out = *a + *b; }";
  const add = jl.rawKernel(text, "add");
  const launch = { grid: 1, block: 128 } as const;
  return [
    attempt({ id: "custom/raw", title: "raw launch through the same FFI, host", unit: "us" }, () =>
      hostMicroseconds(device, rawLaunch(device, [out.pointer, x.pointer, y.pointer])),
    ),
    attempt({ id: "custom/raw-kernel", title: "a raw kernel's launch, host", unit: "us" }, () =>
      hostMicroseconds(device, () => add(launch, out, x, y, 1)),
    ),
  ];
}

const turns = 21;
const translations = 200;

/** Functors in both languages, with the same operations in the same order. */
const pairs: Readonly<Record<string, readonly [string, string]>> = {
  polynomial: [
    "(x) => ((2 * x - 3) * x + 0.5) * x - 1",
    "template <typename T> T f(T x) { return ((T(2) * x - T(3)) * x + T(0.5)) * x - T(1); }",
  ],
  swish: [
    "(x) => x / (1 + Math.exp(-1.5 * x))",
    "template <typename T> T f(T x) { return x / (T(1) + exp(T(-1.5) * x)); }",
  ],
  series: [
    "(x) => { let sum = 0, term = 1; for (let k = 1; k < 20; k++) { sum += term; term *= x / k; } return sum; }",
    "template <typename T> T f(T x) { T sum = 0, term = 1; for (int k = 1; k < 20; k++) { sum += term; term *= x / k; } return sum; }",
  ],
  mandelbrot: [
    "(x) => { let a = 0, b = 0, n = 0; while (n < 50 && a * a + b * b < 4) { const t = a * a - b * b + x; b = 2 * a * b + 0.3; a = t; n++; } return n; }",
    "template <typename T> T f(T x) { T a = 0, b = 0; int n = 0; while (n < 50 && a * a + b * b < T(4)) { const T t = a * a - b * b + x; b = T(2) * a * b + T(0.3); a = t; n++; } return n; }",
  ],
};

type Functor = (x: jl.Tensor) => jl.Tensor;

const functionOf = (script: string) => new Function(`return ${script}`)() as (x: number) => number;

/** Milliseconds to translate each functor; then of a launch of each, and of its C++ equivalent. */
function translatedFunctors(device: Device): Trial[] {
  const x = jl.rand([2 ** (device.target.kind === "cuda" ? 26 : 20)]);
  const names = Object.keys(pairs);
  return [...names.map(translation), ...names.flatMap((name) => speeds(name, x, device))];
}

function translation(name: string): Trial {
  const times = Array.from({ length: translations }, () => {
    const fn = functionOf(pairs[name]?.[0] ?? "");
    const began = performance.now();
    jl.jit(fn);
    return performance.now() - began;
  });
  const detail = { "the first": times[0] ?? 0 };
  return {
    id: `custom/translate-${name}`,
    title: `${name} translated`,
    unit: "ms",
    ours: median(times),
    detail,
  };
}

function speeds(name: string, x: jl.Tensor, device: Device): Trial[] {
  progress(name);
  const [script = "", text = ""] = pairs[name] ?? [];
  const functors: Functor[] = [jl.jit(functionOf(script)), jl.jit(text)];
  const launches = device.target.kind === "cuda" ? 10 : 4;
  const times = functors.map((): number[] => []);
  for (let turn = 0; turn <= turns; turn++) {
    for (const [i, functor] of functors.entries()) {
      const took = markedMilliseconds(device, () => functor(x).dispose(), launches);
      if (turn > 0) times[i]?.push(took);
    }
  }
  // The minimum, because other work of the machine only adds to it.
  const [ours, theirs] = times.map((list) => Math.min(...list)) as [number, number];
  const detail = { "of C++'s time": ours / theirs };
  return [
    { id: `custom/functor-${name}`, title: `${name} in TypeScript`, unit: "ms", ours, detail },
    { id: `custom/cpp-${name}`, title: `${name} in C++`, unit: "ms", ours: theirs },
  ];
}
