// Runs twelve functors twice, and prints what they gave or the error, how many kernels were compiled, and how many are
// stored, as one line of JSON.
import * as jl from "../../dist/runtime/index.js";

const functors = Array.from({ length: 12 }, (_, n) =>
  jl.jit(`template <typename T> T f(T x) { return x + T(${n}); }`),
);
const said = { results: [] };
try {
  const x = jl.ones([1], { device: "cpu" });
  for (const add of [...functors, ...functors]) said.results.push(add(x).item());
} catch (error) {
  said.error = { name: error.name, code: error.code, message: error.message };
}
// Devices' own code is stored with the kernels.
const kernels = jl.cache.list().filter(({ variant }) => variant !== "helper").length;
const { process: here } = jl.cache.status();
console.log(JSON.stringify({ ...said, kernels, compiled: here.compiled }));
