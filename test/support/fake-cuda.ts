// Builds libraries that stand in for CUDA's and OpenCL's, of the files beside this one.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { findCompiler } from "../../dist/runtime/device/cpu/toolchain.js";

/** Builds libcuda.so.1 in a folder, for LD_LIBRARY_PATH; `flags` are the compiler's. */
export function buildFakeCuda(folder: string, ...flags: readonly string[]): void {
  build("fake-cuda.c", join(folder, "libcuda.so.1"), flags);
}

/** Builds libnccl.so.2 over it in a folder. */
export function buildFakeNccl(folder: string): void {
  build("fake-nccl.c", join(folder, "libnccl.so.2"), ["-ldl"]);
}

/** Builds libcudnn.so.9 in a folder; returns its path. */
export function buildFakeCudnn(folder: string): string {
  const path = join(folder, "libcudnn.so.9");
  build("fake-cudnn.c", path, []);
  return path;
}

/** Builds libOpenCL.so.1 in a folder. */
export function buildFakeOpenCl(folder: string): void {
  build("fake-opencl.c", join(folder, "libOpenCL.so.1"), []);
}

function build(source: string, output: string, flags: readonly string[]): void {
  const { path, args } = findCompiler();
  const how = ["-x", "c", "-shared", "-fPIC", "-w", "-o", output];
  execFileSync(path, [...args, ...how, join(import.meta.dirname, source), ...flags]);
}
