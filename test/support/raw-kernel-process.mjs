// Calls raw kernels, whose texts are its argument, over the libcuda of fake-cuda.c, which writes down the launches; prints
// refusals as JSON.
import * as jl from "../../dist/runtime/index.js";

const { histogram, parameters, stencil, together, transpose } = JSON.parse(process.argv[2]);

const said = {};
const refuse = (name, action) => {
  try {
    action();
    said[name] = "nothing was thrown";
  } catch (error) {
    said[name] = `${error.code}: ${error.message}`;
  }
};

const cuda = { device: "cuda" };
const x = jl.empty([48, 64], cuda);
const y = jl.empty([64, 48], cuda);
const flip = jl.rawKernel(transpose, "transpose", { templates: ["float", 32] });
flip({ grid: [2, 2], block: [32, 8] }, x, y, 48, 64);
const count = jl.rawKernel(histogram, "histogram");
const bytes = jl.empty([1000], { dtype: "uint8", ...cuda });
const counts = jl.empty([256], { dtype: "int32", ...cuda });
count({ grid: 4, block: 256, shared: 1024 }, bytes, counts, 1000n, 256);
count({ elements: 1000, block: 128, shared: 100_000 }, bytes, counts, 1000, 256);
count({ elements: 0 }, bytes, counts, 0, 256);
const blur = jl.rawKernel(stencil, "stencil");
blur.setConstant("weights", new Float32Array(9).fill(1 / 9));
blur({ grid: [3, 3, 1], block: [16, 16, 1] }, jl.empty([48, 48], cuda), jl.empty([48, 48], cuda), 48, 48);
const all = jl.rawKernel(together, "together");
const one = jl.empty([1], { dtype: "int32", ...cuda });
all({ grid: 8, block: 32, cooperative: true }, one, one, counts);
const every = jl.rawKernel(parameters, "shapes::parameters");
const point = new DataView(new ArrayBuffer(16));
point.setFloat64(0, 1.5, true);
point.setInt32(8, -7, true);
point.setInt8(14, 3);
const doubles = jl.empty([10], { dtype: "float64", ...cuda });
const shorts = jl.empty([2], { dtype: "int16", ...cuda });
const good = [true, doubles, -1, point, 65535, 0.5, -(2n ** 63n), shorts, 2 ** 32 - 1];
every({ grid: 1, block: 1 }, ...good);
every({ grid: 1, block: 1 }, false, null, 1, point, 1, 1, 1, null, 1);
const recording = jl.record(() => flip({ grid: [2, 2], block: [32, 8] }, x, y, 48, 64));
said.recorded = recording.launches.map(({ op, variant, dtypes, bytes }) => ({ op, variant, dtypes, bytes }));
said.timings = jl
  .timings()
  .filter(({ op }) => op === "transpose")
  .map(({ origin, launches }) => ({ origin, launches }));
said.compiled = jl.compile((a) => {
  const b = a.add(1);
  flip({ grid: [2, 2], block: [32, 8] }, b, y, 48, 64);
  return y.mul(2);
})(x).shape;
said.resources = flip.resources({ threads: 256 });

const fine = { grid: [2, 2], block: [32, 8] };
refuse("few arguments", () => flip(fine, x, y, 48));
refuse("no tensor", () => flip(fine, 3, y, 48, 64));
refuse("an array", () => flip(fine, [1], y, 48, 64));
refuse("other dtype", () => flip(fine, x.to("float64"), y, 48, 64));
refuse("host tensor", () => flip(fine, jl.empty([48, 64], { device: "cpu" }), y, 48, 64));
refuse("both on the host", () =>
  flip(fine, jl.empty([4], { device: "cpu" }), jl.empty([4], { device: "cpu" }), 2, 2),
);
refuse("two GPUs", () => flip(fine, x, jl.empty([64, 48], { device: "cuda:1" }), 48, 64));
refuse("strided", () => flip(fine, x.T, y, 48, 64));
refuse("strided output", () => flip(fine, x, y.T, 48, 64));
refuse("fraction", () => flip(fine, x, y, 48.5, 64));
refuse("boolean for int", () => flip(fine, x, y, true, 64));
refuse("too large", () => flip(fine, x, y, 2 ** 31, 64));
refuse("negative size", () => count({ grid: 1, block: 32 }, bytes, counts, -1, 256));
refuse("beyond 64 bits", () => count({ grid: 1, block: 32 }, bytes, counts, 2n ** 64n, 256));
refuse("number for bool", () => every({ grid: 1, block: 1 }, ...good.with(0, 1)));
refuse("float too large", () => every({ grid: 1, block: 1 }, ...good.with(5, 1e39)));
refuse("struct too small", () => every({ grid: 1, block: 1 }, ...good.with(3, new Uint8Array(12))));
refuse("struct a number", () => every({ grid: 1, block: 1 }, ...good.with(3, 5)));
refuse("no launch", () => flip(x, y, 48, 64));
refuse("no block", () => flip({ grid: 1 }, x, y, 48, 64));
refuse("grid of zero", () => flip({ grid: [2, 0], block: 32 }, x, y, 48, 64));
refuse("grid too tall", () => flip({ grid: [1, 65536], block: 32 }, x, y, 48, 64));
refuse("block too deep", () => flip({ grid: 1, block: [1, 1, 65] }, x, y, 48, 64));
refuse("block of too many", () => flip({ grid: 1, block: [64, 32] }, x, y, 48, 64));
refuse("more than the kernel takes", () => flip({ grid: 1, block: [32, 16] }, x, y, 48, 64));
refuse("fraction of a block", () => flip({ grid: 1, block: 1.5 }, x, y, 48, 64));
refuse("misspelt", () => flip({ gird: 1, block: 32 }, x, y, 48, 64));
refuse("grid and elements", () => flip({ grid: 1, elements: 32 }, x, y, 48, 64));
refuse("negative elements", () => flip({ elements: -1 }, x, y, 48, 64));
refuse("shared", () => count({ grid: 1, block: 32, shared: -1 }, bytes, counts, 1, 256));
refuse("too much shared", () => count({ grid: 1, block: 32, shared: 300_000 }, bytes, counts, 1, 256));
refuse("too many at once", () => all({ grid: 500, block: 1024, cooperative: true }, one, one, counts));
refuse("unknown constant", () => blur.setConstant("nowhere", new Float32Array(9)));
refuse("constant of another size", () => blur.setConstant("weights", new Float32Array(8)));
refuse("constant of no array", () => blur.setConstant("weights", [1]));
console.log(JSON.stringify(said));
