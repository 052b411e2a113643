// The embedded compiler: clang and wasm-ld, themselves WebAssembly, from the optional package @yowasp/clang. Found without
// loading it, and identified by its version; compiler.ts runs it.

import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { requireFrom } from "../../base/builtins.js";
import { DeviceError } from "../../base/errors.js";
import { libraryFile } from "../../base/files.js";
import type { CompilerSpec, Target } from "../device.js";
import { wasmDialect } from "../dialect.js";
import { maxPages, pageBytes, stackBytes } from "./linear-memory.js";

const packageName = "@yowasp/clang";
/** What clang calls the machine. */
export const triple = "wasm32-unknown-wasip1";
/** Asks for assembly in the place of a module. */
export const listingFlag = "-S";
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
    path = dirname(requireFrom(import.meta.url).resolve(packageName));
  } catch {
    throw new DeviceError("no-compiler", `The package ${packageName} is not installed.`, installHelp);
  }
  const { version } = JSON.parse(readFileSync(join(path, "../package.json"), "utf8")) as {
    version: string;
  };
  // Its version alone decides what it makes, so that a cache can move to another machine.
  found = {
    name: "clang-wasm",
    module: libraryFile("device/wasm/compiler.js").href,
    path,
    identity: `${packageName} ${version}`,
  };
  return found;
}
