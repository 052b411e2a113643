// Runs the library's bundles from the code that V8 compiled at the build, because most of an import's time is compiling. The
// build writes each bundle as the text of one function, with V8's data for it. V8 rejects data of another version or other
// flags, and then compiles the text.
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

const scripts = new Map<URL, Script>();

/** The exports of a bundle. `url` is the bundle's module; `imports` are the bundles that it imports. */
export function runBundle(url: string, imports: Readonly<Record<string, Exports>>): Exports {
  const text = readFileSync(beside(url, "code"), "latin1");
  const data = beside(url, "cache");
  const script = new Script(text, {
    // V8's data keeps the name of the build's script, so it must not name the build's folder. It begins as
    // `libraryScripts` in user-frames.ts says, which is in a bundle.
    filename: `jitlab:${basename(new URL(url).pathname, ".js")}`,
    ...dataIn(data),
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  scripts.set(data, script);
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

function dataIn(path: URL): { readonly cachedData?: Buffer } {
  try {
    return { cachedData: readFileSync(path) };
  } catch {
    return {};
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
