// The folder of the database: created for this user only, rejected if it belongs to another.
import {
  chmodSync,
  closeSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  type Stats,
  statfsSync,
  statSync,
} from "node:fs";
import { dirname, join } from "node:path";

const unusedAfterMs = 30 * 24 * 3600 * 1000;

/** Removes the files of a folder that were not written, or marked as read, for a month. */
export function removeUnused(folder: string): void {
  const oldest = Date.now() - unusedAfterMs;
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    // Another process may remove it meanwhile.
    const there = statSync(path, { throwIfNoEntry: false });
    if (there && there.mtimeMs < oldest) rmSync(path, { force: true });
  }
}

/** Why a folder or file is not used: a clause after its path. */
export class UnusableError extends Error {
  override readonly name = "UnusableError";

  /** The problem and the next step. */
  constructor(
    message: string,
    readonly help: string = otherFolder,
  ) {
    super(message);
  }
}

/** The remedy for an unused folder. */
export const otherFolder = "JITLAB_CACHE_DIR names another folder.";

/** The files that SQLite opens for a database, change files first. */
export function filesOf(database: string): string[] {
  return ["-wal", "-shm", "-journal", ""].map((suffix) => `${database}${suffix}`);
}

/** Creates the folder and an empty database file if they are missing; throws if others could have written to them. */
export function secureFolder(folder: string, file: string): void {
  makeFolder(folder);
  const place = statSync(folder);
  if (!place.isDirectory()) throw new UnusableError(`${folder} is not a folder`);
  checkOwner(folder, place);
  if ((place.mode & 0o077) !== 0) chmodSync(folder, 0o700);
  // SQLite gives its other files the permissions of this one. An existing one is not opened: closing it would release
  // SQLite's locks on it in other threads of this process.
  const there = lstatSync(file, { throwIfNoEntry: false });
  if (!there) closeSync(openSync(file, "a", 0o600));
  for (const path of filesOf(file)) {
    const present = lstatSync(path, { throwIfNoEntry: false });
    if (!present) continue;
    if (!present.isFile()) throw new UnusableError(`${path} is not a file`);
    checkOwner(path, present);
  }
}

/**
 * Creates a folder and its parents for their owner only; throws if one cannot be created. It does not use mkdir's
 * `recursive`, which never returns in Node for a path below /proc.
 */
export function makeFolder(folder: string): void {
  if (made(folder)) return;
  makeFolder(dirname(folder));
  if (!made(folder)) throw new UnusableError(`${folder} cannot be made (ENOENT)`);
}

/** Returns false if the parent folder is missing. */
function made(folder: string): boolean {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" && dirname(folder) !== folder) return false;
    if (code !== "EEXIST") throw error;
  }
  return true;
}

/** Throws if a file or folder belongs to another user, or others can write to it. */
export function checkOwner(path: string, { uid, mode }: Stats): void {
  const user = process.getuid?.();
  if (user !== undefined && uid !== user)
    throw new UnusableError(`${path} belongs to another user (id ${uid}): use a new folder`);
  if ((mode & 0o022) !== 0) {
    throw new UnusableError(`${path} can be written by others, who may have changed it: use a new folder`);
  }
}

// Magic numbers of statfs(2): NFS, SMB, CIFS, SMB2, Lustre, GPFS, AFS, Ceph, 9p, BeeGFS, CODA, FUSE.
const networkTypes: readonly number[] = [
  0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x0bd00bd0, 0x47504653, 0x5346414f, 0x00c36400, 0x01021997,
  0x19830326, 0x73757245, 0x65735546,
];

/** True if several machines may share the folder: memory-mapped files do not work there. */
export function isOnNetwork(folder: string): boolean {
  try {
    return networkTypes.includes(statfsSync(folder).type);
  } catch {
    return false;
  }
}
