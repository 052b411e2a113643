import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Collects everything that is unreachable now. */
export function emptyGarbage(): void {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
}
