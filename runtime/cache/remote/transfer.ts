// The user's commands on the shared cache: inspect it, fill it from this machine's cache, fetch all of it, empty it.
import { JitlabError } from "../../base/errors.js";
import { withStore } from "../current-store.js";
import type { StoredModule } from "../store.js";
import { transportOf, within } from "./remote-cache.js";
import { moduleOf, RowError, rowOf } from "./row.js";
import { type RemoteSettings, readRemoteSettings } from "./settings.js";
import type { Transport } from "./transport.js";

/** The shared cache, as `jitlab cache remote` shows it. */
export interface RemoteStatus {
  readonly address: string;
  /** The time of a lookup. */
  readonly answerMs: number;
  readonly kernels: number;
  readonly bytes: number;
}

/** The result of a push. */
export interface RemotePush {
  readonly address: string;
  readonly pushed: number;
  /** Kernels that were already stored. */
  readonly present: number;
}

/** The result of a pull. */
export interface RemotePull {
  readonly address: string;
  readonly pulled: number;
  /** Kernels that were here already. */
  readonly present: number;
  /** Kernels without the group's seal. */
  readonly refused: number;
}

const patienceMs = 5000;
const atOnce = 100;

/** The latency and the size of the shared cache. */
export function remoteStatus(): Promise<RemoteStatus> {
  return withRemote(async ({ address }, transport) => {
    const answerMs = await answerTime(transport);
    return { address, answerMs, ...(await transport.totals()) };
  });
}

/** The shared cache's status; throws if it is unreachable. */
export function probeRemote(): Promise<Pick<RemoteStatus, "address" | "answerMs">> {
  return withRemote(async ({ address }, transport) => ({ address, answerMs: await answerTime(transport) }));
}

/** Stores every kernel of this machine's cache that the shared one lacks. */
export function pushAll(): Promise<RemotePush> {
  return withRemote(async ({ address, secret }, transport) => {
    const there = new Set<string>();
    for await (const keys of transport.keys()) for (const key of keys) there.add(key);
    let pushed = 0;
    let present = 0;
    for (const stored of withStore((store) => [...store.modules()], [])) {
      const keys = stored.kernels.map(({ key }) => key);
      const missing = keys.filter((key) => !there.has(key)).length;
      if (missing > 0) await transport.put(keys, rowOf(secret, stored));
      pushed += missing;
      present += keys.length - missing;
    }
    return { address, pushed, present };
  });
}

/** Fetches every kernel that this machine's cache lacks. */
export function pullAll(): Promise<RemotePull> {
  return withRemote(async ({ address, secret }, transport) => {
    const counts = { pulled: 0, present: 0, refused: 0 };
    for await (const keys of transport.keys()) {
      const missing = keys.filter((key) => !isHere(key));
      counts.present += keys.length - missing.length;
      for (let from = 0; from < missing.length; from += atOnce) {
        const some = missing.slice(from, from + atOnce);
        const rows = await transport.fetch(some);
        for (const [i, key] of some.entries()) {
          const row = rows[i];
          if (row) counts[pull(secret, key, row)]++;
        }
      }
    }
    return { address, ...counts };
  });
}

/** Empties the shared cache, and returns how many kernels it had. */
export function clearRemote(): Promise<number> {
  return withRemote((_settings, transport) => transport.clear());
}

function isHere(key: string): boolean {
  return withStore((store) => store.has(key), true);
}

function pull(secret: Uint8Array, key: string, row: Uint8Array): "pulled" | "refused" {
  let stored: StoredModule;
  try {
    stored = moduleOf(secret, key, row);
  } catch (error) {
    if (error instanceof RowError) return "refused";
    throw error;
  }
  // It may have been fetched with another kernel of its module.
  if (!isHere(key)) withStore((store) => store.put(stored.module, stored.kernels), undefined);
  return "pulled";
}

async function answerTime(transport: Transport): Promise<number> {
  const from = performance.now();
  await transport.fetch(["0".repeat(64)]);
  return performance.now() - from;
}

async function withRemote<T>(
  work: (settings: RemoteSettings, transport: Transport) => Promise<T>,
): Promise<T> {
  const settings = readRemoteSettings();
  if (!settings) {
    throw new JitlabError(
      "remote-cache",
      "There is no shared cache.",
      "JITLAB_REMOTE_CACHE names one: redis://host:6379/0 or file:///shared/kernels.",
    );
  }
  const transport = await transportOf(settings);
  try {
    const opened = await within(
      patienceMs,
      transport.open().then(() => true),
    );
    if (!opened) throw new Error(`it did not answer within ${patienceMs} ms`);
    return await work(settings, transport);
  } catch (error) {
    if (error instanceof JitlabError) throw error;
    throw new JitlabError(
      "remote-cache",
      `The shared cache ${settings.address} cannot be used: ${(error as Error).message}.`,
      "Check the server and the password. Meanwhile every machine compiles its kernels.",
    );
  } finally {
    transport.close();
  }
}
