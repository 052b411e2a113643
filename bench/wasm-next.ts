// The process whose later kernels are measured: after one compile, ten functions are called for the first time; prints their
// times in milliseconds as one line of JSON.
import * as jl from "../runtime/index.js";

jl.setDevice("wasm");
const x = jl.ones([2 ** 16]);
const y = jl.ones([2 ** 16]);
x.add(y);
const calls = { mul: jl.mul, sub: jl.sub, div: jl.div, maximum: jl.maximum, hypot: jl.hypot };
const unary = { neg: jl.neg, sqrt: jl.sqrt, exp: jl.exp, tanh: jl.tanh, erf: jl.erf };
const times: Record<string, number> = {};
const clock = (name: string, call: () => unknown): void => {
  const began = performance.now();
  call();
  times[name] = performance.now() - began;
};
for (const [name, call] of Object.entries(calls)) clock(name, () => call(x, y));
for (const [name, call] of Object.entries(unary)) clock(name, () => call(x));
console.log(JSON.stringify(times));
