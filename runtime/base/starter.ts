// The Python environment of the Jupyter that started this kernel. `venv/bin/jupyter lab` runs in an environment that is not
// activated: only Jupyter's command line shows its path.
import { existsSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { env } from "./env.js";

/** The prefixes of the interpreter, and of its script, in the process that started the kernel; empty without one. */
export function starterPrefixes(): string[] {
  const pid = env("jupyterPid");
  return pid === undefined ? [] : prefixesOf(`/proc/${pid}`);
}

function prefixesOf(folder: string): string[] {
  try {
    // The id may now belong to another user's process.
    if (statSync(folder).uid !== process.getuid?.()) return [];
    const cwd = readlinkSync(join(folder, "cwd"));
    const words = readFileSync(join(folder, "cmdline"), "utf8").split("\0").slice(0, 2);
    const prefixes = words
      .filter((word) => word.includes("/"))
      .map((word) => dirname(dirname(resolve(cwd, word))));
    return [...new Set(prefixes)].filter((prefix) => existsSync(join(prefix, "lib")));
  } catch {
    return []; // it has ended, or this system has no /proc
  }
}
