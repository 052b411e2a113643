// The listings of generated CUDA C++ in a notebook's outputs, and the same from today's generator: the cells that make them
// run again, with the cells that they need, for a GPU that need not exist.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A code cell of a notebook file. */
export interface CodeCell {
  readonly id: string;
  readonly cell_type: string;
  source: readonly string[];
  outputs: readonly Output[];
}

interface Output {
  readonly output_type: string;
  readonly text?: readonly string[];
  readonly data?: Readonly<Record<string, string | readonly string[]>>;
}

/** The code cells of a notebook file. */
export function codeCells(file: string): CodeCell[] {
  const { cells } = JSON.parse(readFileSync(file, "utf8")) as { cells: CodeCell[] };
  return cells.filter((cell) => cell.cell_type === "code");
}

/** A cell's listings of GPU code as text. What a compiler says about one, its registers, depends on the machine. */
function listingsOf({ outputs }: CodeCell): string[] {
  const texts = outputs.map(({ text, data }) => joined(text ?? data?.["text/plain"] ?? ""));
  return texts
    .filter((text) => /__global__ void .*__grid_constant__/.test(text))
    .map((text) => text.replace(/^(.* {2}CUDA C\+\+) .*/, "$1").trimEnd());
}

/** The ids of the cells whose listings are not those of today's generator. `folder` is for files, `main` the kernel's program. */
export function staleListings(cells: readonly CodeCell[], folder: string, main: string): string[] {
  const today = remade(cells, folder, main);
  const differs = (cell: CodeCell, now: CodeCell) =>
    JSON.stringify(listingsOf(cell)) !== JSON.stringify(listingsOf(now));
  return cells.flatMap((cell) => {
    const now = today.get(cell.id);
    return now && listingsOf(cell).length > 0 && differs(cell, now) ? [cell.id] : [];
  });
}

/** The cells with listings, and those that they need, with the outputs of today's generator, by their ids. */
function remade(cells: readonly CodeCell[], folder: string, main: string): Map<string, CodeCell> {
  const shown = cells.filter((cell) => listingsOf(cell).length > 0 && !isOfDefaultDevice(cell));
  if (shown.length === 0) return new Map();
  const needed = new Set<CodeCell>(shown);
  for (const cell of needed) {
    for (const other of cells) if (declares(other).some((name) => uses(cell, name))) needed.add(other);
  }
  const chosen = cells
    .filter((cell) => needed.has(cell))
    .map((cell) => ({ ...cell, metadata: {}, outputs: [], execution_count: null, source: forCuda(cell) }));
  const [file, output] = [join(folder, "listings.ipynb"), join(folder, "remade.ipynb")];
  writeFileSync(file, JSON.stringify({ nbformat: 4, nbformat_minor: 5, metadata: {}, cells: chosen }));
  const { status, stderr } = spawnSync(
    process.execPath,
    [main, "run", file, "--device", "cpu", "--output", output],
    {
      encoding: "utf8",
    },
  );
  if (status !== 0) throw new Error(stderr);
  return new Map(codeCells(output).map((cell) => [cell.id, cell]));
}

/** True for a cell that shows the code of the default device: what it launched, or the derivative of what it defines. */
function isOfDefaultDevice(cell: CodeCell): boolean {
  return /^%%(source|\w+ .*--grad)/.test(joined(cell.source));
}

/** `%source f` and `f??` for a GPU; a call of `jl.explain` names the device itself. */
function forCuda({ source }: CodeCell): string {
  const text = joined(source);
  const [, asked] = /^(\w+)\?\?$/.exec(text) ?? [];
  const line = asked ? `%source ${asked}` : text;
  return line.startsWith("%source") && !line.includes("--device") ? `${line} --device cuda` : line;
}

function declares({ source }: CodeCell): string[] {
  const text = joined(source);
  const magic = /^%%(?:kernel|reduction|cuda) (\w+)/.exec(text);
  const names = [...text.matchAll(/^(?:const|let|function|import \* as) (\w+)/gm)].map(
    ([, name]) => name as string,
  );
  return magic ? [magic[1] as string] : names;
}

function uses({ source }: CodeCell, name: string): boolean {
  return new RegExp(`\\b${name}\\b`).test(joined(source));
}

function joined(text: string | readonly string[]): string {
  return typeof text === "string" ? text : text.join("");
}
