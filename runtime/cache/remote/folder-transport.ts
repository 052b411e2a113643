// The shared cache as a folder, for example on a network disk: one file per module, written under another name and renamed,
// so that readers see complete files. Not a database, because many network disks lack locks.
import { constants } from "node:fs";
import {
  chmod,
  copyFile,
  link,
  lstat,
  mkdir,
  open,
  readdir,
  realpath,
  rename,
  stat,
  unlink,
  writeFile,
} from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { randomBytes } from "../../base/builtins.js";
import { schemaVersion } from "../schema.js";
import { inOwnFolder, isLink, unfollowed } from "./own-folder.js";
import type { RemoteSettings } from "./settings.js";
import { type Looked, largestRow, type Transport, type TransportTotals } from "./transport.js";

const dayMs = 24 * 3600 * 1000;

// The names of jitlab's files. Others are neither counted nor deleted.
const rowName = /^[0-9a-f]{64}$/;
const partName = /^[0-9a-f]{64}\.[0-9a-f]{16}\.part$/;
const drawerName = /^[0-9a-f]{2}$/;
const sweptName = "swept";

interface Entry {
  readonly drawer: string;
  readonly name: string;
  /** A module with several kernels is one file with several links; this is one link's share of its size. */
  readonly bytes: number;
  readonly lastUse: number;
}

/** A folder shared by several machines. */
export class FolderTransport implements Transport {
  /** Without links, once it is open. */
  #folder = "";
  #kernels = "";
  #leases = "";

  constructor(private readonly settings: RemoteSettings) {}

  async open(): Promise<void> {
    const { folder = "" } = this.settings;
    this.#folder = await realpath(folder).catch(async (error) => {
      missing(error);
      await mkdir(folder, { recursive: true });
      return realpath(folder);
    });
    const own = join(this.#folder, `jitlab-${schemaVersion}`);
    this.#kernels = join(own, "kernels");
    this.#leases = join(own, "leases");
    await this.#make(this.#kernels);
    await this.#make(this.#leases);
  }

  async look(key: string, leaseMs: number): Promise<Looked> {
    const row = await this.#read(this.#place(key));
    if (row) return row;
    const claim = await this.#claim(key, leaseMs);
    // Meanwhile its owner may have stored the kernel and released the lease.
    return claim === "ours" ? ((await this.#read(this.#place(key))) ?? claim) : claim;
  }

  async fetch(keys: readonly string[]): Promise<readonly (Uint8Array | undefined)[]> {
    return Promise.all(keys.map((key) => this.#read(this.#place(key))));
  }

  async put(keys: readonly string[], row: Uint8Array): Promise<void> {
    const [first = "", ...others] = keys;
    await this.#inDrawer(first, async (folder) => {
      const part = join(folder, partOf(first));
      await writeFile(part, row, { flag: "wx" });
      for (const key of others) {
        await this.#inDrawer(key, async (otherFolder) => {
          const other = join(otherFolder, partOf(key));
          // Without hard links, copy the file.
          await link(part, other).catch(() => copyFile(part, other, constants.COPYFILE_EXCL));
          await rename(other, join(otherFolder, key));
        });
      }
      await rename(part, join(folder, first));
    });
    await inOwnFolder(this.#leases, async (folder) => {
      for (const key of keys) await remove(join(folder, key));
    });
    await this.#sweepDaily();
  }

  async *keys(): AsyncIterable<readonly string[]> {
    for await (const entries of this.#drawers()) yield entries.map(({ name }) => name);
  }

  async totals(): Promise<TransportTotals> {
    let kernels = 0;
    let bytes = 0;
    for await (const entries of this.#drawers()) {
      kernels += entries.length;
      bytes += entries.reduce((sum, entry) => sum + entry.bytes, 0);
    }
    return { kernels, bytes };
  }

  async clear(): Promise<number> {
    const { kernels } = await this.totals();
    for await (const entries of this.#drawers(true)) for (const entry of entries) await this.#remove(entry);
    await inOwnFolder(this.#leases, async (folder) => {
      for (const name of await readdir(folder)) {
        if (rowName.test(name) || name === sweptName) await remove(join(folder, name));
      }
    });
    return kernels;
  }

  close(): void {}

  /** A row; undefined if there is none, or something else than a file of a possible size, which a new row replaces. */
  async #read(path: string): Promise<Uint8Array | undefined> {
    const file = await open(path, unfollowed).catch((error) => {
      if (!isLink(error) && error.code !== "ENXIO") missing(error); // a socket's
    });
    if (!file) return undefined;
    try {
      const found = await file.stat();
      const age = Date.now() - found.mtimeMs;
      if (!found.isFile() || found.size > largestRow || age > this.settings.ttlMs) return undefined;
      const row = Buffer.alloc(found.size);
      const { bytesRead } = await file.read(row, 0, row.length, 0);
      // A use is recorded once a day; read-only users record none.
      const now = new Date();
      if (age > dayMs) await file.utimes(now, now).catch(() => undefined);
      return row.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  }

  #claim(key: string, leaseMs: number): Promise<"ours" | "taken"> {
    return inOwnFolder(this.#leases, async (folder) => {
      const path = join(folder, key);
      try {
        await create(path);
        return "ours";
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EEXIST") return "ours"; // read-only users
      }
      const since = (await lstat(path).catch(missing))?.mtimeMs ?? 0;
      if (Date.now() - since < leaseMs) return "taken";
      await renew(path);
      return "ours";
    });
  }

  /** A folder below the shared one, with the same permissions. */
  async #make(path: string): Promise<void> {
    const parent = dirname(path);
    try {
      await inOwnFolder(parent, (folder) => mkdir(join(folder, basename(path))));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EEXIST") return;
      if (code !== "ENOENT" || parent === this.#folder) throw error;
      await this.#make(parent);
      return this.#make(path);
    }
    const { mode } = await stat(this.#folder);
    // Some network disks do not support modes.
    await inOwnFolder(path, (folder) => chmod(folder, mode & 0o7777)).catch(() => undefined);
  }

  /** Once a day, a process that stores a kernel removes old files, then the excess over the size limit. */
  async #sweepDaily(): Promise<void> {
    const isDue = await inOwnFolder(this.#leases, async (folder) => {
      const marker = join(folder, sweptName);
      const last = (await lstat(marker).catch(missing))?.mtimeMs ?? 0;
      if (Date.now() - last < dayMs) return false;
      await renew(marker);
      return true;
    });
    if (!isDue) return;
    const all: Entry[] = [];
    for await (const entries of this.#drawers(true)) all.push(...entries);
    const oldestFirst = all.sort((one, other) => one.lastUse - other.lastUse);
    let excess = all.reduce((sum, entry) => sum + entry.bytes, 0) - this.settings.maxBytes;
    for (const entry of oldestFirst) {
      if (excess <= 0 && Date.now() - entry.lastUse < this.settings.ttlMs) break;
      await this.#remove(entry);
      excess -= entry.bytes;
    }
  }

  #remove({ drawer, name }: Entry): Promise<void> {
    return inOwnFolder(drawer, (folder) => remove(join(folder, name)));
  }

  /** The rows of each subfolder in turn, optionally with unfinished ones. */
  async *#drawers(withParts = false): AsyncIterable<readonly Entry[]> {
    const isWanted = (name: string) => rowName.test(name) || (withParts && partName.test(name));
    const names = await inOwnFolder(this.#kernels, (folder) => readdir(folder));
    for (const drawer of names.filter((name) => drawerName.test(name))) {
      const path = join(this.#kernels, drawer);
      const listed = inOwnFolder(path, async (folder) => {
        const wanted = (await readdir(folder)).filter(isWanted);
        return Promise.all(wanted.map((name) => entryOf(folder, path, name)));
      });
      // A link that someone planted, or a folder that was removed meanwhile, has no rows.
      yield (await listed.catch(() => [])).flatMap((entry) => entry ?? []);
    }
  }

  async #inDrawer(key: string, action: (folder: string) => Promise<void>): Promise<void> {
    const drawer = dirname(this.#place(key));
    await this.#make(drawer);
    await inOwnFolder(drawer, action);
  }

  #place(key: string): string {
    return join(this.#kernels, key.slice(0, 2), key);
  }
}

function partOf(key: string): string {
  return `${key}.${randomBytes(8).toString("hex")}.part`;
}

async function create(path: string): Promise<void> {
  await (await open(path, "wx")).close();
}

async function remove(path: string): Promise<void> {
  await unlink(path).catch(missing);
}

/** Replaces a file that may belong to another user. */
async function renew(path: string): Promise<void> {
  await remove(path);
  await create(path).catch(() => undefined); // another process has just created it
}

async function entryOf(folder: string, drawer: string, name: string): Promise<Entry | undefined> {
  const found = await lstat(join(folder, name)).catch(missing);
  if (!found?.isFile()) return undefined;
  return { drawer, name, bytes: found.size / found.nlink, lastUse: found.mtimeMs };
}

function missing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
}
