// How much a tape defers before it computes: a function that defers without end is computed in parts.
import { liveBytes } from "../../device/memory.js";

const mostDeferred = 2 ** 14;
const mostBytes = 2 ** 30;

/** The limit of a part: so many operations, or so many bytes of inputs allocated since it began. */
export class PartLimit {
  readonly #bytesBefore = liveBytes();

  /** True if no more than these operations may be deferred. */
  isReached(operations: number): boolean {
    if (operations >= mostDeferred) return true;
    // Every sixteenth time, because it counts the memory of all devices.
    return operations % 16 === 15 && liveBytes() - this.#bytesBefore >= mostBytes;
  }
}
