// The host's C++ compiler: found without starting it, identified by its file and by the processor that it compiles for,
// and run in the compile service's worker. The only file that knows the compiler's command line.
import { accessSync, constants, promises, readFileSync, realpathSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { programs, sha256 } from "../../builtins.js";
import { cppDialect } from "../../codegen/dialect.js";
import { env, environmentWith } from "../../env.js";
import { CompileError, DeviceError } from "../../errors.js";
import { libraryFile } from "../../files.js";
import type { CompileOutput, CompileRequest, Compiler, CompilerSpec, Target } from "../device.js";

const contraction = { off: "-ffp-contract=off", on: "-ffp-contract=fast" };

// Every flag is understood by GCC and Clang alike, so that none has to be asked which it is.
const flags: readonly string[] = [
  "-O3",
  // The code runs on this machine only. GCC and Clang on arm64 agree on -mcpu alone.
  process.arch === "arm64" ? "-mcpu=native" : "-march=native",
  // Compilers fear that wide registers lower the clock; loops over polynomials gain half as much again from them.
  ...(process.arch === "x64" ? ["-mprefer-vector-width=512"] : []),
  "-std=c++17",
  "-fPIC",
  // + - * / and sqrt give the same bits on every device.
  contraction.off,
  // Nobody reads errno or the floating-point exception flags; without them, loops over sqrt and selects vectorise.
  "-fno-math-errno",
  "-fno-trapping-math",
  // Signed overflow wraps, as on a GPU.
  "-fwrapv",
  // Functors written for a GPU reinterpret pointers freely.
  "-fno-strict-aliasing",
  // Nothing is thrown; the assembly shown to people has no tables for unwinding.
  "-fno-exceptions",
  "-fno-rtti",
  "-fno-asynchronous-unwind-tables",
];

const installHelp =
  "Install one (Debian, Ubuntu: `apt-get install g++`; Fedora: `dnf install gcc-c++`) or set CXX to its path.";

/** The C++ compiler's program and leading arguments, or why there is none. */
export interface FoundCompiler {
  readonly path: string;
  readonly args: readonly string[];
  readonly reason: string;
}

/** Looks for `$CXX`, c++, g++ and clang++; starts nothing and never throws. */
export function findCompiler(): FoundCompiler {
  const chosen = env("cxx");
  if (chosen !== undefined) {
    // CXX may hold a launcher and arguments, such as `ccache g++`.
    const [program = "", ...args] = chosen.trim().split(/\s+/);
    const path = executable(program);
    if (path !== undefined) return { path, args, reason: "" };
    return {
      path: "",
      args: [],
      reason: `CXX is ${JSON.stringify(chosen)}, which is not a program that can be run.`,
    };
  }
  for (const name of ["c++", "g++", "clang++"]) {
    const path = executable(name);
    if (path !== undefined) return { path, args: [], reason: "" };
  }
  return { path: "", args: [], reason: "No C++ compiler (c++, g++, clang++) is on the PATH." };
}

/** The target of this machine's processor; throws DeviceError `no-compiler` where there is no compiler. */
export function hostTarget(): Target {
  const found = findCompiler();
  if (found.path === "") throw new DeviceError("no-compiler", found.reason, installHelp);
  const real = realpathSync(found.path);
  const { size, mtimeMs } = statSync(real);
  const compiler: CompilerSpec = {
    name: "c++",
    module: libraryFile("device/cpu/toolchain.js").href,
    path: found.path,
    identity: `${real} ${size} ${Math.round(mtimeMs)}`,
  };
  return {
    kind: "cpu",
    dialect: cppDialect,
    arch: hostArchitecture(),
    compiler,
    flags: [...found.args, ...flags],
    contraction,
    kernelsPerRun: 8,
  };
}

/** What to do where no compiler is found. */
export const compilerHelp: string = installHelp;

/** The instruction set that `native` means here: two processors with the same name run the same code. */
function hostArchitecture(): string {
  const family = process.arch === "x64" ? "x86-64" : process.arch;
  let features = "";
  try {
    const cpuinfo = readFileSync("/proc/cpuinfo", "utf8");
    features = /^(?:flags|Features)\s*:\s*(.*)$/m.exec(cpuinfo)?.[1] ?? "";
  } catch {
    // No /proc: the architecture alone must do.
  }
  const hash = sha256(features.split(" ").sort().join(" "));
  return `${family}-${hash.slice(0, 8)}`;
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

/** The compiler behind a spec of {@link hostTarget}; lives in the compile service's worker. */
export function createCompiler(spec: CompilerSpec): Compiler {
  return { compile: (request, signal) => compileShared(spec.path, request, signal) };
}

async function compileShared(
  program: string,
  request: CompileRequest,
  signal: AbortSignal | undefined,
): Promise<CompileOutput> {
  const folder = await promises.mkdtemp(join(tmpdir(), "jitlab-cxx-"));
  const file = `${request.name.replace(/[^\w.-]+/g, "_") || "kernel"}.cpp`;
  const assembly = join(folder, "kernel.s");
  const shared = join(folder, "kernel.so");
  try {
    await promises.writeFile(join(folder, file), request.source);
    // Two steps instead of one, so that the assembly which is shown is the one that runs.
    const run = (...args: string[]) => runCompiler(program, [...request.flags, ...args], folder, signal);
    const first = await run("-S", file, "-o", assembly);
    const second = await run("-shared", "-Wl,--as-needed", assembly, "-o", shared);
    return {
      binary: await promises.readFile(shared),
      assembly: await promises.readFile(assembly, "utf8"),
      log: first + second,
    };
  } catch (error) {
    if (error instanceof CompileError) throw error;
    throw new CompileError(
      `The C++ compiler could not work in ${folder}: ${error instanceof Error ? error.message : String(error)}.`,
      "",
      "Is the disk of the temporary folder full or read-only? TMPDIR names another one.",
    );
  } finally {
    await promises.rm(folder, { recursive: true, force: true });
  }
}

function runCompiler(
  program: string,
  args: readonly string[],
  folder: string,
  signal: AbortSignal | undefined,
): Promise<string> {
  return new Promise((done, fail) => {
    const child = programs().spawn(program, args, {
      cwd: folder,
      stdio: ["ignore", "pipe", "pipe"],
      // Compilers translate their complaints; those are read by compile/log.ts.
      env: environmentWith({ LC_ALL: "C" }),
      ...(signal && { signal }),
    });
    let log = "";
    const collect = (chunk: string) => {
      log += chunk;
    };
    child.stdout.setEncoding("utf8").on("data", collect);
    child.stderr.setEncoding("utf8").on("data", collect);
    child.on("error", (error) => {
      fail(new CompileError(`The C++ compiler ${program} did not start: ${error.message}.`, "", installHelp));
    });
    child.on("close", (status, killer) => {
      if (status === 0) return done(log);
      if (killer !== null) {
        const why = killer === "SIGKILL" ? " The machine may be out of memory." : "";
        const what = `The C++ compiler ${program} was killed by ${killer}.`;
        return fail(new CompileError(what, log, `Try again.${why}`));
      }
      fail(new CompileError(`The C++ compiler ${program} refused the kernel (exit status ${status}).`, log));
    });
  });
}
