// V8's data for the library under flags that the build did not have, such as --max-old-space-size: a file in the cache folder
// for each bundle, version and set of flags. V8 runs what such a file says, so only this user may be able to write it.
import { readFileSync, renameSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { sha256 } from "../base/builtins.js";
import type { DataStore } from "../base/compiled-code.js";
import { env } from "../base/env.js";
import { checkOwner, makeFolder, removeUnused } from "./folder.js";

const digestCharacters = 64;
// When most of what a process calls first is compiled. A notebook's process has no end of its own.
const writtenAfterMs = 10_000;

/** The data of this user. Without a usable folder there is none, and none is kept. */
export const ownData: DataStore = {
  read(code) {
    try {
      const file = fileOf(code);
      for (const path of [dirname(dirname(file)), dirname(file), file]) checkOwner(path, statSync(path));
      const bytes = readFileSync(file);
      const data = bytes.subarray(digestCharacters);
      if (bytes.toString("latin1", 0, digestCharacters) !== sha256(data)) return undefined;
      const now = new Date();
      utimesSync(file, now, now);
      return data;
    } catch {
      return undefined;
    }
  },
  keep(code, make) {
    let isDue = true;
    const write = () => {
      if (!isDue) return;
      isDue = false;
      writeData(code, make);
    };
    process.once("exit", write);
    setTimeout(write, writtenAfterMs).unref();
  },
};

/** The name says all that V8 does not check: it compares only the length of the code. */
function fileOf(code: URL): string {
  const path = fileURLToPath(code);
  const { mtimeMs, size } = statSync(path);
  const tag = process.getBuiltinModule("node:v8").cachedDataVersionTag();
  const identity = sha256([process.version, process.arch, tag, path, mtimeMs, size].join("\n"));
  return join(env("cacheDir"), "library", `${identity.slice(0, 32)}.data`);
}

function writeData(code: URL, make: () => Buffer): void {
  try {
    const file = fileOf(code);
    const folder = dirname(file);
    makeFolder(folder);
    removeUnused(folder);
    const data = make();
    const unfinished = `${file}.${process.pid}`;
    writeFileSync(unfinished, Buffer.concat([Buffer.from(sha256(data), "latin1"), data]), { mode: 0o600 });
    renameSync(unfinished, file);
  } catch {
    // Only a faster start is lost.
  }
}
