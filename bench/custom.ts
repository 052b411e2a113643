// `npm run bench:custom`: what users write beside what the library has, and beside the peers: reductions, raw kernels, and functors
// in TypeScript beside the same ones in C++. JITLAB_DEVICE names the device.
import { fileURLToPath } from "node:url";
import { releaseMemory } from "../runtime/device/memory.js";
import * as jl from "../runtime/index.js";
import { getDevice } from "../runtime/launch/devices.js";
import { sizeOn } from "./bandwidth.js";
import { translatedFunctors } from "./custom-functors.js";
import { describeMachine } from "./machine.js";
import { installedPeers, measurePeers } from "./peers.js";
import { rawLaunch } from "./raw-launch.js";
import { formatRun, writeRun } from "./report.js";
import { attempt, deviceMilliseconds, hostMicroseconds, progress, type Trial } from "./trial.js";

const rowLength = 4096;
const results = fileURLToPath(new URL("../../bench/results", import.meta.url));

const device = getDevice();
const { kind } = device.target;
const peers = await installedPeers(device);
const measured = Object.fromEntries(
  Object.entries(peers).filter(([name]) => ["cupy", "torch", "numpy"].includes(name)),
);
const figures = await measurePeers(Object.keys(measured), ["custom"], device);
const trials = [...reductions(), ...rawKernels(), ...translatedFunctors(device)];
const machine = describeMachine(device);
const run = { subject: `custom-${kind}`, machine, peers: measured, trials, figures } as const;
process.stdout.write(formatRun(run));
progress(`written to ${writeRun(run, results)}`);

/** Throughput over everything and over rows, and what a call costs on the host. */
function reductions(): Trial[] {
  const add = jl.reduction((a: number, b: number) => a + b, { identity: 0, name: "total" });
  const norm = jl.reduction((a: number, b: number) => a + b, {
    identity: 0,
    name: "norm",
    map: (x) => x * x,
    finish: (a) => Math.sqrt(a),
  });
  const count = 2 ** sizeOn(device);
  const x = jl.rand([count]);
  const rows = x.reshape(count / rowLength, rowLength);
  const cases: readonly (readonly [string, string, () => jl.Tensor])[] = [
    ["sum", "sum of all", () => x.sum()],
    ["reduction", "the same as a custom reduction", () => add(x)],
    ["norm", "a norm as a custom reduction", () => norm(x)],
    ["sum-rows", `sum of rows of ${rowLength}`, () => rows.sum(1)],
    ["reduction-rows", "the same as a custom reduction", () => add(rows, 1)],
  ];
  const throughputs = cases.map(([name, title, call]) =>
    attempt({ id: `custom/${name}`, title, unit: "GB/s" }, () => {
      const milliseconds = deviceMilliseconds(device, () => call().dispose());
      return (count * 4) / (milliseconds * 1e6);
    }),
  );
  const one = jl.rand([1]);
  const calls = [
    ["host-sum", "sum of one element, host", () => one.sum()],
    ["host-reduction", "a custom reduction of one element, host", () => add(one)],
  ] as const;
  const costs = calls.map(([name, title, call]) =>
    attempt({ id: `custom/${name}`, title, unit: "us" }, () => hostMicroseconds(device, call)),
  );
  releaseMemory();
  return [...throughputs, ...costs];
}

/** What a launch costs on the host beside the launch by itself. */
function rawKernels(): Trial[] {
  if (kind !== "cuda") return [];
  const [out, x, y] = [jl.zeros([1]), jl.ones([1]), jl.ones([1])];
  const text =
    "__global__ void add(float* out, const float* a, const float* b, int n) { if (threadIdx.x < n) *out = *a + *b; }";
  const add = jl.rawKernel(text, "add");
  const launch = { grid: 1, block: 128 } as const;
  return [
    attempt({ id: "custom/raw", title: "raw launch through the same FFI, host", unit: "us" }, () =>
      hostMicroseconds(device, rawLaunch(device, [out.pointer, x.pointer, y.pointer])),
    ),
    attempt({ id: "custom/raw-kernel", title: "a raw kernel's launch, host", unit: "us" }, () =>
      hostMicroseconds(device, () => add(launch, out, x, y, 1)),
    ),
  ];
}
