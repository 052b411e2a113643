// `npm run bench:script`: what translating a function costs, and translated functors beside the same ones in C++, in turns of a
// launch each so that whatever else the machine does falls on both alike. JITLAB_DEVICE names the device.
import * as jl from "../runtime/index.js";
import { median } from "./trial.js";

const turns = 41;
const elements = 2 ** 20;

type Functor = (x: jl.Tensor) => jl.Tensor;

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

for (const [name, [script]] of Object.entries(pairs)) {
  const times = Array.from({ length: 200 }, () => {
    const fn = new Function(`return ${script}`)() as (x: number) => number;
    const began = performance.now();
    jl.jit(fn);
    return performance.now() - began;
  });
  console.log(
    `${name}: translated in ${median(times.slice(1)).toFixed(3)} ms, the first time in ${(times[0] ?? 0).toFixed(1)} ms`,
  );
}

const x = jl.rand([elements]);
for (const [name, [script, text]] of Object.entries(pairs)) {
  const functors: Functor[] = [
    jl.jit(new Function(`return ${script}`)() as (x: number) => number),
    jl.jit(text),
  ];
  const times = functors.map((): number[] => []);
  for (let turn = 0; turn < turns; turn++) {
    for (const [i, functor] of functors.entries()) {
      const began = performance.now();
      functor(x).dispose();
      jl.synchronize();
      if (turn > 0) times[i]?.push(performance.now() - began);
    }
  }
  const [ours, theirs] = times.map(median) as [number, number];
  console.log(
    `${name}: ${ours.toFixed(3)} ms, in C++ ${theirs.toFixed(3)} ms, ratio ${(ours / theirs).toFixed(2)}`,
  );
}
