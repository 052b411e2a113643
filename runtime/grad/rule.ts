// What the rules of operations share: what they get, and what they give.
import { JitlabError } from "../base/errors.js";
import type { View } from "../geometry/view.js";
import type { Window } from "../program/operations/window.js";
import { callSite } from "../program/tape/call-site.js";
import type { Tensor } from "../tensor/tensor.js";
import type { Adjoint } from "./adjoint.js";
import type { Kept } from "./kept.js";

/** Adds the cotangents of operands, given those of the results; undefined for results without one. */
export type Pull = (cotangents: readonly (Tensor | undefined)[]) => void;

/** An operand that is differentiated by: the window that it had, and where its cotangents go. */
export interface Active {
  readonly window: Window;
  readonly adjoint: Adjoint;
}

/** The recorder as rules know it. */
export interface Recording {
  /** True if what it computes may be differentiated again. */
  readonly isNested: boolean;
  /** The operand if its elements depend on what is differentiated by. */
  active(operand: unknown): Active | undefined;
  /** Keeps a tensor as it is now. */
  keep(view: View): Kept;
}

/** What a rule keeps of an operation's inputs before it runs; then, with its outputs, the pull. */
export type Rule<O> = (
  recorder: Recording,
  operation: O,
  active: readonly (Active | undefined)[],
) => (outputs: readonly View[]) => Pull;

/** The rule of an operation without one: an error that names where it was called. */
export function refusal(name: string, why = "it is not known yet", help = ""): Pull {
  const place = callSite();
  return () => {
    throw new JitlabError(
      "no-derivative",
      `${name}${place === "" ? "" : ` at ${place}`} has no derivative: ${why}.`,
      `${help} Compute it by operations that have one, or as a constant with jl.stopGradient(() => ...).`.trim(),
    );
  };
}
