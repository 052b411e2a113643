// Where the operations of a composed kernel were called. The kernel's text omits this, so that every process and every
// program with these operations shares the kernel; a listing joins the two.

import type { StepPlaces } from "../../functor/functor.js";
import { epilogueSpace } from "../reductions/reduce-epilogue.js";
import type { Step } from "./composition.js";

/** A line of a source, counted from 1, and where the operation that it computes was called. */
export interface PlacedLine {
  readonly line: number;
  readonly place: string;
}

/** Records the source positions of the steps of a composed functor or row body, for the current plan. */
export function notePlaces<T extends { readonly places?: StepPlaces }>(
  composed: T,
  steps: readonly Step[],
): T {
  if (composed.places) composed.places.steps = steps.map(({ place }) => place);
  return composed;
}

/**
 * The lines of a kernel's source whose step has a known source position; `after` are the positions of what follows a
 * reduction.
 */
export function placedLines(
  source: string,
  places: StepPlaces | undefined,
  after: StepPlaces | undefined,
): readonly PlacedLine[] {
  let own = places;
  return source.split("\n").flatMap((text, i) => {
    if (text === `namespace ${epilogueSpace} {`) own = after;
    const step = /^\s*(?:const \S+ )?v(\d+)(?:_\d+)? = cast</.exec(text)?.[1];
    const place = step === undefined ? "" : (own?.steps[Number(step)] ?? "");
    return place === "" ? [] : { line: i + 1, place };
  });
}
