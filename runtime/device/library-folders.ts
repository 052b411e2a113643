// The folders of native libraries: the loader's, and those of Python packages.
import { readdirSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { env } from "../base/env.js";
import { starterPrefixes } from "../base/starter.js";

/** The folders that the system's loader searches. */
export function loaderFolders(): string[] {
  const machine = process.arch === "arm64" ? "aarch64-linux-gnu" : "x86_64-linux-gnu";
  return [...env("loaderPath"), `/usr/lib/${machine}`, `/lib/${machine}`, "/usr/lib64", "/usr/lib"];
}

/** The package folders of the active environments, of Jupyter's environment, and of the python3 programs on the PATH. */
export function pythonPackages(): string[] {
  const active = [env("virtualEnv"), env("condaPrefix")].flatMap((prefix) =>
    prefix === undefined ? [] : [prefix],
  );
  const prefixes = [
    ...active,
    ...starterPrefixes(),
    ...pythonPrefixes(),
    "/usr",
    "/usr/local",
    join(homedir(), ".local"),
  ];
  return [...new Set(prefixes)].flatMap((prefix) =>
    entries(join(prefix, "lib"))
      .filter((name) => /^python3/.test(name))
      .flatMap((name) => ["site-packages", "dist-packages"].map((kind) => join(prefix, "lib", name, kind))),
  );
}

function pythonPrefixes(): string[] {
  return env("path").flatMap((folder) => {
    if (!entries(folder).includes("python3")) return [];
    // A virtual environment's python3 is a link: the wheels are next to the link, not its target.
    const direct = dirname(folder);
    const real = safeRealpath(join(folder, "python3"));
    return real === undefined ? [direct] : [direct, dirname(dirname(real))];
  });
}

function safeRealpath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/** The names in a folder; empty if it cannot be read. */
export function entries(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
