// `npm run bench:nvrtc`: the processor's time that NVRTC takes for the kernels of each program, which is most of its first
// call on a GPU. Needs NVRTC and no GPU; the least of a few turns, so that it can be compared on a busy machine.
import { fileURLToPath } from "node:url";
import { Command } from "commander";
import { createCompiler, cudaTarget } from "../runtime/device/cuda/nvrtc.js";
import type { Compiler } from "../runtime/device/device.js";
import * as jl from "../runtime/index.js";
import { defaultDevice } from "../runtime/launch/devices.js";
import { effectiveFlags, type KernelRequest } from "../runtime/launch/obtain.js";
import { sendTo } from "../runtime/launch/sink.js";
import { Collector } from "../runtime/program/collector.js";
import { describeMachine } from "./machine.js";
import { type Program, programs } from "./programs.js";
import { formatRun, writeRun } from "./report.js";
import { progress, type Trial } from "./trial.js";

const elements = 2 ** 22;
const empty = 'extern "C" __global__ void empty() {}';

const results = fileURLToPath(new URL("../../bench/results", import.meta.url));
const program = new Command("bench:nvrtc")
  .description("Measures NVRTC's time for the kernels of each program.")
  .option("--arch <name>", "the architecture", "sm_90")
  .option("--turns <count>", "how often each text is compiled", Number, 7)
  .option("--out <folder>", "where to write the result", results);

program.action(async ({ arch, turns, out }: { arch: string; turns: number; out: string }) => {
  jl.setDevice("cpu");
  const target = cudaTarget(arch);
  const compiler = createCompiler(target.compiler);
  const least = async (source: string, flags: readonly string[]) => {
    let ms = Number.POSITIVE_INFINITY;
    for (let turn = 0; turn < turns; turn++) ms = Math.min(ms, await processorMs(compiler, source, flags));
    return ms;
  };
  const floor = await least(empty, target.flags);
  const trials: Trial[] = [{ id: "nvrtc/empty", title: "an empty kernel", unit: "ms", ours: floor }];
  for (const one of programs) {
    const { name, title } = one;
    progress(`NVRTC: ${title}`);
    const times: number[] = [];
    for (const request of requestsOn(arch, one))
      times.push(await least(request.source, effectiveFlags(request)));
    const detail = { kernels: times.length, together: times.reduce((sum, ms) => sum + ms, 0) };
    trials.push({ id: `nvrtc/${name}`, title, unit: "ms", ours: Math.max(...times), detail });
  }
  const run = { subject: "nvrtc" as const, machine: describeMachine(), peers: {}, trials, figures: [] };
  process.stdout.write(formatRun(run));
  writeRun(run, out);
});
await program.parseAsync();

async function processorMs(compiler: Compiler, source: string, flags: readonly string[]): Promise<number> {
  const before = process.cpuUsage();
  await compiler.compile({ source, flags, name: "kernel" });
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** The different kernels of a program, as if the default device were a GPU; nothing is launched. */
function requestsOn(arch: string, { args, body }: Program): KernelRequest[] {
  const device = defaultDevice();
  const { target } = device;
  const own = new Collector();
  Object.assign(device, { target: cudaTarget(arch) });
  try {
    sendTo(new Collector());
    const values = args(elements);
    sendTo(own);
    jl.compile(body)(...values);
  } finally {
    sendTo(undefined);
    Object.assign(device, { target });
  }
  return [...new Map(own.requests().map((one) => [one.source, one])).values()];
}
