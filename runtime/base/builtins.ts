// Node's modules that importing the library does not need. Loading one takes up to eight milliseconds, so each is loaded at
// its first use.
import type { spawn as Spawn, spawnSync as SpawnSync } from "node:child_process";
import type { BinaryLike, Hash } from "node:crypto";
import type WorkerThreads from "node:worker_threads";
import type Zlib from "node:zlib";

/** The SHA-256 digest of the parts, one after another, in hexadecimal. */
export function sha256(...parts: readonly BinaryLike[]): string {
  const digest = startSha256();
  for (const part of parts) digest.update(part);
  return digest.digest("hex");
}

/** A SHA-256 digest to update. */
export function startSha256(): Hash {
  return process.getBuiltinModule("node:crypto").createHash("sha256");
}

/** The HMAC-SHA256 of the parts, one after another. */
export function hmacSha256(secret: Buffer, ...parts: readonly BinaryLike[]): Buffer {
  const mac = process.getBuiltinModule("node:crypto").createHmac("sha256", secret);
  for (const part of parts) mac.update(part);
  return mac.digest();
}

/** True for equal bytes, in constant time. */
export function sameBytes(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && process.getBuiltinModule("node:crypto").timingSafeEqual(one, other);
}

/** Random bytes. */
export function randomBytes(count: number): Buffer {
  return process.getBuiltinModule("node:crypto").randomBytes(count);
}

/** Node's functions that start programs. */
export function programs(): { readonly spawn: typeof Spawn; readonly spawnSync: typeof SpawnSync } {
  return process.getBuiltinModule("node:child_process");
}

/** Node's functions for compressed bytes and checksums. */
export function compression(): typeof Zlib {
  return process.getBuiltinModule("node:zlib");
}

/** Node's threads and the channels between them. */
export function threads(): typeof WorkerThreads {
  return process.getBuiltinModule("node:worker_threads");
}

/** The `require` of a module with this URL. */
export function requireFrom(url: string): NodeRequire {
  return process.getBuiltinModule("node:module").createRequire(url);
}
