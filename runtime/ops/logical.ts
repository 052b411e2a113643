// Logic on truth values: an element is true where it is not zero.
import { type Op, unary } from "./op.js";
import { byKind } from "./reference/scalar.js";

const exact = { float32: 0, float64: 0 } as const;

export const logical = {
  /** True where a is zero. */
  logicalNot: unary({
    rule: "toBool",
    functor: "a == T(0)",
    reference: byKind({ real: (a) => a === 0, complex: (a) => a.re === 0 && a.im === 0 }),
    domain: [-2, 2],
    ulp: exact,
    doc: "True where a is zero.",
    numpy: "np.logical_not",
    example: "jl.logicalNot(jl.tensor([0, 1, 2]))",
  }),
} as const satisfies Record<string, Op>;
