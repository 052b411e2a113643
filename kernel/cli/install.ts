// Writes and removes the kernelspec, the folder through which Jupyter finds the kernel, and the JupyterLab extension that
// all kernelspecs of a prefix share. Both appear complete or not at all.
import {
  accessSync,
  constants,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { plotlyScript } from "../../magics/render/bundle.js";
import { env } from "../../runtime/base/env.js";
import { JitlabError } from "../../runtime/base/errors.js";
import { replaceFolders } from "./folders.js";
import { checkedNative, nativeModules } from "./requirements.js";

/** The destination of a kernelspec; at most one of the three, default `user`. */
export interface Place {
  readonly user?: boolean;
  readonly sysPrefix?: boolean;
  readonly prefix?: string;
}

/** The arguments of `jitlab install`. */
export interface InstallOptions extends Place {
  readonly name?: string;
  readonly displayName?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** The result of an installation. */
export interface InstallReport {
  readonly folder: string;
  readonly replaced: boolean;
  readonly notes: readonly string[];
}

/** The contents of kernel.json. */
export interface Kernelspec {
  readonly argv: readonly string[];
  readonly display_name: string;
  readonly language: string;
  readonly interrupt_mode: string;
  readonly env: Readonly<Record<string, string>>;
  readonly metadata: Readonly<Record<string, unknown>>;
}

const mainPath = fileURLToPath(new URL("../main.js", import.meta.url));
const assets = fileURLToPath(new URL("../../assets/", import.meta.url));

/** The kernelspec that starts this copy of jitlab with this Node. */
export function kernelspec(options: InstallOptions = {}): Kernelspec {
  return {
    argv: [process.execPath, mainPath, "kernel", "-f", "{connection_file}"],
    display_name: options.displayName ?? "TypeScript (jitlab)",
    language: "typescript",
    interrupt_mode: "message",
    env: options.env ?? {},
    metadata: { kernel_protocol_version: "5.5", debugger: true, jitlab: true },
  };
}

/** The folder in which Jupyter looks for kernelspecs of a place. */
export function kernelsFolder(place: Place): string {
  if (place.prefix !== undefined) return join(resolve(place.prefix), "share", "jupyter", "kernels");
  if (place.sysPrefix) return join(pythonPrefix(), "share", "jupyter", "kernels");
  const data = env("jupyterDataDir") ?? userDataFolders[process.platform]?.() ?? linuxDataFolder();
  return join(data, "kernels");
}

/**
 * Writes the kernelspec, replacing an older one of jitlab. Throws JitlabError if the destination is not writable or a native
 * module does not load, and then changes nothing.
 */
export function installKernelspec(options: InstallOptions = {}): InstallReport {
  for (const name of nativeModules) checkedNative(name);
  const { kernels, folder, existing } = locate(options);
  const spec = kernelspec(options);
  const extension = join(assets, "labextension");
  if (options.sysPrefix) markScripts(pythonPrefix());
  writable(kernels, options, () =>
    replaceFolders([
      { folder, fill: (empty) => writeSpec(empty, spec) },
      {
        folder: extensionFolder(kernels),
        fill: (empty) => cpSync(extension, empty, { recursive: true }),
      },
    ]),
  );
  return { folder, replaced: existing !== undefined, notes: installNotes(options) };
}

function writeSpec(empty: string, spec: Kernelspec): void {
  cpSync(join(assets, "kernelspec"), empty, { recursive: true });
  // For the figures of notebooks, whose pages ask the Jupyter server for it.
  writeFileSync(join(empty, "plotly.js"), plotlyScript());
  writeFileSync(join(empty, "kernel.json"), `${JSON.stringify(spec, null, 2)}\n`);
}

// JupyterLab runs scripts of its own in Node, which takes them for ES modules where a package.json above the environment says
// so, and prints them.
function markScripts(prefix: string): void {
  const file = join(prefix, "package.json");
  if (!existsSync(join(prefix, "pyvenv.cfg")) || existsSync(file)) return;
  try {
    writeFileSync(file, '{ "private": true, "type": "commonjs" }\n');
  } catch {
    // The installation says what cannot be written.
  }
}

// JupyterLab looks for extensions beside the kernels.
function extensionFolder(kernels: string): string {
  return join(dirname(kernels), "labextensions", "jitlab");
}

/** Removes a kernelspec that `jitlab install` wrote, with the extension after the last one, and returns its folder. */
export function uninstallKernelspec(options: Place & { readonly name?: string } = {}): string {
  const { kernels, folder, existing } = locate(options);
  if (existing === undefined) {
    throw new JitlabError(
      "kernelspec-missing",
      `There is no kernelspec in ${folder}.`,
      "`jupyter kernelspec list` shows where kernels are installed; select one with --user, --sys-prefix, --prefix and --name.",
    );
  }
  writable(kernels, options, () => {
    rmSync(folder, { recursive: true });
    const isNeeded = readdirSync(kernels).some((other) => mayBeOurs(join(kernels, other)));
    if (!isNeeded) rmSync(extensionFolder(kernels), { recursive: true, force: true });
  });
  return folder;
}

function mayBeOurs(folder: string): boolean {
  try {
    return readKernelspec(folder)?.metadata?.jitlab !== undefined;
  } catch {
    return true; // damaged
  }
}

/** The kernelspec in a folder, or undefined if there is none. */
export function readKernelspec(folder: string): Kernelspec | undefined {
  let text: string;
  try {
    text = readFileSync(join(folder, "kernel.json"), "utf8");
  } catch {
    return undefined;
  }
  try {
    return JSON.parse(text) as Kernelspec;
  } catch {
    throw new JitlabError(
      "kernelspec-damaged",
      `${join(folder, "kernel.json")} is not JSON.`,
      "Remove that folder and install again.",
    );
  }
}

function locate(options: Place & { readonly name?: string }): {
  kernels: string;
  folder: string;
  existing: Kernelspec | undefined;
} {
  const name = options.name ?? "jitlab";
  if (!/^[a-z0-9][a-z0-9._-]*$/i.test(name)) {
    throw new JitlabError(
      "bad-kernel-name",
      `${JSON.stringify(name)} cannot name a kernelspec.`,
      "Use letters, digits, dots, dashes and underscores.",
    );
  }
  const kernels = kernelsFolder(options);
  const folder = join(kernels, name.toLowerCase());
  const existing = readKernelspec(folder);
  if (existing !== undefined && existing.metadata?.jitlab === undefined) {
    throw new JitlabError(
      "foreign-kernelspec",
      `${folder} holds another program's kernel, "${existing.display_name}".`,
      "Choose another --name, or remove that folder first.",
    );
  }
  if (existing === undefined && isOccupied(folder)) {
    throw new JitlabError(
      "foreign-folder",
      `${folder} holds files, but no kernel.json.`,
      "Remove that folder, or choose another --name.",
    );
  }
  return { kernels, folder, existing };
}

function isOccupied(folder: string): boolean {
  try {
    return readdirSync(folder).length > 0;
  } catch {
    return false;
  }
}

// Errors of the destination, as opposed to errors of jitlab.
const refusals: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the file system is read-only",
  ENOTDIR: "a part of the path is a file",
  EEXIST: "a part of the path is a file",
  ENOENT: "a part of the path cannot be created",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
};

function writable<T>(folder: string, place: Place, action: () => T): T {
  try {
    return action();
  } catch (error) {
    const reason = refusals[(error as NodeJS.ErrnoException).code ?? ""];
    if (reason === undefined) throw error;
    throw new JitlabError(
      "not-writable",
      `Cannot write the kernelspec in ${folder}: ${reason}.`,
      place.prefix !== undefined || place.sysPrefix
        ? "`--user` installs for you alone, `--sys-prefix` into a virtual environment that you activate first."
        : "Activate a virtual environment and install with `--sys-prefix`, or set JUPYTER_DATA_DIR to a folder of your own.",
    );
  }
}

function linuxDataFolder(): string {
  return join(env("xdgDataHome") ?? join(homedir(), ".local", "share"), "jupyter");
}

const userDataFolders: Partial<Record<NodeJS.Platform, () => string>> = {
  darwin: () => join(homedir(), "Library", "Jupyter"),
  win32: () => join(env("appData") ?? join(homedir(), "AppData", "Roaming"), "jupyter"),
};

// Python's sys.prefix, found without starting Python: the active environment, else where the PATH's jupyter lives.
function pythonPrefix(): string {
  const active = activePrefix();
  if (active !== undefined) return active;
  for (const program of ["jupyter", "python3"]) {
    const folder = env("path").find((entry) => executable(join(entry, program)));
    if (folder !== undefined) return dirname(folder);
  }
  throw new JitlabError(
    "no-python-prefix",
    "No Python environment is active, and neither jupyter nor python3 is on the PATH.",
    "Activate the environment that holds Jupyter, or use --prefix or --user.",
  );
}

function activePrefix(): string | undefined {
  return env("virtualEnv") ?? env("condaPrefix");
}

/** True for a file that this user may run. */
export function executable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The Jupyter programs on the PATH, the first of each name. */
export function findJupyter(): string[] {
  const programs = ["jupyter-lab", "jupyter-notebook", "jupyter"];
  return programs.flatMap((program) =>
    env("path")
      .map((folder) => join(folder, program))
      .filter(executable)
      .slice(0, 1),
  );
}

// Warnings: the kernel works, but not as the user may expect.
const notes: readonly { readonly when: (place: Place) => boolean; readonly text: string }[] = [
  {
    when: ({ sysPrefix = false }) => sysPrefix && activePrefix() === undefined && pythonPrefix() === "/usr",
    text: "no virtual environment is active, so the kernel is in /usr, among the system's packages. `jitlab uninstall --sys-prefix` removes it; activate an environment, or use `--user`.",
  },
  {
    // npx unpacks into a cache that npm may empty at any time.
    when: () => mainPath.split(/[\\/]/).includes("_npx"),
    text: "this copy of jitlab is in npx's cache. `npm install -g jitlab`, then `jitlab install`, gives it a lasting place.",
  },
  {
    when: () => findJupyter().length === 0,
    text: "no Jupyter is on the PATH. `python3 -m venv .venv && .venv/bin/pip install jupyterlab ipywidgets` installs one; VS Code and `jitlab run` need none.",
  },
  {
    when: () => process.platform !== "linux",
    text: `jitlab is tested on Linux; ${process.platform} is untested.`,
  },
];

function installNotes(place: Place): string[] {
  return notes.filter(({ when }) => when(place)).map(({ text }) => text);
}
