// A cell in the program that checks it.
import type { ts } from "./typescript.js";

/** A cell's text in its program. */
export interface OpenCell {
  readonly program: ts.Program;
  readonly checker: ts.TypeChecker;
  readonly source: ts.SourceFile;
}
