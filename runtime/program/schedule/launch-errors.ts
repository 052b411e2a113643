// Errors of a plan's launches: which operations a kernel computes, and which user's functor a compiler complains of.

import { CompileError, JitlabError, withNote } from "../../base/errors.js";
import { explainCompileError, explainComposedError } from "../../launch/functor-error.js";
import type { Slot } from "../operations/slot.js";
import { placed } from "./description.js";

const mostNamed = 5;

/** An error of a launch, with the launch's operations and where they were called. */
export function located(error: unknown, slots: readonly Slot[]): unknown {
  if (!(error instanceof JitlabError)) return error;
  const told = error instanceof CompileError ? explained(error, slots) : error;
  const named = slots.slice(0, mostNamed).map(placed);
  const more = slots.length > named.length ? ` and ${slots.length - named.length} more` : "";
  return withNote(told, `The kernel computes ${named.join(", ")}${more}.`);
}

/** A compiler's error in the words of the user's functor that it complains of. */
function explained(error: CompileError, slots: readonly Slot[]): CompileError {
  const users = slots.flatMap((slot) => {
    if (slot.kind !== "map" || !slot.functor.user) return [];
    const types = new Set(slot.operands.flatMap(({ window }) => window?.dtype.name ?? []));
    return [{ functor: slot.functor, types: [...types].join(", ") }];
  });
  const [only] = users;
  if (only && slots.length === 1) return explainCompileError(only.functor, error, only.types);
  return explainComposedError(error, users);
}
