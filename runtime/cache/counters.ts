// Counts the cache's work for this process, for its status.

/** Kernels by origin, and compile time spent and saved, in milliseconds. */
export const counters = { compiled: 0, disk: 0, remote: 0, compileMs: 0, savedMs: 0, remoteSavedMs: 0 };

/** The origin of a kernel that was not loaded: compiled now, from disk, or from the shared cache. */
export type KernelOrigin = "compiled" | "disk" | "remote";

// Keys are dropped in the order of their first use.
const mostOrigins = 10_000;

/** The origins of this process's kernels, by key. */
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
    // Kernels that this process compiled in advance saved no time.
    if (!own) counters.savedMs += compileMs;
    if (origin === "remote") counters.remoteSavedMs += compileMs;
  }
}

/** Runs a function without counting its kernels. */
export function uncounted(run: () => void): void {
  const before = { ...counters };
  try {
    run();
  } finally {
    Object.assign(counters, before);
  }
}
