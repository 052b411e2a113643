// The cost of a function's first call, each in a separate process: with an empty cache, then from disk.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { median } from "../runtime/base/median.js";
import type { Device } from "../runtime/device/device.js";
import { type Finished, runProgram } from "./process.js";
import { progress, type Trial } from "./trial.js";

/** The functions, by their names in first-call-child and peers.py. */
export const firstCalls = [
  { name: "gcd", title: "gcd, int64" },
  { name: "digamma", title: "digamma" },
  { name: "zeta", title: "zeta" },
  { name: "functor", title: "a custom functor" },
] as const;

/** What first-call-child prints of a call, in milliseconds. */
interface FirstCall {
  readonly total: number;
  readonly origin: string;
  readonly generateMs: number;
  readonly lookupMs: number;
  readonly compileMs: number;
  readonly loadMs: number;
  readonly firstLaunchMs: number;
}

const child = fileURLToPath(new URL("first-call-child.js", import.meta.url));
const runsPerCall = 3;

/** First calls, the time from a process's start to a printed result, and the device memory apart from tensors. */
export async function firstCall(device: Device): Promise<Trial[]> {
  const folder = mkdtempSync(join(tmpdir(), "jitlab-bench-"));
  const runs = (name: string, cache: string): Promise<Finished> => {
    const settings = { JITLAB_CACHE_DIR: join(folder, cache) };
    return runProgram(process.execPath, [child, device.name, name], settings);
  };
  try {
    const trials: Trial[] = [];
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
    return device.target.kind === "cuda" ? [...trials, memoryTrial(await runs("memory", "gcd"))] : trials;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
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
