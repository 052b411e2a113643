// Makes JavaScript's collector tell which objects are dead, also in the middle of one long synchronous job. The language
// keeps the target of every WeakRef made or read in a job alive until that job ends; the end of a script in a context with
// a microtask queue of its own counts as such an end.

interface Collector {
  readonly endJob: () => void;
  readonly gc: () => void;
}

let made: Collector | undefined;

function collector(): Collector {
  if (made) return made;
  const { setFlagsFromString } = process.getBuiltinModule("node:v8");
  const { createContext, Script } = process.getBuiltinModule("node:vm");
  const empty = new Script("0");
  while (!made) {
    setFlagsFromString("--expose-gc");
    const context = createContext({}, { microtaskMode: "afterEvaluate" });
    const gc = new Script("globalThis.gc").runInContext(context) as (() => void) | undefined;
    setFlagsFromString("--no-expose-gc");
    // The flag is the process's: another thread may have taken it back before the context was made.
    if (gc) made = { endJob: () => empty.runInContext(context), gc };
  }
  return made;
}

/** Lets go of the targets of WeakRefs made or read so far; two microseconds. WeakRefs stay cheap when it is called often. */
export function releaseTargets(): void {
  collector().endJob();
}

/** Collects garbage fully, so that WeakRefs of unreachable objects are empty afterwards; milliseconds. */
export function collectGarbage(): void {
  const { endJob, gc } = collector();
  endJob();
  gc();
}
