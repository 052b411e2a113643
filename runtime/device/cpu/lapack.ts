// The host's LAPACK, part of OpenBLAS or a library of its own: factorizations of matrices on the processor, opened at the
// first one. lapack-routines.ts calls it. Fortran takes every argument by its address, and the lengths of texts at the end.
import { join } from "node:path";
import { env } from "../../base/env.js";
import { DeviceError } from "../../base/errors.js";
import { ffi } from "../ffi.js";
import { loaderFolders } from "../library-folders.js";
import type { MatrixLibrary } from "../matrix-library.js";
import { blasFiles, nameOf, namesIn, spellings } from "./blas.js";
import type { Fortran } from "./fortran.js";
import { matrixCode } from "./lapack-routines.js";
import { libc } from "./libc.js";
import { type LibraryThreads, threadsOf } from "./library-threads.js";
import { has, type Library, type Spelling } from "./loaded-library.js";

const installHelp =
  "Install OpenBLAS (Debian, Ubuntu: `apt-get install libopenblas0`; Fedora: `dnf install openblas`; `pip install numpy` brings one too).";
const ownName = /^liblapack\.so\.\d+$/;

/** Files that may have LAPACK: OpenBLAS and BLIS, then libraries of LAPACK alone. */
function lapackFiles(): string[] {
  const conda = env("condaPrefix");
  const folders = [...loaderFolders(), ...(conda === undefined ? [] : [join(conda, "lib")])];
  return [...blasFiles(), ...folders.flatMap((folder) => namesIn(folder, ownName))];
}

/** The name and path of the host's LAPACK; throws DeviceError if it is missing or damaged. */
export function probeLapack(): string {
  const library = openLapack();
  if (library) return `${library.name}, ${library.path}`;
  throw new DeviceError(
    "no-library",
    "No LAPACK was found: jl.linalg computes in JavaScript, more slowly.",
    installHelp,
  );
}

let found: { readonly library?: MatrixLibrary | undefined; readonly damage?: unknown } | undefined;

/** The host's LAPACK, searched once; undefined if there is none. Throws DeviceError `library-damaged`. */
export function openLapack(): MatrixLibrary | undefined {
  found ??= search();
  if (found.damage !== undefined) throw found.damage;
  return found.library;
}

function search(): NonNullable<typeof found> {
  try {
    for (const path of lapackFiles()) {
      const library = open(path);
      if (library) return { library };
    }
    return {};
  } catch (damage) {
    return { damage };
  }
}

/** The library in a file; undefined if it has no LAPACK. */
function open(path: string): MatrixLibrary | undefined {
  let library: Library;
  try {
    library = ffi().load(path);
  } catch (error) {
    throw new DeviceError(
      "library-damaged",
      `The library ${path} cannot be loaded (${error instanceof Error ? error.message : String(error)}).`,
      "Install it again, or remove it: jl.linalg then computes in JavaScript.",
    );
  }
  const spelling = spellings.find(([prefix, suffix]) => has(library, `${prefix}dgesdd_${suffix}`));
  if (!spelling) return undefined;
  const fortran = fortranOf(library, spelling, threadsOf(library, path, spelling));
  return {
    name: ownName.test(path) ? "LAPACK" : `LAPACK of ${nameOf(library, spelling)}`,
    path,
    load: (form) => matrixCode(fortran, form),
    addressOf: (memory) => libc().addressOf(memory, memory, 0),
  };
}

function fortranOf(library: Library, [prefix, suffix, integer]: Spelling, threads: LibraryThreads): Fortran {
  const bound = new Map<string, (addresses: readonly number[]) => void>();
  const bind = (name: string, addresses: number, letters: number) => {
    const parameters = [...new Array(addresses).fill("uintptr_t"), ...new Array(letters).fill("size_t")];
    const routine = library.func(`${prefix}${name}_${suffix}`, "void", parameters);
    const lengths = new Array<number>(letters).fill(1);
    return (given: readonly number[]) => {
      threads.use(threads.most());
      routine(...given, ...lengths);
    };
  };
  return {
    integerBytes: integer === "int" ? 4 : 8,
    bind: (name, addresses, letters) => {
      const known = bound.get(name) ?? bind(name, addresses, letters);
      bound.set(name, known);
      return known;
    },
  };
}
