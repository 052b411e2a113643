// Every failure that jitlab reports is a JitlabError: the problem with its values, and the next step.

import { cut } from "./cut.js";
import { beginWithUser } from "./user-frames.js";

/**
 * An error with a stable `code` for programs and a `help` sentence for people: what to do next. `message` holds both, so
 * that plain Error handlers show them.
 */
export class JitlabError extends Error {
  override readonly name: string = "JitlabError";
  constructor(
    /** Stable identifier, such as `"shape-mismatch"`. */
    readonly code: string,
    /** What happened, with the values involved. */
    readonly what: string,
    /** What to do next; empty without advice. */
    readonly help = "",
  ) {
    super(help ? `${what}\n${help}` : what);
    // Not enumerable, because the message contains them: a printed error shows each sentence once.
    hide(this, "what", "help");
    beginWithUser(this);
  }
}

/** The same error with a further sentence at its message's end. */
export function withNote(error: JitlabError, note: string): JitlabError {
  error.message = `${error.message}\n${note}`;
  return error;
}

/** Runs a function that `inner` does the work of, so that errors name the function that was called. */
export function inNameOf<R>(what: string, inner: string, run: () => R): R {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof JitlabError) || !new RegExp(`^${inner}\\b`).test(error.what)) throw error;
    throw new JitlabError(error.code, `${what}${error.what.slice(inner.length)}`, error.help);
  }
}

/** The source position of a compiler diagnostic; lines and columns count from 1. */
export interface Complaint {
  readonly line: number;
  readonly column?: number;
  readonly severity: "error" | "warning" | "note";
  readonly message: string;
}

/** A compiler rejected a kernel's source; `log` is its output, `complaints` the positions in the user's functor. */
export class CompileError extends JitlabError {
  override readonly name = "CompileError";
  constructor(
    what: string,
    readonly log: string,
    help = "",
    readonly complaints: readonly Complaint[] = [],
    /** The text that was compiled, where the compiler said something of it. */
    readonly source?: string,
  ) {
    super("compile-failed", log ? `${what}\n${log}` : what, help);
    hide(this, "log", "complaints", "source");
  }
}

function hide(error: Error, ...fields: readonly string[]): void {
  for (const field of fields) Object.defineProperty(error, field, { enumerable: false });
}

/** A device or its library is missing or returned an error. */
export class DeviceError extends JitlabError {
  override readonly name = "DeviceError";
}

/** Any value as text for messages; never throws. */
export function show(value: unknown): string {
  try {
    return shown(value, 2);
  } catch {
    return isRevoked(value) ? "a proxy that was revoked" : "an object that cannot be looked into";
  }
}

/** True for a revoked proxy, on which every other operation throws. */
export function isRevoked(value: unknown): boolean {
  try {
    // The result is used, because bundlers drop unused calls.
    return typeof Array.isArray(value) !== "boolean";
  } catch {
    return true;
  }
}

/** `Array.isArray`, but false for a revoked proxy instead of throwing. */
export const isArray = ((value: unknown) =>
  !isRevoked(value) && Array.isArray(value)) as typeof Array.isArray;

function shown(value: unknown, depth: number): string {
  if (typeof value === "string") return JSON.stringify(value.length > 60 ? `${cut(value, 0, 60)}...` : value);
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "function") return `the function ${value.name || "given"}`;
  if (Array.isArray(value)) {
    if (value.length > 20 || depth === 0) return `an array of ${value.length}`;
    return `[${Array.from(value, (item) => shown(item, depth - 1)).join(", ")}]`;
  }
  if (typeof value !== "object" || value === null) return Object.is(value, -0) ? "-0" : String(value);
  return `an object of ${Object.getPrototypeOf(value)?.constructor?.name ?? "no class"}`;
}

/** The candidate nearest to a mistyped name, or undefined if none is near (Levenshtein distance, in which two swapped letters count once; a third of the length). */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined;
  // Different single letters are not similar.
  let bestDistance = name.length === 1 ? 1 : Math.max(1, Math.floor(name.length / 3)) + 1;
  for (const candidate of candidates) {
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** ` Did you mean "x"?`, or an empty string if no candidate is near. */
export function didYouMean(name: string, candidates: Iterable<string>): string {
  const near = nearest(name, candidates);
  return near === undefined ? "" : `Did you mean "${near}"?`;
}

function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swap = swapped ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY;
      next.push(Math.min(substitution, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, swap));
    }
    [before, row] = [row, next];
  }
  return row[b.length] ?? 0;
}
