// The compiler of OpenCL's kernels: a clang with the SPIR-V target, found without starting it where its name tells the version,
// and run in the compile service's worker (compiler.ts).
import { accessSync, constants } from "node:fs";
import { join } from "node:path";
import { programs } from "../../base/builtins.js";
import { env } from "../../base/env.js";
import { DeviceError } from "../../base/errors.js";
import { libraryFile } from "../../base/files.js";
import { fingerprintOf } from "../../base/fingerprint.js";
import type { CompilerSpec, Target } from "../device.js";
import { openclDialect } from "../dialect.js";
import { entries } from "../library-folders.js";

/** The first clang that writes SPIR-V by itself. */
const leastVersion = 22;
/** The flag for assembly instead of a module. */
export const listingFlag = "-S";
/** How to get the compiler. */
export const clangHelp =
  "Install one (Debian 12 and 13: `apt-get install clang-22`; elsewhere from apt.llvm.org), or set JITLAB_CLANG to its path.";

const contraction = { off: "-ffp-contract=off", on: "-ffp-contract=fast" };

// The compiler is called without its driver, which would need another run. The language is CUDA, whose words the prelude defines
// by OpenCL's functions: HIP adds a variable on which one driver ends the process.
const flags: readonly string[] = [
  "-triple",
  "spirv64v1.3",
  "-fcuda-is-device",
  "-std=c++17",
  "-O2",
  // LLVM 22 writes the copies that it finds by itself, which may overlap, as copies that may not: 141 of 1024 gcds were wrong.
  "-ffreestanding",
  "-fno-builtin",
  // + - * / and sqrt give the same bits on every device.
  contraction.off,
  // Signed overflow wraps, as on a GPU.
  "-fwrapv",
  // Functors written for a GPU reinterpret pointers freely.
  "-relaxed-aliasing",
  "-disable-free",
  "-w",
];

/** The target of OpenCL's devices; searches for clang when its compiler is first read. */
export function openclTarget(argumentBytes = 1024): Target {
  return {
    kind: "opencl",
    dialect: openclDialect,
    arch: "spirv64",
    get compiler() {
      return compilerSpec();
    },
    flags,
    contraction,
    listingFlag,
    // The driver compiles all of a module to load one of its kernels.
    kernelsPerRun: 1,
    argumentBytes,
  };
}

let found: CompilerSpec | undefined;

/** The compiler as plain data; throws DeviceError `no-compiler` if there is none, or only older ones. */
export function compilerSpec(): CompilerSpec {
  const path = env("clang") === undefined ? clangOnPath() : chosenClang(env("clang") as string);
  if (found?.path === path) return found;
  found = {
    name: "clang-spirv",
    module: libraryFile("device/opencl/compiler.js").href,
    path,
    identity: fingerprintOf(path),
    // Each text runs as a program.
    textsAtOnce: Number.POSITIVE_INFINITY,
    further: "processes",
  };
  return found;
}

/** The newest `clang-NUMBER` on the PATH, else `clang` if it is new enough. */
function clangOnPath(): string {
  const folders = env("path");
  const numbered = folders.flatMap((folder) =>
    entries(folder).flatMap((name) => {
      const version = Number(/^clang-(\d+)$/.exec(name)?.[1] ?? 0);
      return version > 0 && isExecutable(join(folder, name)) ? [{ path: join(folder, name), version }] : [];
    }),
  );
  const plain = folders.map((folder) => join(folder, "clang")).find(isExecutable);
  const own = plain === undefined ? undefined : versionOf(plain);
  const all = [
    ...numbered.sort((a, b) => b.version - a.version),
    ...(plain === undefined || own === undefined ? [] : [{ path: plain, version: own }]),
  ];
  const [best] = all;
  const fits = all.find(({ version }) => version >= leastVersion);
  if (fits) return fits.path;
  throw new DeviceError(
    "no-compiler",
    best
      ? `${best.path} is clang ${best.version}; OpenCL's kernels need clang ${leastVersion} or newer, which writes SPIR-V.`
      : `No clang is on the PATH; OpenCL's kernels need clang ${leastVersion} or newer, which writes SPIR-V.`,
    clangHelp,
  );
}

const versions = new Map<string, number | undefined>();

function chosenClang(path: string): string {
  if (!isExecutable(path))
    throw new DeviceError(
      "no-compiler",
      `JITLAB_CLANG is ${JSON.stringify(path)}, which is no program.`,
      clangHelp,
    );
  const version = versionOf(path);
  if (version !== undefined && version >= leastVersion) return path;
  throw new DeviceError(
    "no-compiler",
    `JITLAB_CLANG is ${path}, which is ${version === undefined ? "no clang" : `clang ${version}`}; OpenCL's kernels need clang ${leastVersion} or newer, which writes SPIR-V.`,
    clangHelp,
  );
}

/** The version that a clang says; undefined if it says none. */
function versionOf(path: string): number | undefined {
  if (!versions.has(path)) {
    const { stdout } = programs().spawnSync(path, ["--version"], { encoding: "utf8", timeout: 10_000 });
    const number = /clang version (\d+)/.exec(stdout ?? "")?.[1];
    versions.set(path, number === undefined ? undefined : Number(number));
  }
  return versions.get(path);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
