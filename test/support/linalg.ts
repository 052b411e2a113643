// Both ways in which jl.linalg computes, on the reference device: scalar code, and the host's LAPACK.
import { openLapack } from "../../dist/runtime/device/cpu/lapack.js";
import type { Device } from "../../dist/runtime/device/device.js";
import type * as jl from "../../dist/runtime/index.js";
import { getDevice } from "../../dist/runtime/launch/devices.js";
import { type Written, writtenData } from "./written.js";

/** One dtype's inputs, and calls with their results by name. */
export interface Table {
  readonly dtype: jl.DTypeName;
  readonly inputs: Readonly<Record<string, Written>>;
  readonly cases: readonly {
    readonly name: string;
    readonly inputs: readonly string[];
    readonly more: string;
    readonly results: Readonly<Record<string, Written>>;
  }[];
}

/** PyTorch's results. */
export const golden = writtenData<{ readonly tables: readonly Table[] }>("linalg.json.gz");

/** Makes the default device compute with the host's LAPACK, or by scalar code; false without a LAPACK. */
export function computeBy(way: "scalar code" | "LAPACK"): boolean {
  const device = getDevice() as { -readonly [K in keyof Device]: Device[K] };
  const library = way === "LAPACK" ? openLapack() : undefined;
  const isOnHost = device.addressOf !== undefined;
  // A device with memory of its own finds the host's LAPACK itself.
  if (isOnHost || library === undefined) device.matrices = () => library;
  else delete device.matrices;
  return way === "scalar code" || library !== undefined;
}

/** The largest absolute value of a tensor; 0 of an empty one. */
export function largest(x: jl.Tensor): number {
  return x.size === 0 ? 0 : Number(x.abs().amax().item());
}
