// The dtypes of a call: from the codes of its operands to the compute and result dtypes.

import type { DType } from "../base/dtype.js";
import { JitlabError } from "../base/errors.js";
import type { Functor } from "./functor.js";
import { commonDType } from "./operand.js";

/** The compute and result dtypes of a call; throws `dtype-refused` for an unsupported dtype. */
export function resolveDTypes(
  functor: Functor,
  codes: readonly number[],
  forced?: DType,
): { compute: DType; outputs: readonly DType[] } {
  const common = forced ?? commonDType(codes.filter((_, i) => (functor.inputs[i] ?? "T") === "T"));
  const resolution = functor.resolve(common);
  if ("refuse" in resolution) {
    throw new JitlabError(
      "dtype-refused",
      `${functor.name} does not take ${common.name}: ${resolution.refuse}.`,
    );
  }
  return resolution;
}
