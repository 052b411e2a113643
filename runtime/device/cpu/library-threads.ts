// The threads of a BLAS, whose LAPACK shares them: one for small calls, which waiting for other threads would delay on a busy
// machine.
import { chosenThreads } from "../thread-count.js";
import { has, type Library, type Spelling } from "./loaded-library.js";

/** Lets the next call of a library use its threads, or one. */
export type UseThreads = (isSmall: boolean) => void;

const known = new Map<string, UseThreads>();

/** Sets the threads of the library in a file. */
export function threadsOf(library: Library, path: string, spelling: Spelling): UseThreads {
  const found = known.get(path) ?? settingOf(library, spelling);
  known.set(path, found);
  return found;
}

function settingOf(library: Library, [prefix, suffix, integer]: Spelling): UseThreads {
  const pairs = [
    [`${prefix}openblas_get_num_threads${suffix}`, `${prefix}openblas_set_num_threads${suffix}`, "int"],
    ["bli_thread_get_num_threads", "bli_thread_set_num_threads", integer],
  ] as const;
  const names = pairs.find(([get, set]) => has(library, get) && has(library, set));
  if (names === undefined) return () => {};
  const [get, set, type] = names;
  const setCount = library.func(set, "void", [type]);
  // What the library's own variables say, such as OPENBLAS_NUM_THREADS.
  const own = Number(library.func(get, type, [])());
  let current = own;
  return (isSmall) => {
    const count = isSmall ? 1 : (chosenThreads() ?? own);
    if (count === current) return;
    setCount(count);
    current = count;
  };
}
