// Tunes launches that ran: compiles the forms of each kernel together, measures them, and stores the best in the cache.

import type { JitlabError } from "../base/errors.js";
import { median } from "../base/median.js";
import { withStore } from "../cache/current-store.js";
import type { StoredChoice } from "../cache/tuning.js";
import { sizeLimit } from "../codegen/choice.js";
import { type BatchJob, compileBatches } from "../launch/batches.js";
import type { Form } from "../launch/load-request.js";
import { type LoadedKernel, loadKernel } from "../launch/loaded-kernel.js";
import type { Run } from "../launch/run.js";
import { unlisted } from "../launch/timings.js";
import { measure } from "./measure.js";
import { Workspace } from "./workspace.js";

/** One form of a kernel, measured; one row of what `jl.tune` returns. */
export interface TunedForm {
  /** The key of the kernel as it is without a choice. */
  readonly key: string;
  /** The op's name or the functor's entry function. */
  readonly op: string;
  readonly variant: string;
  readonly dtypes: readonly string[];
  readonly device: string;
  /** The choice holds for launches of at most this many elements, and more than a quarter of it. */
  readonly upTo: number;
  /** The form in words, such as `block 128, 8 per thread`. */
  readonly form: string;
  /** Median time on the device, in microseconds. */
  readonly us: number;
  /** True for the form that is used where nothing was tuned. */
  readonly isDefault: boolean;
  /** True for the form that is used from now on. */
  readonly isChosen: boolean;
}

/** Options of tuning: a listener for its progress. */
export interface TuneOptions {
  /** Called after each kernel was compiled or measured. */
  readonly onProgress?: (progress: TuneProgress) => void;
}

/** Options of tuning the launches recorded in the cache. */
export interface CacheTuneOptions extends TuneOptions {
  /** The name of the only device to tune; default: every one of this machine. */
  readonly device?: string;
}

/** The progress of tuning. */
export interface TuneProgress {
  readonly done: number;
  readonly total: number;
  /** The last completed step. */
  readonly step: "compiled" | "measured";
  readonly op: string;
}

/** A rival must be faster than the default by so much, twice, and the second time in most turns: less may be chance. */
export const leastGain = 0.98;
const leastWins = 2 / 3;

interface Job extends BatchJob {
  readonly form: Form;
}

/** Measures the forms of every run and keeps the best of each. */
export function tuneRuns(runs: readonly Run[], { onProgress }: TuneOptions = {}): TunedForm[] {
  const forms = runs.flatMap((run) => run.forms);
  const total = forms.length + runs.length;
  let done = 0;
  const told = (step: TuneProgress["step"], op: string) => onProgress?.({ done: ++done, total, step, op });
  const failed = new Map<Form, JitlabError>();
  const jobs = forms.map((form): Job => ({ form, request: form.request(), shares: () => undefined }));
  compileBatches(jobs, {
    textOf: () => "",
    done: ({ form, request }, result) => {
      if (typeof result !== "string") failed.set(form, result);
      told("compiled", request.op);
    },
  });
  return runs.flatMap((run) => {
    // A form that does not compile is no rival; without the default there is nothing to compare with.
    const [first] = run.forms;
    const broken = first && failed.get(first);
    if (broken) throw broken;
    const rows = tuneRun(
      run,
      run.forms.filter((form) => !failed.has(form)),
    );
    told("measured", rows[0]?.op ?? "");
    return rows;
  });
}

function tuneRun(run: Run, forms: readonly Form[]): TunedForm[] {
  const { device } = run;
  let kernels: readonly LoadedKernel[] = [];
  // The kernels are the tuner's: their launches are not the user's.
  unlisted(() => {
    kernels = forms.map((form) => loadKernel(form.request(), device, 0).retain());
  });
  const workspace = new Workspace(run);
  try {
    const times = measure(workspace, kernels).map(median);
    const chosen = bestOf(workspace, kernels, times);
    return kept(run, forms, kernels, times, chosen);
  } finally {
    device.synchronize();
    workspace.dispose();
    for (const kernel of kernels) kernel.release();
  }
}

/** The number of the best form. */
function bestOf(workspace: Workspace, kernels: readonly LoadedKernel[], times: readonly number[]): number {
  const best = times.indexOf(Math.min(...times));
  const [own] = times as [number];
  if ((times[best] as number) > own * leastGain) return 0;
  const pair = measure(workspace, [kernels[best] as LoadedKernel, kernels[0] as LoadedKernel]);
  const [again, usual] = pair as [number[], number[]];
  const wins = again.filter((us, turn) => us < (usual[turn] as number)).length;
  const isFaster = median(again) <= median(usual) * leastGain && wins >= again.length * leastWins;
  return isFaster ? best : 0;
}

/** Keeps a choice in the cache and uses it from now on. */
function kept(
  { device, elements }: Run,
  forms: readonly Form[],
  kernels: readonly LoadedKernel[],
  times: readonly number[],
  chosen: number,
): TunedForm[] {
  const own = kernels[0] as LoadedKernel;
  const { key, op, variant, dtypes } = own.clock.identity;
  const [upTo, { model }] = [sizeLimit(elements), device];
  const choice: StoredChoice = {
    ...{ kernel: key, model, upTo, form: forms[chosen]?.name ?? "", op, variant, dtypes },
    times: forms.map(({ name }, i) => ({ form: name, us: times[i] as number })),
    measuredAt: Date.now(),
  };
  withStore((store) => store.tuning.put(choice), undefined);
  own.choose(
    new Map(
      withStore((store) => store.tuning.choices(key, model), [choice]).map((one) => [one.upTo, one.form]),
    ),
  );
  return forms.map(
    ({ name }, i): TunedForm => ({
      ...{ key, op, variant, dtypes, device: device.name, upTo, form: name, us: times[i] as number },
      isDefault: i === 0,
      isChosen: i === chosen,
    }),
  );
}
