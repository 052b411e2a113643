// Zip archives go through fflate, which is loaded at the first of them. Members are stored as they are, because tensors'
// bytes hardly shrink; compressed ones are read too.
import { requireFrom } from "./builtins.js";

// What is used of fflate.
interface Fflate {
  zipSync(files: Record<string, Uint8Array>, options: { level: 0 }): Uint8Array;
  unzipSync(archive: Uint8Array): Record<string, Uint8Array>;
}

let loaded: Fflate | undefined;

function fflate(): Fflate {
  loaded ??= requireFrom(import.meta.url)("fflate") as Fflate;
  return loaded;
}

/** The members of an archive by name; throws what fflate throws for damaged bytes. */
export function unzip(archive: Uint8Array): Map<string, Uint8Array> {
  return new Map(Object.entries(fflate().unzipSync(archive)));
}

/** An archive of members by name. */
export function zip(members: ReadonlyMap<string, Uint8Array>): Uint8Array {
  return fflate().zipSync(Object.fromEntries(members), { level: 0 });
}
