// `npm run bench:wasm`: what the embedded compiler costs, for the first kernel of a process and for the next ones, and the
// throughput of the wasm device beside the cpu device with as many threads, in turns of a few launches.

import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { median } from "../runtime/base/median.js";
import type { Device } from "../runtime/device/device.js";
import { releaseMemory } from "../runtime/device/memory.js";
import * as jl from "../runtime/index.js";
import { getDevice } from "../runtime/launch/devices.js";
import { prepare, processorCases, throughput } from "./bandwidth.js";
import { firstCall } from "./first-call.js";
import { describeMachine } from "./machine.js";
import { runProgram } from "./process.js";
import { formatRun, type PeerFigure, writeRun } from "./report.js";
import { progress, type Trial } from "./trial.js";

const turns = 7;
// The first launch of a turn warms up caches and threads again.
const launchesPerTurn = 4;
const results = fileURLToPath(new URL("../../bench/results", import.meta.url));
const nextKernels = fileURLToPath(new URL("wasm-next.js", import.meta.url));

const wasm = getDevice("wasm");
const cpu = getDevice("cpu");
const before = loadavg();
const figures: PeerFigure[] = [];
const trials = [...(await firstCall(wasm)), await nextTrial(), ...throughputs()];
const load = [before, loadavg()].map((values) => values[0]?.toFixed(2)).join(" before, ");
const machine = {
  ...describeMachine(wasm),
  compiler: wasm.target.compiler.identity,
  load: `${load} after (processes, mean of a minute)`,
};
const run = { subject: "wasm", machine, peers: { cpu: cpu.target.compiler.path }, trials, figures } as const;
process.stdout.write(formatRun(run));
progress(`written to ${writeRun(run, results)}`);

/** The first calls of functions in a process that has compiled one before, each of which compiles. */
async function nextTrial(): Promise<Trial> {
  const trial = {
    id: "next/compile",
    title: "the next kernels, compiled: the slowest of ten calls",
    unit: "ms",
  };
  const folder = mkdtempSync(join(tmpdir(), "jitlab-bench-"));
  try {
    progress(trial.title);
    const { lines, failure } = await runProgram(process.execPath, [nextKernels], {
      JITLAB_CACHE_DIR: folder,
    });
    if (failure !== "") return { ...trial, failure };
    const times = JSON.parse(lines.at(-1) ?? "{}") as Record<string, number>;
    return { ...trial, ours: Math.max(...Object.values(times)), detail: times };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function launchesOn(device: Device): Readonly<Record<string, () => unknown>> {
  jl.setDevice(device.name);
  return prepare(device);
}

function throughputs(): Trial[] {
  const devices = [wasm, cpu];
  const launches = devices.map(launchesOn);
  const found = processorCases.map(({ name, title }): Trial => {
    progress(title);
    const times = devices.map((): number[] => []);
    for (let turn = 0; turn < turns; turn++) {
      for (const [i, own] of launches.entries()) {
        own[name]?.();
        for (let k = 1; k < launchesPerTurn; k++) {
          const began = performance.now();
          own[name]?.();
          times[i]?.push(performance.now() - began);
        }
      }
    }
    const [ours = Number.NaN, value = Number.NaN] = times.map((own) => throughput(wasm, name, median(own)));
    figures.push({ peer: "cpu", id: `bandwidth/${name}`, value });
    return {
      id: `bandwidth/${name}`,
      title,
      unit: "GB/s",
      ours,
      detail: { "of the cpu device": ours / value },
    };
  });
  releaseMemory();
  return found;
}
