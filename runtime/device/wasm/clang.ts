// The embedded compiler: clang and wasm-ld as WebAssembly, from the optional package @yowasp/clang. Found without loading
// it, and identified by its version; compiler.ts runs it.

import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { requireFrom } from "../../base/builtins.js";
import { DeviceError } from "../../base/errors.js";
import { libraryFile } from "../../base/files.js";
import type { CompilerSpec, Target } from "../device.js";
import { wasmDialect } from "../dialect.js";
import { maxPages, pageBytes, stackBytes } from "./linear-memory.js";

const packageName = "@yowasp/clang";
/** Clang's name for the machine. */
export const triple = "wasm32-unknown-wasip1";
/** The flag for assembly instead of a module. */
export const listingFlag = "-S";
const contraction = { off: "-ffp-contract=off", on: "-ffp-contract=fast" };

// Threads share the memory; every engine with threads has the other features.
const features = [
  "simd128",
  "atomics",
  "bulk-memory",
  "nontrapping-fptoint",
  "sign-ext",
  "mutable-globals",
].flatMap((feature) => ["-target-feature", `+${feature}`]);

// The compiler is called without its driver, which would need another run. The cpu device's flags (no errno, no exceptions,
// no unwind tables) are the default here.
const flags: readonly string[] = [
  "-O3",
  ...features,
  // The build has assertions, which would verify the code after every pass.
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
  // Every kernel uses the device's single memory. The stack is first, so that a stack overflow traps.
  "-Wl,--import-memory",
  "-Wl,--shared-memory",
  `-Wl,--max-memory=${maxPages * pageBytes}`,
  "-Wl,--stack-first",
  `-Wl,-z,stack-size=${stackBytes}`,
  // The C library was built for one thread, which does not matter for its math functions.
  "-Wl,--no-check-features",
];

const installHelp = `\`npm install ${packageName}\` installs it (100 MB); \`npm ci --include=optional\` if it was left out.`;

/** The target of the embedded compiler; searches for the package when its compiler is first read. */
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
    // Read in place.
    argumentBytes: 2 ** 15,
  };
}

let found: CompilerSpec | undefined;

/** The embedded compiler as plain data; throws DeviceError `no-compiler` if the package is not installed. */
export function compilerSpec(): CompilerSpec {
  if (found) return found;
  let path: string;
  try {
    path = dirname(requireFrom(import.meta.url).resolve(packageName));
  } catch {
    throw new DeviceError("no-compiler", `The package ${packageName} is not installed.`, installHelp);
  }
  const { version } = JSON.parse(readFileSync(join(path, "../package.json"), "utf8")) as {
    version: string;
  };
  // Its version determines its output, so a cache can move to another machine.
  found = {
    name: "clang-wasm",
    module: libraryFile("device/wasm/compiler.js").href,
    path,
    identity: `${packageName} ${version}`,
    textsAtOnce: 1,
    further: "threads",
  };
  return found;
}
