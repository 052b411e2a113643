// The host's cost of one call: tensors of one element with queued launches, so that only the call is measured; and the cost of the
// import.
import { existsSync, readFileSync } from "node:fs";
import type { Runtime } from "node:inspector";
import { Session } from "node:inspector/promises";
import { SourceMap } from "node:module";
import { fileURLToPath } from "node:url";
import { median } from "../runtime/base/units.js";
import { openShared } from "../runtime/device/cpu/libc.js";
import { driver, type Out } from "../runtime/device/cuda/driver.js";
import type { Device } from "../runtime/device/device.js";
import { ffi } from "../runtime/device/ffi.js";
import type { DeviceKind } from "../runtime/device/kinds.js";
import * as jl from "../runtime/index.js";
import { fetchCode } from "../runtime/launch/obtain.js";
import { axpy } from "./bandwidth.js";
import { runProgram } from "./peer.js";
import { askPeers, attempt, type Bench, hostMicroseconds, progress, type Trial } from "./trial.js";

const imports = 21;
const library = new URL("../runtime/index.js", import.meta.url).href;
// Turns with and without a recording, the calls of each, and the turns before those that count.
const recordingTurns = 300;
const callsPerTurn = 2000;
const warmUpTurns = 60;

/** The raw launch, and calls of the library, each with its stages; then the same calls of the peers. */
export async function hostCost(bench: Bench): Promise<void> {
  const { device, trials } = bench;
  const x = jl.tensor([1]);
  const y = jl.tensor([2]);
  const out = jl.tensor([0]);
  const f = jl.jit(axpy);
  const calls: readonly (readonly [string, string, () => unknown])[] = [
    ["add", "x.add(y)", () => x.add(y)],
    ["add-out", "x.add(y, { out })", () => x.add(y, { out })],
    ["add-scalar", "x.add(1)", () => x.add(1)],
    ["jit", "a jit function f(x, y)", () => f(x, y)],
    ["digamma", "x.digamma()", () => x.digamma()],
    ["sum", "x.sum()", () => x.sum()],
  ];
  const raw = attempt({ id: "host/raw", title: "raw launch through the same FFI", unit: "us" }, () =>
    hostMicroseconds(device, rawLaunch(device, [out.pointer, x.pointer, y.pointer])),
  );
  trials.push(raw);
  for (const [name, title, call] of calls) {
    const trial = attempt({ id: `host/${name}`, title: `${title}, one element`, unit: "us" }, () =>
      hostMicroseconds(device, call),
    );
    trials.push(trial.ours === undefined ? trial : { ...trial, detail: await stagesOf(call, trial.ours) });
  }
  trials.push(
    ...compiledTrials(device, x),
    adamTrial(device),
    graphTrial(device, x, y),
    recordingCost(device),
  );
  for (const [name] of calls) await askPeers(bench, `host/${name}`, ["host", name]);
}

/** Compiled functions against their separate operations; the difference between one and ten is the cost of deferring. */
function compiledTrials(device: Device, x: jl.Tensor): Trial[] {
  const chain = (operations: number) => () => {
    let y = x;
    for (let i = 0; i < operations; i++) y = y.add(0.5);
    return y;
  };
  return [1, 10, 20].map((operations) => {
    const compiled = jl.compile(chain(operations));
    const replayed = jl.compile(chain(operations), { replay: true });
    const title = `a compiled function of ${operations} additions, one element`;
    const detail = {
      separate: hostMicroseconds(device, chain(operations)),
      replayed: hostMicroseconds(device, replayed),
    };
    const trial = { id: `host/compiled-${operations}`, title, unit: "us", detail } as const;
    return attempt(trial, () => hostMicroseconds(device, compiled));
  });
}

/** One step of Adam on a hundred tensors of a thousand elements, until it is done. */
function adamTrial(device: Device): Trial {
  const states = Array.from({ length: 100 }, () => [1, 2, 3, 4].map(() => jl.rand([1000])));
  const step = () => {
    for (const [p, g, m, v] of states as [jl.Tensor, jl.Tensor, jl.Tensor, jl.Tensor][]) {
      m.mul_(0.9).add_(g.mul(0.1));
      v.mul_(0.999).add_(g.mul(g).mul(0.001));
      p.sub_(m.mul(0.01).div(v.sqrt().add(1e-8)));
    }
  };
  const until = (run: () => unknown) =>
    hostMicroseconds(
      device,
      () => {
        run();
        device.synchronize();
      },
      20,
    );
  const title = "100 Adam steps of 1000 elements, compiled, until they are done";
  const detail = { replayed: until(jl.compile(step, { replay: true })) };
  return attempt({ id: "host/adam-100", title, unit: "us", detail }, () => until(jl.compile(step)));
}

const graphed = 100;

function graphTrial(device: Device, x: jl.Tensor, y: jl.Tensor): Trial {
  return attempt({ id: "host/graph", title: `one of ${graphed} ops in a replayed graph`, unit: "us" }, () => {
    const step = jl.graph(() => {
      for (let i = 0; i < graphed; i++) x.add_(y);
    });
    // Replays outrun the device, so that what counts is the time until it is done.
    const replays = 50;
    const microseconds = hostMicroseconds(
      device,
      () => {
        for (let i = 0; i < replays; i++) step();
        device.synchronize();
      },
      20,
    );
    step.dispose();
    return microseconds / replays / graphed;
  });
}

async function stagesOf(call: () => unknown, microseconds: number): Promise<Record<string, number>> {
  progress("  its stages");
  const shares = await stageShares(call);
  return Object.fromEntries(Object.entries(shares).map(([stage, share]) => [stage, share * microseconds]));
}

const earlyStep = fileURLToPath(new URL("early-step.js", import.meta.url));

/** The calls of a training step in a new process: V8 has not optimized the library's functions yet. */
export async function earlyCalls({ device, trials }: Bench): Promise<void> {
  const trial = { id: "host/early", title: "an eager training step, calls 3 to 200", unit: "us" } as const;
  progress(trial.title);
  // The first process compiles the kernels.
  await runProgram(process.execPath, [earlyStep, device.name, "3"]);
  const { lines, failure } = await runProgram(process.execPath, [earlyStep, device.name]);
  if (failure !== "") {
    trials.push({ ...trial, failure });
    return;
  }
  const times = JSON.parse(lines.at(-1) as string) as number[];
  const mean = (from: number, to: number) =>
    times.slice(from, to).reduce((sum, one) => sum + one, 0) / (to - from);
  const detail = { first: times[0] as number, second: times[1] as number, later: mean(800, 1000) };
  trials.push({ ...trial, ours: mean(2, 200), detail });
}

/** Microseconds that `jl.record` adds to one launch; the median over turns, each beside one without. */
function recordingCost(device: Device): Trial {
  const x = jl.tensor([1]);
  const y = jl.tensor([2]);
  const out = jl.tensor([0]);
  const call = () => jl.add(x, y, { out });
  const bare: number[] = [];
  const recorded: number[] = [];
  // The cost of ending the recording per launch, which no launch waits for.
  const stopped: number[] = [];
  const microseconds = (recording: boolean): number => {
    device.synchronize();
    const open = recording ? jl.startRecording() : undefined;
    const began = performance.now();
    for (let i = 0; i < callsPerTurn; i++) call();
    const ms = performance.now() - began;
    if (open) {
      open.stop();
      stopped.push(((performance.now() - began - ms) * 1000) / callsPerTurn);
    }
    return (ms * 1000) / callsPerTurn;
  };
  const trial = attempt(
    { id: "host/recording", title: "time that a recording adds to a launch", unit: "us" },
    () => {
      for (let turn = 0; turn < warmUpTurns + recordingTurns; turn++) {
        const [first, second] = [microseconds(turn % 2 === 0), microseconds(turn % 2 !== 0)];
        if (turn < warmUpTurns) continue;
        recorded.push(turn % 2 === 0 ? first : second);
        bare.push(turn % 2 === 0 ? second : first);
      }
      return median(recorded.map((value, i) => value - (bare[i] ?? Number.NaN)));
    },
  );
  const detail = {
    "without a recording": median(bare),
    "with one": median(recorded),
    "at its end": median(stopped),
  };
  return { ...trial, detail };
}

/** The import in fresh processes, in milliseconds of wall clock and of processor. */
export async function importTime({ trials }: Bench): Promise<void> {
  trials.push(await importTrial());
}

async function importTrial(): Promise<Trial> {
  const title = 'import "jitlab", in a fresh process';
  progress(title);
  const code = `const cpu = process.cpuUsage(), began = process.hrtime.bigint();
await import(${JSON.stringify(library)});
const { user, system } = process.cpuUsage(cpu);
console.log(JSON.stringify([Number(process.hrtime.bigint() - began) / 1e6, (user + system) / 1e3]));`;
  const walls: number[] = [];
  const processors: number[] = [];
  for (let i = 0; i < imports; i++) {
    const { lines, failure } = await runProgram(process.execPath, ["--input-type=module", "-e", code]);
    if (failure !== "") return { id: "import", title, unit: "ms", failure };
    const [wall = Number.NaN, processor = Number.NaN] = JSON.parse(lines[0] ?? "[]") as number[];
    walls.push(wall);
    processors.push(processor);
  }
  return { id: "import", title, unit: "ms", ours: median(walls), detail: { processor: median(processors) } };
}

const symbol = "raw_add";
const defaultStream = 0;
// cuda.h: markers in the list that `extra` points at.
const [bufferPointer, bufferSize, end] = [1, 2, 0];

/** A call that launches an addition of one float32 at three addresses: the sum's and the operands'. */
export function rawLaunch(device: Device, addresses: readonly [number, number, number]): () => void {
  const make = makers[device.target.kind];
  if (!make) throw new Error(`There is no raw launch for ${device.name}.`);
  return make(device, addresses);
}

type Maker = (device: Device, addresses: readonly number[]) => () => void;

const makers: Partial<Record<DeviceKind, Maker>> = { cuda: cudaLaunch, cpu: cpuLaunch };

function cudaLaunch(device: Device, addresses: readonly number[]): () => void {
  const source = `extern "C" __global__ void ${symbol}(float* out, const float* a, const float* b) { *out = *a + *b; }`;
  const cuda = driver();
  const module: Out = [0];
  const fn: Out = [0];
  expectSuccess(cuda.cuModuleLoadData(module, compiled(device, source)));
  expectSuccess(cuda.cuModuleGetFunction(fn, module[0], symbol));
  // Three arguments, their size, and the list that points at both.
  const address = Number(ffi().alloc("uint64_t", 9));
  const bytes = addresses.length * 8;
  const list = [bufferPointer, address, bufferSize, address + bytes, end];
  new BigUint64Array(ffi().view(address, 9 * 8)).set([...addresses, bytes, ...list].map(BigInt));
  const extra = address + bytes + 8;
  const kernel = fn[0];
  const launch = () => cuda.cuLaunchKernel(kernel, 1, 1, 1, 128, 1, 1, 0, defaultStream, 0, extra);
  expectSuccess(launch());
  return launch;
}

function expectSuccess(result: number): void {
  if (result !== 0) throw new Error(`The driver refused the raw launch with error ${result}.`);
}

function cpuLaunch(device: Device, addresses: readonly number[]): () => void {
  const source = `extern "C" void ${symbol}(float** args, long long, long long) { *args[0] = *args[1] + *args[2]; }`;
  const type = ffi().proto("void", ["uintptr_t", "int64_t", "int64_t"]);
  const fn = ffi().decode(openShared(compiled(device, source)).address(symbol), type);
  const block = device.createBlock(addresses.length * 8);
  block.i64.set(addresses.map(BigInt));
  const { address } = block;
  return () => fn(address, 0, 1);
}

function compiled(device: Device, source: string): Uint8Array {
  const { target } = device;
  return fetchCode({ source, symbol, op: symbol, variant: "bench", dtypes: [], target }).binary;
}

// The first pattern that fits "source function" decides. Functions without a file are native: those are the FFI's.
const stages: readonly (readonly [string, RegExp])[] = [
  ["garbage collection", /^ \(garbage collector\)$/],
  ["other", /^ \(/],
  ["FFI", /^ /],
  ["allocation", /(tensor|memory|storage|size-class|garbage)\.ts |makeOutput/],
  ["iterator", /(loop-nest|layout|layout-class)\.ts |nestOf/],
  ["checks", /(operand|overlap)\.ts |deviceOf/],
  ["arguments", /(\/kernel|argument-writers)\.ts |reduce-launch\.ts write/],
  [
    "lookup",
    /(dispatch|reduce|reduce-launch|reduce-passes|reduce-spec|kernel-tables|loaded-kernel|sink|operations|jit|functor|timings|recorder|graph|op-form)\.ts /,
  ],
  ["FFI", /\/device\//],
  ["other", /./],
];

const profiledMs = 1000;
const samplingUs = 100;

/** The share of each stage in the time of a call, largest first. */
async function stageShares(call: () => unknown): Promise<Record<string, number>> {
  const session = new Session();
  session.connect();
  try {
    await session.post("Profiler.enable");
    await session.post("Profiler.setSamplingInterval", { interval: samplingUs });
    await session.post("Profiler.start");
    repeat(call);
    const { profile } = await session.post("Profiler.stop");
    const hits = new Map<string, number>();
    for (const { callFrame, hitCount = 0 } of profile.nodes) {
      if (callFrame.url === import.meta.url || callFrame.functionName === "(idle)") continue;
      const where = `${sourceOf(callFrame)} ${callFrame.functionName || "native"}`;
      const stage = stages.find(([, pattern]) => pattern.test(where))?.[0] ?? "other";
      hits.set(stage, (hits.get(stage) ?? 0) + hitCount);
    }
    const total = [...hits.values()].reduce((sum, count) => sum + count, 0);
    const shares = [...hits].map(([stage, count]): [string, number] => [stage, count / total]);
    return Object.fromEntries(shares.sort((a, b) => b[1] - a[1]));
  } finally {
    session.disconnect();
  }
}

const maps = new Map<string, SourceMap | undefined>();

/** The source file of a function; the library's are bundled. Empty for a native function. */
function sourceOf({ url, lineNumber, columnNumber }: Runtime.CallFrame): string {
  if (!maps.has(url)) maps.set(url, url.startsWith("file:") ? mapBeside(fileURLToPath(url)) : undefined);
  const entry = maps.get(url)?.findEntry(lineNumber, columnNumber);
  return entry && "originalSource" in entry ? entry.originalSource : url;
}

function mapBeside(path: string): SourceMap | undefined {
  const map = `${path}.map`;
  return existsSync(map) ? new SourceMap(JSON.parse(readFileSync(map, "utf8"))) : undefined;
}

function repeat(call: () => unknown): void {
  const until = performance.now() + profiledMs;
  while (performance.now() < until) {
    for (let i = 0; i < 1000; i++) call();
  }
}
