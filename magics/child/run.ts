// %run in the child. Generated cells bind a file's exports in the notebook. The parent checks and runs them like other
// cells, so that the names have types.
import { readFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { UsageError } from "../magic.js";
import type { MagicContext } from "./context.js";

/** A cell for the parent to run: its text, and its name in errors. */
interface Cell {
  readonly code: string;
  readonly name: string;
}

/** Makes the next import of a TypeScript file run it again. */
export function unload({ host }: MagicContext, path: string): void {
  host.unloadModule(resolve(path));
}

/** Binds the exports of a module that was imported. */
export function ran(context: MagicContext, module: object, path: string, specifier: string): void {
  const names = Object.keys(module).filter((name) => name !== "default" && name !== "__esModule");
  context.line(names.length === 0 ? `Ran ${path}.` : `Ran ${path}; it exports ${names.join(", ")}.`);
  if (names.length === 0) return;
  const code = `import { ${names.join(", ")} } from ${JSON.stringify(specifier)};`;
  runCells(context, [{ code, name: basename(path) }]);
}

/** Runs the code cells of a notebook, in order, until one fails. */
export function runNotebook(context: MagicContext, path: string): void {
  const cells = codeCells(path);
  const name = basename(path);
  runCells(
    context,
    cells.map((code, i) => ({ code, name: `${name} ${i + 1}` })),
  );
}

function runCells({ host }: MagicContext, cells: readonly Cell[]): void {
  host.request({ kind: "run", cells });
}

function codeCells(path: string): string[] {
  const refused = (why: string) => new UsageError(`%run: ${path} ${why}.`);
  let text: string;
  try {
    text = readFileSync(resolve(path), "utf8");
  } catch (error) {
    throw refused(`cannot be read: ${(error as NodeJS.ErrnoException).code}`);
  }
  let cells: unknown;
  try {
    cells = (JSON.parse(text) as { cells?: unknown }).cells;
  } catch {
    throw refused("is not a notebook: it is not JSON");
  }
  if (!Array.isArray(cells)) throw refused("is not a notebook: it has no cells");
  return cells
    .filter((cell) => cell?.cell_type === "code")
    .map(({ source }: { source?: unknown }) =>
      Array.isArray(source) ? source.join("") : String(source ?? ""),
    )
    .filter((code) => code.trim() !== "");
}
