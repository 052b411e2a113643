// Comparisons: bool tensors from operands of one common dtype. Complex numbers are only equal or not.
import { binary, type Op } from "./op.js";
import { byKind } from "./reference/scalar.js";

const exact = { float32: 0, float64: 0 } as const;

export const comparison = {
  /** True where a equals b. */
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
    example: "jl.eq(jl.tensor([1, 2, 3]), 2)",
    operator: "==",
    commutative: true,
  }),
  /** True where a differs from b. */
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
    example: "jl.ne(jl.tensor([1, 2, 3]), 2)",
    operator: "!=",
    commutative: true,
  }),
  /** True where a is less than b. */
  lt: binary({
    rule: "orderedToBool",
    functor: "a < b",
    reference: byKind({ integer: (a, b) => a < b, real: (a, b) => a < b }),
    domain: [-10, 10],
    ulp: exact,
    doc: "True where a is less than b.",
    numpy: "np.less",
    example: "jl.lt(jl.tensor([1, 2, 3]), 2)",
    operator: "<",
  }),
  /** True where a is less than or equal to b. */
  le: binary({
    rule: "orderedToBool",
    functor: "a <= b",
    reference: byKind({ integer: (a, b) => a <= b, real: (a, b) => a <= b }),
    domain: [-10, 10],
    ulp: exact,
    doc: "True where a is less than or equal to b.",
    numpy: "np.less_equal",
    example: "jl.le(jl.tensor([1, 2, 3]), 2)",
    operator: "<=",
  }),
  /** True where a is greater than b. */
  gt: binary({
    rule: "orderedToBool",
    functor: "a > b",
    reference: byKind({ integer: (a, b) => a > b, real: (a, b) => a > b }),
    domain: [-10, 10],
    ulp: exact,
    doc: "True where a is greater than b.",
    numpy: "np.greater",
    example: "jl.gt(jl.tensor([1, 2, 3]), 2)",
    operator: ">",
  }),
  /** True where a is greater than or equal to b. */
  ge: binary({
    rule: "orderedToBool",
    functor: "a >= b",
    reference: byKind({ integer: (a, b) => a >= b, real: (a, b) => a >= b }),
    domain: [-10, 10],
    ulp: exact,
    doc: "True where a is greater than or equal to b.",
    numpy: "np.greater_equal",
    example: "jl.ge(jl.tensor([1, 2, 3]), 2)",
    operator: ">=",
  }),
  /** True where a and b differ by at most 1e-8 + 1e-5 |b|. */
  isclose: binary({
    rule: "toBool",
    functor: "a == b",
    overrides: {
      float: "jl::isclose(a, b)",
      complex: "jl::isclose(a, b)",
    },
    needsFor: { float: ["isclose"], complex: ["isclose"] },
    reference: byKind({
      integer: (a, b) => a === b,
      real: (a, b) => a === b || Math.abs(a - b) <= 1e-8 + 1e-5 * Math.abs(b),
      complex: (a, b) => Math.hypot(a.re - b.re, a.im - b.im) <= 1e-8 + 1e-5 * Math.hypot(b.re, b.im),
    }),
    domain: [-10, 10],
    ulp: exact,
    doc: "True where a and b differ by at most 1e-8 + 1e-5 |b|.",
    numpy: "np.isclose",
    example: "jl.isclose(jl.tensor([1, 2]), jl.tensor([1.000001, 2.1]))",
  }),
} as const satisfies Record<string, Op>;
