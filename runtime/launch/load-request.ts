// What a kernel is loaded from: its text, and how launches divide its elements.
import type { Division } from "../codegen/division.js";
import type { KernelRequest } from "./obtain.js";

/** A rendered kernel that is to be loaded. */
export interface LoadRequest extends KernelRequest {
  readonly division: Division;
  /** The size of its argument block, or how the kernel's assembly tells it. */
  readonly argumentBytes: number | ((assembly: string) => number);
  /** Tells kernels apart that share their code but not what they keep on the device. */
  readonly instance?: number;
  /** The variables of its code that were set, by name; later ones are added. */
  readonly constants?: ReadonlyMap<string, Uint8Array>;
}
