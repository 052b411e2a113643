// What test/device/sanitizer.test.ts runs under compute-sanitizer: kernels with shared memory, of users and of compiled rows, over sizes
// that fill blocks and that do not. With "wild" as its argument, an access that the sanitizer must find.
import * as jl from "../../dist/runtime/index.js";
import * as reductions from "./custom-reductions.js";
import { histogram, stencil, together, transpose, wild } from "./raw-kernels.js";
import { rowPrograms } from "./row-programs.js";

const cuda = { device: "cuda" } as const;
jl.setDevice("cuda");

function rawKernels(): void {
  const flip = jl.rawKernel(transpose, "transpose", { templates: ["float", 32] });
  for (const [rows, columns] of [
    [1, 1],
    [33, 70],
    [256, 128],
  ] as const) {
    const [x, y] = [jl.rand([rows, columns]), jl.empty([columns, rows])];
    flip({ grid: [Math.ceil(columns / 32), Math.ceil(rows / 32)], block: [32, 8] }, x, y, rows, columns);
  }
  const count = jl.rawKernel(histogram, "histogram");
  const bytes = jl.tensor(new Uint8Array(10_007).fill(7), cuda);
  for (const shared of [1024, 100_000]) {
    count({ grid: 5, block: 256, shared }, bytes, jl.zeros([256], { dtype: "int32" }), bytes.size, 256);
  }
  const blur = jl.rawKernel(stencil, "stencil");
  blur.setConstant("weights", new Float32Array(9).fill(1 / 9));
  blur({ grid: [3, 4], block: [16, 16] }, jl.rand([50, 37]), jl.empty([50, 37]), 50, 37);
  const counter = () => jl.zeros([1], { dtype: "int32" });
  const out = jl.zeros([16], { dtype: "int32" });
  jl.rawKernel(together, "together")({ grid: 16, block: 32, cooperative: true }, counter(), counter(), out);
}

function customReductions(): void {
  const { lastArgmax, bitOr, ...others } = reductions;
  for (const shape of [[1], [1000], [100_003], [300, 70], [70, 3000]]) {
    const x = jl.rand(shape);
    for (const dim of shape.length === 1 ? [0] : [0, 1]) {
      for (const reduce of [jl.sum, ...Object.values(others)]) reduce(x, dim);
      lastArgmax(x, dim);
      bitOr(x.mul(1000).to("int32"), dim);
    }
  }
}

function rows(): void {
  for (const body of Object.values(rowPrograms)) {
    const compiled = jl.compile(body);
    for (const length of [3, 70, 1024, 1030, 8192]) {
      for (const late of [0, 1]) {
        const x = jl.rand([13 * length + late]).narrow(0, late, 13 * length);
        compiled(x.reshape(13, length), jl.rand([length]), jl.rand([length]));
      }
    }
  }
}

const { launches } = jl.record(() => {
  if (process.argv[2] === "wild") jl.rawKernel(wild, "wild")({ grid: 1, block: 32 }, jl.ones([4]), 8n);
  else for (const part of [rawKernels, customReductions, rows]) part();
});
jl.synchronize();
console.log(`${launches.length} launches of ${new Set(launches.map(({ key }) => key)).size} kernels`);
