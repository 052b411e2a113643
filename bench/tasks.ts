// Whole computations as a user writes them: results are dropped, nothing is written into `out`, disposed of or donated. Two more
// rows show what replay and donation add. peer_tasks.py has the same for the peers. A task's figures are its first call, the
// mean of the next 50 calls (a notebook's cell), the median of later rounds, and the same while each operation is checked for NaN.
import { median } from "../runtime/base/units.js";
import * as jl from "../runtime/index.js";
import { type Bench, isChosen, messageOf, progress } from "./trial.js";

type T = jl.Tensor;
type Size = (gpu: number, processor: number) => number;
/** Makes a task's data; the result is one call. Sizes are those of a GPU or of a processor. */
export type Task = (size: Size) => () => unknown;
/** Compiles a function, or leaves it as it is. */
export type Compile = <F extends (...args: never[]) => unknown>(fn: F) => F;
/** A task whose function is compiled or not. */
export type Compilable = (size: Size, compile: Compile) => () => unknown;

const compiled =
  (make: Compilable): Task =>
  (size) =>
    make(size, jl.compile);
const separate =
  (make: Compilable): Task =>
  (size) =>
    make(size, (fn) => fn);

/** Calls a function on its own results. */
function repeated(step: (...state: T[]) => T[], start: T[]): () => unknown {
  let state = start;
  return () => {
    state = step(...state);
    return state;
  };
}

function adding(log2: number): Compilable {
  return (_, compile) => {
    const x = jl.rand([2 ** log2]);
    const add = compile((x: T) => x.add(1));
    return () => add(x);
  };
}

function laplacian(a: T): T {
  return a.roll(1, 0).add(a.roll(-1, 0)).add(a.roll(1, 1)).add(a.roll(-1, 1)).sub(a.mul(4));
}

function grayScott(u: T, v: T): T[] {
  const w = u.mul(v).mul(v);
  return [
    u.add(laplacian(u).mul(0.16)).sub(w).add(u.neg().add(1).mul(0.035)),
    v.add(laplacian(v).mul(0.08)).add(w).sub(v.mul(0.1)),
  ];
}

const diffusion: Compilable = (size, compile) => {
  const n = size(1024, 256);
  const step = compile(grayScott) as (...state: T[]) => T[];
  return repeated(step, [jl.ones([n, n]), jl.rand([n, n]).mul(0.1)]);
};

const bodies: Compilable = (size, compile) => {
  const n = size(4000, 1000);
  const mass = jl.ones([n]).div(n);
  const step = (place: T, speed: T) => {
    const away = place.unsqueeze(0).sub(place.unsqueeze(1));
    const pull = away.square().sum(-1).add(0.01).pow(-1.5).mul(mass);
    const faster = speed.add(away.mul(pull.unsqueeze(-1)).sum(1).mul(0.001));
    return [place.add(faster.mul(0.001)), faster];
  };
  return repeated(compile(step) as (...state: T[]) => T[], [jl.randn([n, 3]), jl.zeros([n, 3])]);
};

const asianOption: Compilable = (size, compile) => {
  const Z = jl.randn([size(1_000_000, 50_000), 64]);
  const price = (start: T, spread: T, rate: T) => {
    const step = 1 / 64;
    const drift = rate.sub(spread.square().mul(0.5)).mul(step);
    const path = Z.mul(spread.mul(Math.sqrt(step)))
      .add(drift)
      .cumsum(1)
      .exp();
    return rate.mul(-1).exp().mul(start.mul(path).mean(1).sub(100).relu().mean());
  };
  const greeks = compile(jl.valueAndGrad(price, { argnums: [0, 1, 2] }));
  const number = (value: number) => jl.tensor(value, { dtype: "float32" });
  return () => greeks(number(100), number(0.2), number(0.05));
};

const kMeans: Compilable = (size, compile) => {
  const points = jl.randn([size(1_000_000, 50_000), 8]);
  const step = (centers: T) => {
    const near = points.cdist(centers).argmin(1);
    const count = near.bincount({ minlength: 16 }).to("float32").add(1e-6);
    return [jl.zeros([16, 8]).indexAdd(0, near, points).div(count.unsqueeze(1))];
  };
  return repeated(compile(step) as (...state: T[]) => T[], [points.slice(":16").clone()]);
};

const logisticRegression: Compilable = (size, compile) => {
  const x = jl.randn([size(200_000, 20_000), 32]);
  const y = x.select(1, 0).gt(0).to("float32");
  const loss = (p: { w: T; b: T }) => {
    const z = x.matmul(p.w).add(p.b);
    return z.softplus().sub(z.mul(y)).mean();
  };
  const adam = jl.optim.adam({ lr: 0.01 });
  let parameters = { w: jl.zeros([32]) as T, b: jl.zeros([]) as T };
  let state = adam.init(parameters);
  const step = compile((p: typeof parameters, s: typeof state) => {
    const { grad, value } = jl.valueAndGrad(loss)(p);
    return { value, ...adam.step(p, grad, s) };
  });
  return () => {
    const made = step(parameters, state);
    parameters = made.parameters;
    state = made.state;
    return made.value;
  };
};

const sizes = [784, 256, 128, 10];

const perceptron: Compilable = (_, compile) => {
  const x = jl.rand([256, 784]) as T;
  const y = jl.randint(0, 10, [256]) as T;
  let parameters: T[] = sizes.slice(1).flatMap((wide, i) => {
    const deep = sizes[i] as number;
    return [jl.randn([deep, wide]).div(Math.sqrt(deep)), jl.zeros([wide])];
  });
  const loss = (p: T[], input: T) => {
    const layer = (h: T, i: number) => h.matmul(p[i] as T).add(p[i + 1] as T);
    return jl.crossEntropy(layer(layer(layer(input, 0).relu(), 2).relu(), 4), y);
  };
  const step = compile((p: T[], input: T) => {
    const gradient = jl.grad(loss)(p, input) as T[];
    return p.map((one, i) => one.sub((gradient[i] as T).mul(0.1)));
  });
  return () => {
    parameters = step(parameters, x);
    return parameters[0];
  };
};

function withOptions(
  make: Compilable,
  options: { readonly replay: boolean; readonly donate?: number[] },
): Task {
  return (size) => make(size, (fn) => jl.compile(fn, options));
}

const image: Compilable = (size, compile) => {
  const n = size(2048, 512);
  const picture = jl.rand([n, n]) as T;
  const kernel = (rows: number[][]) => jl.tensor(rows, { dtype: "float32" }).reshape(1, 1, 3, 3) as T;
  const smooth = kernel([
    [1, 2, 1],
    [2, 4, 2],
    [1, 2, 1],
  ]).div(16);
  const edge = kernel([
    [1, 0, -1],
    [2, 0, -2],
    [1, 0, -1],
  ]);
  const filtered = compile((picture: T) => {
    const blurred = picture.reshape(1, 1, n, n).conv2d(smooth, { padding: 1 });
    const across = blurred.conv2d(edge, { padding: 1 });
    const down = blurred.conv2d(edge.transpose(2, 3).contiguous(), { padding: 1 });
    const edges = across.square().add(down.square()).sqrt();
    return [edges, jl.fft.irfft2(jl.fft.rfft2(picture).mul(0.5), { s: [n, n] })];
  });
  return () => filtered(picture);
};

const rows: Compilable = (_, compile) => {
  const X = jl.randn([64, 4]) as T;
  const w = jl.randn([4, 5]) as T;
  const f = compile((X: T, w: T) =>
    jl.stack([...X].map((x) => x.matmul(w).softmax(0).mul(jl.arange(5)).sum())),
  );
  return () => f(X, w);
};

/** The loss of steps with one product each, by their weights. */
export function recurrentLoss(inputs: T): (W: T) => T {
  const step =
    (W: T) =>
    (h: T, x: T): [T] => [h.matmul(W).add(x).tanh() as T];
  return (W) => {
    const { carry } = jl.scan(step(W), jl.zeros([64, 32]) as T, inputs);
    return carry.square().mean();
  };
}

const recurrence: Compilable = (_, compile) => {
  const W = jl.randn([32, 32]).mul(0.1) as T;
  const gradient = compile(jl.grad(recurrentLoss(jl.randn([200, 64, 32]) as T)));
  return () => gradient(W);
};

/** The tasks, by the names of their rows. */
export const compilable = {
  "add-64k": adding(16),
  "add-1M": adding(20),
  "add-16M": adding(24),
  "gray-scott": diffusion,
  "n-body": bodies,
  "asian-option": asianOption,
  "k-means": kMeans,
  "logistic-regression": logisticRegression,
  "mlp-step": perceptron,
  image,
  rows,
  recurrence,
} satisfies Readonly<Record<string, Compilable>>;

const tasks: Readonly<Record<string, Task>> = {
  "add-64k": separate(compilable["add-64k"]),
  "add-1M": separate(compilable["add-1M"]),
  "add-16M": separate(compilable["add-16M"]),
  "gray-scott": separate(diffusion),
  "gray-scott-compiled": compiled(diffusion),
  "n-body": compiled(bodies),
  "asian-option": compiled(asianOption),
  "k-means": separate(kMeans),
  "logistic-regression": compiled(logisticRegression),
  "mlp-step": compiled(perceptron),
  "mlp-step-replayed": withOptions(perceptron, { replay: true }),
  "mlp-step-donated": withOptions(perceptron, { replay: true, donate: [0] }),
  image: separate(image),
  rows: compiled(rows),
  recurrence: compiled(recurrence),
};

const earlyCalls = 50;
const rounds = { early: earlyCalls, least: 5, most: 15, ms: 3000, oneMs: 50, calls: 100 };
const checkedRounds = { ...rounds, early: 2, least: 3, most: 5 };
const figureNames = ["first", "early", "later"] as const;
const titles = { first: "first call", early: `mean of the next ${earlyCalls}`, later: "later" };

type Figures = Readonly<Record<(typeof figureNames)[number], number>>;

/** Microseconds of a call: the first one, those soon after, and later ones. */
export function measure(call: () => unknown, wait: () => void, limits = rounds): Figures {
  const timed = (calls: number) => {
    const began = performance.now();
    for (let i = 0; i < calls; i++) call();
    wait();
    return ((performance.now() - began) / calls) * 1000;
  };
  wait();
  const first = timed(1);
  const early = timed(limits.early);
  const calls = Math.max(1, Math.min(limits.calls, Math.round((1000 * limits.oneMs) / early)));
  const later: number[] = [];
  const until = performance.now() + limits.ms;
  while (later.length < limits.least || (performance.now() < until && later.length < limits.most))
    later.push(timed(calls));
  return { first, early, later: median(later) };
}

/** Microseconds of a later call under `%config nan = stop`. */
function checked(call: () => unknown, wait: () => void): number {
  const watch = jl.watchFinite();
  try {
    return measure(call, wait, checkedRounds).later;
  } finally {
    watch.stop();
  }
}

/** Measures each task, with what checks for NaN cost, and the memory at the peak of all. */
export async function wholeTasks(bench: Bench): Promise<void> {
  const { device, isGpu, peers, trials, figures } = bench;
  await measureTasks(bench, "tasks", tasks, (name, call) => {
    const [id, title] = [`tasks/${name}/checked`, `${name}, later, checked for NaN`];
    trials.push({ id, title, unit: "us", ours: checked(call, () => device.synchronize()) });
  });
  const id = "tasks/peak";
  trials.push({ id, title: "memory at the peak", unit: "MiB", ours: peakMebibytes(isGpu, device.name) });
  for (const peer of peers) {
    const { value } = await peer.ask("tasks-peak");
    if (value !== undefined) figures.push({ peer: peer.name, id, value });
  }
}

/** Measures each task, then the same of each peer; `more` adds rows of ours. */
export async function measureTasks(
  bench: Bench,
  subject: string,
  tasks: Readonly<Record<string, Task>>,
  more?: (name: string, call: () => unknown) => void,
): Promise<void> {
  const { device, isGpu, peers, trials, figures } = bench;
  jl.manualSeed(1);
  for (const [name, task] of Object.entries(tasks)) {
    if (!isChosen(bench, name)) continue;
    progress(name);
    const trial = (figure: (typeof figureNames)[number]) => ({
      id: `${subject}/${name}/${figure}`,
      title: `${name}, ${titles[figure]}`,
      unit: "us",
    });
    try {
      const call = task((gpu, processor) => (isGpu ? gpu : processor));
      const ours = measure(call, () => device.synchronize());
      for (const figure of figureNames) trials.push({ ...trial(figure), ours: ours[figure] });
      more?.(name, call);
    } catch (error) {
      trials.push({ ...trial("later"), failure: messageOf(error) });
    }
    for (const peer of peers) {
      for (const figure of figureNames) {
        const { value, failure } = await peer.ask(subject, name, figure);
        const id = trial(figure).id;
        if (value !== undefined) figures.push({ peer: peer.name, id, value });
        else if (failure !== undefined) figures.push({ peer: peer.name, id, failure });
      }
    }
  }
}

/** Of a GPU what tensors had, else the whole process. */
function peakMebibytes(isGpu: boolean, device: string): number {
  if (!isGpu) return process.resourceUsage().maxRSS / 2 ** 10;
  const stats = jl.memory.stats().find((one) => one.device === device);
  return (stats?.peakBytes ?? 0) / 2 ** 20;
}
