// Writes generated files only if their text changed, so that their time stays and compilers have no work.
import { readFileSync, writeFileSync } from "node:fs";

/** Writes a file; false if it already had this text. */
export function writeChanged(path, text) {
  let before;
  try {
    before = readFileSync(path, "utf8");
  } catch {
    // there is none yet
  }
  if (text === before) return false;
  writeFileSync(path, text);
  return true;
}
