// libnvrtc: CUDA C++ to machine code and PTX in one compile. Runs in the compile service's worker; it is found and
// identified without loading it. The only file with NVRTC's calls and flags.
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { env } from "../../base/env.js";
import { CompileError, DeviceError } from "../../base/errors.js";
import { libraryFile } from "../../base/files.js";
import { fingerprintOf } from "../../base/fingerprint.js";
import { CompilerLog } from "../compiler-log.js";
import type { CompileOutput, CompileRequest, Compiler, CompilerSpec, Target } from "../device.js";
import { cudaDialect } from "../dialect.js";
import { ffi } from "../ffi.js";
import { argumentBytes } from "./argument-bytes.js";
import { cubinResources } from "./cubin.js";
import { disassemble } from "./disassembly.js";
import { findNvrtc } from "./library-search.js";
import { withholdSignals } from "./signal-imports.js";

const contraction = { off: "--fmad=false", on: "--fmad=true" };
const archFlag = "--gpu-architecture=";

const installHelp =
  "Install it with `pip install nvidia-cuda-nvrtc`, or install the CUDA toolkit, or set CUDA_HOME to one.";

/**
 * The target for an architecture such as `sm_90`, the driver's CUDA version, and the multiprocessors of a GPU. Rendering needs
 * no compiler: reading `compiler` searches for NVRTC, and throws DeviceError `no-nvrtc` if it is missing.
 */
export function cudaTarget(arch: string, driver?: number, multiprocessors?: number): Target {
  if (!/^sm_\d+[af]?$/.test(arch)) {
    throw new DeviceError(
      "unknown-architecture",
      `${JSON.stringify(arch)} is not a GPU architecture.`,
      "Name one such as sm_90.",
    );
  }
  const flags = [
    `${archFlag}${arch}`,
    "--std=c++17",
    // Functors are plain functions without __device__.
    "-default-device",
    contraction.off,
  ];
  let compiler: CompilerSpec | undefined;
  let bytes: number | undefined;
  return {
    kind: "cuda",
    dialect: cudaDialect,
    arch,
    get compiler() {
      compiler ??= compilerSpec(driver && Math.floor(driver / 1000));
      return compiler;
    },
    get argumentBytes() {
      bytes ??= argumentBytes(arch, driver ?? 0, () => this.compiler.path);
      return bytes;
    },
    flags,
    contraction,
    kernelsPerRun: 4,
    // Whatever its registers, a multiprocessor has room for a block. Blocks start in the order of their indexes.
    blocksTogether: multiprocessors,
    lineFlags: ["-lineinfo"],
    disassemble,
    resources: cubinResources,
  };
}

function compilerSpec(driverMajor: number | undefined): CompilerSpec {
  const found = findNvrtc(driverMajor) ?? findNvrtc();
  if (!found) {
    throw new DeviceError(
      "no-nvrtc",
      "NVRTC, the compiler of CUDA C++ (libnvrtc.so), was not found.",
      installHelp,
    );
  }
  return {
    name: "nvrtc",
    module: libraryFile("device/cuda/nvrtc.js").href,
    path: found.path,
    identity: fingerprintOf(found.path),
    // In the threads that Node has for asynchronous calls, and in the service's own.
    textsAtOnce: env("poolThreads") + 1,
    further: "processes",
  };
}

/** The path of NVRTC, or why it is missing; never throws. */
export function probeNvrtc(): { readonly path: string; readonly reason: string } {
  const found = findNvrtc();
  return found
    ? { path: found.path, reason: "" }
    : { path: "", reason: `NVRTC, the compiler of CUDA C++ (libnvrtc.so), was not found. ${installHelp}` };
}

/** A warning if the only NVRTC is newer than the driver, which may reject its code; else empty. */
export function nvrtcMismatch(driverMajor: number): string {
  const found = findNvrtc(driverMajor) ?? findNvrtc();
  if (!found || found.major <= driverMajor) return "";
  return `NVRTC is of CUDA ${found.major} and the driver of CUDA ${driverMajor}, which may reject its code: install a newer driver, or an NVRTC of CUDA ${driverMajor}`;
}

const logPart = 2 ** 20;
// The most that koffi gives to calls.
const stackBytes = 2 ** 24;

type Out = [number];

interface CompileProgram {
  (program: number, count: number, options: readonly string[]): number;
  /** The same in a thread of Node's pool. */
  async(
    program: number,
    count: number,
    options: readonly string[],
    done: (error: Error | null, result: number) => void,
  ): void;
}

/** NVRTC's functions by their C names, as in nvrtc.h; sizes are returned in one-element arrays. */
interface Nvrtc {
  nvrtcVersion(major: Out, minor: Out): number;
  nvrtcGetErrorString(result: number): string;
  nvrtcGetNumSupportedArchs(count: Out): number;
  nvrtcGetSupportedArchs(archs: Int32Array): number;
  nvrtcCreateProgram(
    program: Out,
    source: string,
    name: string,
    headers: number,
    texts: null,
    names: null,
  ): number;
  nvrtcAddNameExpression(program: number, expression: string): number;
  nvrtcGetLoweredName(program: number, expression: string, name: [string | null]): number;
  nvrtcCompileProgram: CompileProgram;
  nvrtcDestroyProgram(program: Out): number;
  nvrtcGetProgramLogSize(program: number, bytes: Out): number;
  nvrtcGetProgramLog(program: number, log: Uint8Array): number;
  nvrtcGetPTXSize(program: number, bytes: Out): number;
  nvrtcGetPTX(program: number, ptx: Uint8Array): number;
  nvrtcGetCUBINSize(program: number, bytes: Out): number;
  nvrtcGetCUBIN(program: number, cubin: Uint8Array): number;
}

const outSize = "_Out_ size_t *";
const table: readonly (readonly [keyof Nvrtc, string, readonly string[]])[] = [
  ["nvrtcVersion", "int", ["_Out_ int *", "_Out_ int *"]],
  ["nvrtcGetErrorString", "str", ["int"]],
  ["nvrtcGetNumSupportedArchs", "int", ["_Out_ int *"]],
  ["nvrtcGetSupportedArchs", "int", ["void *"]],
  ["nvrtcCreateProgram", "int", ["_Out_ uintptr_t *", "str", "str", "int", "void *", "void *"]],
  ["nvrtcAddNameExpression", "int", ["uintptr_t", "str"]],
  ["nvrtcGetLoweredName", "int", ["uintptr_t", "str", "_Out_ const char **"]],
  ["nvrtcCompileProgram", "int", ["uintptr_t", "int", "const char **"]],
  ["nvrtcDestroyProgram", "int", ["_Inout_ uintptr_t *"]],
  ["nvrtcGetProgramLogSize", "int", ["uintptr_t", outSize]],
  ["nvrtcGetProgramLog", "int", ["uintptr_t", "void *"]],
  ["nvrtcGetPTXSize", "int", ["uintptr_t", outSize]],
  ["nvrtcGetPTX", "int", ["uintptr_t", "void *"]],
  ["nvrtcGetCUBINSize", "int", ["uintptr_t", outSize]],
  ["nvrtcGetCUBIN", "int", ["uintptr_t", "void *"]],
];

/** The compiler behind a spec of {@link cudaTarget}. */
export function createCompiler(spec: CompilerSpec): Compiler {
  const hasStack = widenStacks();
  const nvrtc = open(spec.path);
  const archs = supportedArchs(nvrtc);
  const own = quickFlags(nvrtc);
  let running = 0;
  const runBeside = async (program: number, flags: readonly string[]) => {
    running++;
    try {
      return await new Promise<number>((done, fail) =>
        nvrtc.nvrtcCompileProgram.async(program, flags.length, flags, (error, result) =>
          error ? fail(error) : done(result),
        ),
      );
    } finally {
      running--;
    }
  };
  const runHere = (program: number, flags: readonly string[]) =>
    nvrtc.nvrtcCompileProgram(program, flags.length, flags);
  const compiler: Compiler = {
    compile: (request, _signal, beside) => {
      const run = beside && hasStack && running < spec.textsAtOnce - 1 ? runBeside : runHere;
      return compile(nvrtc, archs, { ...request, flags: [...request.flags, ...own(request)] }, run);
    },
    // The first compile reads much of the library.
    prepare: async () => hasStack && compiler.compile(emptyKernel(archs), undefined, true),
  };
  return compiler;
}

const emptyKernel = ([arch]: readonly number[]): CompileRequest => ({
  source: 'extern "C" __global__ void empty() {}',
  flags: arch === undefined ? [] : [`${archFlag}sm_${arch}`],
  name: "empty",
});

/**
 * NVRTC recurses: a text of 50 nested sums needs more than the stack of an asynchronous call, one of 1000 more than that of a
 * synchronous one. False if it is too late, because koffi has already loaded a library in this thread.
 */
function widenStacks(): boolean {
  try {
    ffi().config({ sync_stack_size: stackBytes, async_stack_size: stackBytes });
    return true;
  } catch {
    return false;
  }
}

/**
 * Flags that save time: from CUDA 12.4 on, NVRTC can omit declarations such as textures (a sixth of the time), except for
 * users' kernels; from 12.9 on, they disable NVRTC's cache, since we have ours; from 13.0 on, they leave out slow
 * optimizations of kernels that do not need them (a sixth of the time), but none of the assembler's, whose code would be longer.
 */
function quickFlags(nvrtc: Nvrtc): (request: CompileRequest) => readonly string[] {
  const major: Out = [0];
  const minor: Out = [0];
  const version = nvrtc.nvrtcVersion(major, minor) === 0 ? major[0] * 100 + minor[0] : 0;
  return ({ expression, quick }) => [
    ...(version >= 1204 && expression === undefined ? ["--minimal"] : []),
    ...(version >= 1209 ? ["--no-cache"] : []),
    ...(version >= 1300 && quick ? ["--Ofast-compile=min", "-Xptxas=--Ofast-compile=0"] : []),
  ];
}

function open(path: string): Nvrtc {
  try {
    // A wheel's NVRTC searches its builtins only in the loader's path, but finds them if they are already open.
    const folder = dirname(path);
    const builtins = readdirSync(folder).find((name) => /^libnvrtc-builtins\.so\.\d/.test(name));
    if (builtins) ffi().load(join(folder, builtins), { global: true });
    const library = ffi().load(path);
    withholdSignals(path);
    return Object.fromEntries(
      table.map(([name, result, parameters]) => [name, library.func(name, result, [...parameters])]),
    ) as unknown as Nvrtc;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new DeviceError("no-nvrtc", `NVRTC cannot be loaded from ${path} (${reason}).`, installHelp);
  }
}

function supportedArchs(nvrtc: Nvrtc): readonly number[] {
  const count: Out = [0];
  if (nvrtc.nvrtcGetNumSupportedArchs(count) !== 0) return [];
  const archs = new Int32Array(count[0]);
  return nvrtc.nvrtcGetSupportedArchs(archs) === 0 ? Array.from(archs) : [];
}

async function compile(
  nvrtc: Nvrtc,
  archs: readonly number[],
  request: CompileRequest,
  run: (program: number, flags: readonly string[]) => number | Promise<number>,
): Promise<CompileOutput> {
  const { flags, assembled } = archFlags(request.flags, archs);
  const program: Out = [0];
  expectSuccess(
    nvrtc,
    nvrtc.nvrtcCreateProgram(program, request.source, `${request.name}.cu`, 0, null, null),
  );
  try {
    const { expression } = request;
    if (expression !== undefined) expectSuccess(nvrtc, nvrtc.nvrtcAddNameExpression(program[0], expression));
    const result = await run(program[0], flags);
    const log = text(program[0], nvrtc.nvrtcGetProgramLogSize, nvrtc.nvrtcGetProgramLog);
    if (result !== 0)
      throw new CompileError(`NVRTC rejected the kernel (${nvrtc.nvrtcGetErrorString(result)}).`, log);
    const ptx = bytes(program[0], nvrtc.nvrtcGetPTXSize, nvrtc.nvrtcGetPTX);
    const binary = assembled ? bytes(program[0], nvrtc.nvrtcGetCUBINSize, nvrtc.nvrtcGetCUBIN) : ptx;
    const code = { binary, assembly: cString(ptx), log };
    return expression === undefined ? code : { ...code, symbol: loweredName(nvrtc, program[0], expression) };
  } finally {
    nvrtc.nvrtcDestroyProgram(program);
  }
}

/** A kernel's mangled name. */
function loweredName(nvrtc: Nvrtc, program: number, expression: string): string {
  const name: [string | null] = [null];
  expectSuccess(nvrtc, nvrtc.nvrtcGetLoweredName(program, expression, name));
  return name[0] ?? expression;
}

/** An architecture newer than this NVRTC gets PTX of the newest one below it, which the driver compiles when it loads it. */
function archFlags(
  flags: readonly string[],
  archs: readonly number[],
): { readonly flags: readonly string[]; readonly assembled: boolean } {
  // PTX alone is asked for.
  if (flags.some((flag) => flag.startsWith(`${archFlag}compute_`))) return { flags, assembled: false };
  const wanted = Number(/sm_(\d+)/.exec(flags.find((flag) => flag.startsWith(archFlag)) ?? "")?.[1] ?? 0);
  if (archs.length === 0 || archs.includes(wanted)) return { flags, assembled: true };
  const below = archs.filter((arch) => arch < wanted);
  if (below.length === 0) {
    throw new CompileError(
      `This NVRTC no longer compiles for sm_${wanted}; it knows sm_${archs.join(", sm_")}.`,
      "",
      "Install an older CUDA toolkit and set CUDA_HOME to it.",
    );
  }
  const newest = `${archFlag}compute_${Math.max(...below)}`;
  return { flags: flags.map((flag) => (flag.startsWith(archFlag) ? newest : flag)), assembled: false };
}

function bytes(
  program: number,
  size: (program: number, bytes: Out) => number,
  get: (program: number, into: Uint8Array) => number,
): Uint8Array {
  const length: Out = [0];
  size(program, length);
  const into = new Uint8Array(length[0]);
  get(program, into);
  return into;
}

function text(
  program: number,
  size: Nvrtc["nvrtcGetProgramLogSize"],
  get: Nvrtc["nvrtcGetProgramLog"],
): string {
  const log = new CompilerLog();
  const said = bytes(program, size, get);
  const decoder = new TextDecoder();
  const end = said.indexOf(0);
  // In parts, because the whole may be longer than a string can be.
  for (let at = 0; at < end; at += logPart)
    log.add(decoder.decode(said.subarray(at, Math.min(at + logPart, end)), { stream: true }));
  return `${log}`;
}

function cString(from: Uint8Array): string {
  const end = from.indexOf(0);
  return new TextDecoder().decode(end < 0 ? from : from.subarray(0, end));
}

function expectSuccess(nvrtc: Nvrtc, result: number): void {
  if (result !== 0) throw new CompileError(`NVRTC failed: ${nvrtc.nvrtcGetErrorString(result)}.`, "");
}
