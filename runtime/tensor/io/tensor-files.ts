// Files of tensors: read and written whole, with errors that name the path.
import {
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { isAbsolute } from "node:path";
import { textOf } from "../../base/arguments.js";
import { randomBytes } from "../../base/builtins.js";
import type { DType } from "../../base/dtype.js";
import { JitlabError } from "../../base/errors.js";
import { atInterruption } from "../../base/interruption.js";

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
      writeParts(file, made);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throw unreachable(what, path, "written", error, code);
  }
}

function writeParts(file: number, parts: readonly Uint8Array[]): void {
  for (const part of parts)
    for (let at = 0; at < part.length; ) at += writeSync(file, part, at, Math.min(part.length - at, 2 ** 30));
}

/** A file that is being written. */
let unfinished: { readonly path: string; readonly file: number } | undefined;

function giveUp(): void {
  if (unfinished === undefined) return;
  const { path, file } = unfinished;
  unfinished = undefined;
  closeSync(file);
  rmSync(path, { force: true });
}

atInterruption(giveUp);

/** Writes a new file from parts and gives it the name of an earlier one, which is whole until then: a crash loses neither. */
export function replaceFile(what: string, path: string, parts: readonly Uint8Array[], code: string): void {
  textOf(what, "the path", path);
  try {
    const target = targetOf(path);
    const partial = `${target}.${process.pid}-${randomBytes(4).toString("hex")}.partial`;
    unfinished = { path: partial, file: openSync(partial, "wx") };
    writeParts(unfinished.file, parts);
    fsyncSync(unfinished.file);
    renameSync(partial, target);
    closeSync(unfinished.file);
    unfinished = undefined;
  } catch (error) {
    giveUp();
    throw unreachable(what, path, "written", error, code);
  }
}

/** The file that a link names: the link stays one. */
function targetOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function unreachable(what: string, path: string, how: string, error: unknown, code: string): JitlabError {
  return new JitlabError(
    code,
    `${what}: ${String(path)} cannot be ${how}: ${error instanceof Error ? error.message : String(error)}.`,
    isAbsolute(String(path))
      ? "Check its folder and its disk."
      : `The folder is relative to ${process.cwd()}.`,
  );
}
