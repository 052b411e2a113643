// Writes captured launches as a folder that stands alone: kernels, a program in C that repeats the launches, inputs and results.

import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { cut } from "../base/cut.js";
import { type DType, type DTypeName, dtypes } from "../base/dtype.js";
import { JitlabError } from "../base/errors.js";
import { libraryFile } from "../base/files.js";
import type { Target } from "../device/device.js";
import type { CapturedLaunch } from "../launch/capture.js";
import type { LoadRequest } from "../launch/load-request.js";
import { effectiveFlags, fetchCode } from "../launch/obtain.js";
import { npyHeader } from "../tensor/io/npy.js";
import { cpuMakefile, cudaMakefile, type KernelBuild } from "./makefile.js";
import { launchText } from "./program-text.js";
import { replayOf, type Step } from "./replay.js";

/** What was written. */
export interface ExportedLaunch {
  /** The folder's absolute path. */
  readonly folder: string;
  /** The name of the device on which the launches ran. */
  readonly device: string;
  readonly launches: number;
  readonly kernels: number;
  /** The key of each launch's kernel, as in `jl.record`. */
  readonly keys: readonly string[];
  /** The bytes of all files. */
  readonly bytes: number;
}

/** What the files of a device's kernels are. */
interface Kind {
  readonly source: string;
  readonly code: string;
  readonly device: string;
  readonly extra: readonly string[];
  readonly makefile: (kernels: readonly KernelBuild[], target: Target) => string;
}

const kinds: Readonly<Partial<Record<Target["kind"], Kind>>> = {
  cuda: {
    source: "cu",
    code: "cubin",
    device: "export/c/device-cuda.c",
    extra: ["export/c/compile.c"],
    makefile: (kernels, target) => cudaMakefile(kernels, target.compiler.path),
  },
  cpu: {
    source: "cpp",
    code: "so",
    device: "export/c/device-cpu.c",
    extra: ["device/cpu/pool.cpp"],
    makefile: (kernels, target) => cpuMakefile(kernels, target.compiler.path),
  },
};

/** True for the devices whose launches can be exported. */
export function isExportable(kind: Target["kind"]): boolean {
  return kinds[kind] !== undefined;
}

/** Throws `folder-exists` if there is something in a folder. */
export function checkFolder(path: string): void {
  const folder = resolve(path);
  if (!existsSync(folder)) return;
  let isEmpty = false;
  try {
    isEmpty = readdirSync(folder).length === 0;
  } catch {
    // A file.
  }
  if (isEmpty) return;
  throw new JitlabError(
    "folder-exists",
    `exportLaunch: ${folder} exists.`,
    "Pass the name of a new folder, or remove that one.",
  );
}

/** Writes launches of one device, each of a compiled kernel; nothing is left of a folder that cannot be written. */
export function writeFolder(
  path: string,
  title: string,
  launches: readonly CapturedLaunch[],
): ExportedLaunch {
  const folder = resolve(path);
  let made: string | undefined;
  try {
    made = mkdirSync(folder, { recursive: true });
    return { folder, ...write(folder, title, launches) };
  } catch (error) {
    if (made !== undefined) rmSync(made, { recursive: true, force: true });
    if (error instanceof JitlabError || !(error instanceof Error) || !("code" in error)) throw error;
    throw new JitlabError(
      "folder-unwritable",
      `exportLaunch: ${folder} cannot be written: ${error.message}.`,
      "Pass another folder.",
    );
  }
}

function write(
  folder: string,
  title: string,
  launches: readonly CapturedLaunch[],
): Omit<ExportedLaunch, "folder"> {
  const requests = launches.map(({ request }) => request as LoadRequest);
  const { target } = requests[0] as LoadRequest;
  const kind = kinds[target.kind] as Kind;
  let bytes = 0;
  const put = (name: string, ...parts: readonly (string | Uint8Array)[]) => {
    const contents = Buffer.concat(
      parts.map((part) => (typeof part === "string" ? Buffer.from(part) : part)),
    );
    writeFileSync(join(folder, name), contents);
    bytes += contents.length;
  };
  const { builds, numbers, keys } = writeKernels(requests, kind, put);
  const replay = replayOf(launches);
  const files = new Map<Step, string>();
  for (const step of replay.steps) {
    const [kept, contents] = storedPart(step);
    if (kept === undefined || contents === undefined) continue;
    const name = `${kept}/${files.size + 1}.npy`;
    mkdirSync(join(folder, kept), { recursive: true });
    put(name, ...npyParts(step, contents));
    files.set(step, name);
  }
  const names = {
    fileOf: (step: Step) => files.get(step),
    kernelOf: (launch: number) => numbers[launch] as number,
    dtypeOf: (name: string): DType => dtypes[name as DTypeName],
  };
  put("launch.h", launchText(replay, launches, builds, kind.code, names));
  put("Makefile", kind.makefile(builds, target));
  put("README", readme(title, launches, target));
  for (const file of ["export/c/main.c", "export/c/device.h", "export/c/steps.h", ...kind.extra])
    copyFileSync(libraryFile(file), join(folder, file.slice(file.lastIndexOf("/") + 1)));
  copyFileSync(libraryFile(kind.device), join(folder, "device.c"));
  const [{ device }] = launches as readonly [CapturedLaunch];
  return { device: device.name, launches: launches.length, kernels: builds.length, keys, bytes };
}

/** Writes each kernel once; returns how they are compiled, and the number of each launch's. */
function writeKernels(
  requests: readonly LoadRequest[],
  { source, code }: Kind,
  put: (name: string, ...parts: readonly (string | Uint8Array)[]) => void,
): {
  readonly builds: readonly KernelBuild[];
  readonly numbers: readonly number[];
  readonly keys: readonly string[];
} {
  const builds: KernelBuild[] = [];
  const keys: string[] = [];
  const known = new Map<string, number>();
  const numbers = requests.map((request) => {
    const own = fetchCode(request);
    keys.push(own.key);
    const name = `${own.key} ${request.instance ?? ""}`;
    const number = known.get(name) ?? builds.length;
    if (number < builds.length) return number;
    known.set(name, number);
    const file = `kernel-${number + 1}-${request.op.replace(/\W+/g, "_").slice(0, 40)}`;
    put(`${file}.${source}`, request.source);
    // After its source, so that make takes it as it is.
    put(`${file}.${code}`, own.binary);
    const expression = request.named ? request.symbol : undefined;
    builds.push({ file, symbol: own.symbol, flags: flagsOf(request), expression });
    return number;
  });
  return { builds, numbers, keys };
}

/** The compiler's flags, with those that NVRTC gets for kernels that gain nothing from slow optimizations. */
function flagsOf(request: LoadRequest): readonly string[] {
  const { path, name } = request.target.compiler;
  const isQuick = request.quick && name === "nvrtc" && Number(/\.so\.(\d+)/.exec(path)?.[1]) >= 13;
  return [
    ...effectiveFlags(request),
    ...(isQuick ? ["--Ofast-compile=min", "-Xptxas=--Ofast-compile=0"] : []),
  ];
}

function storedPart(step: Step): readonly [folder?: string, contents?: Uint8Array | undefined] {
  switch (step.kind) {
    case "load":
      return ["inputs", step.part.contents];
    case "check":
      return ["expected", step.part.contents];
    case "constant":
      return ["inputs", step.contents];
    default:
      return [];
  }
}

/** A file of NumPy: elements, or bytes where these are no whole number of elements. */
function npyParts(step: Step, contents: Uint8Array): readonly [Uint8Array, Uint8Array] {
  if (step.kind === "constant" || !("part" in step))
    return [npyHeader(dtypes.uint8, [contents.length]), contents];
  const { dtype: name, shape, bytes } = step.part;
  const own = dtypes[name as DTypeName];
  const dtype = bytes % own.bytes === 0 ? own : dtypes.uint8;
  return [npyHeader(dtype, shape ?? [bytes / dtype.bytes]), contents];
}

function readme(title: string, launches: readonly CapturedLaunch[], target: Target): string {
  const [{ device }] = launches as readonly [CapturedLaunch];
  const what = launches.length === 1 ? "One launch" : `${launches.length} launches`;
  const { name, path, identity } = target.compiler;
  return `${what} of ${cut(title.replace(/\s+/g, " "), 0, 200)}, exported by jitlab: \`make && ./run\` repeats them and compares every bit.
Compiled for ${target.arch} by ${name} (${path}, ${identity}); ran on ${device.model}.
launch.h lists the steps, inputs/ and expected/ have the elements for numpy.load, and the Makefile has the flags and the tools.
`;
}
