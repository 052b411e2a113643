// Notebooks in files: .ipynb files, and .ts files as percent scripts.
import { readFileSync, writeFileSync } from "node:fs";
import { JitlabError } from "../../runtime/base/errors.js";
import { formatNotebook, type Notebook, parseNotebook } from "./notebook.js";
import { parseScript } from "./percent-script.js";

/** Reads a notebook, or a script (.ts) as one; throws JitlabError for a file that is missing, is not JSON or has another format. */
export function readNotebook(path: string): Notebook {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw new JitlabError(
      "notebook-unreadable",
      `Cannot read the notebook ${path}: ${(error as NodeJS.ErrnoException).code}.`,
      "Check the path; it is taken relative to the current folder.",
    );
  }
  return /\.[cm]?ts$/.test(path) ? parseScript(text) : parseNotebook(text, path);
}

/** Writes a notebook's file. */
export function writeNotebook(path: string, notebook: Notebook): void {
  writeFileSync(path, formatNotebook(notebook));
}
