// The effects of `exact: false`: results inside a kernel are not rounded to half types, and simple arithmetic may be
// contracted, which rounds a*b + c once.

import { type DType, dtypes } from "../../base/dtype.js";
import type { Composition, Step } from "./composition.js";

/** The composition with unstored results in the dtype in which halves are computed. */
export function relaxed(composition: Composition): Composition {
  const outputs = new Set(composition.outputs.map(({ step, output }) => `${step}.${output}`));
  const widened = (dtype: DType, name: string): DType =>
    dtype.kind === "float" && dtype.bytes === 2 && !outputs.has(name) ? dtypes[dtype.compute] : dtype;
  const steps = composition.steps.map(
    (step, i): Step => ({
      ...step,
      stored: step.stored.map((dtype, output) => widened(dtype, `${i}.${output}`)),
    }),
  );
  return { ...composition, steps };
}

/** True if contraction affects only sums of products: a long function may depend on each rounding. */
export function mayContract({ steps }: Composition): boolean {
  return steps.every(
    ({ functor, compute }) =>
      functor.needs(compute).length === 0 && !functor.plain?.(compute) && functor.heavy?.(compute) !== true,
  );
}

/** The comment lines at the start of a kernel's text. */
export function relaxationText(contracts: boolean): string[] {
  return [
    `// exact: false. Results that are not stored are not rounded to half types${contracts ? "; a*b + c may be rounded once" : ""}.`,
  ];
}
