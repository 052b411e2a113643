// What a reduction and a scan have in common: the maps that compute its elements, and those behind it in its last kernel.

import type { Functor } from "../../../functor/functor.js";
import type { View } from "../../../geometry/view.js";
import type { ScanCall } from "../../../launch/calls.js";
import type { Window } from "../../operations/window.js";
import { viewAt } from "../../operations/window.js";
import { type Binding, type NamedScalars, parametersAt, type ReadRef } from "../binding.js";
import type { Launch, Views } from "../launches.js";

/** Maps as one functor, and its scalars. */
interface Maps {
  readonly functor: Functor;
  readonly parameters: NamedScalars;
}

/** What a reduction or a scan reads, and the maps around it. */
export interface Around {
  /** The maps before it; undefined if it reads its elements from memory. */
  readonly before: Maps | undefined;
  /** The elements that it takes: an operand in memory, or results of the maps before it. */
  readonly elements: Window;
  /** How many of the launch's operands it takes; the others are those of the maps behind it. */
  readonly reads: number;
  /** For each of its results whether it is stored, and the maps behind it; undefined if its one result is stored. */
  readonly after: { readonly maps: Maps | undefined; readonly keeps: readonly boolean[] } | undefined;
}

/** The name of a kernel with maps around. */
export function nameAround(name: string, { before, after }: Around): string {
  return [before?.functor.name, name, after?.maps?.functor.name].filter((one) => one !== undefined).join("_");
}

/** What a reduction or a scan reads in one call, with the maps before and behind it. */
export function callAround(
  { operands, outputs, device }: Launch,
  { before, elements, reads, after }: Around,
  binding: Binding,
  { read, output }: Views,
): Pick<ScanCall, "input" | "prologue" | "epilogue"> {
  const all = operands.map((one) => read(one as ReadRef));
  const inputs = all.slice(0, reads);
  const prologue = before && {
    functor: before.functor,
    inputs,
    parameters: parametersAt(binding, before.parameters),
  };
  const input = before ? viewAt(0, device, elements) : (inputs[0] as View);
  const epilogue = after && {
    functor: after.maps?.functor,
    keeps: after.keeps,
    inputs: all.slice(reads),
    parameters: parametersAt(binding, after.maps?.parameters ?? []),
    outputs: outputs.map(output),
  };
  return { input, prologue, epilogue };
}
