// The input of completion and hover: a cell, its expansion, and the program around it.
import type { ExpandedCell } from "../../magics/expand.js";
import type { Magic } from "../../magics/magic.js";
import type { CellProgram } from "./cell-program.js";
import type { OpenCell } from "./open-cell.js";
import type { TypeScript } from "./typescript.js";

/** A cell's expansion, and the text that TypeScript checks. */
export interface PreparedCell {
  readonly cell: ExpandedCell;
  readonly text: string;
  /** The number of characters before the expansion on the text's first line. */
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
  /** The names of values that earlier cells declared. */
  readonly variables: ReadonlySet<string>;
  /** Opens the cell's text in the program. */
  open(): OpenCell;
}
