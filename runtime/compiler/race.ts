// Races the shared cache, which gets a head start, against the compiler. The first result wins.

import { CompileError } from "../base/errors.js";
import { type Look, type RemoteCache, within } from "../cache/remote/remote-cache.js";
import type { StoredModule } from "../cache/store.js";
import type { CompileOutput } from "../device/device.js";

/** A kernel of the shared cache. */
export interface Found {
  readonly found: StoredModule;
}

/** A compiler's result and its duration. */
export interface Timed {
  readonly output: CompileOutput;
  readonly ms: number;
}

/** A running compile that can be ended. */
export interface Attempt {
  readonly compiled: Promise<Timed>;
  end(): void;
}

// How long the shared cache runs alone before a compile starts in parallel.
const headStartMs = 10;
// The assumed duration of a compile until one is measured; then the longest of the last few is used.
const firstGuessMs = 1000;
const remembered = 8;
// Equal compiles vary by this factor, and the compiling machine must also store the result.
const spareMs = 40;
// The part of a compile that is given up for an earlier machine, when its answer is late.
const mayBeLost = 0.25;
const lastMs = new Map<string, number[]>();

/** Runs a compiler and measures it. */
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
  // If another machine compiles it, its kernel may arrive while this one waits, and later while this one compiles too.
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
    if (isCancelled()) throw new CompileError("The compile was cancelled.", "");
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

/** How long to wait for another machine: the duration of a compile here. */
function patienceMs(name: string): number {
  return Math.max(...(lastMs.get(name) ?? [firstGuessMs])) + spareMs;
}

/** Whether the shared cache supplied it. */
export function isFound(look: Look): look is Found {
  return typeof look === "object";
}
