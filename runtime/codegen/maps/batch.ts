// Joins several kernels into one text, for one compiler run: starting a compiler costs more than a small kernel.

import type { KernelSpec } from "./map-spec.js";
import { type Pieces, piecesOf } from "./render.js";

/**
 * Kernels with equal classes may share a text: they have equal headers, because a header can change a conversion. A user's
 * functor does not share (undefined): it may define macros, or functions that the others call.
 */
export function batchClass(spec: KernelSpec): string | undefined {
  if (spec.functor.user) return undefined;
  return `${spec.functor.fma}\n${piecesOf(spec).headers.join("\n")}`;
}

/** One text of several kernels of one class: headers and helpers once, the rest of each in its own namespace. */
export function renderBatch(specs: readonly KernelSpec[]): string {
  const pieces = specs.map(piecesOf);
  const headers = new Set(pieces.flatMap((kernel) => kernel.headers));
  // Each kernel lists its helpers in dependency order, so keeping the first occurrence of each is correct.
  const helpers = new Set(pieces.flatMap((kernel) => kernel.helpers));
  return `${[...headers, ...helpers, ...pieces.map(enclosed)].join("\n")}\n`;
}

function enclosed({ title, own }: Pieces, place: number): string {
  return `${title}\nnamespace kernel${place} {\n${own}\n}`;
}
