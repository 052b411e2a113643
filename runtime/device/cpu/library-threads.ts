// The threads of a BLAS, whose LAPACK shares them: one for small calls, which waiting for other threads would delay on a busy
// machine.
import { chosenThreads } from "../thread-count.js";
import { has, type Library, type Spelling } from "./loaded-library.js";

/** How many threads the calls of a library use. */
export interface LibraryThreads {
  /** As many as the user chose, or as the library would use. */
  most(): number;
  /** Sets the number for the next calls. */
  use(count: number): void;
}

const known = new Map<string, LibraryThreads>();

/** The threads of the library in a file. */
export function threadsOf(library: Library, path: string, spelling: Spelling): LibraryThreads {
  const found = known.get(path) ?? settingOf(library, spelling);
  known.set(path, found);
  return found;
}

function settingOf(library: Library, [prefix, suffix, integer]: Spelling): LibraryThreads {
  const pairs = [
    [`${prefix}openblas_get_num_threads${suffix}`, `${prefix}openblas_set_num_threads${suffix}`, "int"],
    ["bli_thread_get_num_threads", "bli_thread_set_num_threads", integer],
  ] as const;
  const names = pairs.find(([get, set]) => has(library, get) && has(library, set));
  if (names === undefined) return { most: () => 1, use: () => {} };
  const [get, set, type] = names;
  const setCount = library.func(set, "void", [type]);
  // What the library's own variables say, such as OPENBLAS_NUM_THREADS.
  const own = Number(library.func(get, type, [])());
  let current = own;
  return {
    most: () => chosenThreads() ?? own,
    use: (count) => {
      if (count === current) return;
      setCount(count);
      current = count;
    },
  };
}

// openblas_config.h
const OPENBLAS_THREAD = 1;

/** True if threads of any kind may call a library at the same time: OpenBLAS with POSIX threads. */
export function takesThreads(library: Library, [prefix, suffix]: Spelling): boolean {
  const name = `${prefix}openblas_get_parallel${suffix}`;
  return has(library, name) && library.func(name, "int", [])() === OPENBLAS_THREAD;
}
