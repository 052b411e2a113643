// The dtypes of a call: from the codes of its operands to what the functor computes in and gives.

import type { DType } from "../base/dtype.js";
import { JitlabError } from "../base/errors.js";
import type { Functor } from "./functor.js";
import { commonDType } from "./operand.js";

/** The dtypes of a call: what the functor computes in and gives; throws `dtype-refused` where it has no meaning. */
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
