// Builds the libcuda of fake-cuda.c.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { findCompiler } from "../../dist/runtime/device/cpu/toolchain.js";

/** Builds libcuda.so.1 in a folder, for LD_LIBRARY_PATH; `flags` are the compiler's. */
export function buildFakeCuda(folder: string, ...flags: readonly string[]): void {
  const { path, args } = findCompiler();
  const output = ["-x", "c", "-shared", "-fPIC", "-w", "-o", join(folder, "libcuda.so.1")];
  execFileSync(path, [...args, ...output, ...flags, join(import.meta.dirname, "fake-cuda.c")]);
}
