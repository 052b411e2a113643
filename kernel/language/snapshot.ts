// What a snapshot of the language process is made of, and how a process that is started from it goes on. Node keeps the
// heap as it is when this program ends: TypeScript loaded, the libraries' declarations parsed, the code of both compiled.
// Bundled to one file, since a program whose heap is kept can load no other modules.
import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { startupSnapshot } from "node:v8";
import { Libraries } from "./libraries.js";
import { openService, serveParent } from "./request-loop.js";
import type { TypeScript } from "./typescript.js";

/** Where the program finds what it reads. */
export interface SnapshotSources {
  readonly typescript: string;
  readonly packageRoot: string;
}

const { typescript, packageRoot } = JSON.parse(process.argv[2] ?? "{}") as SnapshotSources;
const libraries = new Libraries(evaluate(typescript) as TypeScript);
rehearse();
startupSnapshot.setDeserializeMainFunction(() => serveParent(libraries, packageRoot));

// A CommonJS module by hand: the one that Node's loader makes cannot be kept.
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

// A few cells, so that what cells need is parsed and compiled. No completion: it sorts with Intl's collators, which are
// native objects that cannot be kept.
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
}
