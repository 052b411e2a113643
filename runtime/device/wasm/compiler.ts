// Runs the embedded compiler in the compile service's worker: clang and wasm-ld, one program in the package.
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { parseTar } from "nanotar";
import { CompileError, JitlabError } from "../../base/errors.js";
import type { CompileOutput, CompileRequest, Compiler, CompilerSpec } from "../device.js";
import { listingFlag, triple } from "./clang.js";
import { trapMessage } from "./code.js";
import { type Files, type Run, runCommand } from "./command.js";

// In the package's folder.
const programFile = "llvm.core.wasm";
const librariesFile = "llvm-resources.tar";
// The C library with its math functions, and the compiler's runtime library.
const libraries = ["lib/wasm32-wasip1/libc.a", "lib/wasm32-unknown-wasip1/libclang_rt.builtins.a"];
const linkedFlag = "-Wl,";

/** The compiler behind a spec of `wasmTarget`. */
export function createCompiler(spec: CompilerSpec): Compiler {
  const compiler = new EmbeddedCompiler(spec.path);
  return { compile: (request) => compiler.compile(request) };
}

class EmbeddedCompiler {
  readonly #program: WebAssembly.Module;
  #libraries: Files | undefined;

  constructor(readonly folder: string) {
    const { setFlagsFromString } = process.getBuiltinModule("node:v8");
    // V8 optimizes the compiler's hot functions in threads. Several of them compete with the compiler for the processor and
    // double the time of its first kernels.
    setFlagsFromString(`--wasm-num-compilation-tasks=${Math.max(1, Math.floor(availableParallelism() / 2))}`);
    // V8 validates a function of the compiler when it first runs; most never run.
    setFlagsFromString("--wasm-lazy-validation");
    try {
      this.#program = new WebAssembly.Module(readFileSync(join(folder, programFile)));
    } finally {
      setFlagsFromString("--no-wasm-lazy-validation");
    }
  }

  compile(request: CompileRequest): CompileOutput {
    const name = `${request.name.replace(/[^\w.-]+/g, "_") || "kernel"}.cpp`;
    const linking = request.flags.filter((flag) => flag.startsWith(linkedFlag));
    const compiling = request.flags.filter((flag) => !flag.startsWith(linkedFlag));
    // Making assembly adds a fifth to a small kernel's time, so it is made only on request.
    const listing = compiling.includes(listingFlag);
    const form = listing ? [] : ["-emit-obj"];
    const first = ["clang", "-cc1", "-triple", triple, ...compiling, "-fgnuc-version=4.2.1", "-x", "c++"];
    const source = { [name]: new TextEncoder().encode(request.source) };
    const compiled = this.#run([...first, ...form, "-o", "out", name], source);
    if (listing) {
      return {
        binary: new Uint8Array(),
        assembly: new TextDecoder().decode(compiled.output),
        log: compiled.log,
      };
    }
    const objects = {
      "kernel.o": compiled.output,
      ...(callsOthers(compiled.output) ? this.#archives() : {}),
    };
    const options = linking.flatMap((flag) => flag.slice(linkedFlag.length).split(","));
    const linked = this.#run(["wasm-ld", ...options, ...Object.keys(objects), "-o", "out"], objects);
    return { binary: linked.output, assembly: "", log: compiled.log + linked.log };
  }

  /** Runs one tool, which writes the file `out`; throws CompileError with its output. */
  #run(args: readonly string[], files: Files): { readonly output: Uint8Array; readonly log: string } {
    const { status, log, files: left } = this.#start(args, files);
    if (status !== 0) {
      throw new CompileError(`The embedded ${args[0]} rejected the kernel (exit status ${status}).`, log);
    }
    if (left.out) return { output: left.out, log };
    throw new JitlabError("compiler-failed", `The embedded ${args[0]} wrote no output.`, log);
  }

  #start(args: readonly string[], files: Files): Run {
    try {
      return runCommand(this.#program, ["llvm", ...args], files);
    } catch (error) {
      throw new CompileError(`The embedded ${args[0]} crashed on the kernel: ${trapMessage(error)}.`, "");
    }
  }

  /** The libraries, read when a kernel first needs one. */
  #archives(): Files {
    this.#libraries ??= Object.fromEntries(
      parseTar(readFileSync(join(this.folder, librariesFile)), {
        filter: ({ name }) => libraries.includes(name),
      }).map(({ name, data }) => [name.replaceAll("/", "_"), data ?? new Uint8Array()]),
    );
    return this.#libraries;
  }
}

/** True if a kernel calls external functions: reading the libraries takes the linker as long as everything else. */
function callsOthers(object: Uint8Array): boolean {
  const imports = WebAssembly.Module.imports(new WebAssembly.Module(object as Uint8Array<ArrayBuffer>));
  return imports.some(({ kind }) => kind === "function");
}
