// Writes V8's data for the library's bundles: with the functions for rendering, loading and launching, and for compiling
// programs, which the first calls would compile otherwise. Takes the folder of the built library.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [, self, folder, stored] = process.argv;
const library = (path) => import(pathToFileURL(resolve(folder, path)).href);
const cache = stored ?? mkdtempSync(join(tmpdir(), "jitlab-build-"));
process.env.JITLAB_CACHE_DIR = cache;
process.env.JITLAB_REMOTE_CACHE = "";

const jl = await library("index.js");
// Maps, rows in registers, reductions in passes, and equal groups of a list.
const last = { dim: -1, keepdim: true };
const programs = [
  (x) => x.mul(2).add(x.exp()).relu(),
  (x) => {
    const e = x.sub(x.max(last)).exp();
    return e.div(e.sum(last));
  },
  (x) => x.sub(1).pow(2).mean(),
  (x) => [x, x.mul(2), x.add(1)].map((one) => one.mul_(0.9).div(one.add(2).sqrt())),
];
const hasProcessor = jl.devices().some(({ name, available }) => name === "cpu" && available);
if (hasProcessor) launch();
if (stored === undefined) {
  // Most first calls find their kernel on disk, as does this process now.
  execFileSync(process.execPath, [self, folder, cache], { stdio: "inherit" });
  rmSync(cache, { recursive: true, force: true });
} else {
  for (const device of hasProcessor ? ["cuda", "cpu"] : ["cuda"]) {
    for (const op of [jl.add, jl.digamma, jl.sum])
      for (const kernel of jl.explain(op, { device })) void kernel.source;
  }
  if (hasProcessor) await renderPrograms();
  const { writeCompiledCode } = await library("base/compiled-code.js");
  writeCompiledCode();
}

/** Calls operations and programs on the processor. */
function launch() {
  jl.setDevice("cpu");
  const x = jl.tensor([1, 2]);
  const f = jl.jit("float f(float a, float b) { return a * b; }");
  String(x.add(x).add_(1).digamma().sum().item());
  f(x, x).toArray();
  for (const program of programs) {
    const compiled = jl.compile(program);
    for (let call = 0; call < 2; call++) compiled(jl.ones([4, 8]));
  }
  train();
}

/** Steps of training: as they are, compiled, and replayed. */
function train() {
  const images = jl.rand([2, 3, 8, 8]);
  const labels = jl.randint(0, 4, [2]);
  const sgd = jl.optim.sgd({ lr: 0.1, momentum: 0.9 });
  const loss = ({ kernel, weight, bias }, x, y) => {
    const features = jl.conv2d(x, kernel, { padding: 1 }).relu().mean([2, 3]);
    return jl.crossEntropy(features.matmul(weight).add(bias), y);
  };
  const model = {
    kernel: jl.randn([4, 3, 3, 3]),
    weight: jl.randn([4, 4]).div(2),
    bias: jl.zeros([4]),
  };
  const step = (parameters, state, x, y) => {
    const { value, grad } = jl.valueAndGrad(loss)(parameters, x, y);
    return { value, ...sgd.step(parameters, grad, state) };
  };
  for (const one of [step, jl.compile(step), jl.compile(step, { replay: true })]) {
    let parameters = model;
    let state = sgd.init(model);
    for (let call = 0; call < 3; call++) {
      const result = one(parameters, state, images, labels);
      ({ parameters, state } = result);
      result.value.item();
    }
  }
}

/** Renders the kernels of programs for a GPU, which need neither it nor a compiler. */
async function renderPrograms() {
  const [{ Collector }, { cudaTarget }, { defaultDevice }, { sendTo }] = await Promise.all(
    ["program/schedule/collect.js", "device/cuda/nvrtc.js", "launch/devices.js", "launch/sink.js"].map(
      library,
    ),
  );
  const x = jl.ones([4, 8]);
  const collector = new Collector();
  Object.defineProperty(defaultDevice(), "target", { value: cudaTarget("sm_90") });
  sendTo(collector);
  for (const program of programs) jl.compile(program)(x);
  sendTo(undefined);
  collector.requests();
}
