// Loops, batches and derivatives beside JAX and PyTorch: peer_loops.py has the same over the same numbers. Each has its first call,
// the median of later ones, and its result, which is compared with that of each peer.
import * as jl from "../runtime/index.js";
import { measure, recurrentLoss } from "./tasks.js";
import { type Bench, isChosen, messageOf, progress } from "./trial.js";

type T = jl.Tensor;
/** Makes the data; the result is one call. Sizes are those of a GPU or of a processor. */
type Make = (size: (gpu: number, processor: number) => number) => () => T;

/** Those of jl.compile. */
interface Options {
  readonly replay?: boolean;
}

interface Loop {
  readonly make: Make;
  /** How far the result of a peer may be away, as a part of ours. */
  readonly tolerance: number;
}

/** Numbers of [-0.5, 0.5) in float32, equal in all libraries. */
function noise(...shape: number[]): T {
  const count = shape.reduce((a, b) => a * b, 1);
  const numbers = Float32Array.from({ length: count }, (_, i) => ((i * 7919) % 1013) / 1013 - 0.5);
  return jl.tensor(numbers).reshape(...shape);
}

const asianOption =
  (options: Options): Make =>
  (size) => {
    const start = jl.full([size(1_000_000, 20_000)], 100) as T;
    const path = jl.jit(`template <typename T> T meanPrice(T price) {
    const T drift = T(0.03 / 252), deviation = T(0.2 / 15.874507866387544);
    T sum = 0;
    for (int day = 0; day < 252; ++day) {
      price *= exp(drift + deviation * normal());
      sum += price;
    }
    return sum / 252;
  }`);
    const price = jl.compile((start: T) => path(start).sub(100).relu().mean().mul(Math.exp(-0.05)), options);
    return () => price(start);
  };

const lorenz: Make = (size) => {
  const start = [0, 1, 2].map((k) => noise(3, size(4096, 512)).select(0, k).contiguous().add(1));
  const steps = size(10_000, 2000);
  const step = ([x, y, z]: T[]): [T[]] => {
    const [p, q, r] = [x, y, z] as [T, T, T];
    return [
      [
        p.add(q.sub(p).mul(0.01)),
        q.add(p.mul(r.neg().add(28)).sub(q).mul(0.001)),
        r.add(
          p
            .mul(q)
            .sub(r.mul(8 / 3))
            .mul(0.001),
        ),
      ],
    ];
  };
  const run = jl.compile((...state: T[]) => jl.scan(step, state, { length: steps }).carry);
  return () => run(...start)[2] as T;
};

const metropolis: Make = (size) => {
  const start = jl.zeros([1000]) as T;
  const steps = size(10_000, 1000);
  const step = ([x, sum]: T[]): [T[]] => {
    const [place, squares] = [x, sum] as [T, T];
    const proposed = place.add(jl.randn([1000]));
    const isTaken = jl.rand([1000]).log().lt(place.square().sub(proposed.square()).mul(0.5));
    const next = isTaken.where(proposed, place);
    return [[next, squares.add(next.square())]];
  };
  const run = jl.compile((start: T) => jl.scan(step, [start, start], { length: steps }).carry[1] as T);
  return () => run(start).mean().div(steps);
};

const powerIteration: Make = (size) => {
  const n = size(1024, 256);
  const half = noise(n, n);
  const matrix = half.add(half.T).add(jl.full([n, n], 0.1)) as T;
  const start = jl.ones([n]).div(Math.sqrt(n)) as T;
  const value = (x: number) => jl.tensor(x, { dtype: "float32" }) as T;
  const run = jl.compile(
    (matrix: T, v: T) =>
      jl.whileLoop(
        ([, now, before]: T[]) =>
          (now as T)
            .sub(before as T)
            .abs()
            .gt((now as T).abs().mul(1e-6)),
        ([v, now]: T[]) => {
          const product = matrix.matmul(v as T);
          const length = product.square().sum().sqrt();
          return [product.div(length), length, now as T];
        },
        [v, value(1), value(0)],
        { most: 1000 },
      ).carry[1] as T,
  );
  return () => run(matrix, start);
};

const counting: Make = () => {
  const start = jl.tensor(0, { dtype: "float32" }) as T;
  const body = (x: T) => x.add(1) as T;
  const run = jl.compile(
    (start: T) => jl.whileLoop((x: T) => x.lt(10_000), body, start, { most: 20_000 }).carry,
  );
  return () => run(start);
};

const hessian =
  (options: Options): Make =>
  () => {
    const x = noise(200).add(1) as T;
    const rosenbrock = (x: T) => {
      const [here, next] = [x.narrow(0, 0, 199), x.narrow(0, 1, 199)];
      return next.sub(here.square()).square().mul(100).add(here.neg().add(1).square()).sum();
    };
    const run = jl.compile(jl.hessian(rosenbrock), options);
    return () => run(x) as T;
  };

const widths = [784, 256, 128, 10];

const sampleGradients =
  (options: Options): Make =>
  (size) => {
    const count = size(256, 32);
    const x = noise(count, 784).add(0.5) as T;
    const y = jl.arange(count).remainder(10) as T;
    const parameters = widths.slice(1).flatMap((wide, i) => {
      const deep = widths[i] as number;
      return [noise(deep, wide).mul(2 / Math.sqrt(deep)), jl.zeros([wide]) as T];
    });
    const loss = (p: T[], x: T, y: T) => {
      const layer = (h: T, i: number) => h.matmul(p[i] as T).add(p[i + 1] as T);
      const scores = layer(layer(layer(x, 0).relu(), 2).relu(), 4);
      return jl.crossEntropy(scores.unsqueeze(0), y.unsqueeze(0));
    };
    const run = jl.compile(jl.vmap(jl.grad(loss), { inDims: [null, 0, 0] }), options);
    return () => (run(parameters, x, y) as T[])[0] as T;
  };

const recurrence: Make = () => {
  const W = noise(32, 32).mul(0.3) as T;
  const run = jl.compile(jl.grad(recurrentLoss(noise(200, 64, 32))));
  return () => run(W) as T;
};

const loops: Readonly<Record<string, Loop>> = {
  "asian-option": { make: asianOption({}), tolerance: 0.05 },
  "asian-option-replayed": { make: asianOption({ replay: true }), tolerance: 0.05 },
  lorenz: { make: lorenz, tolerance: 0.01 },
  metropolis: { make: metropolis, tolerance: 0.02 },
  "power-iteration": { make: powerIteration, tolerance: 1e-4 },
  "while-10000": { make: counting, tolerance: 0 },
  hessian: { make: hessian({}), tolerance: 1e-4 },
  "hessian-replayed": { make: hessian({ replay: true }), tolerance: 1e-4 },
  "sample-gradients": { make: sampleGradients({}), tolerance: 1e-3 },
  "sample-gradients-replayed": { make: sampleGradients({ replay: true }), tolerance: 1e-3 },
  recurrence: { make: recurrence, tolerance: 1e-3 },
};

const limits = { early: 3, least: 5, most: 15, ms: 3000, oneMs: 50, calls: 100 };
const timeNames = ["first", "later"] as const;
const titles = { first: "first call", later: "later" };

/** Measures each loop, then the same of each peer, and compares the results. */
export async function wholeLoops(bench: Bench): Promise<void> {
  const { device, isGpu, peers, trials, figures } = bench;
  jl.manualSeed(1);
  for (const [name, { make, tolerance }] of Object.entries(loops)) {
    if (!isChosen(bench, name)) continue;
    progress(name);
    const trial = (figure: (typeof timeNames)[number]) => ({
      id: `loops/${name}/${figure}`,
      title: `${name}, ${titles[figure]}`,
      unit: "us",
    });
    const result = { id: `loops/${name}/result`, title: `${name}, result`, unit: "rms" };
    let ours: number | undefined;
    try {
      const call = make((gpu, processor) => (isGpu ? gpu : processor));
      const times = measure(call, () => device.synchronize(), limits);
      for (const figure of timeNames) trials.push({ ...trial(figure), ours: times[figure] });
      ours = call().to("float64").square().mean().sqrt().item() as number;
      trials.push({ ...result, ours });
    } catch (error) {
      trials.push({ ...trial("later"), failure: messageOf(error) });
    }
    for (const peer of peers) {
      for (const figure of timeNames) {
        const { value, failure } = await peer.ask("loops", name, figure);
        const id = trial(figure).id;
        if (value !== undefined) figures.push({ peer: peer.name, id, value });
        else if (failure !== undefined) figures.push({ peer: peer.name, id, failure });
      }
      const { value } = await peer.ask("loops", name, "result");
      if (value === undefined) continue;
      const { id } = result;
      figures.push({ peer: peer.name, id, value });
      if (ours !== undefined && !(Math.abs(value - ours) <= tolerance * Math.abs(ours)))
        figures.push({ peer: peer.name, id, failure: `${value} is not our result, ${ours}` });
    }
  }
}
