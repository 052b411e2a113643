// Who answers a request for a kernel: the shared cache, which gets a head start, or the compiler beside it. The first wins.

import { CompileError } from "../base/errors.js";
import { type Look, type RemoteCache, within } from "../cache/remote/remote-cache.js";
import type { StoredModule } from "../cache/store.js";
import type { CompileOutput } from "../device/device.js";

/** A kernel of the shared cache. */
export interface Found {
  readonly found: StoredModule;
}

/** What a compiler gave, and its own time. */
export interface Timed {
  readonly output: CompileOutput;
  readonly ms: number;
}

/** An AbortController, whose type is left to those whose libraries declare it. */
export interface Cancellation {
  readonly signal: { readonly aborted: boolean };
  abort(): void;
}

/** How long the shared cache is waited for before a compile starts beside it. */
export const headStartMs = 10;
// What a compile takes, as long as none was seen; then the longest of the last few tells.
const firstGuessMs = 1000;
const remembered = 8;
const lastMs = new Map<string, number[]>();

/** Runs a compiler, and notes what it took. */
export async function timed(name: string, compile: () => Promise<CompileOutput>): Promise<Timed> {
  const from = performance.now();
  const output = await compile();
  const ms = performance.now() - from;
  lastMs.set(name, [...(lastMs.get(name) ?? []), ms].slice(-remembered));
  return { output, ms };
}

/** The kernel of a key from the shared cache, else from the compiler of this name. */
export async function raced(
  remote: RemoteCache,
  key: string,
  name: string,
  compile: () => Promise<Timed>,
  controller: Cancellation,
): Promise<Found | Timed> {
  await remote.ready();
  const looked = remote.look(key).then((look) => ({ look }));
  const early = await within(headStartMs, looked);
  const look =
    early?.look === "taken"
      ? await remote.waitFor(key, Math.max(...(lastMs.get(name) ?? [firstGuessMs])))
      : early?.look;
  if (isFound(look)) return look;
  if (controller.signal.aborted) throw new CompileError("The compile was given up.", "");
  const compiled = compile();
  if (early) return compiled;
  const late = looked.then(async (answer): Promise<Found | Timed> => {
    return isFound(answer.look) ? answer.look : compiled;
  });
  const first = await Promise.race<Found | Timed>([compiled, late]);
  if ("output" in first) return first;
  controller.abort();
  compiled.catch(() => undefined);
  return first;
}

/** Whether the shared cache had it. */
export function isFound(look: Look): look is Found {
  return typeof look === "object";
}
