// Where jitlab differs from PyTorch on purpose, each with its reason. The golden test reads this list.
import type { DTypeName } from "../../runtime/dtype.js";
import type { Scalar } from "../../runtime/ops/op.js";

/** A set of arguments for which another value than PyTorch's is right. */
export interface Deviation {
  readonly op: string;
  readonly reason: string;
  readonly applies: (args: readonly Scalar[], got: Scalar, want: Scalar) => boolean;
}

export const deviations: readonly Deviation[] = [
  {
    op: "trigamma",
    reason: "a pole is infinite; PyTorch's reflection formula divides by a rounded sine there",
    applies: ([x], got) => Number(x) <= 0 && Number.isInteger(Number(x)) && got === Number.POSITIVE_INFINITY,
  },
];

const halves = new Set<DTypeName>(["float16", "bfloat16"]);
/** Functions that PyTorch's CPU leaves out for half types; here they compute in float32. */
const halfToo = new Set([
  "erfcx", "ndtri", "logNdtr", "besselJ0", "besselJ1", "besselY0", "besselY1", "airyAi", "sphericalBesselJ0",
  "modifiedBesselK0", "modifiedBesselK1", "zeta",
]);

/** True where jitlab accepts dtypes that PyTorch refuses, because the meaning is obvious. */
export function extensions(op: string, names: readonly DTypeName[]): boolean {
  if (halfToo.has(op)) return names.some((name) => halves.has(name)) && !names.some((n) => n.startsWith("complex"));
  if (op === "heaviside") return !names.some((name) => name.startsWith("complex"));
  return (op === "softsign" || op === "tanhshrink") && names.includes("bool");
}
