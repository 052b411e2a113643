// The shared cache as used by the compile service: its failures are not errors, and callers wait for at most one lookup.
// After a failure it is not used for a minute.
import { JitlabError } from "../../base/errors.js";
import type { StoredModule } from "../store.js";
import { FolderTransport } from "./folder-transport.js";
import { redisTransport } from "./redis-transport.js";
import { moduleOf, RowError, rowOf } from "./row.js";
import type { RemoteSettings } from "./settings.js";
import { largestRow, type Transport } from "./transport.js";

/** The answer to a lookup: a module, or who compiles it; undefined without an answer. */
export type Look = { readonly found: StoredModule } | "ours" | "taken" | undefined;

/** A message that is shown once: its id and its text. */
export type Remark = readonly [id: string, text: string];

const restMs = 60_000;
// The timeout of a request. It is long because no caller waits for it, and because a busy machine, not the server, may be
// slow.
const lookMs = 2000;
const connectMs = 40;
const putMs = 5000;
// A longer compile is done twice.
const leaseMs = 10_000;
const pollMs = 10;

/** A transport for an address, ready to connect. */
export async function transportOf(settings: RemoteSettings): Promise<Transport> {
  return settings.folder === undefined ? redisTransport(settings) : new FolderTransport(settings);
}

/** The result of a promise, or undefined after this many milliseconds. */
export async function within<T>(ms: number, promise: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    // An answer that arrived while a compiler blocked this thread is not late: it is read before an immediate runs.
    timer = setTimeout(() => setImmediate(resolve, undefined), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The shared cache of one thread. */
export class RemoteCache {
  readonly #settings: RemoteSettings;
  readonly #remark: (remark: Remark) => void;
  #transport: Promise<Transport>;
  #opened: Promise<void> | undefined;
  readonly #restUntil = { look: 0, put: 0 };
  readonly #readyBy = performance.now() + connectMs;

  constructor(settings: RemoteSettings, remark: (remark: Remark) => void) {
    this.#settings = settings;
    this.#remark = remark;
    this.#transport = transportOf(settings);
    this.#transport.catch(() => undefined);
  }

  /** Waits briefly for the first connection; loading the client takes a part of that time. */
  async ready(): Promise<void> {
    await this.#transport.catch(() => undefined);
    await within(Math.max(0, this.#readyBy - performance.now()), this.connect());
  }

  /** Connects; true on success. */
  async connect(): Promise<boolean> {
    return (await this.#ask("look", lookMs, async () => true)) ?? false;
  }

  /** Looks up a kernel, and takes the lease to compile it if it is missing. */
  async look(key: string): Promise<Look> {
    const looked = await this.#ask("look", lookMs, (transport) => transport.look(key, leaseMs));
    return looked instanceof Uint8Array ? this.#unpacked(key, looked) : looked;
  }

  /** Polls for a kernel that another machine compiles, until it is stored or no longer needed. */
  async watch(key: string, isOver: () => boolean): Promise<Look> {
    while (!isOver()) {
      await new Promise((resolve) => setTimeout(resolve, pollMs));
      const rows = await this.#ask("look", lookMs, (transport) => transport.fetch([key]));
      if (!rows) return undefined;
      if (rows[0]) return this.#unpacked(key, rows[0]);
    }
    return undefined;
  }

  /** Stores a module that was compiled here. */
  async put(stored: StoredModule): Promise<void> {
    const row = rowOf(this.#settings.secret, stored);
    if (row.length > largestRow) return; // it is not shared
    const keys = stored.kernels.map(({ key }) => key);
    await this.#ask("put", putMs, (transport) => transport.put(keys, row));
  }

  #unpacked(key: string, row: Uint8Array): Look {
    try {
      return { found: moduleOf(this.#settings.secret, key, row) };
    } catch (error) {
      if (!(error instanceof RowError)) throw error;
      this.#remark([
        "remote row",
        `A kernel in the shared cache ${this.#settings.address} ${error.message} (key ${key}): someone without the group's ` +
          "secret stored it, or it is damaged. It and others like it are compiled here.",
      ]);
      return "ours";
    }
  }

  async #ask<T>(
    kind: "look" | "put",
    ms: number,
    action: (transport: Transport) => Promise<T>,
  ): Promise<T | undefined> {
    if (performance.now() < this.#restUntil[kind]) return undefined;
    await this.#transport.catch(() => undefined);
    const asked = this.#connected().then(async (transport) => ({ answer: await action(transport) }));
    try {
      const answered = await within(ms, asked);
      if (answered) return answered.answer;
      this.#rest(kind, `it did not answer within ${ms} ms`);
    } catch (error) {
      this.#rest(kind, messageOf(error));
    }
    return undefined;
  }

  async #connected(): Promise<Transport> {
    const transport = await this.#transport;
    this.#opened ??= transport.open();
    await this.#opened;
    return transport;
  }

  #rest(kind: "look" | "put", why: string): void {
    const now = performance.now();
    if (now < this.#restUntil[kind]) return;
    this.#restUntil[kind] = now + restMs;
    if (kind === "look") this.#restUntil.put = now + restMs;
    const what = kind === "look" ? "is not used" : "stores no kernels and is sent none";
    this.#remark([
      "remote", // one id for both: a server that dies fails a lookup and a put
      `The shared cache ${this.#settings.address} ${what} for a minute: ${why}. Kernels are compiled here.`,
    ]);
    if (kind === "put") return;
    this.#opened = undefined;
    void this.#transport.then((transport) => transport.close()).catch(() => undefined);
  }
}

function messageOf(error: unknown): string {
  const text =
    error instanceof JitlabError ? `${error.what} ${error.help}` : String((error as Error).message ?? error);
  return text.replace(/\.$/, "");
}
