// The history of cells, kept across restarts. Each session is a separate file below the cache folder, one JSON line per
// cell, so that simultaneous kernels never write to the same file. If the folder is not writable, the history is in memory
// only.
import { appendFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "../../runtime/cache/folder.js";

interface Entry {
  readonly session: number;
  readonly line: number;
  readonly input: string;
}

/** The protocol's row: session, line, and the input. */
export type HistoryRow = readonly [number, number, string];

/** The fields of a history_request. */
export interface HistoryQuery {
  readonly hist_access_type?: unknown;
  readonly session?: unknown;
  readonly start?: unknown;
  readonly stop?: unknown;
  readonly n?: unknown;
  readonly pattern?: unknown;
  readonly unique?: unknown;
}

// Older sessions are deleted when there are more.
const maxSessions = 300;

// As in IPython, the default length of the tail.
const tailLength = 10;

// Longer cells are data and not recorded; reading hundreds of them would delay the next kernel.
const maxStoredLength = 100_000;

/** Cells of this and of earlier sessions. */
export class History {
  private readonly own: Entry[] = [];
  private session: number | undefined;
  private file: string | undefined;
  private earlier: Entry[] | undefined;

  constructor(private readonly folder: string) {}

  private readonly kinds = new Map<unknown, (query: HistoryQuery) => Entry[]>([
    ["tail", (query) => last(this.all(), typeof query.n === "number" ? query.n : tailLength)],
    ["range", (query) => this.range(query)],
    ["search", (query) => this.search(query)],
  ]);

  /** Adds a cell of this session. */
  add(line: number, input: string): void {
    this.session ??= this.openSession();
    this.own.push({ session: this.session, line, input });
    if (this.file === undefined || input.length > maxStoredLength) return;
    try {
      appendFileSync(this.file, `${JSON.stringify([line, input])}\n`);
    } catch {
      this.file = undefined; // a full or vanished disk: memory only from here on
    }
  }

  /** The rows that a request asks for, oldest first. */
  query(query: HistoryQuery): HistoryRow[] {
    const found = this.kinds.get(query.hist_access_type)?.(query) ?? [];
    return found.map(({ session, line, input }) => [session, line, input]);
  }

  private range(query: HistoryQuery): Entry[] {
    const session = Number(query.session ?? 0);
    const start = Number(query.start ?? 1);
    const stop = typeof query.stop === "number" ? query.stop : Number.POSITIVE_INFINITY;
    const current = this.session ?? this.nextSession();
    const wanted = session > 0 ? session : current + session;
    const entries = wanted === current ? this.own : this.all().filter((entry) => entry.session === wanted);
    return entries.filter(({ line }) => line >= start && line < stop);
  }

  // An anchored glob, as in IPython: `*sin*` finds inputs that contain sin, `sin*` those that begin with it.
  private search(query: HistoryQuery): Entry[] {
    const pattern = typeof query.pattern === "string" ? query.pattern : "*";
    let found = this.all().filter(({ input }) => fitsGlob(input, pattern));
    if (query.unique === true) {
      const latest = new Map<string, Entry>();
      for (const entry of found) {
        latest.delete(entry.input);
        latest.set(entry.input, entry);
      }
      found = [...latest.values()];
    }
    return last(found, query.n);
  }

  private all(): Entry[] {
    this.earlier ??= this.readEarlier();
    return [...this.earlier, ...this.own];
  }

  private readEarlier(): Entry[] {
    const current = this.session ?? Number.POSITIVE_INFINITY;
    return this.sessions()
      .filter((session) => session < current)
      .flatMap((session) => this.readSession(session));
  }

  private readSession(session: number): Entry[] {
    try {
      const lines = readFileSync(this.path(session), "utf8").split("\n");
      return lines.filter(Boolean).flatMap((text): Entry[] => {
        const [line, input] = parseLine(text);
        return typeof line === "number" && typeof input === "string" ? [{ session, line, input }] : [];
      });
    } catch {
      return [];
    }
  }

  private sessions(): number[] {
    try {
      const names = readdirSync(this.folder).filter((name) => /^\d+\.jsonl$/.test(name));
      return names.map((name) => Number.parseInt(name, 10)).sort((a, b) => a - b);
    } catch {
      return [];
    }
  }

  private nextSession(): number {
    return (this.sessions().at(-1) ?? 0) + 1;
  }

  // The file's exclusive creation decides between kernels that start at once.
  private openSession(): number {
    const known = this.sessions();
    for (let session = (known.at(-1) ?? 0) + 1; ; session++) {
      try {
        makeFolder(this.folder);
        writeFileSync(this.path(session), "", { flag: "wx", mode: 0o600 });
        this.file = this.path(session);
        for (const old of known.slice(0, -maxSessions)) rmSync(this.path(old), { force: true });
        return session;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EEXIST") return session;
      }
    }
  }

  private path(session: number): string {
    return join(this.folder, `${session}.jsonl`);
  }
}

function last(entries: Entry[], count: unknown): Entry[] {
  return typeof count === "number" && count >= 0
    ? entries.slice(Math.max(0, entries.length - count))
    : entries;
}

function parseLine(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [];
  } catch {
    return []; // the last line of a kernel that was killed
  }
}

// `*` matches any text, `?` one character. On a mismatch, only the latest `*` takes one more character, so the time is at
// most the pattern's length times the text's.
function fitsGlob(text: string, glob: string): boolean {
  let star: { readonly glob: number; text: number } | undefined;
  let at = 0;
  let from = 0;
  while (at < text.length) {
    if (glob[from] === "*") {
      star = { glob: ++from, text: at };
    } else if (glob[from] === "?" || glob[from] === text[at]) {
      from++;
      at++;
    } else if (star) {
      at = ++star.text;
      from = star.glob;
    } else {
      return false;
    }
  }
  return /^\**$/.test(glob.slice(from));
}
