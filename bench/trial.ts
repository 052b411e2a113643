// A trial is one figure of ours; the figures of peers join it under the same id. The clocks below are the ones that peers.py has
// too: host time of queued calls, and device time between two marks.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { availableParallelism, cpus, loadavg, release, totalmem } from "node:os";
import { basename } from "node:path";
import { median } from "../runtime/base/units.js";
import type { Device } from "../runtime/device/device.js";
import * as jl from "../runtime/index.js";
import type { Peer } from "./peer.js";

/** One figure of ours. */
export interface Trial {
  /** Bench and name, such as `host/add`: what goals and peers' figures are found by. */
  readonly id: string;
  readonly title: string;
  readonly unit: string;
  /** The measured value; undefined for a figure that only peers have, or that failed. */
  readonly ours?: number | undefined;
  /** Parts of the figure, or its reference. */
  readonly detail?: Readonly<Record<string, number>>;
  /** Why the figure is missing. */
  readonly failure?: string;
}

/** One figure of a peer, under the id of our trial, in its unit. */
export interface PeerFigure {
  readonly peer: string;
  readonly id: string;
  readonly value?: number | undefined;
  /** Why the value is missing. */
  readonly failure?: string;
}

/** Options of the command line that a bench may use. */
export interface BenchOptions {
  readonly names: readonly string[];
  readonly log2?: number;
  readonly turns?: number;
  readonly dtypes?: readonly string[];
}

/** What a bench measures with, and the list of its results. */
export interface Bench {
  readonly device: Device;
  readonly isGpu: boolean;
  readonly options: BenchOptions;
  /** Running peers, which answer one request at a time. */
  readonly peers: readonly Peer[];
  readonly trials: Trial[];
  readonly figures: PeerFigure[];
}

/** True if the command line names a trial by its beginning, or none. */
export function isChosen({ options: { names } }: Bench, name: string): boolean {
  return names.length === 0 || names.some((start) => name.startsWith(start));
}

/** Measures one trial; a failure becomes part of the record, so that the other trials go on. */
export function attempt(trial: Omit<Trial, "ours" | "failure">, measure: () => number): Trial {
  progress(trial.title);
  try {
    return { ...trial, ours: measure() };
  } catch (error) {
    return { ...trial, failure: messageOf(error) };
  }
}

/** Adds the figure of each peer for a trial: the number that it answers, or what `figure` makes of it. */
export async function askPeers(
  { peers, figures }: Bench,
  id: string,
  request: readonly (string | number)[],
  figure: (answer: number) => number = (answer) => answer,
): Promise<void> {
  for (const peer of peers) {
    const { value, failure } = await peer.ask(...request);
    if (value !== undefined) figures.push({ peer: peer.name, id, value: figure(value) });
    else if (failure !== undefined) figures.push({ peer: peer.name, id, failure });
  }
}

/** A trial that takes turns with the same one of the peers, so that whatever else the machine does falls on all alike. */
export interface TurnTrial {
  readonly trial: Omit<Trial, "ours" | "failure">;
  readonly turns: number;
  /** Milliseconds of one launch. */
  readonly ours: () => number;
  /** The request that a peer answers with its milliseconds. */
  readonly request: readonly (string | number)[];
  /** Joins the times of all turns: their median, or the least. */
  readonly join: (times: readonly number[]) => number;
  readonly figure: (milliseconds: number) => number;
  /** The word before a peer's name, where the detail shows its time over ours. */
  readonly ratio: string;
}

/** Adds a trial in turns and the figures of its peers. */
export async function inTurns({ peers, trials, figures }: Bench, given: TurnTrial): Promise<void> {
  const { trial, turns, request, join, figure, ratio } = given;
  progress(trial.title);
  try {
    const ours: number[] = [];
    const theirs = peers.map((): number[] => []);
    for (let turn = 0; turn < turns; turn++) {
      ours.push(given.ours());
      for (const [i, peer] of peers.entries()) {
        const { value } = await peer.ask(...request);
        if (value !== undefined) theirs[i]?.push(value);
      }
    }
    const detail: Record<string, number> = { ...trial.detail };
    for (const [i, peer] of peers.entries()) {
      const times = theirs[i] as number[];
      if (times.length === 0) continue;
      figures.push({ peer: peer.name, id: trial.id, value: figure(join(times)) });
      detail[`${ratio} ${peer.name}`] = join(times) / join(ours);
    }
    trials.push({ ...trial, ours: figure(join(ours)), detail });
  } catch (error) {
    trials.push({ ...trial, failure: messageOf(error) });
  }
}

/** The text of an error. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Prints the current measurement to stderr. */
export function progress(what: string): void {
  process.stderr.write(`${what}\n`);
}

const hostCalls = 5000;
const hostRounds = 5;
// The warm-up time of a just-in-time compiled caller.
const hostWarmUpMs = 300;

/** Microseconds of host time that one call takes while the device is not waited for: the best of five rounds of `calls`. */
export function hostMicroseconds(device: Device, call: () => unknown, calls = hostCalls): number {
  const warm = performance.now() + hostWarmUpMs;
  while (performance.now() < warm) for (let i = 0; i < calls; i++) call();
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < hostRounds; round++) {
    device.synchronize();
    const began = performance.now();
    for (let i = 0; i < calls; i++) call();
    best = Math.min(best, performance.now() - began);
  }
  device.synchronize();
  return (best * 1000) / calls;
}

const deviceRounds = 7;
const deviceBudgetMs = 1000;

/**
 * Milliseconds of device time that one launch takes: the median of rounds of ten launches in a row, so that the host's
 * part is hidden; of single launches where nothing is queued.
 */
export function deviceMilliseconds(device: Device, launch: () => unknown): number {
  const launches = device.target.kind === "cuda" ? 10 : 1;
  launch();
  device.synchronize();
  const began = performance.now();
  const rounds: number[] = [];
  while (rounds.length < 2 || (rounds.length < deviceRounds && performance.now() - began < deviceBudgetMs)) {
    // An idle device would wait for the host's part of the first launch.
    if (launches > 1) launch();
    rounds.push(markedMilliseconds(device, launch, launches));
  }
  return median(rounds);
}

/** Milliseconds of one of several launches in a row, between two marks of the device. */
export function markedMilliseconds(device: Device, launch: () => unknown, launches: number): number {
  const start = device.mark();
  for (let i = 0; i < launches; i++) launch();
  const end = device.mark();
  const took = end.since(start) / launches;
  start.release();
  end.release();
  return took;
}

/** Names and versions, in the order they are shown. */
export type Machine = Readonly<Record<string, string>>;

/** Describes the machine of a result, without paths and host names, and the device, where one is given. */
export function describeMachine(device?: Device): Machine {
  const model = cpus()[0]?.model.trim() || process.arch;
  const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
    version: string;
  };
  return {
    cpu: `${model}, ${availableParallelism()} threads, ${Math.round(totalmem() / 2 ** 30)} GiB`,
    system: `${process.platform} ${release()} ${process.arch}`,
    load: `${loadavg()[0]?.toFixed(2)} (processes, mean of a minute)`,
    node: process.version,
    jitlab: version,
    ...(device ? describeDevice(device) : {}),
  };
}

function describeDevice(device: Device): Machine {
  const { compiler } = device.target;
  if (device.target.kind !== "cuda") {
    return { device: device.name, compiler: firstLine(compiler.path, ["--version"]) };
  }
  const info = jl.devices().find((candidate) => candidate.name === device.name);
  const query = ["--query-gpu=driver_version,clocks.max.sm,clocks.max.memory", "--format=csv,noheader"];
  return {
    device: info?.description ?? device.name,
    driver: `${firstLine("nvidia-smi", query)} (version, clocks)`,
    compiler: basename(compiler.path),
  };
}

function firstLine(command: string, args: readonly string[]): string {
  try {
    const output = execFileSync(command, args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
    return output.split("\n")[0]?.trim() ?? "";
  } catch {
    return "unknown";
  }
}
