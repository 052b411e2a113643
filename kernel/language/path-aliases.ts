// The `paths` and `baseUrl` of a tsconfig.json: TypeScript finds files by them, Node does not, so converted imports name the
// files themselves.
import type { CellProgram } from "./cell-program.js";
import { isLibraryFile } from "./module-resolver.js";
import { moduleFile, specifiersOf } from "./module-script.js";
import type { ts } from "./typescript.js";

/** The specifiers of a file's imports that stand for local files, with their paths. */
export type PathAliases = ReadonlyMap<string, string>;

/** Finds the imports of a file that only its tsconfig.json explains. */
export function pathAliases(
  { options, packageRoot }: CellProgram,
  checker: ts.TypeChecker,
  file: ts.SourceFile,
): PathAliases {
  const aliases = new Map<string, string>();
  if (options.paths === undefined && options.baseUrl === undefined) return aliases;
  for (const specifier of specifiersOf(file)) {
    const target = /^[./]|^\w+:/.test(specifier.text) ? undefined : moduleFile(checker, specifier);
    if (target === undefined || isLibraryFile(target.fileName, packageRoot)) continue;
    aliases.set(specifier.text, target.fileName.replace(/\.d\.([cm]?)ts$/, ".$1js"));
  }
  return aliases;
}
