// `require` and `import()` of cells: Node's rules from the notebook's folder, plus `jitlab`, which is always this package,
// modules that the kernel provides, TypeScript files that the language process converted, and packages with ES modules only.
import { createRequire, isBuiltin } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { compileFunction, SyntheticModule } from "node:vm";
import { atInterruption } from "../../runtime/base/interruption.js";
import { nodeSpecifier } from "../language/specifier.js";
import { ownKeys, pinned } from "./built-ins.js";
import { uninterrupted } from "./interruptible.js";
import { NodeFiles } from "./node-files.js";
import { registerSource } from "./stack.js";

interface LoadedFile {
  exports: Record<string, unknown>;
  loaded: boolean;
}

// The specifiers of this package, and their files.
const ownModules: Readonly<Record<string, string>> = {
  jitlab: new URL("../../runtime/index.js", import.meta.url).href,
  "jitlab/magics": new URL("../../magics/index.js", import.meta.url).href,
  "jitlab/plot": new URL("../../magics/plot/index.js", import.meta.url).href,
};

const extensions = ["", ".ts", ".tsx", ".mts", ".cts", ".js", "/index.ts", "/index.js"];

type Importer = (specifier: string, referrer?: unknown, attributes?: ImportAttributes) => Promise<object>;

/** The modules of one notebook. */
export class CellModules {
  /** JavaScript of TypeScript files, by absolute path. */
  private readonly files = pinned(new Map<string, string>());
  private readonly loaded = pinned(new Map<string, LoadedFile>());
  private readonly nodeFiles: NodeFiles;

  /** The `require` of cells. */
  readonly require: NodeJS.Require;
  /** The `import()` of cells. */
  readonly import: Importer;

  /** Relative paths and packages resolve from `folder`; `provided` holds modules that the kernel creates. */
  constructor(
    readonly folder: string,
    private readonly provided: Readonly<Record<string, object>> = {},
    note: (text: string) => void = () => undefined,
  ) {
    this.nodeFiles = new NodeFiles(note);
    this.require = this.requireIn(folder);
    this.import = this.importIn(folder);
    atInterruption(() => this.dropUnfinished());
  }

  /**
   * Adds the files that a cell imports. If one has changed, or a local file that Node has loaded, all are loaded again, since
   * others may import it.
   */
  update(files: Readonly<Record<string, string>>): void {
    if (this.nodeFiles.dropChanged()) this.loaded.clear();
    const paths = ownKeys(files);
    for (let i = 0; i < paths.length; i++) {
      const path = paths[i] as string;
      const js = files[path] as string;
      if (this.files.get(path) === js) continue;
      this.files.set(path, js);
      this.loaded.clear();
    }
  }

  /** Drops a loaded file, so that its next import runs it again. */
  unload(path: string): void {
    this.loaded.delete(path);
  }

  // Drops modules whose loading an interrupt ended: another import would get a part of them.
  private dropUnfinished(): void {
    this.files.forEach((_js, path) => {
      if (this.loaded.get(path)?.loaded === false) this.loaded.delete(path);
    });
    const { cache } = this.require;
    const paths = ownKeys(cache);
    for (let i = 0; i < paths.length; i++) {
      const path = paths[i] as string;
      if (cache[path]?.loaded === false) delete cache[path];
    }
  }

  // The `require` of code in a folder.
  private requireIn(folder: string): NodeJS.Require {
    const base = createRequire(join(folder, "cell.js"));
    const load = (specifier: string): unknown => {
      const id = nodeSpecifier(specifier);
      const own = ownModules[id];
      // Whole, because Node cannot load an ES module or one of its own again that was interrupted.
      if (own) return uninterrupted(() => base(fileURLToPath(own)));
      if (Object.hasOwn(this.provided, id)) return this.provided[id];
      if (isBuiltin(id)) return uninterrupted(() => base(id));
      const file = this.findFile(folder, id);
      if (file) return this.loadFile(file);
      try {
        const loaded: unknown = base(id);
        this.nodeFiles.record();
        return loaded;
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (code === "ERR_REQUIRE_ASYNC_MODULE") {
          throw new Error(
            `${id} awaits something while it loads: const module = await import("${id}") loads it.`,
          );
        }
        // A package may export files for `import` only, which Node can require as well.
        if (code !== "ERR_PACKAGE_PATH_NOT_EXPORTED") throw error;
        return base(fileURLToPath(resolveImport(id, folder)));
      }
    };
    const resolve = (id: string, options?: { paths?: string[] }): string => {
      const own = ownModules[id];
      return own ? fileURLToPath(own) : base.resolve(id, options);
    };
    return Object.assign(load, base, { resolve: Object.assign(resolve, base.resolve) });
  }

  // The result of `import(specifier, { with: attributes })` for code in a folder. V8 calls this in the middle of the import(),
  // where an interrupt should end no code of a file; and Node's part runs whole, because it cannot be repeated.
  private importIn(folder: string): Importer {
    return async (given, _referrer, attributes) => {
      await undefined;
      const specifier = nodeSpecifier(given);
      const provided = Object.hasOwn(this.provided, specifier) ? this.provided[specifier] : undefined;
      if (provided) return asModule(provided, specifier);
      const file = this.findFile(folder, specifier);
      if (file) return asModule(this.loadFile(file), file);
      if (ownModules[specifier]) return this.require(specifier) as object;
      const url = resolveImport(specifier, folder);
      this.nodeFiles.imports(url);
      return uninterrupted(() => import(url, { with: { ...attributes } }));
    };
  }

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
    const module: LoadedFile = { exports: {}, loaded: false };
    this.loaded.set(path, module);
    const folder = dirname(path);
    const parameters = ["exports", "require", "module", "__filename", "__dirname"];
    const importModuleDynamically = this.importIn(folder) as never;
    const js = this.files.get(path) ?? "";
    registerSource(path, "", js, inlineSourceMap(js));
    try {
      const run = compileFunction(js, parameters, {
        filename: path,
        importModuleDynamically,
      });
      run.call(module.exports, module.exports, this.requireIn(folder), module, path, folder);
      module.loaded = true;
    } catch (error) {
      this.loaded.delete(path);
      throw error;
    }
    return module.exports;
  }
}

// `import.meta.resolve` with a parent needs a flag, which the child is started with.
function resolveImport(specifier: string, folder: string): string {
  return import.meta.resolve(specifier, pathToFileURL(join(folder, "cell.js")).href);
}

function inlineSourceMap(js: string): string {
  const encoded = /\n\/\/# sourceMappingURL=data:application\/json;base64,(\S+)\s*$/.exec(js)?.[1];
  return encoded === undefined ? "" : Buffer.from(encoded, "base64").toString();
}

async function asModule(exports: object, path: string): Promise<object> {
  const names = [...new Set([...Object.keys(exports), "default"])];
  const module = new SyntheticModule(
    names,
    () => {
      for (const name of names)
        module.setExport(name, Reflect.has(exports, name) ? Reflect.get(exports, name) : exports);
    },
    { identifier: path },
  );
  await module.link(() => {
    throw new Error("A converted file links to nothing.");
  });
  await module.evaluate();
  return module.namespace;
}
