// Where libnvrtc may lie: the toolkit, the loader's folders, and the wheels that Python's package manager installs.
import { readdirSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { env } from "../../base/env.js";
import { starterPrefixes } from "../../base/starter.js";

/** A libnvrtc that was found. */
export interface FoundNvrtc {
  readonly path: string;
  /** The major version that its file name tells. */
  readonly major: number;
}

/** The newest libnvrtc whose major version is at most `limit` (the driver's), in the first kind of place that has one. */
export function findNvrtc(limit = Number.POSITIVE_INFINITY): FoundNvrtc | undefined {
  for (const folders of [toolkitHome(), toolkits(), loaderFolders(), wheels()]) {
    const found = folders.flatMap(librariesIn).filter((library) => library.major <= limit);
    const newest = found.sort((a, b) => b.major - a.major)[0];
    if (newest) return newest;
  }
  return undefined;
}

function librariesIn(folder: string): FoundNvrtc[] {
  return entries(folder).flatMap((name) => {
    const match = /^libnvrtc\.so\.(\d+)$/.exec(name);
    return match ? [{ path: realpathSync(join(folder, name)), major: Number(match[1]) }] : [];
  });
}

function libraryFolders(root: string): string[] {
  const machine = process.arch === "arm64" ? "sbsa-linux" : "x86_64-linux";
  return [join(root, "lib64"), join(root, "targets", machine, "lib"), join(root, "lib")];
}

function toolkitHome(): string[] {
  const home = env("cudaHome");
  return home === undefined ? [] : libraryFolders(home);
}

function toolkits(): string[] {
  const versions = entries("/usr/local").filter((name) => /^cuda(-[\d.]+)?$/.test(name));
  return versions.flatMap((name) => libraryFolders(join("/usr/local", name)));
}

function loaderFolders(): string[] {
  const machine = process.arch === "arm64" ? "aarch64-linux-gnu" : "x86_64-linux-gnu";
  return [...env("loaderPath"), `/usr/lib/${machine}`, `/lib/${machine}`, "/usr/lib64", "/usr/lib"];
}

/** Folders of NVIDIA's wheels in the active environments, Jupyter's own, and those of the python3 programs on the PATH. */
export function wheels(): string[] {
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
      .flatMap((name) =>
        ["site-packages", "dist-packages"].map((kind) => join(prefix, "lib", name, kind, "nvidia")),
      )
      .flatMap((nvidia) => [...cudaWheels(nvidia), join(nvidia, "cuda_nvrtc", "lib")]),
  );
}

/** From CUDA 13 on, one folder holds the libraries of a major version: nvidia/cu13/lib. */
function cudaWheels(nvidia: string): string[] {
  return entries(nvidia)
    .filter((name) => /^cu\d+$/.test(name))
    .map((name) => join(nvidia, name, "lib"));
}

function pythonPrefixes(): string[] {
  return env("path").flatMap((folder) => {
    if (!entries(folder).includes("python3")) return [];
    // A virtual environment's python3 is a link: the wheels lie beside the link, not beside its target.
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

/** The names in a folder; none where it cannot be read. */
export function entries(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
