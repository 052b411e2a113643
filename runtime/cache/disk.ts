// The database of compiled kernels. Its methods throw SQLite's errors; current-store.ts handles them.

import { lstatSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { DeviceKind } from "../device/kinds.js";
import { Database, hasteMs, patienceMs } from "./database.js";
import { FetchCounts } from "./fetch-counts.js";
import { filesOf, isOnNetwork, secureFolder, UnusableError } from "./folder.js";
import { LeaseWatch } from "./lease.js";
import { self } from "./lease-owner.js";
import { report } from "./report.js";
import { faultOf, faultReports, flagsOf, listOf, sha256, textOf, textSha } from "./rows.js";
import { createTables, schemaVersion } from "./schema.js";
import { ownSecret, sealOf } from "./seal.js";
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

const dayMs = 24 * 3600 * 1000;
const flushAfterMs = 2000;

/** The database in a folder of this user. */
export class DiskStore implements Store {
  readonly #path: string;
  readonly #secret: Buffer;
  readonly #database: Database;
  readonly #inode: number;
  readonly #fetches = new FetchCounts();
  readonly #leases = new LeaseWatch();
  #flushing: NodeJS.Timeout | undefined;
  readonly #atExit = () => this.close();
  #opened = false;
  #closed = false;

  /** Names the database in a folder; {@link open} must follow. */
  constructor(
    readonly folder: string,
    private readonly maxBytes: number,
  ) {
    this.#path = join(folder, "kernels.sqlite");
    secureFolder(folder, this.#path);
    this.#secret = ownSecret(folder);
    this.#database = new Database(this.#path);
    this.#inode = lstatSync(this.#path).ino;
    process.once("exit", this.#atExit);
  }

  /** Creates missing tables; waits this long for a lock. A store that cannot be opened is closed. */
  open(waitMs = patienceMs): void {
    try {
      this.#open(waitMs);
      this.#database.wait(patienceMs);
      this.#opened = true;
    } catch (error) {
      this.leave();
      throw error;
    }
  }

  #open(waitMs: number): void {
    const version = this.#database.firstRead();
    this.#database.wait(waitMs);
    if (version > schemaVersion) {
      throw new UnusableError(
        `${this.#path} was written by a newer jitlab (format ${version}; this one writes ${schemaVersion})`,
      );
    }
    if (version < schemaVersion) this.#database.exec("PRAGMA auto_vacuum = INCREMENTAL");
    this.#database.exec(`PRAGMA journal_mode = ${isOnNetwork(this.folder) ? "DELETE" : "WAL"}`);
    this.#database.exec("PRAGMA synchronous = NORMAL");
    if (version !== schemaVersion) {
      this.#database.change(() => {
        if (this.#database.pragma("user_version") !== schemaVersion) this.#database.exec(createTables);
      });
    }
  }

  fetch(key: string): Fetched | undefined {
    const row = this.#database.get("fetch", key);
    if (!row) return undefined;
    const fault = faultOf(this.#secret, key, row);
    if (fault === "") {
      this.#countUse(key);
      const binary = row.binary as Uint8Array;
      return { symbol: textOf(row.symbol), binary, compileMs: Number(row.compile_ms) };
    }
    this.remove(key);
    report(...faultReports[fault](key));
    return undefined;
  }

  fetchText(key: string): FetchedText | undefined {
    const row = this.#database.get("fetchText", key);
    if (!row) return undefined;
    const text = { assembly: textOf(row.assembly), log: textOf(row.log) };
    return textOf(row.text_sha) === textSha(text) ? text : undefined;
  }

  has(key: string): boolean {
    return this.#database.get("has", key) !== undefined;
  }

  knows(arch: string): boolean {
    return this.#database.get("knows", arch) !== undefined;
  }

  claim(key: string): Claim {
    const holder = () => this.#leases.ownerOf(key, this.#database.get("lease", key));
    return (
      holder() ??
      this.#database.change((): Claim => {
        if (this.has(key)) return "stored";
        const other = holder();
        if (other) return other;
        this.#database.run("takeLease", key, self().host, self().pid, self().start, Date.now());
        return "ours";
      })
    );
  }

  release(key: string): void {
    this.#database.run("dropLease", key, self().host, self().pid, self().start);
  }

  put(module: Module, kernels: readonly KernelRecord[]): void {
    const { binary, assembly, log, kind, arch, compiler, flags, compileMs } = module;
    const sha = sha256(binary);
    const now = Date.now();
    const { createdAt, host, pid } = module.made ?? { createdAt: now, ...self() };
    this.#database.change(() => {
      const origin = [kind, arch, compiler, flags.join(" "), compileMs, createdAt, host, pid];
      this.#database.run("putModule", sha, binary, textSha(module), assembly, log, ...origin);
      for (const kernel of kernels) {
        this.#fetches.begin(kernel.key);
        const { key, symbol, op, variant, dtypes, source } = kernel;
        const words = [symbol, op, variant, JSON.stringify(dtypes), kernel.compileMs, now, source];
        const seal = sealOf(this.#secret, { key, symbol, compiler, sha });
        this.#database.run("putKernel", key, sha, seal, ...words);
        this.release(key);
      }
    });
    if (this.#database.bytes > this.maxBytes) this.#evict();
  }

  remove(key: string): void {
    this.#database.change(() => {
      this.#database.run("removeModule", key);
      this.#database.run("removeWithSiblings", key);
    });
  }

  list(): StoredKernel[] {
    this.#flush();
    return this.#database.all("list").map((row) => ({
      key: textOf(row.key),
      hitsHere: Math.min(Number(row.hits), this.#fetches.own(textOf(row.key))),
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
    return this.#database.all("relatives", key).map((row) => ({
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
    for (const { sha } of this.#database.all("modules")) {
      const row = this.#database.get("module", textOf(sha));
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
      const kernels = this.#database.all("kernelsOf", textOf(sha)).flatMap((kernel): KernelRecord[] => {
        const key = textOf(kernel.key);
        const sealed = { ...kernel, module: sha, binary, compiler: row.compiler };
        if (faultOf(this.#secret, key, sealed) !== "") return [];
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
    const row = this.#database.get("totals") ?? {};
    return {
      kernels: Number(row.kernels),
      bytes: this.#database.bytes,
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
    const rows = this.#database.all("keys");
    const damaged = rows.filter((row) => {
      const key = textOf(row.key);
      const found = this.#database.get("fetch", key);
      return !found || faultOf(this.#secret, key, found) !== "" || !this.fetchText(key);
    });
    // By row number, because a damaged key no longer matches its row.
    this.#removeAll(
      "removeRow",
      damaged.map((row) => row.id),
    );
    return { checked: rows.length, damaged: damaged.length };
  }

  /** Drops a change that an interrupt ended before it was whole; closes a store that was being opened. */
  endInterrupted(): void {
    if (this.#closed) return;
    if (this.#opened) this.#database.endInterrupted();
    else this.leave();
  }

  /** True after {@link close}. The end of the process also closes it; later code needs another store. */
  get isClosed(): boolean {
    return this.#closed;
  }

  /** Writes pending counts and closes the database. */
  close(): void {
    this.#flushInHaste();
    this.leave();
  }

  /** Closes the database without writing. */
  leave(): void {
    if (this.#closed) return;
    this.#closed = true;
    clearTimeout(this.#flushing);
    process.removeListener("exit", this.#atExit);
    this.#database.close();
  }

  /** Moves a damaged database aside, unless another process has replaced it already. */
  moveAside(): void {
    this.leave();
    let inode: number;
    try {
      inode = lstatSync(this.#path).ino;
    } catch {
      return;
    }
    if (inode !== this.#inode) return;
    const aside = filesOf(`${this.#path}.damaged`);
    for (const [i, path] of filesOf(this.#path).entries()) {
      try {
        renameSync(path, aside[i] ?? "");
      } catch {
        rmSync(path, { force: true });
      }
    }
  }

  #countUse(key: string): void {
    this.#fetches.count(key);
    this.#flushSoon();
  }

  #flushSoon(): void {
    this.#flushing ??= setTimeout(() => this.#flushInHaste(), flushAfterMs).unref();
  }

  /** Hits are a statistic: if the database cannot be written now, a few are lost. */
  #flushInHaste(): void {
    try {
      this.#database.wait(hasteMs);
      this.#flush();
    } catch {
      // The next use meets the same error and reports it.
    } finally {
      this.#database.wait(patienceMs);
    }
  }

  #flush(): void {
    clearTimeout(this.#flushing);
    this.#flushing = undefined;
    const uses = this.#fetches.take();
    if (uses.length === 0) return;
    this.#database.change(() => {
      for (const [key, hits] of uses) this.#database.run("use", key, hits, Date.now(), dayMs);
    });
  }

  /** Deletes the least recently used kernels until nine tenths of the limit remain. */
  #evict(): void {
    let excess = this.#database.bytes - this.maxBytes * 0.9;
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
    this.#database.change(() => {
      for (const id of ids) this.#database.run(name, id);
      this.#database.run("removeOrphans");
    });
    this.#database.vacuum();
  }
}
