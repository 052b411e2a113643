// Searches CUDA's libraries in the toolkit, the loader's folders, and Python wheels.
import { realpathSync } from "node:fs";
import { join } from "node:path";
import { env } from "../../base/env.js";
import { entries, loaderFolders, pythonPackages } from "../library-folders.js";

/** A found CUDA library. */
export interface FoundLibrary {
  readonly path: string;
  /** The major version from its file name. */
  readonly major: number;
}

/** The newest libnvrtc whose major version is at most `limit` (the driver's), in the first kind of location that has one. */
export function findNvrtc(limit?: number): FoundLibrary | undefined {
  return findLibrary("nvrtc", "cuda_nvrtc", limit);
}

/** The same for libcublasLt. */
export function findCublasLt(limit?: number): FoundLibrary | undefined {
  return findLibrary("cublasLt", "cublas", limit);
}

/** The same for libcublas, whose version is CUDA's. */
export function findCublas(limit?: number): FoundLibrary | undefined {
  return findLibrary("cublas", "cublas", limit);
}

/** The same for libcusolver and libcufft, whose versions are CUDA's less one; `limit` is of CUDA. */
export function findCusolver(limit = Number.POSITIVE_INFINITY): FoundLibrary | undefined {
  return findLibrary("cusolver", "cusolver", limit - 1);
}

/** @see findCusolver */
export function findCufft(limit = Number.POSITIVE_INFINITY): FoundLibrary | undefined {
  return findLibrary("cufft", "cufft", limit - 1);
}

/** The same for libcudnn, which has its own versions: up to 9, whose functions for one convolution this calls. */
export function findCudnn(): FoundLibrary | undefined {
  return findLibrary("cudnn", "cudnn", 9);
}

/** The same for libnccl, which has its own versions: 2, whose functions this calls. JITLAB_NCCL names another file. */
export function findNccl(): FoundLibrary | undefined {
  const chosen = env("nccl");
  return chosen === undefined ? findLibrary("nccl", "nccl", 2) : { path: chosen, major: 2 };
}

function findLibrary(
  name: string,
  wheel: string,
  limit = Number.POSITIVE_INFINITY,
): FoundLibrary | undefined {
  for (const folders of [toolkitHome(), toolkits(), loaderFolders(), wheels(wheel)]) {
    const found = folders.flatMap((folder) => librariesIn(folder, name));
    const newest = found.filter(({ major }) => major <= limit).sort((a, b) => b.major - a.major)[0];
    if (newest) return newest;
  }
  return undefined;
}

function librariesIn(folder: string, library: string): FoundLibrary[] {
  const pattern = new RegExp(`^lib${library}\\.so\\.(\\d+)$`);
  return entries(folder).flatMap((name) => {
    const match = pattern.exec(name);
    return match ? [{ path: realpathSync(join(folder, name)), major: Number(match[1]) }] : [];
  });
}

function libraryFolders(root: string): string[] {
  const machine = process.arch === "arm64" ? "sbsa-linux" : "x86_64-linux";
  return [join(root, "lib64"), join(root, "targets", machine, "lib"), join(root, "lib")];
}

function toolkitHome(): string[] {
  const home = env("cudaHome");
  return home === undefined ? [] : libraryFolders(home);
}

function toolkits(): string[] {
  const versions = entries("/usr/local").filter((name) => /^cuda(-[\d.]+)?$/.test(name));
  return versions.flatMap((name) => libraryFolders(join("/usr/local", name)));
}

/** Folders of NVIDIA's Python wheels. */
export function wheels(wheel = "cuda_nvrtc"): string[] {
  return pythonPackages()
    .map((folder) => join(folder, "nvidia"))
    .flatMap((nvidia) => [...cudaWheels(nvidia), join(nvidia, wheel, "lib")]);
}

/** From CUDA 13 on, one folder holds the libraries of a major version: nvidia/cu13/lib. */
function cudaWheels(nvidia: string): string[] {
  return entries(nvidia)
    .filter((name) => /^cu\d+$/.test(name))
    .map((name) => join(nvidia, name, "lib"));
}
