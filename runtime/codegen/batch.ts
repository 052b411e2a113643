// Several kernels as one text, for one run of a compiler: starting it costs more than a small kernel.
import { type Pieces, piecesOf } from "./render.js";
import type { KernelSpec } from "./spec.js";

/**
 * What kernels must have in common to share a text: the headers, because a header can change what a conversion means. A
 * user's functor never shares (undefined): it may define a macro, or a function under a name that the others call.
 */
export function batchClass(spec: KernelSpec): string | undefined {
  if (spec.functor.user) return undefined;
  return `${spec.functor.fma}\n${piecesOf(spec).headers.join("\n")}`;
}

/** One text of several kernels of one class: headers and helpers once, the rest of each in a namespace of its own. */
export function renderBatch(specs: readonly KernelSpec[]): string {
  const pieces = specs.map(piecesOf);
  const headers = new Set(pieces.flatMap((kernel) => kernel.headers));
  // Each kernel names its helpers dependencies first, so that the first mention of each is late enough.
  const helpers = new Set(pieces.flatMap((kernel) => kernel.helpers));
  return `${[...headers, ...helpers, ...pieces.map(enclosed)].join("\n")}\n`;
}

function enclosed({ title, own }: Pieces, place: number): string {
  return `${title}\nnamespace kernel${place} {\n${own}\n}`;
}
