// Has the launches of programs queued as one, whatever was measured.
import { withStore } from "../../dist/runtime/cache/current-store.js";
import { collectRuns } from "../../dist/runtime/launch/runs.js";
import { tunePrograms } from "../../dist/runtime/tuning/program.js";

/** Calls that a function's programs need before their launches are queued as one: they are timed one by one, then learned. */
export const callsBefore = 17 + 2;

/**
 * Chooses, for the programs of a call, that up to `mostChanged` launches may change in a run that is queued as one; below 0, one by
 * one. Functions that are compiled later use it. Returns what tuning measured.
 */
export function choose(call, mostChanged) {
  const rows = collectRuns(() => tunePrograms(call)).value.forms;
  const form = mostChanged < 0 ? "one by one" : `one graph, up to ${mostChanged} changed`;
  withStore((store) => {
    for (const choice of store.tuning.all())
      if (choice.variant.startsWith("program of")) store.tuning.put({ ...choice, form });
  }, undefined);
  return rows;
}
