// The local files that Node has loaded: CommonJS and JSON, which it loads again once its cache has lost them, and ES modules,
// which it keeps. Packages do not change while a notebook runs.
import { statSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { types } from "node:util";
import { ownKeys, pinned } from "./built-ins.js";

const { cache } = createRequire(import.meta.url);
const ownFolder = fileURLToPath(new URL("../../", import.meta.url));

/** Notices changes of local files that Node has loaded. */
export class NodeFiles {
  /** The version of each loaded file, and of each ES module that Node keeps. */
  private readonly versions = pinned(new Map<string, string>());
  private readonly kept = pinned(new Map<string, string>());

  /** `note` prints to the running cell's stderr. */
  constructor(private readonly note: (text: string) => void) {}

  /** Called before `import()` of an ES module. */
  imports(url: string): void {
    if (!url.startsWith("file:")) return;
    const path = fileURLToPath(url);
    if (isLocal(path) && this.kept.get(path) === undefined) this.kept.set(path, versionOf(path));
  }

  /** Called when Node has loaded something: keeps the versions of new files. */
  record(): void {
    const paths = ownKeys(cache);
    for (let i = 0; i < paths.length; i++) {
      const path = paths[i] as string;
      if (this.versions.has(path) || !isLocal(path)) continue;
      this.versions.set(path, versionOf(path));
      if (types.isModuleNamespaceObject(cache[path]?.exports)) this.imports(pathToFileURL(path).href);
    }
  }

  /** Makes Node load its local files again if one has changed; says which ones it cannot. Called before each cell. */
  dropChanged(): boolean {
    let changed = false;
    this.versions.forEach((known, path) => {
      changed ||= versionOf(path) !== known;
    });
    if (changed) this.drop();
    this.kept.forEach((known, path) => {
      this.compare(path, known);
    });
    return changed;
  }

  private drop(): void {
    this.versions.forEach((_, path) => {
      delete cache[path];
    });
    this.versions.clear();
  }

  private compare(path: string, known: string): void {
    const version = versionOf(path);
    if (version === known) return;
    this.kept.set(path, version);
    this.note(
      `${path} has changed. Node keeps the ES module that it loaded: restart the kernel to load it again.\n`,
    );
  }
}

// Native code cannot be loaded twice.
function isLocal(path: string): boolean {
  return !path.includes("/node_modules/") && !path.startsWith(ownFolder) && !path.endsWith(".node");
}

function versionOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat ? `${stat.mtimeMs}:${stat.size}` : "0";
}
