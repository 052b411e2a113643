// What the cache did for this process, for its status.

/** Kernels by origin, and compile time spent and saved, in milliseconds. */
export const counters = { compiled: 0, disk: 0, remote: 0, compileMs: 0, savedMs: 0, remoteSavedMs: 0 };

/** Where a process has a kernel from that was not loaded: compiled now, from disk, or from the shared cache. */
export type KernelOrigin = "compiled" | "disk" | "remote";

// Keys are dropped in the order of their first use.
const mostOrigins = 10_000;

/** Where this process has a kernel from, by key. */
export const origins = new Map<string, KernelOrigin>();

/** Counts one kernel. */
export function count(key: string, origin: KernelOrigin, compileMs: number): void {
  const own = origins.get(key) === "compiled";
  origins.set(key, origin);
  if (origins.size > mostOrigins) origins.delete(origins.keys().next().value as string);
  if (origin === "compiled") {
    counters.compiled++;
    counters.compileMs += compileMs;
  } else {
    counters[origin]++;
    // What this process compiled beforehand saved it nothing.
    if (!own) counters.savedMs += compileMs;
    if (origin === "remote") counters.remoteSavedMs += compileMs;
  }
}

/** Runs a function whose kernels are not to be counted. */
export function uncounted(run: () => void): void {
  const before = { ...counters };
  try {
    run();
  } finally {
    Object.assign(counters, before);
  }
}
