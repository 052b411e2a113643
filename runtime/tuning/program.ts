// Tunes how the launches of a program are queued: one by one, or as one graph whose changed launches are updated.
import { DeviceError } from "../base/errors.js";
import { median } from "../base/median.js";
import { withStore } from "../cache/current-store.js";
import type { ChoiceKey } from "../cache/tuning.js";
import type { Device, RepeatedWork } from "../device/device.js";
import { TouchedMemory } from "../launch/touched-memory.js";
import { leastGain, type TunedForm } from "./tune.js";

/** A program to be tuned. */
export interface TunableProgram {
  readonly name: string;
  readonly device: Device;
  readonly choiceKey: ChoiceKey;
  /** Queues its launches; it has not run yet. */
  readonly work: RepeatedWork;
}

const oneByOne = "one by one";
const [leastRounds, mostRounds, mostRuns] = [5, 25, 20];
const [roundMs, enoughMs] = [2, 300];

/** How many launches may change in a run that is queued as one, from the name of a choice; undefined for one by one. */
export function mostChangedOf(form: string): number | undefined {
  const most = /^one graph, up to (\d+) changed$/.exec(form)?.[1];
  return most === undefined ? undefined : Number(most);
}

/** The tuning in progress: its rows so far, and the programs that are done. */
let tuned: { readonly forms: TunedForm[]; readonly done: Set<ChoiceKey> } | undefined;

/** Calls a function; the programs that it runs are tuned. */
export function tunePrograms<T>(call: () => T): { readonly value: T; readonly forms: readonly TunedForm[] } {
  const forms: TunedForm[] = [];
  const own = { forms, done: new Set<ChoiceKey>() };
  tuned = own;
  // An interrupt skips the code below.
  queueMicrotask(() => {
    if (tuned === own) tuned = undefined;
  });
  try {
    return { value: call(), forms };
  } finally {
    tuned = undefined;
  }
}

/** True at the first run of a program while programs are tuned. */
export function isToBeTuned(key: ChoiceKey): boolean {
  if (tuned === undefined || tuned.done.has(key)) return false;
  tuned.done.add(key);
  return true;
}

/**
 * Runs a program once, measures its launches on the same memory, restores the results, and keeps the better form.
 * Returns how many launches may change in a run that is queued as one; undefined if one by one is faster.
 */
export function tuneProgram(program: TunableProgram, run: () => void): number | undefined {
  const { device, work } = program;
  const memory = new TouchedMemory(device);
  // An interrupt skips the code below; the results are restored anyway.
  queueMicrotask(() => memory.release());
  try {
    work.run(run);
    const { launches } = work;
    if (launches < 2) return undefined;
    memory.save();
    const first = measured(program);
    const again = measured(program);
    return keep(program, again, Math.min(mostOf(first, launches), mostOf(again, launches)));
  } catch (error) {
    // A device that makes no graph of these launches leaves no choice.
    if (!(error instanceof DeviceError) || error.code === "device-lost") throw error;
    return undefined;
  } finally {
    memory.release();
  }
}

/** Microseconds of a run: one by one, as one without a change, and as one with all launches changed. */
type Times = readonly [direct: number, same: number, changed: number];

function measured({ device, work }: TunableProgram): Times {
  const forms = [undefined, 0, work.launches];
  const times = forms.map((): number[] => []);
  /** The milliseconds of some runs, from an idle device until they are done. */
  const timed = (changed: number | undefined, runs: number) => {
    device.synchronize();
    const began = performance.now();
    for (let run = 0; run < runs; run++) work.again(changed);
    device.synchronize();
    return performance.now() - began;
  };
  // The first ones make the graph, and say how many fit into a round.
  const slowest = Math.max(...forms.map((changed) => Math.min(timed(changed, 1), timed(changed, 1))));
  const runs = Math.max(1, Math.min(mostRuns, Math.floor(roundMs / slowest)));
  const began = performance.now();
  for (let round = 0; round < mostRounds; round++) {
    if (round >= leastRounds && performance.now() - began > enoughMs) break;
    forms.forEach((changed, i) => {
      times[i]?.push((timed(changed, runs) * 1e3) / runs);
    });
  }
  return times.map(median) as unknown as Times;
}

/** With how many changed launches a graph is faster; -1 if it never is. */
export function mostOf([direct, same, changed]: Times, kernels: number): number {
  const margin = direct * leastGain - same;
  if (margin < 0) return -1;
  const each = (changed - same) / kernels;
  return each * kernels <= margin ? kernels : Math.floor(margin / each);
}

function keep(
  { name, device, choiceKey, work }: TunableProgram,
  [direct, same, changed]: Times,
  most: number,
): number | undefined {
  const kernels = work.launches;
  const graph = most < 0 ? "one graph, none changed" : `one graph, up to ${most} changed`;
  const form = most < 0 ? oneByOne : graph;
  const times = [
    { form: oneByOne, us: direct },
    { form: graph, us: same },
    ...(most === kernels ? [] : [{ form: `one graph, all ${kernels} changed`, us: changed }]),
  ];
  const facts = { op: name, variant: `program of ${kernels} kernels`, dtypes: [] };
  const choice = { ...choiceKey, ...facts, form, times, measuredAt: Date.now() };
  withStore((store) => store.tuning.put(choice), undefined);
  const { kernel: key, upTo } = choiceKey;
  for (const one of times) {
    const [isDefault, isChosen] = [one.form === oneByOne, one.form === form];
    tuned?.forms.push({ key, ...facts, device: device.name, upTo, ...one, isDefault, isChosen });
  }
  return most < 0 ? undefined : most;
}
