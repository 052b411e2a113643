// Makes and runs plans and measures their time: a new plan's cost is kept in a row, and every run is added to open
// recordings.

import { isRecording, noteRegion } from "../../launch/launch-recorder.js";
import { addProgramTiming } from "../../launch/program-timings.js";
import type { Binding } from "./binding.js";
import type { Plan } from "./launches.js";
import { runPlan } from "./run.js";

/** Makes a plan of a function's operations, and has its kernels compiled. */
export function timedPlan(name: string, make: () => Plan, compile: (plan: Plan) => void): Plan {
  const began = performance.now();
  const plan = make();
  const planMs = performance.now() - began;
  compile(plan);
  const compileMs = performance.now() - began - planMs;
  const [operations, kernels] = [plan.slots.size, plan.launches.length];
  plan.timing = addProgramTiming({ name, operations, kernels, planMs, compileMs, runs: 0 });
  return plan;
}

/** Runs a plan. */
export function timedRun(plan: Plan, binding: Binding): void {
  timed(plan, () => runPlan(plan, binding));
}

/** Calls a function that launches a plan. */
export function timed(plan: Plan, run: () => void): void {
  const { timing } = plan;
  if (timing === undefined || !isRecording()) {
    run();
  } else {
    const { name, operations, kernels, planMs, compileMs, runs } = timing;
    const made = runs > 0 ? { planMs: 0, compileMs: 0 } : { planMs, compileMs };
    const launched = performance.now();
    run();
    const phases = { ...made, launchMs: performance.now() - launched };
    noteRegion({ name, operations, kernels, startMs: launched - made.planMs - made.compileMs, phases });
  }
  if (timing) timing.runs++;
}
