// The process whose first call is measured: `first-call-child.js DEVICE NAME` prints the result's first element, then one
// line of JSON. The context and the arguments are there before the clock starts; the name `memory` runs every function.

import * as jl from "../runtime/index.js";
import { getDevice } from "../runtime/launch/devices.js";
import { axpy } from "./functors.js";

const [, , deviceName = "cpu", name = "gcd"] = process.argv;
const count = 2 ** 16;
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
if (name === "memory") reportMemory();
else reportCall(name);

function reportCall(called: string): void {
  const call = calls[called];
  if (!call) throw new Error(`There is no call ${called}; there are ${Object.keys(calls).join(", ")}.`);
  const began = performance.now();
  const result = call();
  device.synchronize();
  const total = performance.now() - began;
  console.log(String(result.at(0).item()));
  const kernel = jl.timings()[0];
  if (!kernel) throw new Error(`${called} launched no kernel.`);
  const { origin, generateMs, lookupMs, compileMs, loadMs, firstLaunchMs } = kernel;
  const phases = { generateMs, lookupMs, compileMs, loadMs, firstLaunchMs };
  console.log(JSON.stringify({ total, origin, ...phases }));
}

function reportMemory(): void {
  for (const call of Object.values(calls)) call();
  device.synchronize();
  const pooled = jl.memory.stats().find((stats) => stats.device === device.name);
  const tensors = (pooled?.liveBytes ?? 0) + (pooled?.cachedBytes ?? 0);
  console.log(JSON.stringify({ aboveBare: (bare - device.memory().free - tensors) / 2 ** 20 }));
}
