// How many threads of the processor kernels and libraries use: JITLAB_THREADS, or as many as it runs at once.
import { availableParallelism } from "node:os";
import { env } from "../base/env.js";
import { JitlabError, show } from "../base/errors.js";

// What the user chose; null before the environment was read, which each launch would do otherwise.
let chosen: number | undefined | null = null;

/** The number that the user chose; undefined without one. Throws JitlabError for a bad JITLAB_THREADS. */
export function chosenThreads(): number | undefined {
  if (chosen !== null) return chosen;
  const text = env("threads");
  chosen = text === undefined ? undefined : checked("JITLAB_THREADS", Number(text), text);
  return chosen;
}

const available = availableParallelism();

/**
 * How many threads kernels and libraries use on the processor: `JITLAB_THREADS`, or since {@link setNumThreads}.
 *
 * @example jl.getNumThreads() > 0 // true
 */
export function getNumThreads(): number {
  return chosenThreads() ?? available;
}

/**
 * Sets how many threads kernels, matrix products and factorizations use on the processor from now on. The device wasm uses one,
 * or as many as when it was opened. Returns the earlier number.
 *
 * @example jl.setNumThreads(jl.setNumThreads(1)) // 1
 */
export function setNumThreads(count: number): number {
  const before = getNumThreads();
  chosen = checked("setNumThreads", count, count);
  return before;
}

const mostThreads = 256;

function checked(what: string, count: number, given: unknown): number {
  if (Number.isInteger(count) && count >= 1 && count <= mostThreads) return count;
  throw new JitlabError(
    "bad-thread-count",
    `${what} is ${show(given)}, which is no number of threads.`,
    `It is an integer from 1 to ${mostThreads}.`,
  );
}
