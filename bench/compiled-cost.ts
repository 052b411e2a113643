// Compiled functions over the same ones as separate calls, in turns: a compiled function that is not replayed runs the function too, and
// should not cost more. The processor time of the process is counted, so that other work on the machine matters less.
import { median } from "../runtime/base/units.js";
import * as jl from "../runtime/index.js";
import { type Compilable, type Compile, compilable } from "./tasks.js";
import { attempt, type Bench, isChosen, progress } from "./trial.js";

type T = jl.Tensor;

/** The parameters of a residual network of 20 layers on pictures of 32 x 32. */
export function residualModel(width: number) {
  const conv = (from: number, to: number, window = 3) =>
    jl.kaimingNormal([to, from, window, window], { nonlinearity: "relu" });
  const norm = (channels: number) => ({ weight: jl.ones([channels]), bias: jl.zeros([channels]) });
  const widths = [1, 1, 1, 2, 2, 2, 4, 4, 4].map((times) => times * width);
  return {
    stem: conv(3, width),
    norm: norm(width),
    blocks: widths.map((to, i) => {
      const from = i === 0 ? width : (widths[i - 1] as number);
      const first = { conv1: conv(from, to), norm1: norm(to), conv2: conv(to, to), norm2: norm(to) };
      return { ...first, shortcut: from === to ? undefined : conv(from, to, 1) };
    }),
    out: jl.xavierNormal([4 * width, 10]),
  };
}

/** Its loss. */
export function residualLoss(m: ReturnType<typeof residualModel>, x: T, labels: T): T {
  const normed = (h: T, options: { readonly weight: T; readonly bias: T }) =>
    jl.batchNorm(h, undefined, { ...options, training: true }).output;
  let h = normed(jl.conv2d(x, m.stem, { padding: 1 }), m.norm).relu();
  for (const { conv1, norm1, conv2, norm2, shortcut } of m.blocks) {
    const stride = shortcut ? 2 : 1;
    const inner = normed(jl.conv2d(h, conv1, { padding: 1, stride }), norm1).relu();
    const outer = normed(jl.conv2d(inner, conv2, { padding: 1 }), norm2);
    h = outer.add(shortcut ? jl.conv2d(h, shortcut, { stride }) : h).relu();
  }
  return jl.crossEntropy(h.mean([2, 3]).matmul(m.out), labels);
}

/** A step of its descent with momentum. */
const resnet: Compilable = (size, compile) => {
  const batch = size(128, 8);
  const data: [T, T] = [jl.randn([batch, 3, 32, 32]), jl.randint(0, 10, [batch])];
  return stepOf(residualModel(16), residualLoss, data, compile);
};

/** A network of two layers, whose kernels are small. */
const perceptron: Compilable = (_, compile) => {
  const model = {
    w: [jl.xavierNormal([8, 16]), jl.xavierNormal([16, 4])],
    b: [jl.zeros([16]), jl.zeros([4])],
  };
  const loss = ({ w: [w, v], b: [b, c] }: typeof model, x: T, labels: T) => {
    const hidden = x
      .matmul(w as T)
      .add(b as T)
      .tanh();
    return jl.crossEntropy(hidden.matmul(v as T).add(c as T), labels);
  };
  return stepOf(model, loss, [jl.randn([16, 8]), jl.randint(0, 4, [16])], compile);
};

function stepOf<P>(
  model: P,
  loss: (model: P, x: T, labels: T) => T,
  data: [T, T],
  compile: Compile,
): () => unknown {
  const sgd = jl.optim.sgd({ lr: 0.01, momentum: 0.9 });
  const state = sgd.init(model);
  const step = compile((m: P, state: jl.optim.SgdState<P>, x: T, labels: T) => {
    const { value, grad } = jl.valueAndGrad(loss)(m, x, labels);
    return { value, ...sgd.step(m, grad, state) };
  });
  return () => step(model, state, ...data);
}

const compared: Readonly<Record<string, Compilable>> = { resnet, perceptron, ...compilable };
const ways: Readonly<Record<string, Compile>> = {
  eager: (fn) => fn,
  compiled: (fn) => jl.compile(fn),
  replayed: (fn) => jl.compile(fn, { replay: true }),
};
const warmUp = 40;
const turns = 15;
const oneTurnMs = 100;

/** For each task the processor time when compiled over that of separate calls, and of a replayed one. */
export async function compiledOverEager(bench: Bench): Promise<void> {
  const { device, isGpu, trials } = bench;
  for (const [name, make] of Object.entries(compared)) {
    if (!isChosen(bench, `${name}-compiled`)) continue;
    progress(`${name}, compiled over eager`);
    const detail: Record<string, number> = {};
    const title = `${name}, compiled over eager, processor time`;
    const trial = attempt({ id: `tasks/${name}-compiled/over-eager`, title, unit: "ratio", detail }, () => {
      const times = Object.entries(ways).map(([way, compile]) => {
        const run = make((gpu, processor) => (isGpu ? gpu : processor), compile);
        return { way, run, calls: callsOf(run), ms: [] as number[] };
      });
      for (let turn = 0; turn < turns; turn++)
        for (const { run, calls, ms } of times) ms.push(processorMs(run, calls, () => device.synchronize()));
      for (const { way, ms } of times) detail[`${way} ms`] = median(ms);
      return (detail["compiled ms"] as number) / (detail["eager ms"] as number);
    });
    trials.push(trial);
  }
}

/** How many calls take a turn's time, after a warm-up. */
function callsOf(run: () => unknown): number {
  for (let i = 0; i < warmUp; i++) run();
  const began = performance.now();
  run();
  return Math.max(1, Math.round(oneTurnMs / (performance.now() - began)));
}

function processorMs(run: () => unknown, calls: number, wait: () => void): number {
  wait();
  const before = process.cpuUsage();
  for (let i = 0; i < calls; i++) run();
  wait();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / calls;
}
