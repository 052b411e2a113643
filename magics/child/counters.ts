// The hardware counters of a call: its launches are exported, and Nsight Compute profiles them in a process of its own. The kernel
// and its variables are not touched, and the call runs once.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cut } from "../../runtime/base/cut.js";
import { JitlabError } from "../../runtime/base/errors.js";
import type { LinkedListing } from "../library.js";
import { formatBytes, formatTime } from "../render/format.js";
import type { MagicContext } from "./context.js";
import { countersOf, type InstructionCounters, type LaunchCounters } from "./ncu-report.js";
import { runProgram } from "./process.js";

/** What was counted, by the key of each kernel; `missing` says why there is nothing, and what to do. */
export interface Counted {
  readonly counters: ReadonlyMap<string, LaunchCounters>;
  readonly missing: string;
}

const permission =
  "this GPU's counters are for administrators only (ERR_NVGPUCTRPERM). One allows them for all users with the line `options nvidia NVreg_RestrictProfilingToAdminUsers=0` in /etc/modprobe.d/nvidia.conf, and a restart.";

const tool =
  "Nsight Compute (ncu) is not installed, or not on the PATH. It is part of the CUDA toolkit, in its bin folder.";

/** Calls a function once and counts its launches on a GPU. */
export async function count({ jl }: MagicContext, call: () => unknown): Promise<Counted> {
  const temporary = mkdtempSync(join(tmpdir(), "jitlab-counters-"));
  const folder = join(temporary, "launch");
  try {
    const { keys } = exported(jl, folder, call);
    if (keys === undefined)
      return nothing("the call's launches are not on a GPU, or too many or too large to export");
    let said = "";
    const keep = (text: string) => {
      said += text;
    };
    const status = await runProgram(["make", "-s", "-C", folder, "counters"], undefined, {
      stdout: keep,
      stderr: keep,
    });
    if (/ERR_NVGPUCTRPERM/.test(said)) return nothing(permission);
    if (/\bncu: (?:.*not found|No such file)/.test(said)) return nothing(tool);
    if (status !== 0) return nothing(`make counters failed: ${lastLines(said)}`);
    const read = (name: string) => readFileSync(join(folder, name), "utf8");
    const all = countersOf(read("source.csv"), read("raw.csv"));
    const counters = new Map<string, LaunchCounters>();
    keys.forEach((key, i) => {
      const one = all[i];
      if (one && !counters.has(key)) counters.set(key, one);
    });
    return { counters, missing: "" };
  } catch (error) {
    if (error instanceof Error && error.name === "UsageError") return nothing(error.message);
    throw error;
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/** Exports the launches of a call; its own errors leave the figure without counters. */
function exported(
  jl: MagicContext["jl"],
  folder: string,
  call: () => unknown,
): { readonly keys?: readonly string[] } {
  try {
    const { keys, device } = jl.exportLaunch(call, [], { folder, title: "a call" });
    return device.startsWith("cuda") ? { keys } : {};
  } catch (error) {
    if (error instanceof JitlabError && error.what.startsWith("exportLaunch: ")) return {};
    throw error;
  }
}

function nothing(missing: string): Counted {
  return { counters: new Map(), missing };
}

function lastLines(text: string): string {
  return cut(text.trim().split("\n").slice(-3).join(" "), 0, 400);
}

/** What warps wait for, by ncu's names. */
const stalls: Readonly<Record<string, string>> = {
  barrier: "other warps at a barrier",
  branch_resolving: "a branch",
  dispatch: "the dispatcher",
  drain: "stores at the end",
  imc: "constant memory",
  lg: "the queue of memory accesses",
  long_sb: "global or local memory",
  math: "the arithmetic units",
  membar: "a memory fence",
  mio: "the queue of shared memory and special functions",
  no_inst: "instructions to arrive",
  not_selected: "other warps, which went on",
  short_sb: "shared memory or special functions",
  sleep: "sleep",
  tex: "textures",
  wait: "the result of the instruction before",
};

/** A share of a launch's samples, and what its warps waited for. */
export interface Share {
  readonly percent: number;
  readonly note: string;
}

/** The samples of a launch by the lines of its machine code. */
export interface Waits {
  readonly from: readonly (readonly number[])[];
  /** Of each line; undefined for lines that are no instructions. */
  readonly instructions: readonly (InstructionCounters | undefined)[];
  readonly samples: number;
  ofLine(line: number): Share | undefined;
}

/** Matches the counted instructions with a listing; undefined if they are not the same. */
export function waitsOf({ lines, from }: LinkedListing, { instructions }: LaunchCounters): Waits | undefined {
  let next = 0;
  const matched = lines.map((line) => (/^\/\*/.test(line) ? instructions[next++] : undefined));
  const opcode = (line: string) => /^\S+\s+(?:@!?\w+\s+)?([\w.]+)/.exec(line)?.[1];
  const isSame = lines.every(
    (line, i) => matched[i] === undefined || opcode(line)?.split(".")[0] === matched[i]?.opcode.split(".")[0],
  );
  if (next !== instructions.length || !isSame) return undefined;
  const samples = instructions.reduce((sum, one) => sum + one.samples, 0);
  return {
    from,
    instructions: matched,
    samples,
    ofLine: (line) => shared([matched[line]], samples),
  };
}

/** The share of some lines of the source: of their own code, and if `inclusive` of the functions that they call. */
export function shareOf(waits: Waits, lines: readonly number[], inclusive: boolean): Share | undefined {
  const own = waits.instructions.filter((_, i) => {
    const chain = waits.from[i] ?? [];
    return inclusive ? chain.some((line) => lines.includes(line)) : lines.includes(chain[0] ?? 0);
  });
  return shared(own, waits.samples);
}

function shared(all: readonly (InstructionCounters | undefined)[], samples: number): Share | undefined {
  const reasons = new Map<string, number>();
  let [count, sectors, ideal] = [0, 0, 0];
  for (const one of all) {
    if (one === undefined) continue;
    count += one.samples;
    sectors += one.sectors;
    ideal += one.ideal;
    reasons.set(one.stall, (reasons.get(one.stall) ?? 0) + one.samples);
  }
  const percent = samples === 0 ? 0 : Math.round((100 * count) / samples);
  const isWasteful = ideal > 0 && sectors > wasteful * ideal;
  if (percent === 0 && !isWasteful) return undefined;
  const [[reason] = [""]] = [...reasons].sort(([, a], [, b]) => b - a);
  const waited = reason === "" ? "" : `mostly for ${stalls[reason] ?? reason}`;
  const moved = isWasteful ? `${(sectors / ideal).toPrecision(2)} times the sectors of dense accesses` : "";
  return { percent, note: [waited, moved].filter((part) => part !== "").join("; ") };
}

// Sectors beyond those of dense accesses that are worth a word.
const wasteful = 1.1;

/** The counters of a launch, in words. */
export function countersDetails({
  memory,
  arithmetic,
  us,
  bytesRead,
  bytesWritten,
}: LaunchCounters): (readonly [string, string])[] {
  return [
    ["of the peak", `memory ${memory.toFixed(0)} %, arithmetic ${arithmetic.toFixed(0)} %`],
    ["time on the GPU", formatTime(us / 1e6)],
    ["device memory", `${formatBytes(bytesRead)} read, ${formatBytes(bytesWritten)} written`],
  ];
}
