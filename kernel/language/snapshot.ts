// The program that makes the snapshot of the language process. Node saves its heap when it ends: TypeScript loaded, the
// libraries' declarations parsed, the code of both compiled. A process started from the snapshot continues from there.
// Bundled into one file, because a program that makes a snapshot cannot load other modules.
import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { startupSnapshot } from "node:v8";
import { Libraries } from "./libraries.js";
import { assumeLibraries } from "./node-libraries.js";
import { openService, serveParent } from "./request-loop.js";
import type { TypeScript } from "./typescript.js";

/** What the program needs to know: paths of files that it reads, and the library. */
export interface SnapshotSources {
  readonly typescript: string;
  readonly packageRoot: string;
  /** TypeScript's library files for this Node. */
  readonly libraryFiles: readonly string[];
}

const { typescript, packageRoot, libraryFiles } = JSON.parse(process.argv[2] ?? "{}") as SnapshotSources;
const libraries = new Libraries(evaluate(typescript) as TypeScript);
assumeLibraries(libraryFiles);
rehearse();
startupSnapshot.setDeserializeMainFunction(() => serveParent(libraries, packageRoot));

// Loads a CommonJS module by hand: a snapshot cannot hold a module of Node's loader.
function evaluate(path: string): unknown {
  const module = { exports: {} };
  const run = new Function(
    "exports",
    "require",
    "module",
    "__filename",
    "__dirname",
    readFileSync(path, "utf8"),
  );
  run(module.exports, require, module, path, dirname(path));
  return module.exports;
}

// Converts a few cells, so that the snapshot holds the code and declarations that cells need. Completion is left out: it
// sorts with Intl's collators, native objects that a snapshot cannot hold.
function rehearse(): void {
  const service = openService(libraries, packageRoot, "/");
  const cells = [
    'import * as jl from "jitlab";\nconst x = jl.tensor([1, 2, 3]).add(1);',
    'import { readFileSync } from "node:fs";\nconst read = (path: string) => readFileSync(path, "utf8").length;',
    "console.log(x.shape, process.pid, await Promise.resolve([1].map((n) => n + 1)))",
    "class Point { constructor(readonly x: number) {} }\nlet points = [new Point(1)];\npoints[0]",
    "%%timings\nx.mul(2)",
  ];
  for (const [index, cell] of cells.entries()) service.convert(cell, `In[${index + 1}]`);
  service.keepWarm();
}
