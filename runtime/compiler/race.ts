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

/** A compile that runs, and may be ended. */
export interface Attempt {
  readonly compiled: Promise<Timed>;
  end(): void;
}

// How long the shared cache is waited for before a compile starts beside it.
const headStartMs = 10;
// What a compile takes, as long as none was seen; then the longest of the last few tells.
const firstGuessMs = 1000;
const remembered = 8;
// Equal compiles differ by this much, and the machine that compiles has to store what it made.
const spareMs = 40;
// The part of a compile that is given up for a machine that began before, as a late answer tells.
const mayBeLost = 0.25;
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
  start: () => Attempt,
  isCancelled: () => boolean,
): Promise<Found | Timed> {
  await remote.ready();
  let isOver = false;
  const from = performance.now();
  const patience = patienceMs(name);
  const look = remote.look(key);
  // Where another machine compiles it, its kernel may come while this one waits, and later while this one compiles too.
  const watched = look.then((answer) =>
    answer === "taken" ? remote.watch(key, () => isOver || isCancelled()) : answer,
  );
  try {
    const told = look.then((answer) => ({ answer }));
    if (!(await within(headStartMs, told))) {
      const own = start();
      const first = await Promise.race([own.compiled, told]);
      const isTaken = "answer" in first && first.answer === "taken";
      if (!isTaken || performance.now() - from > patience * mayBeLost) return await firstOf(own, watched);
      giveUp(own);
    }
    const found = await within(patience - (performance.now() - from), watched);
    if (isFound(found)) return found;
    if (isCancelled()) throw new CompileError("The compile was given up.", "");
    return await firstOf(start(), watched);
  } finally {
    isOver = true;
  }
}

async function firstOf(own: Attempt, watched: Promise<Look>): Promise<Found | Timed> {
  const late = watched.then(async (answer) => (isFound(answer) ? answer : own.compiled));
  const first = await Promise.race<Found | Timed>([own.compiled, late]);
  if ("found" in first) giveUp(own);
  return first;
}

function giveUp(own: Attempt): void {
  own.end();
  own.compiled.catch(() => undefined);
}

/** How long another machine is waited for: what compiling here would take. */
function patienceMs(name: string): number {
  return Math.max(...(lastMs.get(name) ?? [firstGuessMs])) + spareMs;
}

/** Whether the shared cache had it. */
export function isFound(look: Look): look is Found {
  return typeof look === "object";
}
