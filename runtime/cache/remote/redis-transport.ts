// The shared cache on a Redis server: the only user of ioredis.
import type { ChainableCommander, Redis } from "ioredis";
import { requireFrom } from "../../base/builtins.js";
import { libraryFile } from "../../base/files.js";
import { schemaVersion } from "../schema.js";
import type { RemoteSettings } from "./settings.js";
import type { Looked, Transport, TransportTotals } from "./transport.js";

const connectMs = 1000;
const atOnce = 500;
// A module with several kernels is stored under the first one's key; the others' rows are that key after this prefix; no
// other row is as short.
const alias = "=";
const aliasBytes = 65;

type Replies = NonNullable<Awaited<ReturnType<ChainableCommander["exec"]>>>;

/** A transport to the server of an address. Loading its client takes longer than connecting. */
export async function redisTransport(settings: RemoteSettings): Promise<Transport> {
  return new RedisTransport(settings, loadClient());
}

class RedisTransport implements Transport {
  #client: Redis | undefined;
  readonly #rows: string;
  readonly #leases: string;

  constructor(
    private readonly settings: RemoteSettings,
    private readonly Client: typeof Redis,
  ) {
    this.#rows = `${settings.prefix}:${schemaVersion}:kernel:`;
    this.#leases = `${settings.prefix}:${schemaVersion}:lease:`;
  }

  async open(): Promise<void> {
    const client = new this.Client(this.settings.url, {
      lazyConnect: true,
      connectTimeout: connectMs,
      // The caller decides when to retry.
      retryStrategy: () => null,
      maxRetriesPerRequest: 0,
      enableReadyCheck: false,
    });
    let cause: Error | undefined;
    client.on("error", (error: Error) => {
      cause = error;
    });
    this.#client = client;
    await client.connect().catch((error) => {
      throw cause ?? error;
    });
  }

  async look(key: string, leaseMs: number): Promise<Looked> {
    const answers = await exec(
      this.#server
        .pipeline()
        .getBuffer(this.#rows + key)
        .pexpire(this.#rows + key, this.settings.ttlMs)
        .set(this.#leases + key, "", "PX", leaseMs, "NX"),
    );
    const row = await this.#resolved(replyIn(answers[0]));
    // A full server, or a read-only replica, serves rows but no leases.
    return row ?? (answers[2]?.[0] === null && answers[2][1] === null ? "taken" : "ours");
  }

  async fetch(keys: readonly string[]): Promise<readonly (Uint8Array | undefined)[]> {
    const rows: (Uint8Array | undefined)[] = [];
    for (let from = 0; from < keys.length; from += atOnce) {
      const names = keys.slice(from, from + atOnce).map((key) => this.#rows + key);
      const values: unknown = await this.#server.mgetBuffer(names);
      if (!Array.isArray(values) || values.length !== names.length) throw wrongType();
      rows.push(...(await Promise.all(values.map((value) => this.#resolved(value)))));
    }
    return rows;
  }

  async put([first = "", ...others]: readonly string[], row: Uint8Array): Promise<void> {
    const { ttlMs } = this.settings;
    const commands = this.#server.pipeline().set(this.#rows + first, Buffer.from(row), "PX", ttlMs);
    for (const key of others) commands.set(this.#rows + key, alias + first, "PX", ttlMs);
    commands.del(...[first, ...others].map((key) => this.#leases + key));
    for (const answer of await exec(commands)) replyIn(answer);
  }

  async *keys(): AsyncIterable<readonly string[]> {
    for await (const names of this.#names(this.#rows))
      yield names.map((name) => name.slice(this.#rows.length));
  }

  async totals(): Promise<TransportTotals> {
    let kernels = 0;
    let bytes = 0;
    for await (const names of this.#names(this.#rows)) {
      const commands = this.#server.pipeline();
      for (const name of names) commands.strlen(name);
      kernels += names.length;
      for (const answer of await exec(commands)) bytes += Number(replyIn(answer));
    }
    return { kernels, bytes };
  }

  async clear(): Promise<number> {
    let kernels = 0;
    for await (const names of this.#names(this.#rows)) kernels += await this.#server.unlink(names);
    for await (const names of this.#names(this.#leases)) await this.#server.unlink(names);
    return kernels;
  }

  close(): void {
    this.#client?.disconnect();
    this.#client = undefined;
  }

  get #server(): Redis {
    if (!this.#client) throw new Error("it is closed");
    return this.#client;
  }

  async #resolved(value: unknown): Promise<Uint8Array | undefined> {
    const row = bytesIn(value);
    if (row?.length !== aliasBytes || !row.toString("latin1").startsWith(alias)) return row;
    const key = row.toString("latin1", alias.length);
    return bytesIn(await this.#server.getBuffer(this.#rows + key));
  }

  /** The server's keys with this prefix; its scan may return a key twice. */
  async *#names(prefix: string): AsyncIterable<string[]> {
    const seen = new Set<string>();
    for (let cursor = "0", begun = false; !begun || cursor !== "0"; begun = true) {
      const [next, names] = await this.#server.scan(cursor, "MATCH", `${prefix}*`, "COUNT", 1000);
      cursor = next;
      const fresh = names.filter((name) => !seen.has(name));
      for (const name of fresh) seen.add(name);
      if (fresh.length > 0) yield fresh;
    }
  }
}

function loadClient(): typeof Redis {
  // A bundle. Not `import()`, which V8 does not support in the bundles' compiled code.
  const load = requireFrom(libraryFile("cache/remote/").href);
  return (load("./redis-client.cjs") as { readonly Redis: typeof Redis }).Redis;
}

async function exec(commands: ChainableCommander): Promise<Replies> {
  return (await commands.exec()) ?? [];
}

function replyIn(answer: Replies[number] | undefined): unknown {
  const [error, value] = answer ?? [new Error("the server did not answer"), null];
  if (error) throw error;
  return value;
}

/** The client returns whatever a server answers. */
function bytesIn(value: unknown): Buffer | undefined {
  if (value === null || value instanceof Buffer) return value ?? undefined;
  throw wrongType();
}

function wrongType(): Error {
  return new Error(
    "it answered with something else than bytes: it is not a Redis server, or something before it changes answers",
  );
}
