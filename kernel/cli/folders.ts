// Folders that appear complete or not at all: each is written next to its destination and renamed.
import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";

/** A folder, and the function that writes its files into an empty one. */
export interface FolderContent {
  readonly folder: string;
  readonly fill: (empty: string) => void;
}

/** Replaces all folders. If one cannot be written it throws and changes nothing. */
export function replaceFolders([first, ...others]: readonly FolderContent[]): void {
  if (first === undefined) return;
  const { folder, fill } = first;
  const made = makeFolders(dirname(folder));
  try {
    const fresh = mkdtempSync(join(dirname(folder), ".jitlab-"));
    try {
      fill(fresh);
      // mkdtemp makes a folder for its owner alone; in a shared prefix every user reads it.
      chmodSync(fresh, 0o755);
      exchange(fresh, folder, () => replaceFolders(others));
    } finally {
      rmSync(fresh, { recursive: true, force: true });
    }
  } catch (error) {
    removeFolders(made);
    throw error;
  }
}

// Keeps the older folder until the remaining steps have succeeded.
function exchange(fresh: string, folder: string, andThen: () => void): void {
  const retired = `${fresh}-old`;
  const replaces = existsSync(folder);
  if (replaces) renameSync(folder, retired);
  try {
    renameSync(fresh, folder);
    andThen();
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    if (replaces) renameSync(retired, folder);
    throw error;
  }
  rmSync(retired, { recursive: true, force: true });
}

// Not mkdir's recursion, which never returns in Node for paths such as /proc.
function makeFolders(folder: string): string[] {
  if (existsSync(folder)) return [];
  const above = makeFolders(dirname(folder));
  try {
    mkdirSync(folder);
  } catch (error) {
    removeFolders(above);
    throw error;
  }
  return [...above, folder];
}

function removeFolders(made: readonly string[]): void {
  for (const folder of made.toReversed()) rmSync(folder, { recursive: true, force: true });
}
