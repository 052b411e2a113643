// Runs the library's bundles from the code that V8 compiled at the build, because most of an import's time is compiling. The
// build writes each bundle as the text of one function, with V8's data for it. V8 rejects data of another version or other
// flags, and then compiles the text. The next process with these flags finds data that this one kept for the user.
import { readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { constants, Script } from "node:vm";

type Exports = Readonly<Record<string, unknown>>;
type Bundle = (
  load: (specifier: string) => Exports,
  url: string,
  name: typeof nameFunction,
  exportAll: typeof objectOf,
) => Exports;

/** Keeps V8's data for the code in a file under the flags of this process. */
export interface DataStore {
  /** The data that an earlier process kept; undefined if there is none. */
  read(code: URL): Buffer | undefined;
  /** Keeps what `make` returns later, when more functions were called. */
  keep(code: URL, make: () => Buffer): void;
}

const scripts = new Map<URL, Script>();
// True if V8 rejected the build's data of the first bundle: then it would reject the others after compiling their text.
let isRejected = false;

/**
 * The exports of a bundle. `url` is the bundle's module; `imports` are the bundles that it imports; `own` is used where V8
 * rejects the build's data.
 */
export function runBundle(url: string, imports: Readonly<Record<string, Exports>>, own?: DataStore): Exports {
  const code = beside(url, "code");
  const text = readFileSync(code, "latin1");
  const data = beside(url, "cache");
  const cachedData = isRejected ? own?.read(code) : dataIn(data);
  const script = new Script(text, {
    // V8's data keeps the name of the build's script, so it must not name the build's folder. It begins as
    // `libraryScripts` in user-frames.ts says, which is in a bundle.
    filename: `jitlab:${basename(new URL(url).pathname, ".js")}`,
    ...(cachedData === undefined ? {} : { cachedData }),
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  scripts.set(data, script);
  if (isRejected && script.cachedDataRejected !== false) own?.keep(code, () => script.createCachedData());
  isRejected ||= script.cachedDataRejected === true;
  const load = (specifier: string) =>
    imports[specifier] ?? (process.getBuiltinModule(specifier) as unknown as Exports);
  return (script.runInThisContext() as Bundle)(load, url, nameFunction, objectOf);
}

/** Writes V8's data for every loaded bundle, with the functions called so far. */
export function writeCompiledCode(): void {
  for (const [path, script] of scripts) writeFileSync(path, script.createCachedData());
}

/** The file next to a module, which may have been imported with a query. */
function beside(url: string, extension: string): URL {
  const { pathname } = new URL(url);
  return new URL(pathname.replace(/js$/, extension), url);
}

function dataIn(path: URL): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

/** Restores the name of a function that a bundle renamed. */
function nameFunction<F extends object>(target: F, value: string): F {
  return Object.defineProperty(target, "name", { value, configurable: true });
}

/** The object of a module's exports, such as `jl.linalg`, from a function for each that reads it. */
function objectOf(exports: Readonly<Record<string, () => unknown>>): Exports {
  const readers = Object.entries(exports).map(([name, get]) => [name, { get, enumerable: true }] as const);
  return Object.freeze(Object.defineProperties({}, Object.fromEntries(readers)));
}
