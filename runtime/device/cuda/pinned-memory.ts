// Memory of the host that the device reaches, too.
import { ffi } from "../ffi.js";
import { check, type Driver, type Out } from "./driver.js";

// cuda.h: CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP. In 64 bits the address is the same for host and device.
const mappedFlags = 3;

/** Pinned memory, at one address for the host and the device. */
export interface PinnedMemory {
  readonly pointer: number;
  readonly bytes: Uint8Array;
}

/** Zeroed memory of the current context, which is never freed. */
export function pinnedMemory(cuda: Driver, size: number): PinnedMemory {
  const pointer: Out = [0];
  check("cuMemHostAlloc", cuda.cuMemHostAlloc(pointer, size, mappedFlags));
  const bytes = new Uint8Array(ffi().view(pointer[0], size));
  bytes.fill(0);
  return { pointer: pointer[0], bytes };
}
