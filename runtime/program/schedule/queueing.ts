// Programs of several kernels whose launches are queued as one, where tuning measured that this is faster.
import { sha256 } from "../../base/builtins.js";
import { withStore } from "../../cache/current-store.js";
import type { ChoiceKey } from "../../cache/tuning.js";
import { sizeLimit } from "../../codegen/choice.js";
import type { RepeatedWork } from "../../device/device.js";
import { openGraph } from "../../launch/graph.js";
import { type KernelRequest, keyOf } from "../../launch/obtain.js";
import { isRecording } from "../../launch/recorder.js";
import { sampledLaunches } from "../../launch/timings.js";
import { isToBeTuned, mostChangedOf, tuneProgram } from "../../tuning/program.js";
import type { Binding } from "./binding.js";
import type { Launch, Plan } from "./launches.js";

/**
 * Where the choice for a program is kept: at its first kernel, for the device's model and all of its kernels. Undefined for
 * one kernel, for several devices, for reads by index tensors, for scans and opaque operations, and for a device that queues
 * nothing as one.
 */
export function choiceKeyOf(
  launches: readonly Launch[],
  requests: readonly KernelRequest[],
): ChoiceKey | undefined {
  const [first] = launches as readonly [Launch];
  const { device } = first;
  if (device.repeated === undefined || requests.length < 2) return undefined;
  // Where indexes are tested, the host waits for each of their kernels; scans and opaque operations take memory of their own.
  const isSeparate = ({ isChecked, how }: Launch) => isChecked || how.takesMemory;
  if (launches.some((launch) => launch.device !== device || isSeparate(launch))) return undefined;
  const keys = requests.map(keyOf);
  const elements = launches.flatMap(({ outputs }) => outputs.map(({ window }) => window.size));
  return {
    kernel: keys[0] as string,
    model: `${device.model}, program ${sha256(keys.join(" ")).slice(0, 16)}`,
    upTo: sizeLimit(Math.max(...elements)),
  };
}

// Frees the device's objects of plans that nothing reaches.
const dropped = new FinalizationRegistry<RepeatedWork>((work) => work.release());

/** Runs a plan, with its launches queued as one if that was chosen. Those that are recorded are queued one by one. */
export function queuePlan(plan: Plan, binding: Binding, run: (plan: Plan, binding: Binding) => void): void {
  if (plan.choiceKey === undefined || openGraph()) run(plan, binding);
  else if (isToBeTuned(plan.choiceKey)) tune(plan, plan.choiceKey, () => run(plan, binding));
  else if (isRecording()) run(plan, binding);
  else {
    choose(plan, plan.choiceKey);
    if (plan.work === undefined) run(plan, binding);
    else plan.work.run(() => run(plan, binding));
  }
}

function tune(plan: Plan, choiceKey: ChoiceKey, run: () => void): void {
  const { device } = plan.launches[0] as Launch;
  const work = device.repeated?.(0);
  if (work === undefined) {
    run();
    return;
  }
  try {
    use(plan, tuneProgram({ name: plan.timing?.name ?? "", device, choiceKey, work }, run));
  } finally {
    work.release();
  }
}

/** Asks once for the choice, when the first launches of the plan's kernels were timed one by one. */
function choose(plan: Plan, { kernel, model, upTo }: ChoiceKey): void {
  if (plan.isChosen || plan.timing === undefined || plan.timing.runs <= sampledLaunches) return;
  const rows = withStore((store) => store.tuning.choices(kernel, model), []);
  const row = rows.find((one) => one.upTo === upTo);
  use(plan, row && mostChangedOf(row.form));
}

function use(plan: Plan, mostChanged: number | undefined): void {
  const { device } = plan.launches[0] as Launch;
  dropped.unregister(plan);
  plan.work?.release();
  plan.isChosen = true;
  plan.work = mostChanged === undefined ? undefined : device.repeated?.(mostChanged);
  if (plan.work) dropped.register(plan, plan.work, plan);
}
