// Identifies a compiler by its content, independent of its path, so that two machines with the same one use equal keys.
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { sha256 } from "./builtins.js";
import { JitlabError } from "./errors.js";

// Compiler libraries have a hundred megabytes, so only pieces are read. Another build differs in all pieces: the build id at
// the beginning, the addresses of calls, the tables at the end.
const pieces = 32;
const pieceBytes = 4096;

/**
 * A file's size and a digest of its content: of all bytes of a small file, of 32 pieces of a large one. Throws
 * `unreadable-compiler` for a file that cannot be opened.
 */
export function fingerprintOf(path: string): string {
  const file = open(path);
  try {
    const { size } = fstatSync(file);
    const piece = Buffer.alloc(Math.min(pieceBytes, size));
    const last = size - piece.length;
    const count = Math.min(pieces, Math.ceil(size / pieceBytes));
    const content = Buffer.concat(
      Array.from({ length: count }, (_, i) => {
        const from = count === 1 ? 0 : Math.round((last * i) / (count - 1));
        return Buffer.from(piece.subarray(0, readSync(file, piece, 0, piece.length, from)));
      }),
    );
    return `${size}-${sha256(content).slice(0, 32)}`;
  } finally {
    closeSync(file);
  }
}

function open(path: string): number {
  try {
    return openSync(path, "r");
  } catch (error) {
    throw new JitlabError(
      "unreadable-compiler",
      `The compiler cannot be read: ${(error as Error).message}.`,
      "Check that this user may read the file, and that the process may open more files (`ulimit -n`).",
    );
  }
}
