// The database of compiled kernels: the only user of SQLite. Its methods throw what SQLite throws; place.ts decides what
// then happens.

import { lstatSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type LibSQL from "libsql";
import { compression, requireFrom } from "../builtins.js";
import type { DeviceKind } from "../device/device.js";
import { isOnNetwork, securePlace, UnusableError } from "./folder.js";
import { isAlive, self } from "./holder.js";
import { report } from "./report.js";
import { isIntact, listOf, type Row, sealOf, sha256, textOf, textSha } from "./rows.js";
import { createTables, type StatementName, schemaVersion, statements } from "./schema.js";
import {
  type CacheFilter,
  type Claim,
  type Fetched,
  type FetchedText,
  type KernelRecord,
  type Module,
  matches,
  type Relative,
  type Store,
  type StoredKernel,
  type StoredModule,
  type StoreTotals,
  type Verification,
} from "./store.js";
import { Uses } from "./uses.js";

const dayMs = 24 * 3600 * 1000;
const flushAfterMs = 2000;
const busyTimeoutMs = 5000;
// Ends the leases of other machines, which cannot be asked whether they live, and of processes that could not give theirs
// back; a compile that takes longer is done twice.
const leaseMs = 60_000;

/** The database in a folder of this user. */
export class DiskStore implements Store {
  readonly #path: string;
  readonly #database: LibSQL.Database;
  readonly #inode: number;
  readonly #prepared = new Map<StatementName, LibSQL.Statement>();
  readonly #uses = new Uses();
  #flushing: NodeJS.Timeout | undefined;
  readonly #atExit = () => this.close();
  #closed = false;

  /** Names the database in a folder; {@link open} must follow. */
  constructor(
    readonly folder: string,
    private readonly maxBytes: number,
  ) {
    this.#path = join(folder, "kernels.sqlite");
    securePlace(folder, this.#path);
    const Database = requireFrom(import.meta.url)("libsql") as typeof LibSQL;
    this.#database = new Database(this.#path);
    this.#inode = lstatSync(this.#path).ino;
    process.once("exit", this.#atExit);
  }

  /** Makes the tables where there are none. */
  open(): void {
    this.#database.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
    const version = Number(this.#pragma("user_version"));
    if (version > schemaVersion) {
      throw new UnusableError(
        `${this.#path} was made by a newer jitlab (format ${version}; this one writes ${schemaVersion})`,
      );
    }
    if (version < schemaVersion) this.#database.exec("PRAGMA auto_vacuum = INCREMENTAL");
    this.#database.exec(`PRAGMA journal_mode = ${isOnNetwork(this.folder) ? "DELETE" : "WAL"}`);
    this.#database.exec("PRAGMA synchronous = NORMAL");
    if (version === schemaVersion) return;
    this.#change(() => {
      if (Number(this.#pragma("user_version")) !== schemaVersion) this.#database.exec(createTables);
    });
  }

  fetch(key: string): Fetched | undefined {
    const row = this.#get("fetch", key);
    if (!row) return undefined;
    const binary = row.binary as Uint8Array;
    if (isIntact(key, row)) {
      this.#countUse(key);
      return { binary, compileMs: Number(row.compile_ms) };
    }
    this.remove(key);
    report(
      `damaged ${key}`,
      `A cached kernel's checksum is wrong (key ${key}). It was deleted and is compiled again.`,
    );
    return undefined;
  }

  fetchText(key: string): FetchedText | undefined {
    const row = this.#get("fetchText", key);
    if (!row) return undefined;
    const text = { assembly: textOf(row.assembly), log: textOf(row.log) };
    return textOf(row.text_sha) === textSha(text) ? text : undefined;
  }

  has(key: string): boolean {
    return this.#get("has", key) !== undefined;
  }

  knows(arch: string): boolean {
    return this.#get("knows", arch) !== undefined;
  }

  claim(key: string): Claim {
    if (this.#isHeld(key)) return "theirs";
    return this.#change((): Claim => {
      if (this.has(key)) return "stored";
      if (this.#isHeld(key)) return "theirs";
      this.#run("takeLease", key, self().host, self().pid, self().start, Date.now());
      return "ours";
    });
  }

  release(key: string): void {
    this.#run("dropLease", key, self().host, self().pid, self().start);
  }

  put(module: Module, kernels: readonly KernelRecord[]): void {
    const { binary, assembly, log, kind, arch, compiler, flags, compileMs } = module;
    const sha = sha256(binary);
    const crc = compression().crc32(binary);
    const now = Date.now();
    const { createdAt, host, pid } = module.made ?? { createdAt: now, ...self() };
    this.#change(() => {
      const origin = [kind, arch, compiler, flags.join(" "), compileMs, createdAt, host, pid];
      this.#run("putModule", sha, binary, textSha(module), assembly, log, ...origin);
      for (const kernel of kernels) {
        this.#uses.begin(kernel.key);
        const { key, symbol, op, variant, dtypes, source } = kernel;
        const words = [symbol, op, variant, JSON.stringify(dtypes), kernel.compileMs, now, source];
        this.#run("putKernel", key, sha, crc, sealOf(key, sha, crc), ...words);
        this.release(key);
      }
    });
    if (this.#bytes() > this.maxBytes) this.#evict();
  }

  remove(key: string): void {
    this.#change(() => {
      this.#run("removeModule", key);
      this.#run("removeWithSiblings", key);
    });
  }

  list(): StoredKernel[] {
    this.#flush();
    return this.#all("list").map((row) => ({
      key: textOf(row.key),
      hitsHere: Math.min(Number(row.hits), this.#uses.own(textOf(row.key))),
      op: textOf(row.op),
      variant: textOf(row.variant),
      dtypes: listOf(row.dtypes),
      kind: textOf(row.kind) as DeviceKind,
      arch: textOf(row.arch),
      compiler: textOf(row.compiler),
      bytes: Number(row.bytes),
      compileMs: Number(row.compile_ms),
      createdAt: Number(row.created_at),
      lastUse: Number(row.last_use),
      host: textOf(row.host),
      pid: Number(row.pid),
      hits: Number(row.hits),
    }));
  }

  relatives(key: string): Relative[] {
    return this.#all("relatives", key).map((row) => ({
      key: textOf(row.key),
      module: textOf(row.module),
      symbol: textOf(row.symbol),
      variant: textOf(row.variant),
      dtypes: listOf(row.dtypes),
      kind: textOf(row.kind) as DeviceKind,
      arch: textOf(row.arch),
      compiler: textOf(row.compiler),
      flags: flagsOf(row.flags),
      source: textOf(row.source),
    }));
  }

  *modules(): Iterable<StoredModule> {
    for (const { sha } of this.#all("modules")) {
      const row = this.#get("module", textOf(sha));
      if (!row) continue;
      const binary = row.binary as Uint8Array;
      const text = { assembly: textOf(row.assembly), log: textOf(row.log) };
      if (sha256(binary) !== textOf(sha) || textSha(text) !== textOf(row.text_sha)) continue;
      const module: StoredModule["module"] = {
        binary,
        ...text,
        kind: textOf(row.kind) as DeviceKind,
        arch: textOf(row.arch),
        compiler: textOf(row.compiler),
        flags: flagsOf(row.flags),
        compileMs: Number(row.compile_ms),
        made: { createdAt: Number(row.created_at), host: textOf(row.host), pid: Number(row.pid) },
      };
      const kernels = this.#all("kernelsOf", textOf(sha)).flatMap((kernel): KernelRecord[] => {
        const key = textOf(kernel.key);
        if (!isIntact(key, { ...kernel, binary })) return [];
        return [
          {
            key,
            symbol: textOf(kernel.symbol),
            op: textOf(kernel.op),
            variant: textOf(kernel.variant),
            dtypes: listOf(kernel.dtypes),
            source: textOf(kernel.source),
            compileMs: Number(kernel.compile_ms),
          },
        ];
      });
      if (kernels.length > 0) yield { module, kernels };
    }
  }

  totals(): StoreTotals {
    this.#flush();
    const row = this.#get("totals") ?? {};
    return {
      kernels: Number(row.kernels),
      bytes: this.#bytes(),
      hits: Number(row.hits),
      savedMs: Number(row.saved),
    };
  }

  clear(filter: CacheFilter): number {
    const now = Date.now();
    const doomed = this.list().filter((kernel) => matches(kernel, filter, now));
    this.#removeAll(
      "removeKernel",
      doomed.map(({ key }) => key),
    );
    return doomed.length;
  }

  verify(): Verification {
    const rows = this.#all("keys");
    const damaged = rows.filter((row) => {
      const key = textOf(row.key);
      const found = this.#get("fetch", key);
      const sound =
        found && sha256(found.binary as Uint8Array) === textOf(found.module) && isIntact(key, found);
      return !sound || !this.fetchText(key);
    });
    // By row, because a damaged key does not find its own.
    this.#removeAll(
      "removeRow",
      damaged.map((row) => row.id),
    );
    return { checked: rows.length, damaged: damaged.length };
  }

  /** True after {@link close}, which the end of the process calls too: what runs later needs another store. */
  get isClosed(): boolean {
    return this.#closed;
  }

  /** Writes what is pending and lets the database go. */
  close(): void {
    this.#closed = true;
    process.removeListener("exit", this.#atExit);
    try {
      this.#flush();
    } catch {
      // Hits are a statistic: a database that cannot be written at the end loses a few of them.
    }
    this.#prepared.clear();
    this.#database.close();
  }

  /** Moves a damaged database out of the way, unless another process has replaced it already. */
  moveAside(): void {
    this.#uses.take();
    this.close();
    let inode: number;
    try {
      inode = lstatSync(this.#path).ino;
    } catch {
      return;
    }
    if (inode !== this.#inode) return;
    for (const suffix of ["-wal", "-shm", ""]) {
      try {
        renameSync(`${this.#path}${suffix}`, `${this.#path}.damaged${suffix}`);
      } catch {
        rmSync(`${this.#path}${suffix}`, { force: true });
      }
    }
  }

  #isHeld(key: string): boolean {
    const row = this.#get("lease", key);
    if (!row) return false;
    const holder = { host: textOf(row.host), pid: Number(row.pid), start: textOf(row.start) };
    const age = Math.abs(Date.now() - Number(row.since));
    return age < leaseMs && isAlive(holder);
  }

  #countUse(key: string): void {
    this.#uses.count(key);
    this.#flushing ??= setTimeout(() => {
      try {
        this.#flush();
      } catch {
        // The next fetch meets the same trouble and reports it.
      }
    }, flushAfterMs).unref();
  }

  #flush(): void {
    clearTimeout(this.#flushing);
    this.#flushing = undefined;
    const uses = this.#uses.take();
    if (uses.length === 0) return;
    this.#change(() => {
      for (const [key, hits] of uses) this.#run("use", key, hits, Date.now(), dayMs);
    });
  }

  /** Drops the kernels that were not used for the longest time, down to nine tenths of the limit. */
  #evict(): void {
    let excess = this.#bytes() - this.maxBytes * 0.9;
    const doomed: string[] = [];
    for (const { key, bytes } of this.list().reverse()) {
      if (excess <= 0) break;
      excess -= bytes;
      doomed.push(key);
    }
    this.#removeAll("removeKernel", doomed);
  }

  #removeAll(name: "removeKernel" | "removeRow", ids: readonly unknown[]): void {
    if (ids.length === 0) return;
    this.#change(() => {
      for (const id of ids) this.#run(name, id);
      this.#run("removeOrphans");
    });
    this.#database.prepare("PRAGMA incremental_vacuum").all();
  }

  #bytes(): number {
    const pages = Number(this.#pragma("page_count")) - Number(this.#pragma("freelist_count"));
    return pages * Number(this.#pragma("page_size"));
  }

  /** One transaction that holds the write lock from its start, so that what it reads stays true. */
  #change<T>(action: () => T): T {
    this.#database.exec("BEGIN IMMEDIATE");
    try {
      const result = action();
      this.#database.exec("COMMIT");
      return result;
    } catch (error) {
      try {
        this.#database.exec("ROLLBACK");
      } catch {
        // SQLite has ended the transaction itself; the first error is the one to tell.
      }
      throw error;
    }
  }

  #pragma(name: string): unknown {
    return (this.#database.prepare(`PRAGMA ${name}`).get() as Row)[name];
  }

  #statement(name: StatementName): LibSQL.Statement {
    const known = this.#prepared.get(name);
    if (known) return known;
    const made = this.#database.prepare(statements[name]);
    this.#prepared.set(name, made);
    return made;
  }

  #get(name: StatementName, ...values: unknown[]): Row | undefined {
    return this.#statement(name).get(...values) as Row | undefined;
  }

  #all(name: StatementName, ...values: unknown[]): Row[] {
    return this.#statement(name).all(...values) as Row[];
  }

  #run(name: StatementName, ...values: unknown[]): void {
    this.#statement(name).run(...values);
  }
}

function flagsOf(value: unknown): string[] {
  const text = textOf(value);
  return text === "" ? [] : text.split(" ");
}
