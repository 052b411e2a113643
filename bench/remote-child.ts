// A machine of `npm run bench:remote`: `remote-child.js COUNT [FIRST]` obtains kernels that nothing but the compiler or the shared
// cache has, and prints where each came from and what it cost, as JSON.
import * as jl from "../runtime/index.js";

const [, , count = "1", first = "0"] = process.argv;
// Without a kernel, so that the first one has a process's first wait.
const x = jl.tensor([1, 2, 3, 4], { device: "cpu" });
for (let i = 0; i < Number(count); i++) {
  jl.jit(`float scaled(float a) { return a * ${Number(first) + i + 1}.0f; }`)(x);
}
const costs = new Map(jl.cache.list().map((entry) => [entry.key, entry.compileMs]));
const kernels = jl.timings().filter(({ op }) => op === "scaled");
console.log(
  JSON.stringify(
    kernels.map(({ key, origin, lookupMs, compileMs }) => ({
      origin,
      ms: lookupMs + compileMs,
      compilerMs: costs.get(key) ?? Number.NaN,
    })),
  ),
);
