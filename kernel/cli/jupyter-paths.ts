// The folders where Jupyter searches for kernels: the folders that `jupyter --paths` lists under "data", without starting
// Python.
import { existsSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { env } from "../../runtime/base/env.js";
import { kernelsFolder } from "./install.js";

// In Jupyter's order; each may throw if this machine lacks it.
const places: readonly (() => readonly string[])[] = [
  () => env("jupyterPath").map((folder) => join(resolve(folder), "kernels")),
  () => [kernelsFolder({})],
  () => [kernelsFolder({ sysPrefix: true })],
  () => [kernelsFolder({ prefix: env("pythonUserBase") ?? join(homedir(), ".local") })],
  () => [kernelsFolder({ prefix: "/usr/local" })],
  () => [kernelsFolder({ prefix: "/usr" })],
];

/** The folder of every kernel that Jupyter finds. */
export function kernelFolders(): string[] {
  const roots = places.flatMap((place) => {
    try {
      return place();
    } catch {
      return []; // no Python environment
    }
  });
  return [...new Set(roots)]
    .filter((root) => existsSync(root))
    .flatMap((root) => readdirSync(root).map((name) => join(root, name)));
}
