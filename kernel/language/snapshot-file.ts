// The snapshot file in the cache folder. Starting the language process from it is several times faster than reading
// TypeScript and its libraries again. It fits one version of Node, one processor architecture and one jitlab.
import { spawn } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { readFileSync, renameSync, rmSync, statSync, utimesSync } from "node:fs";
import { createRequire } from "node:module";
import { setPriority } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { cachedDataVersionTag } from "node:v8";
import { env } from "../../runtime/base/env.js";
import { checkOwner, makeFolder, removeUnused } from "../../runtime/cache/folder.js";
import { librariesOfNode } from "./node-libraries.js";
import type { SnapshotSources } from "./snapshot.js";
import { typeScriptFile } from "./typescript.js";

/**
 * V8's flags for the language process; a snapshot needs the flags that it was made with. Its strings keep their hashes: only
 * the user's own text is hashed there, so no stranger can choose texts whose hashes collide.
 */
export const languageFlags: readonly string[] = ["--max-semi-space-size=32", "--no-rehash-snapshot"];

const program = fileURLToPath(new URL("snapshot.cjs", import.meta.url));
const packageRoot = join(dirname(program), "..", "..", "..");
const keptErrors = 1000;

/** Returns the path of the snapshot for this Node and this jitlab, whether it exists or not. */
export function snapshotFile(): string {
  const nodeTypes = createRequire(import.meta.url).resolve("@types/node/package.json");
  const identity = createHash("sha256");
  const parts = [process.version, process.arch, cachedDataVersionTag(), packageRoot, ...languageFlags];
  for (const part of [...parts, stamp(typeScriptFile()), stamp(nodeTypes)]) identity.update(`${part}\n`);
  identity.update(readFileSync(program));
  return join(env("cacheDir"), "language", `${identity.digest("hex").slice(0, 32)}.blob`);
}

/** Returns the snapshot's path if it exists and only this user can have written it. */
export function usableSnapshot(): string | undefined {
  try {
    const file = snapshotFile();
    const folder = dirname(file);
    for (const path of [dirname(folder), folder, file]) checkOwner(path, statSync(path));
    const now = new Date();
    utimesSync(file, now, now);
    return file;
  } catch {
    return undefined;
  }
}

/** Makes the snapshot in a process with low priority, which takes seconds. */
export async function makeSnapshot(): Promise<string> {
  const file = snapshotFile();
  const folder = dirname(file);
  makeFolder(folder);
  checkOwner(folder, statSync(folder));
  removeUnused(folder);
  const unfinished = `${file}.${randomUUID()}`;
  const sources: SnapshotSources = {
    typescript: typeScriptFile(),
    packageRoot,
    libraryFiles: librariesOfNode(),
  };
  const flags = [...languageFlags, "--no-warnings", "--snapshot-blob", unfinished, "--build-snapshot"];
  try {
    await runToEnd([...flags, program, JSON.stringify(sources)]);
    renameSync(unfinished, file);
  } finally {
    rmSync(unfinished, { force: true });
  }
  return file;
}

function runToEnd(args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "pipe"] });
  const stop = () => void child.kill("SIGKILL");
  process.once("exit", stop);
  let errors = "";
  child.stderr.on("data", (data: Buffer) => {
    errors = (errors + data.toString()).slice(-keptErrors);
  });
  return new Promise((resolve, reject) => {
    child.once("spawn", () => lowerPriority(child.pid));
    child.once("error", reject);
    child.once("close", (code, signal) => {
      process.off("exit", stop);
      if (code === 0) resolve();
      else
        reject(
          new Error(`Node's --build-snapshot ended with ${signal ?? `status ${code}`}: ${errors.trim()}`),
        );
    });
  });
}

function lowerPriority(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, 10);
  } catch {
    // it has ended, or the system does not allow it
  }
}

function stamp(path: string): string {
  const { mtimeMs, size } = statSync(path);
  return `${path} ${mtimeMs} ${size}`;
}
