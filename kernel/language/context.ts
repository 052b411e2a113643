// What completion and hover look at: a cell, its expansion, and the program around it.
import type { ExpandedCell } from "../../magics/expand.js";
import type { Magic } from "../../magics/magic.js";
import type { CellProgram, OpenCell } from "./cell-program.js";
import type { TypeScript } from "./typescript.js";

/** A cell on its way: its expansion, and the text that TypeScript sees. */
export interface PreparedCell {
  readonly cell: ExpandedCell;
  readonly text: string;
  /** How many characters stand before the expansion on the text's first line. */
  readonly shift: number;
}

/** The words that complete a magic's arguments. */
export interface Vocabulary {
  readonly ops: readonly string[];
  readonly dtypes: readonly string[];
}

/** A question about a place in a cell. */
export interface CellContext {
  readonly ts: TypeScript;
  readonly program: CellProgram;
  readonly prepared: PreparedCell;
  readonly magics: readonly Magic[];
  readonly vocabulary: Vocabulary;
  /** The notebook's folder. */
  readonly cwd: string;
  /** The names of earlier cells that have values. */
  readonly variables: ReadonlySet<string>;
  /** Puts the cell's text into the program. */
  open(): OpenCell;
}
