// What the build writes from the sources: files whose time stays where their text does, so that compilers have no work.
import { readFileSync, writeFileSync } from "node:fs";

/** Writes a file; false where it held this text. */
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
