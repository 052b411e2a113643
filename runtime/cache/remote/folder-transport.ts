// The shared cache as a folder, for example on a network disk: one file per module, written under another name and renamed,
// so that readers see complete files. Not a database, because many network disks lack locks.
import { chmod, copyFile, link, mkdir, open, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { randomBytes } from "../../base/builtins.js";
import { schemaVersion } from "../schema.js";
import type { RemoteSettings } from "./settings.js";
import type { Looked, Transport, TransportTotals } from "./transport.js";

const dayMs = 24 * 3600 * 1000;

interface Entry {
  readonly path: string;
  readonly key: string;
  /** A module with several kernels is one file with several links; this is one link's share of its size. */
  readonly bytes: number;
  readonly lastUse: number;
}

/** A folder shared by several machines. */
export class FolderTransport implements Transport {
  readonly #folder: string;
  readonly #kernels: string;
  readonly #leases: string;

  constructor(private readonly settings: RemoteSettings) {
    this.#folder = settings.folder ?? "";
    const folder = join(this.#folder, `jitlab-${schemaVersion}`);
    this.#kernels = join(folder, "kernels");
    this.#leases = join(folder, "leases");
  }

  async open(): Promise<void> {
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
    const part = this.#partOf(first);
    await this.#make(this.#drawer(first));
    await writeFile(part, row);
    for (const key of others) {
      const other = this.#partOf(key);
      await this.#make(this.#drawer(key));
      // Without hard links, copy the file.
      await link(part, other).catch(() => copyFile(part, other));
      await rename(other, this.#place(key));
    }
    await rename(part, this.#place(first));
    await Promise.all(keys.map((key) => rm(join(this.#leases, key), { force: true })));
    await this.#sweepDaily();
  }

  async *keys(): AsyncIterable<readonly string[]> {
    for await (const entries of this.#drawers()) yield entries.map(({ key }) => key);
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
    await rm(this.#kernels, { recursive: true, force: true });
    await rm(this.#leases, { recursive: true, force: true });
    await this.open();
    return kernels;
  }

  close(): void {}

  async #read(path: string): Promise<Uint8Array | undefined> {
    const file = await open(path).catch(missing);
    if (!file) return undefined;
    try {
      const { mtimeMs } = await file.stat();
      const age = Date.now() - mtimeMs;
      if (age > this.settings.ttlMs) return undefined;
      const row = await file.readFile();
      // A use is recorded once a day; read-only users record none.
      const now = new Date();
      if (age > dayMs) await file.utimes(now, now).catch(() => undefined);
      return row;
    } finally {
      await file.close();
    }
  }

  async #claim(key: string, leaseMs: number): Promise<"ours" | "taken"> {
    const path = join(this.#leases, key);
    try {
      await create(path);
      return "ours";
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") return "ours"; // read-only users
    }
    const since = (await stat(path).catch(missing))?.mtimeMs ?? 0;
    if (Date.now() - since < leaseMs) return "taken";
    await renew(path);
    return "ours";
  }

  /** A folder below the shared one, with the same permissions. */
  async #make(path: string): Promise<void> {
    try {
      await mkdir(path);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EEXIST") return;
      if (code !== "ENOENT") throw error;
      const parent = dirname(path);
      await (parent === this.#folder ? mkdir(parent, { recursive: true }) : this.#make(parent));
      return this.#make(path);
    }
    // Some network disks do not support modes.
    await chmod(path, (await stat(this.#folder)).mode & 0o7777).catch(() => undefined);
  }

  /** Once a day, a process that stores a kernel removes old files, then the excess over the size limit. */
  async #sweepDaily(): Promise<void> {
    const marker = join(this.#leases, "swept");
    const last = (await stat(marker).catch(missing))?.mtimeMs ?? 0;
    if (Date.now() - last < dayMs) return;
    await renew(marker);
    const all: Entry[] = [];
    for await (const entries of this.#drawers(true)) all.push(...entries);
    const oldestFirst = all.sort((one, other) => one.lastUse - other.lastUse);
    let excess = all.reduce((sum, entry) => sum + entry.bytes, 0) - this.settings.maxBytes;
    for (const { path, bytes, lastUse } of oldestFirst) {
      if (excess <= 0 && Date.now() - lastUse < this.settings.ttlMs) break;
      await rm(path, { force: true });
      excess -= bytes;
    }
  }

  /** The files of each subfolder in turn, optionally with unfinished ones. */
  async *#drawers(withParts = false): AsyncIterable<readonly Entry[]> {
    for (const drawer of await readdir(this.#kernels)) {
      const names = await readdir(join(this.#kernels, drawer)).catch(missing);
      const wanted = (names ?? []).filter((name) => withParts || /^[0-9a-f]{64}$/.test(name));
      const entries = await Promise.all(
        wanted.map((name) => entryOf(join(this.#kernels, drawer, name), name)),
      );
      yield entries.flatMap((entry) => entry ?? []);
    }
  }

  #drawer(key: string): string {
    return join(this.#kernels, key.slice(0, 2));
  }

  #place(key: string): string {
    return join(this.#drawer(key), key);
  }

  #partOf(key: string): string {
    return `${this.#place(key)}.${randomBytes(8).toString("hex")}.part`;
  }
}

async function create(path: string): Promise<void> {
  await (await open(path, "wx")).close();
}

/** Replaces a file that may belong to another user. */
async function renew(path: string): Promise<void> {
  await rm(path, { force: true });
  await create(path).catch(() => undefined); // another process has just created it
}

async function entryOf(path: string, key: string): Promise<Entry | undefined> {
  const found = await stat(path).catch(missing);
  return found && { path, key, bytes: found.size / found.nlink, lastUse: found.mtimeMs };
}

function missing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
}
