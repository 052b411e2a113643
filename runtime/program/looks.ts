// Computations of elements that were never computed at this place of a path: their plans.

import type { Sink } from "../launch/sink.js";
import type { Value } from "./ir.js";
import { type Binding, makePlan } from "./plan.js";
import { compileTogether } from "./prepare.js";
import type { Programs } from "./programs.js";
import { type Look, mostNext, newPath, type Path } from "./slot.js";
import { timedPlan } from "./timed-run.js";

/** What a tape gives to a plan: its nodes and leaves, its function's programs, and the sink beneath it. */
interface Planned extends Binding {
  readonly programs: Programs;
  readonly outer: Sink | undefined;
}

/** The continuation of a path after values are computed that never were. */
export function newLook(path: Path, values: readonly Value[], tape: Planned, isLast: boolean): Look {
  const make = () => makePlan(values, tape.programs, tape, isLast);
  const plan = timedPlan(tape.programs.name, make, (made) => {
    if (tape.outer === undefined) compileTogether(made, tape);
  });
  const { next, looks, program } = newPath();
  const look: Look = { next, looks, program, plan, isLast };
  path.looks.unshift(look);
  if (path.looks.length > mostNext) path.looks.pop();
  return look;
}

/** Ends the explained function at the point where it reads elements. */
export class ExplainedBreak extends Error {}
