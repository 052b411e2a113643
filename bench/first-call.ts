// The cost of a function's first call, each in a separate process: with an empty cache, then from disk. This file is also the
// measured process: `first-call.js DEVICE NAME` prints the result's first element, then one line of JSON.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { median } from "../runtime/base/units.js";
import * as jl from "../runtime/index.js";
import { getDevice } from "../runtime/launch/devices.js";
import { axpy } from "./bandwidth.js";
import { type Finished, Peer, type PeerName, runProgram } from "./peer.js";
import { type Bench, progress, type Trial } from "./trial.js";

/** The functions, by their names in peers.py. */
const firstCalls = [
  { name: "gcd", title: "gcd, int64" },
  { name: "digamma", title: "digamma" },
  { name: "zeta", title: "zeta" },
  { name: "functor", title: "a custom functor" },
] as const;

/** The peers whose caches can be configured. */
const peersWithCaches: readonly PeerName[] = ["torch", "cupy", "jax"];

/** What the measured process prints of a call, in milliseconds. */
interface FirstCall {
  readonly total: number;
  readonly origin: string;
  readonly generateMs: number;
  readonly lookupMs: number;
  readonly compileMs: number;
  readonly loadMs: number;
  readonly firstLaunchMs: number;
}

const self = fileURLToPath(import.meta.url);
const runsPerCall = 3;

/** First calls, the time from a process's start to a printed result, and the device memory apart from tensors. */
export async function firstCall(bench: Bench): Promise<void> {
  const { device, isGpu, trials } = bench;
  const folder = mkdtempSync(join(tmpdir(), "jitlab-bench-"));
  const runs = (name: string, cache: string): Promise<Finished> => {
    const settings = { JITLAB_CACHE_DIR: join(folder, cache) };
    return runProgram(process.execPath, [self, device.name, name], settings);
  };
  try {
    let start = Number.NaN;
    for (const { name, title } of firstCalls) {
      progress(`first call of ${title}`);
      const cold: Finished[] = [];
      for (let i = 0; i < runsPerCall; i++) cold.push(await runs(name, i === 0 ? name : `${name}-${i}`));
      trials.push(trialOf(cold, `first/${name}-cold`, `${title}, nothing cached`, "compiled"));
      const warm: Finished[] = [];
      for (let i = 0; i < runsPerCall; i++) warm.push(await runs(name, name));
      trials.push(trialOf(warm, `first/${name}-disk`, `${title}, from disk`, "disk"));
      if (name === "gcd") start = median(warm.map((run) => run.firstLineSeconds));
    }
    trials.push({
      id: "first/start",
      title: "process start to the first gcd printed, from disk",
      unit: "s",
      ours: start,
    });
    if (!isGpu) return;
    trials.push(memoryTrial(await runs("memory", "gcd")));
    for (const { name } of bench.peers) {
      if (peersWithCaches.includes(name)) await peerFirstCalls(bench, name, folder);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The same of a peer: a process for each call, first with an empty cache folder, then with the folder that it filled. */
async function peerFirstCalls({ figures, device }: Bench, peer: PeerName, folder: string): Promise<void> {
  const once = async (request: string, cache: string) => {
    mkdirSync(cache, { recursive: true });
    const began = performance.now();
    const other = new Peer(peer, device.target.kind, cacheSettings(cache));
    const answer = await other.ask(...request.split(" "));
    other.end();
    return { ...answer, seconds: (performance.now() - began) / 1e3 };
  };
  for (const { name } of firstCalls) {
    for (const state of ["cold", "disk"] as const) {
      progress(`${peer}: first call of ${name}, ${state}`);
      const answers: Awaited<ReturnType<typeof once>>[] = [];
      for (let i = 0; i < runsPerCall; i++) {
        answers.push(await once(`first ${name}`, join(folder, `${peer}-${name}-${i}`)));
      }
      const id = `first/${name}-${state}`;
      const values = answers.flatMap(({ value }) => (value === undefined ? [] : [value]));
      const failure = answers.find((answer) => answer.failure !== undefined)?.failure;
      if (values.length > 0) figures.push({ peer, id, value: median(values) });
      else if (failure !== undefined) figures.push({ peer, id, failure });
      if (name === "gcd" && state === "disk" && values.length > 0) {
        figures.push({ peer, id: "first/start", value: median(answers.map(({ seconds }) => seconds)) });
      }
    }
  }
  if (peer === "jax") return; // its memory is one pool, allocated at the start
  const { value, failure } = await once("memory", join(folder, `${peer}-gcd-0`));
  figures.push({ peer, id: "first/memory", value, ...(failure === undefined ? {} : { failure }) });
}

function cacheSettings(cache: string): Record<string, string> {
  return {
    PYTORCH_KERNEL_CACHE_PATH: cache,
    CUPY_CACHE_DIR: cache,
    CUDA_CACHE_PATH: cache,
    TORCHINDUCTOR_CACHE_DIR: cache,
    TRITON_CACHE_DIR: cache,
    JAX_COMPILATION_CACHE_DIR: cache,
    XLA_PYTHON_CLIENT_PREALLOCATE: "false",
  };
}

/** The median of some runs, with the phases of the median run; all of them must have got their kernel from one origin. */
function trialOf(runs: readonly Finished[], id: string, title: string, origin: string): Trial {
  const trial = { id, title, unit: "ms" };
  const failure = runs.find((run) => run.failure !== "")?.failure;
  if (failure !== undefined) return { ...trial, failure };
  const calls = runs.map((run) => JSON.parse(run.lines.at(-1) ?? "{}") as FirstCall);
  const strange = calls.find((call) => call.origin !== origin);
  if (strange) return { ...trial, failure: `the kernel was ${strange.origin}, not ${origin}` };
  const typical = calls.sort((a, b) => a.total - b.total)[calls.length >> 1];
  if (!typical) return { ...trial, failure: "no run" };
  const { total, generateMs, lookupMs, compileMs, loadMs, firstLaunchMs } = typical;
  const detail = {
    generate: generateMs,
    lookup: lookupMs,
    compile: compileMs,
    load: loadMs,
    launch: firstLaunchMs,
  };
  return { ...trial, ours: total, detail };
}

function memoryTrial(run: Finished): Trial {
  const trial = { id: "first/memory", title: "device memory above the bare context", unit: "MiB" };
  if (run.failure !== "") return { ...trial, failure: run.failure };
  return { ...trial, ours: (JSON.parse(run.lines.at(-1) ?? "{}") as { aboveBare: number }).aboveBare };
}

const count = 2 ** 16;

/** Measures one call in this process. The context and the arguments are there before the clock starts. */
function measureHere(deviceName: string, name: string): void {
  const device = getDevice(deviceName);
  jl.setDevice(deviceName);
  const bare = device.memory().free;
  const floats = Float32Array.from({ length: count }, (_, i) => 1.5 + i / count);
  const integers = BigInt64Array.from({ length: count }, (_, i) => BigInt(i + 1) * 12_345_678n);
  const [x, y] = [jl.tensor(floats), jl.tensor(floats)];
  const [m, n] = [jl.tensor(integers), jl.tensor(integers.toReversed())];
  const functor = jl.jit(axpy);
  const calls: Readonly<Record<string, () => jl.Tensor>> = {
    gcd: () => m.gcd(n),
    digamma: () => x.digamma(),
    zeta: () => x.zeta(y),
    functor: () => functor(x, y),
  };
  device.synchronize();
  if (name === "memory") {
    for (const call of Object.values(calls)) call();
    device.synchronize();
    const pooled = jl.memory.stats().find((stats) => stats.device === device.name);
    const tensors = (pooled?.liveBytes ?? 0) + (pooled?.cachedBytes ?? 0);
    console.log(JSON.stringify({ aboveBare: (bare - device.memory().free - tensors) / 2 ** 20 }));
    return;
  }
  const call = calls[name];
  if (!call) throw new Error(`There is no call ${name}; there are ${Object.keys(calls).join(", ")}.`);
  const began = performance.now();
  const result = call();
  device.synchronize();
  const total = performance.now() - began;
  console.log(String(result.at(0).item()));
  const kernel = jl.timings()[0];
  if (!kernel) throw new Error(`${name} launched no kernel.`);
  const { origin, generateMs, lookupMs, compileMs, loadMs, firstLaunchMs } = kernel;
  console.log(JSON.stringify({ total, origin, generateMs, lookupMs, compileMs, loadMs, firstLaunchMs }));
}

if (process.argv[1] === self) measureHere(process.argv[2] ?? "cpu", process.argv[3] ?? "gcd");
