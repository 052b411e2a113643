// The most bytes of arguments that a launch takes. CUDA 12.1 raised it, for the driver and for NVRTC.
import { dirname } from "node:path";
import { entries } from "../library-folders.js";

const everywhere = 4096;
const raised = 32764;
const since = 12010;

/** For an architecture, a driver of a CUDA version as `cuDriverGetVersion` gives it, and the path of NVRTC. */
export function argumentBytes(arch: string, driver: number, nvrtc: () => string): number {
  const isNew = Number.parseInt(arch.slice("sm_".length), 10) >= 70 && driver >= since;
  return isNew && versionOf(nvrtc()) >= since ? raised : everywhere;
}

/** The CUDA version of an NVRTC, from the name of the library beside it: its own may have the major version alone. */
function versionOf(nvrtc: string): number {
  for (const name of entries(dirname(nvrtc))) {
    const [, major, minor] = /^libnvrtc-builtins\.so\.(\d+)\.(\d+)/.exec(name) ?? [];
    if (major !== undefined) return Number(major) * 1000 + Number(minor) * 10;
  }
  return 0;
}
