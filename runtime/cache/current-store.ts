// Where this process keeps compiled kernels: in the database or, when that fails, in its own memory. No failure stops work:
// a damaged database is moved aside and rebuilt, an unusable folder is reported once.
import { env } from "../base/env.js";
import { atInterruption } from "../base/interruption.js";
import { pause } from "../base/pause.js";
import { bytesOf } from "../base/units.js";
import { hasteMs, patienceMs } from "./database.js";
import { DiskStore } from "./disk.js";
import { otherFolder, UnusableError } from "./folder.js";
import { MemoryStore } from "./memory.js";
import { report } from "./report.js";
import type { Store } from "./store.js";
import { troubleOf } from "./trouble.js";

/** The current store. */
export interface CurrentStore {
  readonly path: string;
  readonly mode: "disk" | "memory";
  /** Why not on disk. */
  readonly reason: string;
  /** The remedy. */
  readonly help: string;
  readonly maxBytes: number;
}

const memory = new MemoryStore();
let disk: DiskStore | undefined;
let early: DiskStore | undefined;
atInterruption(() => {
  disk?.endInterrupted();
  early?.endInterrupted();
});
// Fixed at the first use: later changes of the working folder or the environment have no effect.
let folder: string | undefined;
let reason = "";
let help = "";
let maxBytes: number | undefined;
let lockedAt = Number.NEGATIVE_INFINITY;

/** The store of this process. */
export function currentStore(): CurrentStore {
  withStore((store) => store.totals(), undefined);
  return { path: path(), mode: reason === "" ? "disk" : "memory", reason, help, maxBytes: limit() };
}

/**
 * Opens the database early, while there is time for it, unless another process holds it. Errors are ignored: the first use
 * reports them. It also uses a folder that was set in the meantime.
 */
export function openEarly(): void {
  if (folder !== undefined || early || bytesOf(env("cacheMaxBytes")) === undefined) return;
  try {
    early = new DiskStore(env("cacheDir"), limit());
    early.open(hasteMs);
  } catch {
    early = undefined; // as said above
  }
}

/** Calls `use` with the store; returns `otherwise` when another process holds the database for too long. */
export function withStore<T>(action: (store: Store) => T, otherwise: T): T {
  const began = performance.now();
  let failures = 0;
  while (failures < 3) {
    try {
      return action(current());
    } catch (error) {
      const trouble = troubleOf(error);
      if (trouble === "busy") disk?.leave();
      // SQLite does not wait for locks when several processes open a new database at once.
      if (trouble === "busy" && performance.now() - began < patienceMs) {
        pause(retryMs);
        continue;
      }
      failures++;
      if (trouble === "busy" && !isLockedAgain()) return otherwise;
      if (trouble === "busy") leaveDisk(new UnusableError(lockedAgain));
      else if (trouble === "damaged" && failures < 3) rebuild(error);
      else leaveDisk(error);
    }
  }
  return action(memory);
}

const retryMs = 5;

// One long lock may be chance. After a second one, every kernel would wait for several.
const betweenLocksMs = 60_000;
const lockedAgain = "another process keeps it locked; two waits timed out";

function isLockedAgain(): boolean {
  const before = lockedAt;
  lockedAt = performance.now();
  return lockedAt - before < betweenLocksMs;
}

function current(): Store {
  if (reason !== "") return memory;
  if (disk && !disk.isClosed) return disk;
  disk = openedEarly();
  if (disk) return disk;
  disk = new DiskStore(path(), limit());
  disk.open();
  return disk;
}

function path(): string {
  folder ??= env("cacheDir");
  return folder;
}

function openedEarly(): DiskStore | undefined {
  const store = early;
  early = undefined;
  if (store?.folder === path() && !store.isClosed) return store;
  store?.close();
  return undefined;
}

function rebuild(error: unknown): void {
  report(
    "rebuilt",
    `The kernel cache in ${path()} is damaged (${messageOf(error)}). It was moved aside and is rebuilt.`,
  );
  disk?.moveAside();
  disk = undefined;
}

function leaveDisk(error: unknown): void {
  reason = messageOf(error);
  help = error instanceof UnusableError ? error.help : otherFolder;
  disk?.leave();
  disk = undefined;
  report(
    "memory",
    `The kernel cache in ${path()} cannot be used: ${reason}. Kernels are kept in this process only. ${help}`,
  );
}

const defaultLimit = 2 ** 30;

/** The size limit of the database in bytes. */
function limit(): number {
  if (maxBytes !== undefined) return maxBytes;
  const text = env("cacheMaxBytes");
  maxBytes = bytesOf(text);
  if (maxBytes === undefined) {
    maxBytes = defaultLimit;
    report(
      "limit",
      `JITLAB_CACHE_MAX_BYTES is ${JSON.stringify(text)}, which is not a size such as 500M; 1G is used.`,
    );
  }
  return maxBytes;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
