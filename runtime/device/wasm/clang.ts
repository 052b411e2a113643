// The embedded compiler: clang and wasm-ld, themselves WebAssembly, from the optional package @yowasp/clang. Found without
// loading it, identified by its version, and run in the compile service's worker. The only file that knows the package.

import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { requireFrom } from "../../builtins.js";
import { wasmDialect } from "../../codegen/dialect.js";
import { CompileError, DeviceError, JitlabError } from "../../errors.js";
import { libraryFile } from "../../files.js";
import type { CompileOutput, CompileRequest, Compiler, CompilerSpec, Target } from "../device.js";
import { maxPages, pageBytes, stackBytes } from "./linear-memory.js";

const packageName = "@yowasp/clang";
const triple = "wasm32-unknown-wasip1";
const listingFlag = "-S";
const contraction = { off: "-ffp-contract=off", on: "-ffp-contract=fast" };

// Threads share the memory; the other features are in every engine that has those.
const features = [
  "simd128",
  "atomics",
  "bulk-memory",
  "nontrapping-fptoint",
  "sign-ext",
  "mutable-globals",
].flatMap((feature) => ["-target-feature", `+${feature}`]);

// The compiler proper is called without its driver, which would run once more to say what it would pass on. What the cpu
// device asks for by flags (no errno, no exceptions, no tables for unwinding) is the default here.
const flags: readonly string[] = [
  "-O3",
  ...features,
  // It is a build with assertions, which would check its own work after every pass.
  "-disable-llvm-verifier",
  "-disable-free",
  "-vectorize-loops",
  "-vectorize-slp",
  "-std=c++17",
  // + - * / and sqrt give the same bits on every device.
  contraction.off,
  // Signed overflow wraps, as on a GPU.
  "-fwrapv",
  // Functors written for a GPU reinterpret pointers freely.
  "-relaxed-aliasing",
  "-Wl,--no-entry",
  "-Wl,--export-dynamic",
  "-Wl,--export=__stack_pointer",
  "-Wl,--export=__heap_base",
  // Every kernel works in the one memory of the device. Its stack comes first, so that running over its end traps.
  "-Wl,--import-memory",
  "-Wl,--shared-memory",
  `-Wl,--max-memory=${maxPages * pageBytes}`,
  "-Wl,--stack-first",
  `-Wl,-z,stack-size=${stackBytes}`,
  // The C library was built for one thread; of its math functions that makes no difference.
  "-Wl,--no-check-features",
];

const installHelp = `\`npm install ${packageName}\` installs it (100 MB); \`npm ci --include=optional\` where it was left out.`;

/** The target of the embedded compiler; looks for the package when its compiler is first read. */
export function wasmTarget(): Target {
  return {
    kind: "wasm",
    dialect: wasmDialect,
    arch: "wasm32",
    get compiler() {
      return compilerSpec();
    },
    flags,
    contraction,
    listingFlag,
    kernelsPerRun: 8,
  };
}

let found: CompilerSpec | undefined;

/** The embedded compiler as plain data; throws DeviceError `no-compiler` where the package is not installed. */
export function compilerSpec(): CompilerSpec {
  if (found) return found;
  let path: string;
  try {
    path = requireFrom(import.meta.url).resolve(packageName);
  } catch {
    throw new DeviceError("no-compiler", `The package ${packageName} is not installed.`, installHelp);
  }
  const { version } = JSON.parse(readFileSync(join(dirname(path), "../package.json"), "utf8")) as {
    version: string;
  };
  // Its version alone decides what it makes, so that a cache can move to another machine.
  found = {
    name: "clang-wasm",
    module: libraryFile("device/wasm/clang.js").href,
    path,
    identity: `${packageName} ${version}`,
  };
  return found;
}

type Files = Readonly<Record<string, string | Uint8Array>>;

/** What this file uses of the package. */
interface Package {
  runLLVM(args: readonly string[] | null, files: Files, options: object): Promise<Files> | Files | undefined;
}

/** The compiler behind a spec of {@link wasmTarget}; lives in the compile service's worker. */
export async function createCompiler(spec: CompilerSpec): Promise<Compiler> {
  const clang = (await import(pathToFileURL(spec.path).href)) as Package;
  const { setFlagsFromString } = process.getBuiltinModule("node:v8");
  // A function of the compiler's is checked when it first runs, and most never do: checking all takes half of the loading.
  setFlagsFromString("--wasm-lazy-validation");
  try {
    // It reads its hundred megabytes now, and would tell of that on standard output.
    await clang.runLLVM(null, {}, { fetchProgress: () => undefined });
  } finally {
    setFlagsFromString("--no-wasm-lazy-validation");
  }
  return { compile: (request) => compileModule(clang, request) };
}

function compileModule(clang: Package, request: CompileRequest): CompileOutput {
  const name = `${request.name.replace(/[^\w.-]+/g, "_") || "kernel"}.cpp`;
  const linking = request.flags.flatMap((flag) => (flag.startsWith("-Wl,") ? flag.slice(4).split(",") : []));
  const compiling = request.flags.filter((flag) => !flag.startsWith("-Wl,"));
  let log = "";
  const run = (args: readonly string[], input: string, content: string | Uint8Array, output: string) => {
    const result = runTool(clang, args, { [input]: content }, output);
    log += result.log;
    return result.bytes;
  };
  // To read assembly again takes a fifth of the time of a small kernel, so only a request for it makes it.
  const listing = compiling.includes(listingFlag);
  const written = listing ? "kernel.s" : "kernel.o";
  const first = ["clang", "-cc1", "-triple", triple, ...compiling, "-fgnuc-version=4.2.1", "-x", "c++"];
  const compile = listing ? first : [...first, "-emit-obj"];
  const object = run([...compile, "-o", written, name], name, request.source, written);
  if (listing) return { binary: new Uint8Array(), assembly: new TextDecoder().decode(object), log };
  const link = ["wasm-ld", ...linking, "kernel.o", ...(callsOthers(object) ? libraries : [])];
  const binary = run([...link, "-o", "kernel.wasm"], "kernel.o", object, "kernel.wasm");
  return { binary, assembly: "", log };
}

// The C library with its math functions, and what the compiler calls where the machine lacks an operation.
const libraries = ["/usr/lib/wasm32-wasip1/libc.a", "/usr/lib/wasm32-unknown-wasip1/libclang_rt.builtins.a"];

/** True where a kernel calls functions that are not in it: reading the libraries takes the linker as long as all else. */
function callsOthers(object: Uint8Array): boolean {
  const imports = WebAssembly.Module.imports(new WebAssembly.Module(object as Uint8Array<ArrayBuffer>));
  return imports.some(({ kind }) => kind === "function");
}

/** Runs one tool on one file; throws CompileError with what it said. */
function runTool(
  clang: Package,
  args: readonly string[],
  files: Files,
  output: string,
): { bytes: Uint8Array; log: string } {
  const decoder = new TextDecoder();
  let log = "";
  const collect = (bytes: Uint8Array | null) => {
    if (bytes) log += decoder.decode(bytes, { stream: true });
  };
  const options = { stdout: collect, stderr: collect, synchronously: true, decodeASCII: false };
  try {
    const bytes = (clang.runLLVM(args, files, options) as Files)[output];
    if (bytes instanceof Uint8Array) return { bytes, log };
    throw new JitlabError("compiler-failed", `The embedded ${args[0]} wrote no ${output}.`, log);
  } catch (error) {
    if (error instanceof JitlabError) throw error;
    if (!(error instanceof Error) || !("code" in error)) throw error;
    throw new CompileError(`The embedded ${args[0]} refused the kernel (exit status ${error.code}).`, log);
  }
}
