// Runs the library's bundles from the code that V8 compiled at the build, because most of what an import costs is
// compiling. The build writes each bundle as the text of one function and, beside it, V8's data for it. V8 refuses data of
// another version or other flags; then it compiles the text as usual.
import { readFileSync, writeFileSync } from "node:fs";
import { constants, Script } from "node:vm";

type Exports = Readonly<Record<string, unknown>>;
type Bundle = (load: (specifier: string) => Exports, url: string, name: typeof nameFunction) => Exports;

const scripts = new Map<URL, Script>();

/** What a bundle exports. `url` is the module that stands for it; `imports` are the bundles that it imports. */
export function runBundle(url: string, imports: Readonly<Record<string, Exports>>): Exports {
  const text = readFileSync(beside(url, "code"), "utf8");
  const data = beside(url, "cache");
  const script = new Script(text, {
    filename: url,
    ...dataIn(data),
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  scripts.set(data, script);
  const load = (specifier: string) =>
    imports[specifier] ?? (process.getBuiltinModule(specifier) as unknown as Exports);
  return (script.runInThisContext() as Bundle)(load, url, nameFunction);
}

/** Writes V8's data for every bundle that runs, with each function that was called so far. */
export function writeCompiledCode(): void {
  for (const [path, script] of scripts) writeFileSync(path, script.createCachedData());
}

/** The file that lies beside a module: a module may have been imported with a query. */
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

/** Gives a function that a bundle had to rename its own name. */
function nameFunction<F extends object>(target: F, value: string): F {
  return Object.defineProperty(target, "name", { value, configurable: true });
}
