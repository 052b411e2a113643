// A trial is one measured figure of ours; peers' figures join it under the same id. The clocks below are the ones that
// peers.py has too: host time of queued calls, and device time between two marks.
import { median } from "../runtime/base/median.js";
import type { Device } from "../runtime/device/device.js";

/** One figure. */
export interface Trial {
  /** Section and name, such as `host/add`: what goals and peers' figures are found by. */
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

/** Measures one trial; a failure becomes part of the record, so that the other trials go on. */
export function attempt(trial: Omit<Trial, "ours" | "failure">, measure: () => number): Trial {
  progress(trial.title);
  try {
    return { ...trial, ours: measure() };
  } catch (error) {
    return { ...trial, failure: error instanceof Error ? error.message : String(error) };
  }
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
    const start = device.mark();
    for (let i = 0; i < launches; i++) launch();
    const end = device.mark();
    rounds.push(end.since(start) / launches);
    start.release();
    end.release();
  }
  return median(rounds);
}

/** The quantile of the values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}
