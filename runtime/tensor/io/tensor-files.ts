// Files of tensors: read and written whole, with errors that name the path.
import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { textOf } from "../../base/arguments.js";
import type { DType } from "../../base/dtype.js";
import { JitlabError } from "../../base/errors.js";

/** The bytes of a file; throws with the code if it cannot be read. */
export function readBytes(what: string, path: string, code: string): Buffer {
  textOf(what, "the path", path);
  try {
    return readFileSync(path);
  } catch (error) {
    throw unreachable(what, path, "read", error, code);
  }
}

/** A file's elements as tensors store them: a bool is 1 for any byte but 0, as in NumPy and PyTorch. */
export function storable(bytes: Uint8Array, dtype: DType): Uint8Array {
  return dtype.kind === "bool" && !bytes.every((byte) => byte <= 1)
    ? bytes.map((byte) => +(byte !== 0))
    : bytes;
}

/** Writes a file from parts; throws with the code if it cannot be written. */
export function writeBytes(what: string, path: string, parts: Iterable<Uint8Array>, code: string): void {
  textOf(what, "the path", path);
  // Made before the file is opened, so that a failure leaves the file unchanged.
  const made = [...parts];
  try {
    const file = openSync(path, "w");
    try {
      for (const part of made)
        for (let at = 0; at < part.length; )
          at += writeSync(file, part, at, Math.min(part.length - at, 2 ** 30));
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throw unreachable(what, path, "written", error, code);
  }
}

function unreachable(what: string, path: string, how: string, error: unknown, code: string): JitlabError {
  return new JitlabError(
    code,
    `${what}: ${String(path)} cannot be ${how}: ${error instanceof Error ? error.message : String(error)}.`,
    `The folder is relative to ${process.cwd()}.`,
  );
}
