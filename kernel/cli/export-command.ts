// `jitlab export`: a notebook as a TypeScript file that `jitlab run` executes.
import { existsSync, writeFileSync } from "node:fs";
import { JitlabError } from "../../runtime/base/errors.js";
import { readNotebook } from "../export/notebook-file.js";
import { formatScript } from "../export/percent-script.js";

/** Writes a notebook as a percent script and returns its path; an existing file must be named explicitly. */
export function exportScript(notebook: string, output?: string): string {
  const path = output ?? notebook.replace(/(?:\.ipynb)?$/, ".ts");
  if (output === undefined && existsSync(path)) {
    throw new JitlabError(
      "file-exists",
      `${path} is there already.`,
      `--output ${path} replaces it; another name keeps it.`,
    );
  }
  writeFileSync(path, formatScript(readNotebook(notebook)));
  return path;
}
