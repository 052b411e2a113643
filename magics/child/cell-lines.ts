// The lines of the running cell, for tables by line.
import type { MagicContext } from "./context.js";

/** The lines of the running cell. */
export function cellLines({ host }: MagicContext): readonly string[] {
  return host.history().at(-1)?.code.split("\n") ?? [];
}

/** The text of the cell's line, or the place elsewhere. */
export function lineOf(place: string, code: readonly string[]): string {
  const line = /^In\[\d+\]:(\d+):/.exec(place)?.[1];
  const text = code[Number(line) - 1]?.trim();
  return text === undefined ? place : `${line}: ${text.length > 48 ? `${text.slice(0, 47)}…` : text}`;
}
