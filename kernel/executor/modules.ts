// What `require` and `import()` mean in a cell: Node's own rules from the notebook's folder, plus `jitlab`, which is
// always this package, TypeScript files, which the language worker has converted, and packages that offer only ES modules.
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { compileFunction, SyntheticModule } from "node:vm";
import { registerSource } from "./stack.js";

interface LoadedFile {
  exports: Record<string, unknown>;
}

// The specifiers that mean this package, and what they mean.
const ownModules: Readonly<Record<string, string>> = {
  jitlab: new URL("../../runtime/index.js", import.meta.url).href,
  "jitlab/magics": new URL("../../magics/index.js", import.meta.url).href,
};

const extensions = ["", ".ts", ".tsx", ".mts", ".cts", ".js", "/index.ts", "/index.js"];

/** The modules of one notebook. */
export class CellModules {
  /** JavaScript of TypeScript files, by absolute path. */
  private readonly files = new Map<string, string>();
  private readonly loaded = new Map<string, LoadedFile>();

  /** `folder` is where relative paths and packages of cells are looked for. */
  constructor(readonly folder: string) {}

  /** Takes the files that a cell imports; one that changed is loaded anew, and so is what may have imported it. */
  update(files: Readonly<Record<string, string>>): void {
    const changed = Object.entries(files).filter(([path, js]) => this.files.get(path) !== js);
    for (const [path, js] of changed) this.files.set(path, js);
    if (changed.length > 0) this.loaded.clear();
  }

  /** Forgets what a file gave, so that its next import runs it again. */
  unload(path: string): void {
    this.loaded.delete(path);
  }

  /** The `require` of code in a folder. */
  requireIn(folder: string): NodeJS.Require {
    const base = createRequire(join(folder, "cell.js"));
    const load = (id: string): unknown => {
      const own = ownModules[id];
      if (own) return base(fileURLToPath(own));
      const file = this.findFile(folder, id);
      if (file) return this.loadFile(file);
      try {
        return base(id);
      } catch (error) {
        // A package whose exports name no file for `require` may name one for `import`, which Node can require as well.
        if ((error as NodeJS.ErrnoException).code !== "ERR_PACKAGE_PATH_NOT_EXPORTED") throw error;
        return base(fileURLToPath(resolveImport(id, folder)));
      }
    };
    const resolve = (id: string, options?: { paths?: string[] }): string => {
      const own = ownModules[id];
      return own ? fileURLToPath(own) : base.resolve(id, options);
    };
    return Object.assign(load, base, { resolve: Object.assign(resolve, base.resolve) });
  }

  /** What `import(specifier)` gives to code in a folder. */
  readonly importIn =
    (folder: string) =>
    async (specifier: string): Promise<object> => {
      const file = this.findFile(folder, specifier);
      if (file) return asModule(this.loadFile(file), file);
      return import(ownModules[specifier] ?? resolveImport(specifier, folder));
    };

  private findFile(folder: string, id: string): string | undefined {
    if (!/^(\.{0,2}\/|file:)/.test(id)) return undefined;
    const path = id.startsWith("file:") ? fileURLToPath(id) : resolve(folder, id);
    const stem = path.replace(/\.([cm]?)js$/, "");
    return [path, stem]
      .flatMap((name) => extensions.map((end) => name + end))
      .find((name) => this.files.has(name));
  }

  private loadFile(path: string): Record<string, unknown> {
    const known = this.loaded.get(path);
    if (known) return known.exports;
    const module: LoadedFile = { exports: {} };
    this.loaded.set(path, module);
    const folder = dirname(path);
    const parameters = ["exports", "require", "module", "__filename", "__dirname"];
    const importModuleDynamically = this.importIn(folder) as never;
    const js = this.files.get(path) ?? "";
    registerSource(path, "", inlineSourceMap(js));
    try {
      const run = compileFunction(js, parameters, {
        filename: path,
        importModuleDynamically,
      });
      run.call(module.exports, module.exports, this.requireIn(folder), module, path, folder);
    } catch (error) {
      this.loaded.delete(path);
      throw error;
    }
    return module.exports;
  }
}

// `import.meta.resolve` with a parent is behind a flag, which the child is started with.
function resolveImport(specifier: string, folder: string): string {
  return import.meta.resolve(specifier, pathToFileURL(join(folder, "cell.js")).href);
}

function inlineSourceMap(js: string): string {
  const encoded = /\n\/\/# sourceMappingURL=data:application\/json;base64,(\S+)\s*$/.exec(js)?.[1];
  return encoded === undefined ? "" : Buffer.from(encoded, "base64").toString();
}

async function asModule(exports: Record<string, unknown>, path: string): Promise<object> {
  const names = [...new Set([...Object.keys(exports), "default"])];
  const module = new SyntheticModule(
    names,
    () => {
      for (const name of names) module.setExport(name, name in exports ? exports[name] : exports);
    },
    { identifier: path },
  );
  await module.link(() => {
    throw new Error("A converted file links to nothing.");
  });
  await module.evaluate();
  return module.namespace;
}
