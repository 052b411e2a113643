// Reads the rows of the database: text arrives as bytes, and checksums reveal damage.
import { sha256 } from "../base/builtins.js";
import { isSealed } from "./seal.js";
import type { FetchedText } from "./store.js";

export { sha256 } from "../base/builtins.js";

/** One row from SQLite. */
export type Row = Readonly<Record<string, unknown>>;

/** Decodes text that was read as bytes: a Buffer from a single row, an ArrayBuffer from several. */
export function textOf(value: unknown): string {
  const bytes = value instanceof ArrayBuffer ? Buffer.from(value) : value;
  return Buffer.isBuffer(bytes) ? bytes.toString() : "";
}

/** A list stored as JSON; empty if it is damaged. */
export function listOf(value: unknown): string[] {
  try {
    return (JSON.parse(textOf(value)) as unknown[]).map(String);
  } catch {
    return [];
  }
}

/** The stored compiler flags. */
export function flagsOf(value: unknown): string[] {
  const text = textOf(value);
  return text === "" ? [] : text.split(" ");
}

/** The state of a kernel's row: intact, a wrong checksum of its binary, or a wrong seal. */
export function faultOf(secret: Buffer, key: string, row: Row): "" | "checksum" | "seal" {
  const sha = row.binary ? sha256(row.binary as Uint8Array) : "";
  if (sha !== textOf(row.module)) return "checksum";
  const kernel = { key, sha, symbol: textOf(row.symbol), compiler: textOf(row.compiler) };
  return isSealed(secret, kernel, textOf(row.seal)) ? "" : "seal";
}

/** The report for a kernel that is not loaded, and its id: wrong seals are reported once, since a copied cache has many. */
export const faultReports = {
  checksum: (key: string) => [
    `damaged ${key}`,
    `A cached kernel's checksum is wrong (key ${key}). It was deleted and is compiled again.`,
  ],
  seal: (key: string) => [
    "seal",
    `A cached kernel's seal is wrong (key ${key}): it was stored by someone else, or with an earlier key of this user. ` +
      "It and others like it are deleted and compiled again.",
  ],
} as const satisfies Record<string, (key: string) => readonly [id: string, text: string]>;

/** The checksum of the compile's other outputs. */
export function textSha({ assembly, log }: FetchedText): string {
  return sha256(assembly, "\0", log);
}
