// What stands in the rows of the database: text that was read as bytes, and the checksums that find damage.
import { compression, sha256 } from "../builtins.js";
import type { FetchedText } from "./store.js";

export { sha256 } from "../builtins.js";

/** One row as SQLite gives it. */
export type Row = Readonly<Record<string, unknown>>;

/** Text that was read as bytes: one row comes with Buffers, several come with ArrayBuffers. */
export function textOf(value: unknown): string {
  const bytes = value instanceof ArrayBuffer ? Buffer.from(value) : value;
  return Buffer.isBuffer(bytes) ? bytes.toString() : "";
}

/** A list that was stored as JSON; empty where it is damaged. */
export function listOf(value: unknown): string[] {
  try {
    return (JSON.parse(textOf(value)) as unknown[]).map(String);
  } catch {
    return [];
  }
}

/** What ties a kernel to its module's bytes: a damaged index does not lead to another kernel. */
export function sealOf(key: string, module: string, crc: number): string {
  return sha256(`${key} ${module} ${crc}`);
}

/** True for a row whose binary and seal are what they were. A CRC takes a fraction of the time of a SHA. */
export function isIntact(key: string, row: Row): boolean {
  const crc = Number(row.crc);
  return (
    compression().crc32(row.binary as Uint8Array) === crc &&
    textOf(row.seal) === sealOf(key, textOf(row.module), crc)
  );
}

/** The checksum of what was compiled beside the binary. */
export function textSha({ assembly, log }: FetchedText): string {
  return sha256(assembly, "\0", log);
}
