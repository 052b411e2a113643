// Makes the garbage collector clear WeakRefs even during a long synchronous job. JavaScript keeps the target of every
// WeakRef made or read in a job alive until that job ends; the end of a script in a context with its own microtask queue
// counts as such an end.

interface GarbageCollector {
  readonly endJob: () => void;
  readonly gc: (options?: { readonly type: "minor" }) => void;
}

let made: GarbageCollector | undefined;

function garbageCollector(): GarbageCollector {
  if (made) return made;
  const { setFlagsFromString } = process.getBuiltinModule("node:v8");
  const { createContext, Script } = process.getBuiltinModule("node:vm");
  const empty = new Script("0");
  while (!made) {
    setFlagsFromString("--expose-gc");
    const context = createContext({}, { microtaskMode: "afterEvaluate" });
    const gc = new Script("globalThis.gc").runInContext(context) as GarbageCollector["gc"] | undefined;
    setFlagsFromString("--no-expose-gc");
    // The flag applies to the process: another thread may have reset it before the context was made.
    if (gc) made = { endJob: () => empty.runInContext(context), gc };
  }
  return made;
}

/** Releases the targets of WeakRefs made or read so far; two microseconds. WeakRefs stay cheap when it is called often. */
export function releaseTargets(): void {
  garbageCollector().endJob();
}

/** Collects garbage fully, so that WeakRefs of unreachable objects are empty afterwards; milliseconds. */
export function collectGarbage(): void {
  const { endJob, gc } = garbageCollector();
  endJob();
  gc();
}

const minor = { type: "minor" } as const;

/** Collects the garbage among young objects: a twentieth of a millisecond to one, by what is reachable among them. */
export function collectYoung(): void {
  garbageCollector().gc(minor);
}
