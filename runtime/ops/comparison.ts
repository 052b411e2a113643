// Comparisons: bool tensors from operands of one common dtype. Complex numbers have no order.
import { binary, type Op } from "./op.js";
import { byKind } from "./reference/scalar.js";

const exact = { float32: 0, float64: 0 } as const;

/** Whether numbers differ by at most a fraction of the second plus a constant; infinities are close only to themselves. */
const closeness = (rtol: number, atol: number, equalNan: boolean) => {
  const within = (distance: number, size: number) => Number.isFinite(size) && distance <= atol + rtol * size;
  return byKind({
    real: (a, b) =>
      a === b || within(Math.abs(a - b), Math.abs(b)) || (equalNan && Number.isNaN(a) && Number.isNaN(b)),
    complex: (a, b) =>
      (a.re === b.re && a.im === b.im) ||
      within(Math.hypot(a.re - b.re, a.im - b.im), Math.hypot(b.re, b.im)) ||
      (equalNan && Number.isNaN(a.re + a.im) && Number.isNaN(b.re + b.im)),
  });
};

export const comparison = {
  eq: binary({
    rule: "toBool",
    functor: "a == b",
    reference: byKind({
      integer: (a, b) => a === b,
      real: (a, b) => a === b,
      complex: (a, b) => a.re === b.re && a.im === b.im,
    }),
    domain: [-10, 10],
    ulp: exact,
    doc: "True where a equals b.",
    numpy: "np.equal",
    example: "jl.eq(jl.tensor([1, 2, 3]), 2) // [false, true, false]",
    operator: "==",
    commutative: true,
  }),
  ne: binary({
    rule: "toBool",
    functor: "a != b",
    reference: byKind({
      integer: (a, b) => a !== b,
      real: (a, b) => a !== b,
      complex: (a, b) => a.re !== b.re || a.im !== b.im,
    }),
    domain: [-10, 10],
    ulp: exact,
    doc: "True where a differs from b.",
    numpy: "np.not_equal",
    aliases: ["notEqual"],
    example: "jl.ne(jl.tensor([1, 2, 3]), 2) // [true, false, true]",
    operator: "!=",
    commutative: true,
  }),
  lt: binary({
    rule: "orderedToBool",
    functor: "a < b",
    reference: byKind({ integer: (a, b) => a < b, real: (a, b) => a < b }),
    domain: [-10, 10],
    ulp: exact,
    doc: "True where a is less than b.",
    numpy: "np.less",
    aliases: ["less"],
    example: "jl.lt(jl.tensor([1, 2, 3]), 2) // [true, false, false]",
    operator: "<",
  }),
  le: binary({
    rule: "orderedToBool",
    functor: "a <= b",
    reference: byKind({ integer: (a, b) => a <= b, real: (a, b) => a <= b }),
    domain: [-10, 10],
    ulp: exact,
    doc: "True where a is less than or equal to b.",
    numpy: "np.less_equal",
    aliases: ["lessEqual"],
    example: "jl.le(jl.tensor([1, 2, 3]), 2) // [true, true, false]",
    operator: "<=",
  }),
  gt: binary({
    rule: "orderedToBool",
    functor: "a > b",
    reference: byKind({ integer: (a, b) => a > b, real: (a, b) => a > b }),
    domain: [-10, 10],
    ulp: exact,
    doc: "True where a is greater than b.",
    numpy: "np.greater",
    aliases: ["greater"],
    example: "jl.gt(jl.tensor([1, 2, 3]), 2) // [false, false, true]",
    operator: ">",
  }),
  ge: binary({
    rule: "orderedToBool",
    functor: "a >= b",
    reference: byKind({ integer: (a, b) => a >= b, real: (a, b) => a >= b }),
    domain: [-10, 10],
    ulp: exact,
    doc: "True where a is greater than or equal to b.",
    numpy: "np.greater_equal",
    aliases: ["greaterEqual"],
    example: "jl.ge(jl.tensor([1, 2, 3]), 2) // [false, true, true]",
    operator: ">=",
  }),
  isclose: binary({
    rule: "floatsToBool",
    functor: "jl::isclose(a, b, 1e-5f, 1e-8f)",
    overrides: { float64: "jl::isclose(a, b, 1e-5, 1e-8)", complex128: "jl::isclose(a, b, 1e-5, 1e-8)" },
    needs: ["isclose"],
    reference: closeness(1e-5, 1e-8, false),
    domain: [-10, 10],
    ulp: exact,
    doc: "True where a and b differ by at most 1e-8 + 1e-5 |b|.",
    numpy: "np.isclose",
    example: "jl.isclose(jl.tensor([1, 2]), jl.tensor([1.000001, 2.1])) // [true, false]",
    options: {
      rtol: { default: 1e-5, doc: "The tolerance as a fraction of b." },
      atol: { default: 1e-8, doc: "The tolerance that does not depend on b." },
      equalNan: { default: false, doc: "Whether two NaN are close." },
    },
    form: {
      functor: "jl::isclose(a, b, rtol, atol) || (equalNan && a != a && b != b)",
      overrides: { complex: "jl::isclose(a, b, rtol.re, atol.re) || (equalNan && a != a && b != b)" },
      needs: ["isclose"],
      parameters: { rtol: "T", atol: "T", equalNan: "bool" },
      reference: ({ rtol, atol, equalNan }) => closeness(rtol, atol, equalNan),
    },
  }),
} as const satisfies Record<string, Op>;
