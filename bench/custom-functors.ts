// Functors in TypeScript: the cost of translating one, and its speed against the same functor in C++, in turns of a few
// launches each.
import { median } from "../runtime/base/median.js";
import type { Device } from "../runtime/device/device.js";
import * as jl from "../runtime/index.js";
import { progress, type Trial } from "./trial.js";

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
export function translatedFunctors(device: Device): Trial[] {
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
      const start = device.mark();
      for (let k = 0; k < launches; k++) functor(x).dispose();
      const end = device.mark();
      if (turn > 0) times[i]?.push(end.since(start) / launches);
      start.release();
      end.release();
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
