// Compiles a cell's JavaScript to a function whose parameters are those of a CommonJS module.
import { Script } from "node:vm";
import type { CellModules } from "./modules.js";

/** A cell as a function of the notebook's variables; it gives a promise where the cell awaits something. */
export type CellFunction = (locals: Record<string, unknown>) => unknown;

/** Compiles a cell; a syntax error names the cell. */
export function compileCell(
  js: string,
  filename: string,
  isAsync: boolean,
  modules: CellModules,
): CellFunction {
  const parameters = "exports, require, module, __filename, __dirname";
  const script = new Script(`(${isAsync ? "async " : ""}function (${parameters}) {\n${js}\n})`, {
    filename,
    lineOffset: -1,
    importModuleDynamically: modules.import as never,
  });
  const run = script.runInThisContext() as (...values: unknown[]) => unknown;
  const path = `${modules.folder}/${filename}`;
  return (locals) => run(locals, modules.require, { exports: locals }, path, modules.folder);
}
