// Compiles a cell's JavaScript to a function inside the scope of a CommonJS module, whose names it may declare itself.
import { Script } from "node:vm";
import { ownNames } from "../language/cell-helpers.js";
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
  const names = "exports, require, module, __filename, __dirname";
  const { exports, require } = ownNames;
  const cell = `${isAsync ? "async " : ""}function (${exports}, ${require})`;
  const script = new Script(`(function (${names}) { return ${cell} {\n${js}\n}; })`, {
    filename,
    lineOffset: -1,
    importModuleDynamically: modules.import as never,
  });
  const scope = script.runInThisContext() as (...values: unknown[]) => (...values: unknown[]) => unknown;
  const path = `${modules.folder}/${filename}`;
  return (locals) => {
    const run = scope(locals, modules.require, { exports: locals }, path, modules.folder);
    return run(locals, modules.require);
  };
}
