// What computes a value again must not share a kernel with what computed it first, or both are in memory at once: such operations
// come behind the values that they are computed again for.
import { atInterruption } from "../../base/interruption.js";
import type { View } from "../../geometry/view.js";
import { type Value, valueIn } from "./ir.js";

let behind: readonly Value[] | undefined;
atInterruption(() => {
  behind = undefined;
});

/** The values that an operation deferred now comes behind; undefined for none. */
export function valuesBefore(): readonly Value[] | undefined {
  return behind;
}

/** Runs a function whose operations, where they are deferred, come behind the elements of other tensors. */
export function computedBehind<T>(others: readonly View[], run: () => T): T {
  const before = behind;
  behind = others.flatMap(({ storage }) => (storage ? [valueIn(storage)] : []));
  try {
    return run();
  } finally {
    behind = before;
  }
}
