// Steps of training as a user writes them, and again with replay and donation, beside the peers' best: a residual network, a block of a
// transformer, and the convolutions and the attention that they are made of. peer_training.py has the same for the peers.
import * as jl from "../runtime/index.js";
import { residualLoss, residualModel } from "./compiled-cost.js";
import { measureTasks, type Task } from "./tasks.js";
import type { Bench } from "./trial.js";

type T = jl.Tensor;
type Dtype = "float32" | "bfloat16" | "float16";
/** How the function of a step is called. */
type Form = <F extends (...args: never[]) => unknown>(step: F) => F;

const forms: Readonly<Record<string, Form>> = {
  "-eager": (step) => step,
  "": (step) => jl.compile(step),
  "-donated": (step) => jl.compile(step, { replay: true, donate: [0, 1] }),
};

/** A step of descent with momentum under each form; halves go by autocast. */
function trained<P>(
  name: string,
  loss: (model: P, ...data: T[]) => T,
  make: (size: (gpu: number, processor: number) => number) => { readonly model: P; readonly data: T[] },
): [string, Task][] {
  return (["float32", "bfloat16"] as const).flatMap((dtype) =>
    Object.entries(forms).map(([suffix, form]): [string, Task] => [
      `${name}${dtype === "float32" ? "" : `-${dtype}`}${suffix}`,
      (size) => {
        const { model, data } = make(size);
        const sgd = jl.optim.sgd({ lr: 0.01, momentum: 0.9 });
        const cast = dtype === "float32" ? loss : jl.autocast(dtype, loss);
        const step = form((m: P, state: jl.optim.SgdState<P>, ...given: T[]) => {
          const { value, grad } = jl.valueAndGrad(cast)(m, ...given);
          return { value, ...sgd.step(m, grad, state) };
        });
        let [parameters, state] = [model, sgd.init(model)];
        return () => {
          const made = step(parameters, state, ...data);
          parameters = made.parameters;
          state = made.state;
          return made.value;
        };
      },
    ]),
  );
}

function residual(width: number, batch: number): [string, Task][] {
  return trained(`resnet-${width}`, residualLoss, (size) => ({
    model: residualModel(width),
    data: [jl.randn([size(batch, 8), 3, 32, 32]), jl.randint(0, 10, [size(batch, 8)])],
  }));
}

const heads = 8;

/** A block with its norms ahead of attention and of two layers. */
function transformed(m: ReturnType<typeof blockModel>, x: T): T {
  const [batch, length, deep] = x.shape as [number, number, number];
  const normed = jl.layerNorm(x, [deep], m.norm1);
  const parts = normed.matmul(m.qkv).reshape(batch, length, 3, heads, deep / heads);
  const [q, k, v] = parts.permute([2, 0, 3, 1, 4]).unbind(0) as [T, T, T];
  const seen = jl.scaledDotProductAttention(q, k, v, { isCausal: true });
  const h = x.add(seen.transpose(1, 2).reshape(batch, length, deep).matmul(m.out));
  const inner = jl.layerNorm(h, [deep], m.norm2).matmul(m.up).add(m.bias).gelu();
  return h.add(inner.matmul(m.down)).square().mean();
}

function blockModel(deep: number) {
  const norm = () => ({ weight: jl.ones([deep]), bias: jl.zeros([deep]) });
  return {
    norm1: norm(),
    qkv: jl.xavierNormal([deep, 3 * deep]),
    out: jl.xavierNormal([deep, deep]),
    norm2: norm(),
    up: jl.xavierNormal([deep, 4 * deep]),
    bias: jl.zeros([4 * deep]),
    down: jl.xavierNormal([4 * deep, deep]),
  };
}

const block = trained("transformer", transformed, (size) => ({
  model: blockModel(512),
  data: [jl.randn([size(16, 1), size(512, 64), 512])],
}));

/** A convolution of windows of 3 x 3, and its gradients. */
function convolutions(dtype: Dtype, batch: number, channels: number, side: number): [string, Task][] {
  const data = (size: (gpu: number, processor: number) => number): [T, T] => [
    jl.randn([size(batch, 2), channels, side, side]).to(dtype),
    jl.randn([channels, channels, 3, 3]).mul(0.05).to(dtype),
  ];
  const forward = (x: T, w: T) => jl.conv2d(x, w, { padding: 1 });
  const gradients = jl.grad((x: T, w: T) => forward(x, w).sum(), { argnums: [0, 1] });
  return ([forward, gradients] as const).map((f, i): [string, Task] => [
    `conv-${batch}x${channels}x${side}-${dtype}${i === 0 ? "" : "-gradients"}`,
    (size) => {
      const given = data(size);
      const call = jl.compile(f as (x: T, w: T) => T | T[], { replay: true });
      return () => call(...given);
    },
  ]);
}

function attention(dtype: Dtype): [string, Task] {
  return [
    `attention-${dtype}`,
    (size) => {
      const [batch, length] = [size(8, 1), size(512, 64)];
      const make = () => jl.randn([batch, 16, length, 64]).to(dtype) as T;
      const [q, k, v, cotangent] = [make(), make(), make(), make()];
      const f = (q: T, k: T, v: T) => jl.scaledDotProductAttention(q, k, v, { isCausal: true });
      return () => jl.vjp(f, q, k, v).pull(cotangent);
    },
  ];
}

const dtypes: readonly Dtype[] = ["float32", "bfloat16", "float16"];
const steps: Readonly<Record<string, Task>> = Object.fromEntries([
  ...residual(16, 128),
  ...residual(64, 256),
  ...block,
  ...dtypes.flatMap((dtype) => [
    ...convolutions(dtype, 64, 64, 56),
    ...convolutions(dtype, 128, 16, 32),
    ...convolutions(dtype, 32, 256, 14),
  ]),
  ...dtypes.map(attention),
]);

/** Measures each step, then the same of each peer. */
export function trainingSteps(bench: Bench): Promise<void> {
  return measureTasks(bench, "training", steps);
}
