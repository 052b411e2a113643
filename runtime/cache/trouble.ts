// Classifies errors of the database.
import { UnusableError } from "./folder.js";

/** Damaged bytes; a lock held by another process; or an unusable database. */
export type Trouble = "damaged" | "busy" | "unusable";

/** Damage that SQLite does not detect. */
export class DamageError extends Error {
  override readonly name = "DamageError";
}

// A file that ends too early was truncated; other file system failures are not damage. The statements are valid for intact
// tables, so SQLITE_ERROR means that the tables are damaged.
const damage = /^SQLITE_(CORRUPT|NOTADB|IOERR_SHORT_READ|ERROR)/;

/** Classifies an error that a store threw. */
export function troubleOf(error: unknown): Trouble {
  if (isBusy(error)) return "busy";
  if (error instanceof UnusableError) return "unusable";
  return error instanceof DamageError || damage.test(codeOf(error)) ? "damaged" : "unusable";
}

/** True if a lock could not be taken, even on a file system without locks. */
export function isBusy(error: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED)/.test(codeOf(error));
}

function codeOf(error: unknown): string {
  return String((error as { readonly code?: unknown } | undefined)?.code ?? "");
}
