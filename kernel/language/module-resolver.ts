// Resolves imports to files. `jitlab` is always the kernel's own copy, `tslab` the kernel's own module of that name; other
// names resolve from the notebook's folder.
import { isBuiltin } from "node:module";
import { dirname, join } from "node:path";
import { rareModuleFile } from "./rare-modules.js";
import { nodeSpecifier } from "./specifier.js";
import type { TypeScript, ts } from "./typescript.js";

const ownFolders = {
  jitlab: "runtime",
  "jitlab/magics": "magics",
  "jitlab/plot": "magics/plot",
  "jitlab/widgets": "kernel/child/widgets",
  tslab: "tslab",
};

type Resolution = ts.ResolvedModuleWithFailedLookupLocations;

/** True for a file that does not change while the kernel runs. Called for every file and every cell. */
export function isLibraryFile(path: string, packageRoot: string): boolean {
  return path.includes("/node_modules/") || path.startsWith(`${packageRoot}/dist/`);
}

/**
 * Returns a function that resolves a module's name in a file. Imports of libraries are resolved once and kept in `known`;
 * those of cells are resolved each time, since the package may be new.
 */
export function moduleResolver(
  ts: TypeScript,
  options: ts.CompilerOptions,
  host: ts.ModuleResolutionHost,
  packageRoot: string,
  known: Map<string, Resolution>,
): (name: string, containingFile: string) => Resolution {
  const own = new Map(
    Object.entries(ownFolders).map(([name, folder]) => [
      name,
      join(packageRoot, "dist", folder, "index.d.ts"),
    ]),
  );
  const conditions = options.customConditions?.join() ?? "";
  const nodeTypes = join(options.typeRoots?.[0] ?? "", "node");
  const declaredIn = (file: string | undefined): Resolution | undefined => {
    if (file === undefined || !ts.sys.fileExists(file)) return undefined;
    const extension = ts.Extension.Dts;
    const resolvedModule = { resolvedFileName: file, extension, isExternalLibraryImport: true };
    return { resolvedModule } as Resolution;
  };
  return (specifier, containingFile) => {
    const name = nodeSpecifier(specifier);
    if (isBuiltin(name)) {
      // Node's types declare its modules by name: a file is only brought into the program.
      const file = containingFile.startsWith(nodeTypes) ? undefined : rareModuleFile(name, nodeTypes);
      return declaredIn(file) ?? ({ resolvedModule: undefined } as Resolution);
    }
    const ownFile = declaredIn(own.get(name));
    if (ownFile !== undefined) return ownFile;
    if (!isLibraryFile(containingFile, packageRoot)) {
      return ts.resolveModuleName(name, containingFile, options, host);
    }
    const key = [conditions, dirname(containingFile), name].join("\n");
    const resolution = known.get(key) ?? ts.resolveModuleName(name, containingFile, options, host);
    known.set(key, resolution);
    return resolution;
  };
}
