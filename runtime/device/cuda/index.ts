// NVIDIA's GPUs as a family of devices.
import { DeviceError, JitlabError } from "../../base/errors.js";
import type { DeviceFamily, Probe, Target } from "../device.js";
import { CudaDevice } from "./device.js";
import { architectureOf, driverMajor, nameOf } from "./device-properties.js";
import { check, driver, type Out } from "./driver.js";
import { findCublas, findCublasLt, findCudnn, findCufft, findCusolver } from "./library-search.js";
import { cudaTarget, nvrtcMismatch, probeNvrtc } from "./nvrtc.js";
import { canAccess } from "./peer-access.js";

// The architecture for showing code without a GPU.
const commonArchitecture = "sm_90";

/** The family of NVIDIA's GPUs. */
export const cudaFamily: DeviceFamily = {
  kind: "cuda",
  probe,
  warmsUp: true,
  sharesMemory: false,
  architectures: /^(sm|compute)_/,
  productLibrary: () =>
    findCublasLt()?.path ??
    missing(
      "cuBLASLt, NVIDIA's matrix product library (libcublasLt.so)",
      "compiled kernels multiply",
      "nvidia-cublas",
    ),
  matrixLibrary: () =>
    (findCublas() && findCusolver()?.path) ??
    missing(
      "cuSOLVER, NVIDIA's library of matrix factorizations (libcusolver.so, which needs libcublas.so)",
      "jl.linalg copies matrices to the host",
      "nvidia-cusolver nvidia-cublas",
    ),
  transformLibrary: () =>
    findCufft()?.path ??
    missing(
      "cuFFT, NVIDIA's library of Fourier transforms (libcufft.so)",
      "jl.fft runs compiled kernels",
      "nvidia-cufft",
    ),
  convolutionLibrary: () =>
    findCudnn()?.path ??
    missing(
      "cuDNN, NVIDIA's library of convolutions (libcudnn.so.9)",
      "convolutions are products of copied windows",
      "nvidia-cudnn-cu13",
    ),
  open: (index, services) => {
    const count = deviceCount();
    if (index < count) return new CudaDevice(index, services);
    throw new DeviceError(
      "no-device",
      `There is no device cuda:${index}: the driver shows ${count === 0 ? "no GPU" : `${count}`}.`,
      count === 0 ? "Check CUDA_VISIBLE_DEVICES and `nvidia-smi`." : `The last one is cuda:${count - 1}.`,
    );
  },
  target: (arch) => targetOf(arch ?? presentArchitecture() ?? commonArchitecture),
};

function missing(library: string, otherwise: string, wheels: string): never {
  throw new DeviceError(
    "no-library",
    `${library}, was not found: ${otherwise}, more slowly.`,
    `Install it with \`pip install ${wheels}\`, or install the CUDA toolkit.`,
  );
}

// Searching NVRTC takes milliseconds, for each of many kernels.
const targets = new Map<string, Target>();

function targetOf(arch: string): Target {
  const target = targets.get(arch) ?? cudaTarget(arch);
  targets.set(arch, target);
  return target;
}

function probe(): Probe {
  try {
    const count = deviceCount();
    const devices = Array.from({ length: count }, (_, index) => {
      const device: Out = [0];
      check("cuDeviceGet", driver().cuDeviceGet(device, index));
      const facts = [
        ...[nameOf(device[0]), architectureOf(device[0]), linksOf(device[0], count)],
        nvrtcMismatch(driverMajor()),
      ];
      return { name: `cuda:${index}`, description: facts.filter((fact) => fact !== "").join(", ") };
    });
    if (devices.length === 0) {
      return { devices, reason: "The driver shows no GPU. Check CUDA_VISIBLE_DEVICES and `nvidia-smi`." };
    }
    const { reason } = probeNvrtc();
    return reason === "" ? { devices, reason } : { devices: [], reason };
  } catch (error) {
    if (error instanceof JitlabError) return { devices: [], reason: error.message.replace("\n", " ") };
    throw error;
  }
}

/** The GPUs whose memory one reaches over a link, in words; empty for none. Ordinals are CUdevices. */
function linksOf(device: number, count: number): string {
  const peers = Array.from({ length: count }, (_, peer) => peer).filter((peer) => peer !== device);
  const linked = peers.filter((peer) => canAccess(driver(), device, peer));
  return linked.length === 0 ? "" : `linked to ${linked.map((peer) => `cuda:${peer}`).join(" ")}`;
}

function deviceCount(): number {
  const count: Out = [0];
  check("cuDeviceGetCount", driver().cuDeviceGetCount(count));
  return count[0];
}

function presentArchitecture(): string | undefined {
  try {
    if (deviceCount() === 0) return undefined;
    const device: Out = [0];
    check("cuDeviceGet", driver().cuDeviceGet(device, 0));
    return architectureOf(device[0]);
  } catch {
    return undefined;
  }
}
