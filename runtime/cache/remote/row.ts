// A row of the shared cache: a compressed module with its kernels, after a seal over all of it. The seal is checked before a
// row is unpacked or read.
import { compression, hmacSha256, sameBytes } from "../../base/builtins.js";
import { schemaVersion } from "../schema.js";
import { checkedModule, textOfModule } from "../seed-check.js";
import type { StoredModule } from "../store.js";

const sealBytes = 32;
const newLine = 10;
// The maximum unpacked size, above any kernel's.
const largest = 2 ** 28;

/** Why a row is not used, as a clause. */
export class RowError extends Error {
  override readonly name = "RowError";
}

/** The row of a module, sealed with the group's secret. */
export function rowOf(secret: Uint8Array, stored: StoredModule): Uint8Array {
  const text = Buffer.from(`${JSON.stringify(textOfModule(stored))}\n`);
  const packed = compression().deflateRawSync(Buffer.concat([text, stored.module.binary]));
  return Buffer.concat([sealOf(secret, packed), packed]);
}

/** The module of a row under a key; throws RowError if the group did not store it there. */
export function moduleOf(secret: Uint8Array, key: string, row: Uint8Array): StoredModule {
  const seal = Buffer.from(row.subarray(0, sealBytes));
  const packed = row.subarray(sealBytes);
  if (!sameBytes(seal, sealOf(secret, packed))) throw new RowError("has a wrong seal");
  const stored = unpacked(packed);
  if (!stored.kernels.some((kernel) => kernel.key === key))
    throw new RowError("was moved there from another key");
  return stored;
}

/** The row names its kernels' keys, symbols and compiler itself, so one seal covers them and the binary. */
function sealOf(secret: Uint8Array, packed: Uint8Array): Buffer {
  return hmacSha256(Buffer.from(secret), `jitlab shared kernels\0${schemaVersion}\0`, packed);
}

function unpacked(packed: Uint8Array): StoredModule {
  try {
    const bytes = compression().inflateRawSync(packed, { maxOutputLength: largest });
    const end = bytes.indexOf(newLine);
    return checkedModule(JSON.parse(bytes.toString("utf8", 0, end)), bytes.subarray(end + 1));
  } catch (error) {
    throw new RowError(`cannot be read (${error instanceof Error ? error.message : String(error)})`);
  }
}
