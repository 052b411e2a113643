// The host's C++ compiler: found without starting it, identified by its file and its target processor, and run in the
// compile service's worker. The only file with the compiler's flags.
import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { basename, isAbsolute, join, resolve } from "node:path";
import { sha256 } from "../../base/builtins.js";
import { env } from "../../base/env.js";
import { CompileError, DeviceError } from "../../base/errors.js";
import { libraryFile } from "../../base/files.js";
import { fingerprintOf } from "../../base/fingerprint.js";
import type { CompileOutput, CompileRequest, Compiler, CompilerSpec, Target } from "../device.js";
import { cppDialect } from "../dialect.js";
import { processorFact } from "../processor.js";
import { runCompiler } from "./compiler-run.js";

const contraction = { off: "-ffp-contract=off", on: "-ffp-contract=fast" };

// Both GCC and Clang accept these.
const flags: readonly string[] = [
  "-O3",
  // The code runs on this machine only. GCC and Clang on arm64 agree on -mcpu alone.
  process.arch === "arm64" ? "-mcpu=native" : "-march=native",
  // Compilers avoid wide registers because they may lower the clock; loops over polynomials are 1.5 times as fast with them.
  ...(process.arch === "x64" ? ["-mprefer-vector-width=512"] : []),
  "-std=c++17",
  "-fPIC",
  // + - * / and sqrt give the same bits on every device.
  contraction.off,
  // errno and floating-point exception flags are not used; without them, loops over sqrt and selects vectorize.
  "-fno-math-errno",
  "-fno-trapping-math",
  // Signed overflow wraps, as on a GPU.
  "-fwrapv",
  // Functors written for a GPU reinterpret pointers freely.
  "-fno-strict-aliasing",
  // Kernels do not throw, and the shown assembly has no unwind tables.
  "-fno-exceptions",
  "-fno-rtti",
  "-fno-asynchronous-unwind-tables",
];

// Loops with long bodies start too few reads of memory ahead of time; GCC leaves short ones alone. Clang warns of the flag.
const prefetch = "-fprefetch-loop-arrays";

const installHelp =
  "Install one (Debian, Ubuntu: `apt-get install g++`; Fedora: `dnf install gcc-c++`) or set CXX to its path.";

const folderHelp = "Check that the temporary folder is writable and not full; TMPDIR selects another one.";

/** The C++ compiler's program and leading arguments, or why there is none. */
export interface FoundCompiler {
  readonly path: string;
  readonly args: readonly string[];
  readonly reason: string;
}

/** Searches for `$CXX`, c++, g++ and clang++; starts nothing and never throws. */
export function findCompiler(): FoundCompiler {
  const chosen = env("cxx");
  if (chosen !== undefined) {
    // CXX may contain a launcher and arguments, such as `ccache g++`.
    const [program = "", ...args] = chosen.trim().split(/\s+/);
    const path = executable(program);
    if (path !== undefined) return { path, args, reason: "" };
    return {
      path: "",
      args: [],
      reason: `CXX is ${JSON.stringify(chosen)}, which is not an executable program.`,
    };
  }
  for (const name of ["c++", "g++", "clang++"]) {
    const path = executable(name);
    if (path !== undefined) return { path, args: [], reason: "" };
  }
  return { path: "", args: [], reason: "No C++ compiler (c++, g++, clang++) is on the PATH." };
}

/** The target of this machine's processor; throws DeviceError `no-compiler` without a compiler. */
export function hostTarget(): Target {
  const found = findCompiler();
  if (found.path === "") throw new DeviceError("no-compiler", found.reason, installHelp);
  // The launcher is part of the compiler's identity.
  const programs = [found.path, ...found.args.flatMap((word) => executable(word) ?? [])];
  const compiler: CompilerSpec = {
    name: "c++",
    module: libraryFile("device/cpu/toolchain.js").href,
    path: found.path,
    identity: programs.map(fingerprintOf).join(" "),
    // Each runs as a program.
    textsAtOnce: Number.POSITIVE_INFINITY,
    further: "processes",
  };
  return {
    kind: "cpu",
    dialect: cppDialect,
    arch: hostArchitecture(),
    compiler,
    flags: [...found.args, ...flags, ...(programs.some(isClang) ? [] : [prefetch])],
    contraction,
    lineFlags: ["-g1"],
    kernelsPerRun: 8,
    // Read in place.
    argumentBytes: 2 ** 15,
  };
}

/** The remedy for a missing compiler. */
export const compilerHelp: string = installHelp;

/** The instruction set of `native` here: two processors with the same name run the same code. */
function hostArchitecture(): string {
  const family = process.arch === "x64" ? "x86-64" : process.arch;
  const features = processorFact("flags|Features") ?? "";
  const hash = sha256(features.split(" ").sort().join(" "));
  return `${family}-${hash.slice(0, 8)}`;
}

function isClang(program: string): boolean {
  return basename(realpathSync(program)).includes("clang");
}

function executable(name: string): string | undefined {
  const candidates = name.includes("/") ? [resolve(name)] : env("path").map((folder) => join(folder, name));
  return candidates.find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return isAbsolute(path) && statSync(path).isFile();
    } catch {
      return false;
    }
  });
}

/** The compiler behind a spec of {@link hostTarget}; runs in the compile service's worker. */
export function createCompiler(spec: CompilerSpec): Compiler {
  return {
    compile: (request, signal) => compileShared(spec.path, request, signal as AbortSignal | undefined),
  };
}

async function compileShared(
  program: string,
  request: CompileRequest,
  signal: AbortSignal | undefined,
): Promise<CompileOutput> {
  const file = `${request.name.replace(/[^\w.-]+/g, "_") || "kernel"}.cpp`;
  const run = await runCompiler([program, ...request.flags], file, request.source, signal).catch(
    (error: NodeJS.ErrnoException | CompileError) => {
      if (error instanceof CompileError) throw error;
      const help = error.path === program ? installHelp : folderHelp;
      throw new CompileError(`The C++ compiler ${program} did not start: ${error.message}.`, "", help);
    },
  );
  if (run.status === 0) return run;
  if (run.status !== undefined && run.killer === undefined) {
    const what = `The C++ compiler ${program} rejected the kernel (exit status ${run.status}).`;
    throw new CompileError(what, run.log);
  }
  const what = `The C++ compiler ${program} was killed${run.killer === undefined ? "" : ` by ${run.killer}`}.`;
  const why = run.killer === "SIGKILL" ? " The machine may be out of memory." : "";
  throw new CompileError(what, run.log, `Try again.${why}`);
}
