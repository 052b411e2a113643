// The ways in which jl.linalg computes: scalar code, the host's LAPACK, and a GPU's library.
import { openLapack } from "../../dist/runtime/device/cpu/lapack.js";
import type { Device } from "../../dist/runtime/device/device.js";
import type { MatrixForm } from "../../dist/runtime/device/matrix-library.js";
import type * as jl from "../../dist/runtime/index.js";
import { getDevice } from "../../dist/runtime/launch/devices.js";
import { hostCode } from "../../dist/runtime/linalg/host-code.js";
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

/** A way of computing: by a GPU's own library, by the host's LAPACK, or by scalar code on the host. */
export type Way = "cuSOLVER" | "LAPACK" | "scalar code";

/** The ways that the default device has here. */
export function ways(): Way[] {
  if (getDevice().target.kind === "cuda") return ["cuSOLVER", "scalar code"];
  return openLapack() ? ["LAPACK", "scalar code"] : ["scalar code"];
}

/** Makes the default device compute in one of its ways. */
export function computeBy(way: Way): void {
  const device = getDevice() as { -readonly [K in keyof Device]: Device[K] };
  const isOnHost = device.addressOf !== undefined;
  if (way === "scalar code" && !isOnHost) {
    // A device with memory of its own has no library; the host would find its LAPACK.
    const load = (form: MatrixForm) => hostCode(device, form, undefined);
    device.matrices = () => ({ name: way, path: "", load });
  } else if (isOnHost) {
    device.matrices = () => (way === "LAPACK" ? openLapack() : undefined);
  } else {
    delete device.matrices;
  }
}

/** The largest absolute value of a tensor; 0 of an empty one. */
export function largest(x: jl.Tensor): number {
  return x.size === 0 ? 0 : Number(x.abs().amax().item());
}
