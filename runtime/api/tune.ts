// jl.tune and jl.tuning: measures the forms of kernels, and keeps the best of each in the cache.
import { checkFunction, optionsOf } from "../base/arguments.js";
import { JitlabError } from "../base/errors.js";
import { withStore } from "../cache/current-store.js";
import type { StoredChoice } from "../cache/tuning.js";
import type { Device } from "../device/device.js";
import { getDevice, listDevices } from "../launch/devices.js";
import { openGraph } from "../launch/graph.js";
import { keyOf } from "../launch/obtain.js";
import { isRecording } from "../launch/recorder.js";
import { type Run, runFrom } from "../launch/run.js";
import { collectRuns, keptRuns } from "../launch/runs.js";
import { tunePrograms } from "../tuning/program.js";
import { type CacheTuneOptions, type TunedForm, type TuneOptions, tuneRuns } from "../tuning/tune.js";

export type { TuneProgress } from "../tuning/tune.js";
export type { CacheTuneOptions, StoredChoice, TunedForm, TuneOptions };

/**
 * Calls `fn(...args)` once, measures the forms of every kernel that it launched, on memory of its own, and keeps the best in the
 * cache: later launches of about this size use it, here and in other processes. Returns one row for each form.
 *
 * @example jl.tune((x) => x.sin(), jl.ones([20000])).filter(({ isChosen }) => isChosen).length // 1
 */
export function tune<A extends readonly unknown[]>(fn: (...args: A) => unknown, ...args: A): TunedForm[] {
  checkFunction("tune", "what to tune", fn);
  return tuneCall(() => fn(...args));
}

/** Tunes a call or earlier launches, and lists the choices. */
export const tuning = {
  /** As `jl.tune`, of a call without arguments, telling its progress. */
  call: tuneCall,
  /** Tunes the large launches that this process made before. */
  ran: tuneRan,
  /** Tunes the launches that any process recorded in the cache and nobody tuned, on the devices of this machine. */
  fromCache: tuneFromCache,
  /** Every choice in the cache. */
  list: (): readonly StoredChoice[] => withStore((store) => store.tuning.all(), []),
  /** Forgets every choice; returns how many there were. Kernels that are loaded keep theirs. */
  clear: (): number => withStore((store) => store.tuning.clear(), 0),
} as const;

function tuneCall(call: () => unknown, given?: TuneOptions): TunedForm[] {
  checkFunction("tune", "what to tune", call);
  const options = optionsOf("tune", given, ["onProgress"]);
  refuseRecording();
  const {
    value: { value, forms },
    launches,
    runs,
  } = collectRuns(() => tunePrograms(call));
  if (value instanceof Promise) {
    throw new JitlabError("tune-async", "tune: the function is asynchronous.", "Tune one without await.");
  }
  if (launches.length === 0) {
    throw new JitlabError(
      "nothing-launched",
      "tune: the function launched no kernel.",
      "Tune a call that computes with tensors.",
    );
  }
  if (runs.length === 0 && forms.length === 0) {
    const kernels = [...new Set(launches.map(({ op, device }) => `${op} on ${device}`))];
    throw new JitlabError(
      "nothing-to-tune",
      `tune: the kernels that the function launched have one form only: ${kernels.join(", ")}.`,
      "On a GPU maps and row kernels have forms, on a processor those whose functions have vector forms or parts.",
    );
  }
  return [...forms, ...tuneRuns(runs, options)];
}

function tuneRan(given?: TuneOptions): TunedForm[] {
  const options = optionsOf("tuning.ran", given, ["onProgress"]);
  refuseRecording();
  return tuneRuns(keptRuns(), options);
}

function tuneFromCache(given?: CacheTuneOptions): TunedForm[] {
  const options = optionsOf("tuning.fromCache", given, ["onProgress", "device"]);
  refuseRecording();
  const stored = withStore((store) => store.tuning.runs(), []);
  const kinds = new Set(stored.map(({ kind }) => kind));
  const devices = options.device === undefined ? devicesOf(kinds) : [getDevice(options.device)];
  const runs = stored.flatMap(({ kernel, model, upTo, text }): Run[] => {
    const tuned = withStore((store) => store.tuning.choices(kernel, model), []);
    if (tuned.some((choice) => choice.upTo === upTo)) return [];
    const device = devices.find((one) => one.model === model);
    const run = device && runFrom(text, device);
    // Another compiler makes another kernel of the same text.
    const [form] = run?.forms ?? [];
    return run && form && keyOf(form.request()) === kernel ? [run] : [];
  });
  return tuneRuns(runs, options);
}

function devicesOf(kinds: ReadonlySet<string>): Device[] {
  return listDevices()
    .filter(({ kind, available }) => available && kinds.has(kind))
    .map(({ name }) => getDevice(name));
}

function refuseRecording(): void {
  if (openGraph()) {
    throw new JitlabError(
      "graph-recording",
      "tune: a graph is being recorded.",
      "Tune before jl.graph(...).",
    );
  }
  if (!isRecording()) return;
  throw new JitlabError(
    "recording-open",
    "tune: launches are being recorded, which would note every launch that is measured.",
    "Tune outside of jl.record and of cells that begin with %%timings, %%profile, %%cache, %%source or %%time.",
  );
}
