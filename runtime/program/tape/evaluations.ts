// Computations of elements that were never computed at this place of a path: their plans.

import type { Sink } from "../../launch/sink.js";
import type { Value } from "../operations/ir.js";
import type { Binding } from "../schedule/binding.js";
import { compileKernels } from "../schedule/collect.js";
import { makePlan } from "../schedule/plan.js";
import { timedPlan } from "../schedule/timed-run.js";
import { type Evaluation, mostNext, newPath, type Path } from "./path.js";
import type { Programs } from "./programs.js";

/** What a tape gives to a plan: its nodes and leaves, its function's programs, and the sink beneath it. */
interface Planned extends Binding {
  readonly programs: Programs;
  readonly outer: Sink | undefined;
}

/** The continuation of a path after values are computed that never were. */
export function newEvaluation(
  path: Path,
  values: readonly Value[],
  tape: Planned,
  isLast: boolean,
): Evaluation {
  const make = () => makePlan(values, tape.programs, tape, isLast);
  const plan = timedPlan(tape.programs.name, make, (made) => {
    if (tape.outer === undefined) compileKernels(made, tape);
  });
  const { next, evaluations, program } = newPath();
  const evaluation: Evaluation = { next, evaluations, program, plan, isLast };
  path.evaluations.unshift(evaluation);
  if (path.evaluations.length > mostNext) path.evaluations.pop();
  return evaluation;
}

/** Ends the explained function at the point where it reads elements. */
export class ExplainedBreak extends Error {}
