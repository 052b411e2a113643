// Computations of several operations: op by op, and compiled into the fewest kernels. peer_programs.py has the same for the peers. On a
// GPU the figures are device time; on a processor they are processor time of all threads, user's and system's, the least of all
// launches: it says the same on a busy machine.
import type { Device } from "../runtime/device/device.js";
import { releaseMemory } from "../runtime/device/memory.js";
import * as jl from "../runtime/index.js";
import {
  askPeers,
  attempt,
  type Bench,
  deviceMilliseconds,
  hostMicroseconds,
  inTurns,
  isChosen,
  type Trial,
} from "./trial.js";

type T = jl.Tensor;
type Result = T | readonly Result[];
// biome-ignore lint/suspicious/noExplicitAny: bodies of any arguments stand in one table
type Body = (...args: any[]) => Result;

/** log2 of the number of elements that a program works on. */
function programSizeOn(device: Device): number {
  return device.target.kind === "cuda" ? 26 : 22;
}

const last = { keepdim: true } as const;

function softmax(x: T): T {
  const e = x.sub(x.max(-1, last)).exp();
  return e.div(e.sum(-1, last));
}

function layernorm(x: T, gain: T, bias: T): T {
  const d = x.sub(x.mean(-1, last));
  return d.mul(d.mul(d).mean(-1, last).add(1e-5).rsqrt()).mul(gain).add(bias);
}

function variance(x: T): T {
  const d = x.sub(x.mean());
  return d.mul(d).mean();
}

function squaredError(x: T, y: T): T {
  const d = x.sub(y);
  return d.mul(d).mean();
}

function adam(p: T, g: T, m: T, v: T): Result {
  const m1 = m.mul(0.9).add(g.mul(0.1));
  const v1 = v.mul(0.999).add(g.mul(0.001).mul(g));
  return [p.sub(m1.mul(1e-3).div(v1.sqrt().add(1e-8))), m1, v1];
}

function blackScholes(s: T, k: T): Result {
  const [rate, spread] = [0.02, 0.3];
  const d1 = s
    .div(k)
    .log()
    .add(rate + (spread * spread) / 2)
    .div(spread);
  const d2 = d1.sub(spread);
  const below = (d: T) => d.mul(Math.SQRT1_2).erf().add(1).mul(0.5);
  const strike = k.mul(Math.exp(-rate));
  return [
    s.mul(below(d1)).sub(strike.mul(below(d2))),
    strike.mul(below(d2.neg())).sub(s.mul(below(d1.neg()))),
  ];
}

function mandelbrot(cr: T, ci: T): T {
  let [zr, zi, inside] = [cr.mul(0), ci.mul(0), cr.mul(0)];
  for (let i = 0; i < 30; i++) {
    [zr, zi] = [zr.mul(zr).sub(zi.mul(zi)).add(cr), zr.mul(2).mul(zi).add(ci)];
    inside = inside.add(zr.mul(zr).add(zi.mul(zi)).lt(4));
  }
  return inside;
}

function halfCasts(a: T): T {
  const doubled = a.to("float16").mul(2).to("float32");
  const raised = a.to("float16").add(1).to("float32");
  return doubled.mul(raised).to("float16").to("float32");
}

function ten(x: T): T {
  let value = x;
  for (let i = 0; i < 10; i++) value = value.mul(1.01).add(0.5);
  return value;
}

/** A computation, and its arguments of `n` elements in all. */
interface Program {
  readonly name: string;
  readonly title: string;
  readonly body: Body;
  readonly args: (n: number) => readonly (T | readonly T[])[];
}

const whole = (n: number): T => jl.rand([n]);
const rows = (n: number): T => jl.rand([n / 1024, 1024]);
const places = (n: number, below: number): T => jl.randint(0, below, [n]);
const square = (n: number): T => {
  const edge = 2 ** (Math.log2(n) >> 1);
  return jl.rand([edge, n / edge]);
};
const list = (): T[] => Array.from({ length: 100 }, () => jl.rand([1000]));

/** The programs of the benchmark. */
const programs: readonly Program[] = [
  {
    name: "chain",
    title: "sin(sin(x)) * 2 + x",
    body: (x: T) => x.sin().sin().mul(2).add(x),
    args: (n) => [whole(n)],
  },
  {
    name: "cse",
    title: "sin(x) + sin(x) * cos(x) + sin(x)",
    body: (x: T) => x.sin().add(x.sin().mul(x.cos())).add(x.sin()),
    args: (n) => [whole(n)],
  },
  {
    name: "bias-gelu",
    title: "gelu(X + row) * 1.5",
    body: (x: T, row: T) => x.add(row).gelu({ approximate: "tanh" }).mul(1.5),
    args: (n) => {
      const x = square(n);
      return [x, jl.rand([x.shape[1] as number])];
    },
  },
  { name: "softmax-1024", title: "softmax of rows of 1024", body: softmax, args: (n) => [rows(n)] },
  { name: "softmax-square", title: "softmax of a square", body: softmax, args: (n) => [square(n)] },
  {
    name: "softmax-long",
    title: "softmax of 128 rows",
    body: softmax,
    args: (n) => [jl.rand([128, n / 128])],
  },
  {
    name: "layernorm",
    title: "layernorm of rows of 1024",
    body: layernorm,
    args: (n) => [rows(n), jl.rand([1024]), jl.rand([1024])],
  },
  {
    name: "rmsnorm",
    title: "rmsnorm of rows of 1024",
    body: (x: T, gain: T) => x.mul(x.mul(x).mean(-1, last).add(1e-6).rsqrt()).mul(gain),
    args: (n) => [rows(n), jl.rand([1024])],
  },
  { name: "variance", title: "variance of all", body: variance, args: (n) => [whole(n)] },
  { name: "mse", title: "mean squared error", body: squaredError, args: (n) => [whole(n), whole(n)] },
  {
    name: "adam",
    title: "an Adam step",
    body: adam,
    args: (n) => [whole(n), whole(n), jl.zeros([n]), jl.zeros([n])],
  },
  {
    name: "black-scholes",
    title: "Black-Scholes, call and put",
    body: blackScholes,
    args: (n) => [whole(n).add(0.5), whole(n).add(0.5)],
  },
  {
    name: "mandelbrot",
    title: "30 steps of Mandelbrot",
    body: mandelbrot,
    args: (n) => [whole(n), whole(n)],
  },
  { name: "half-casts", title: "half casts", body: halfCasts, args: (n) => [whole(n)] },
  {
    name: "picked-elements",
    title: "elements of a table, times 2, plus 1",
    body: (table: T, index: T) => table.take(index).mul(2).add(1),
    args: (n) => [jl.rand([2 ** 16]), places(n, 2 ** 16)],
  },
  {
    name: "picked-rows",
    title: "layernorm of chosen rows of 1024",
    body: (x: T, index: T, gain: T, bias: T) => layernorm(x.indexSelect(0, index), gain, bias),
    args: (n) => [rows(n), places(n / 1024, n / 1024), jl.rand([1024]), jl.rand([1024])],
  },
  {
    name: "add-one",
    title: "x + 1, one element, host and device",
    body: (x: T) => x.add(1),
    args: () => [jl.rand([1])],
  },
  {
    name: "ten",
    title: "10 times x * 1.01 + 0.5, one element",
    body: ten,
    args: () => [jl.rand([1])],
  },
  {
    name: "adam-100",
    title: "Adam on 100 tensors of 1000",
    body: (p: T[], g: T[], m: T[], v: T[]) => p.map((one, i) => adam(one, g[i] as T, m[i] as T, v[i] as T)),
    args: () => [list(), list(), list(), list()],
  },
];

const warmUpMs = 100;
const turns = 7;
const launchesPerTurn = 4;

/** Every compiled program, against op by op and the peers. */
export async function compiledPrograms(bench: Bench): Promise<void> {
  const { device, isGpu, trials } = bench;
  const size = programSizeOn(device);
  // torch.compile takes minutes of a processor to compile 30 steps of Mandelbrot.
  const chosen = programs.filter(({ name }) =>
    isGpu || bench.options.names.length > 0 ? isChosen(bench, name) : name !== "mandelbrot",
  );
  for (const program of chosen) {
    if (isGpu) trials.push(...onDevice(program, 2 ** size, device));
    else await onProcessor(bench, program, size);
    releaseMemory();
  }
  if (!isGpu) return;
  trials.push(...hostTrials(device));
  for (const { name } of chosen) {
    await askPeers(bench, `programs-first/${name}`, ["programs-first", name, size]);
    await askPeers(bench, `programs/${name}`, ["programs", name, size]);
  }
}

async function onProcessor(bench: Bench, { name, title, body, args }: Program, size: number): Promise<void> {
  const given = args(2 ** size);
  const best = (call: Body): number => {
    const times = Array.from({ length: launchesPerTurn }, () => {
      const before = process.cpuUsage();
      dispose(call(...given));
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1e3;
    });
    // The first launch of a turn warms up caches, threads and clocks again.
    return Math.min(...times.slice(1));
  };
  const compiled = jl.compile(body as (...values: unknown[]) => Result);
  let apart = Number.POSITIVE_INFINITY;
  const detail: Record<string, number> = {};
  const least = (times: readonly number[]) => Math.min(...times);
  await inTurns(bench, {
    trial: { id: `programs/${name}`, title, unit: "us", detail },
    turns,
    ours: () => {
      apart = Math.min(apart, best(body));
      detail["op by op"] = 1e3 * apart;
      return best(compiled);
    },
    request: ["programs-turn", name, size, launchesPerTurn],
    join: least,
    figure: (ms) => 1e3 * ms,
    ratio: "of",
  });
  for (const one of given.flat()) one.dispose();
}

/** Microseconds of device time, and seconds of the first call. */
function onDevice({ name, title, body, args }: Program, n: number, device: Device): Trial[] {
  const given = args(n);
  const compiled = jl.compile(body as (...values: unknown[]) => Result);
  const inexact = jl.compile(body as (...values: unknown[]) => Result, { exact: false });
  device.synchronize();
  let kernels = 0;
  const first = attempt({ id: `programs-first/${name}`, title: `${title}, first call`, unit: "s" }, () => {
    const began = performance.now();
    const { value, launches } = jl.record(() => compiled(...given));
    device.synchronize();
    kernels = launches.length;
    dispose(value);
    return (performance.now() - began) / 1e3;
  });
  const microseconds = (call: Body) => {
    const run = () => dispose(call(...given));
    // Programs of many small operations take as long as the host, whose code gets faster with the first calls.
    const warm = performance.now() + warmUpMs;
    while (performance.now() < warm) {
      run();
      device.synchronize();
    }
    return 1e3 * deviceMilliseconds(device, run);
  };
  const detail: Record<string, number> = { kernels };
  const warm = attempt({ id: `programs/${name}`, title, unit: "us", detail }, () => {
    detail["op by op"] = microseconds(body);
    detail["exact: false"] = microseconds(inexact);
    return microseconds(compiled);
  });
  for (const one of given.flat()) one.dispose();
  return [warm, first];
}

/** The host's cost of deferring. */
function hostTrials(device: Device): Trial[] {
  const x = jl.rand([1]);
  const one = jl.compile((a: T) => a.add(1));
  const many = jl.compile(ten as (a: T) => T);
  const calls: readonly (readonly [string, string, () => unknown])[] = [
    ["eager", "x.add(1), host only", () => x.add(1)],
    ["compiled", "compiled x.add(1), host only", () => one(x)],
    ["ten", "twenty compiled operations, host only", () => many(x)],
  ];
  return calls.map(([name, title, call]) =>
    attempt({ id: `programs/host-${name}`, title, unit: "us" }, () => hostMicroseconds(device, call)),
  );
}

/** Frees a program's results. */
function dispose(result: Result): void {
  if (result instanceof jl.Tensor) result.dispose();
  else for (const one of result) dispose(one);
}
