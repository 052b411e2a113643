// What an error of the database means for its use.
import { UnusableError } from "./folder.js";

/** Its bytes are damaged; another process holds its lock; or it cannot be used. */
export type Trouble = "damaged" | "busy" | "unusable";

/** Damage that SQLite does not see. */
export class DamageError extends Error {
  override readonly name = "DamageError";
}

// A file that ends too early was truncated; other failures of the file system are not the database's. The statements are
// right for sound tables: SQLITE_ERROR says that the tables are not.
const damage = /^SQLITE_(CORRUPT|NOTADB|IOERR_SHORT_READ|ERROR)/;

/** What an error that the store threw means. */
export function troubleOf(error: unknown): Trouble {
  if (isBusy(error)) return "busy";
  if (error instanceof UnusableError) return "unusable";
  return error instanceof DamageError || damage.test(codeOf(error)) ? "damaged" : "unusable";
}

/** True where a lock could not be had: of a file system without locks too. */
export function isBusy(error: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED)/.test(codeOf(error));
}

function codeOf(error: unknown): string {
  return String((error as { readonly code?: unknown } | undefined)?.code ?? "");
}
