// Files that tests make from text with other tools, in the cache that runs share: each is made once for its inputs. The name
// says what a file was made from, a digest beside it what it contains: a damaged one is made again.
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const cache = process.env.JITLAB_CACHE_DIR ?? join(tmpdir(), "jitlab-tests", "cache");
const folder = join(dirname(cache), "files");

function digest(...parts: readonly (string | Buffer)[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part).update("\0");
  return hash.digest("hex").slice(0, 32);
}

/** Where the file made from these inputs is, or will be; its folder exists. */
export function keptPath(extension: string, inputs: readonly string[]): string {
  mkdirSync(folder, { recursive: true });
  return join(folder, `${digest(...inputs)}${extension}`);
}

/** True for a file that is there with the content it was kept with. */
export function isKept(path: string): boolean {
  try {
    if (readFileSync(`${path}.sum`, "utf8") !== digest(readFileSync(path))) return false;
    const now = new Date();
    for (const used of [path, `${path}.sum`]) utimesSync(used, now, now);
    return true;
  } catch {
    return false;
  }
}

/** Moves a new file to its place. One that a process has loaded lives on without its name. */
export function keep(made: string, path: string): void {
  const sum = `${made}.sum`;
  writeFileSync(sum, digest(readFileSync(made)));
  renameSync(made, path);
  renameSync(sum, `${path}.sum`);
}

/** The path of the file that `make` writes from these inputs. */
export function keptFile(extension: string, inputs: readonly string[], make: (path: string) => void): string {
  const path = keptPath(extension, inputs);
  if (isKept(path)) return path;
  const draft = mkdtempSync(join(folder, "draft-"));
  try {
    const made = join(draft, `made${extension}`);
    make(made);
    keep(made, path);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return path;
}
