// The seal of a stored kernel: a MAC, so that a cache loads only kernels stored with its secret. The secret of the cache on
// disk is a file that only this user can read, outside the cache's folder.
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { isAbsolute, join, relative } from "node:path";
import { hmacSha256, randomBytes, sameBytes } from "../base/builtins.js";
import { env } from "../base/env.js";
import { checkOwner, makeFolder, UnusableError } from "./folder.js";
import { schemaVersion } from "./schema.js";

const secretBytes = 32;
const help = "XDG_STATE_HOME names another folder for the key.";

/** The fields that determine which code runs for which request. */
export interface Sealed {
  readonly key: string;
  readonly symbol: string;
  /** The compiler's identity. */
  readonly compiler: string;
  /** SHA-256 of the binary. */
  readonly sha: string;
}

/** The seal of a kernel of this schema version: an HMAC-SHA256 in hexadecimal. */
export function sealOf(secret: Buffer, { key, symbol, compiler, sha }: Sealed): string {
  // Not JSON, because a user's toJSON method can change it.
  const words = ["jitlab kernel", schemaVersion, key, sha, symbol, compiler];
  return hmacSha256(secret, words.join("\0")).toString("hex");
}

/** True if a seal was made with this secret for this kernel. */
export function isSealed(secret: Buffer, kernel: Sealed, seal: string): boolean {
  return isSame(seal, sealOf(secret, kernel));
}

/** True for two equal seals. */
export function isSame(seal: string, other: string): boolean {
  return sameBytes(Buffer.from(seal), Buffer.from(other));
}

/** This user's secret, created if missing; throws if it cannot be outside of the cache's folder, or is not private. */
export function ownSecret(cacheFolder: string): Buffer {
  const folder = env("stateDir");
  const file = join(folder, "cache-key");
  if (!isAbsolute(folder)) throw new UnusableError("its key has no place, because HOME is empty", help);
  if (!relative(cacheFolder, folder).startsWith("..")) {
    throw new UnusableError(`its key ${file} would be in the folder that it protects`, help);
  }
  try {
    makeFolder(folder);
    checkOwner(folder, statSync(folder));
    return readSecret(file) ?? makeSecret(file);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why =
      code === "ELOOP" ? `${file} is a symbolic link: delete it, and a new key is made` : (code ?? message);
    throw new UnusableError(`its key ${file} cannot be used (${why})`, help);
  }
}

/** Undefined without a file. Checks use the open descriptor, because the path may change. */
function readSecret(file: string): Buffer | undefined {
  let opened: number;
  try {
    // O_NONBLOCK: opening a named pipe must not wait for its other end.
    opened = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  try {
    const found = fstatSync(opened);
    checkOwner(file, found);
    const mode = (found.mode & 0o777).toString(8);
    if (!found.isFile() || (found.mode & 0o077) !== 0 || found.size !== secretBytes) {
      throw new UnusableError(
        `it must be a file of mode 600 with ${secretBytes} bytes but has mode ${mode} and ${found.size} bytes: ` +
          "delete it, and a new key is made",
      );
    }
    return readFileSync(opened);
  } finally {
    closeSync(opened);
  }
}

/** Writes the whole file before linking its name, so that processes that start together agree on the first. */
function makeSecret(file: string): Buffer {
  const draft = `${file}.${randomBytes(8).toString("hex")}`;
  try {
    const opened = openSync(draft, "wx", 0o600);
    try {
      writeSync(opened, randomBytes(secretBytes));
      fsyncSync(opened);
    } finally {
      closeSync(opened);
    }
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  const secret = readSecret(file);
  if (!secret) throw new UnusableError("it was deleted while it was made");
  return secret;
}
