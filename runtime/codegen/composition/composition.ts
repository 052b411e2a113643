// What one composed kernel computes, as data: the composer and the stages write its text.

import type { DType } from "../../base/dtype.js";
import type { Addressed, Functor } from "../../functor/functor.js";

/** Where an argument of a step comes from: an operand in memory, an earlier step's result, or a scalar. */
export type Origin =
  | { readonly kind: "input"; readonly index: number }
  | { readonly kind: "step"; readonly step: number; readonly output: number }
  | { readonly kind: "scalar"; readonly index: number };

/** A short text of an origin, for keys. */
export function originKey(from: Origin): string {
  if (from.kind === "step") return `v${from.step}.${from.output}`;
  return `${from.kind === "input" ? "i" : "s"}${from.index}`;
}

/** One operation of a composed kernel. */
export interface Step {
  readonly functor: Functor;
  readonly compute: DType;
  readonly inputs: readonly Origin[];
  /** The scalars of its captured parameters, in the order of the functor's list. */
  readonly parameters: readonly number[];
  /** The dtypes in which the separate call stores its results. */
  readonly stored: readonly DType[];
  /** Its source position, which is not part of the kernel's identity. */
  readonly place: string;
}

/** The operands in memory of which steps get the address. */
export function addressedIn(steps: readonly Step[]): Addressed | undefined {
  const of = (kind: "sources" | "flags") => {
    const found = steps.flatMap(({ functor, inputs }) =>
      (functor.addressed?.[kind] ?? []).flatMap((i) => {
        const from = inputs[i];
        return from?.kind === "input" ? [from.index] : [];
      }),
    );
    return [...new Set(found)];
  };
  const addressed = { sources: of("sources"), flags: of("flags") };
  return addressed.sources.length > 0 ? addressed : undefined;
}

/** What one kernel computes: steps in an order that defines before it uses. */
export interface Composition {
  /** The stored dtypes of the operands in memory. */
  readonly inputs: readonly DType[];
  /** The number of scalars; equal values are separate, so that a kernel never depends on them. */
  readonly scalars: number;
  readonly steps: readonly Step[];
  /** The results that are stored, in the order of the kernel's outputs. */
  readonly outputs: readonly { readonly step: number; readonly output: number }[];
}
