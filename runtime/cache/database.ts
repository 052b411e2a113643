// A connection to a database: the only user of SQLite. It throws SQLite's errors. After that of a lock it must be closed: the
// binding leaves the failed statement active, and the connection would stay in its transaction.
import { closeSync, openSync, rmSync } from "node:fs";
import type LibSQL from "libsql";
import { randomBytes, requireFrom } from "../base/builtins.js";
import { filesOf, UnusableError } from "./folder.js";
import type { Row } from "./rows.js";
import { type StatementName, statements } from "./schema.js";
import { isBusy } from "./trouble.js";

/** How long to wait for a lock, in milliseconds. */
export const patienceMs = 2000;
/** How long to wait for a lock for optional work, in milliseconds. */
export const hasteMs = 50;
// The database, its log and its index, and the files of the binding's event loop.
const neededDescriptors = 16;

/** The database in a file, and the statements on its tables. */
export class Database {
  readonly #connection: LibSQL.Database;
  readonly #prepared = new Map<StatementName, LibSQL.Statement>();

  constructor(private readonly path: string) {
    this.#connection = connect(path);
  }

  /** The format's version. SQLite reports a file system without locks as a lock held elsewhere, so this method tells them apart. */
  firstRead(): number {
    this.wait(hasteMs);
    try {
      return this.pragma("user_version");
    } catch (error) {
      if (isBusy(error) && !hasLocks(this.path)) throw new UnusableError("its file system has no locks");
      throw error;
    }
  }

  /** Sets the timeout of locks. */
  wait(ms: number): void {
    this.exec(`PRAGMA busy_timeout = ${ms}`);
  }

  /** One transaction that holds the write lock from its start, so that its reads stay valid. */
  change<T>(action: () => T): T {
    this.exec("BEGIN IMMEDIATE");
    try {
      const result = action();
      this.exec("COMMIT");
      return result;
    } catch (error) {
      try {
        this.exec("ROLLBACK");
      } catch {
        // SQLite has rolled back already; report the first error.
      }
      throw error;
    }
  }

  /** The bytes in use. */
  get bytes(): number {
    const pages = this.pragma("page_count") - this.pragma("freelist_count");
    return pages * this.pragma("page_size");
  }

  /** Ends a change that an interrupt left open: it would hold the write lock, and no other change could begin. */
  endInterrupted(): void {
    try {
      if (this.#connection.inTransaction) this.exec("ROLLBACK");
    } catch {
      // The next use meets the same error and reports it.
    }
  }

  /** Returns free pages to the file system. */
  vacuum(): void {
    this.#connection.prepare("PRAGMA incremental_vacuum").all();
  }

  /** The value of a numeric pragma. */
  pragma(name: string): number {
    return Number((this.#connection.prepare(`PRAGMA ${name}`).get() as Row)[name]);
  }

  exec(sql: string): void {
    this.#connection.exec(sql);
  }

  /** The first row. */
  get(name: StatementName, ...values: unknown[]): Row | undefined {
    return this.#statement(name).get(...values) as Row | undefined;
  }

  /** All rows. */
  all(name: StatementName, ...values: unknown[]): Row[] {
    return this.#statement(name).all(...values) as Row[];
  }

  run(name: StatementName, ...values: unknown[]): void {
    this.#statement(name).run(...values);
  }

  close(): void {
    this.#prepared.clear();
    this.#connection.close();
  }

  #statement(name: StatementName): LibSQL.Statement {
    const known = this.#prepared.get(name);
    if (known) return known;
    const made = this.#connection.prepare(statements[name]);
    this.#prepared.set(name, made);
    return made;
  }
}

function connect(path: string): LibSQL.Database {
  checkDescriptors();
  const Connection = requireFrom(import.meta.url)("libsql") as typeof LibSQL;
  return new Connection(path);
}

/** Throws if the process may open only a few more files: without them the SQLite binding ends the process. */
function checkDescriptors(): void {
  const opened: number[] = [];
  try {
    while (opened.length < neededDescriptors) opened.push(openSync("/dev/null", "r"));
  } finally {
    for (const descriptor of opened) closeSync(descriptor);
  }
}

/** True if a new database in the same folder can be locked. */
function hasLocks(path: string): boolean {
  const probe = `${path}.${randomBytes(8).toString("hex")}`;
  const connection = connect(probe);
  try {
    connection.exec("PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE; ROLLBACK");
    return true;
  } catch (error) {
    return !isBusy(error);
  } finally {
    connection.close();
    for (const file of filesOf(probe)) rmSync(file, { force: true });
  }
}
