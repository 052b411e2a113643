// The larger and the smaller of two values, with both conventions for NaN.
import { binary, type Op } from "./op.js";
import { byKind } from "./reference/scalar.js";

const exact = { float32: 0, float64: 0 } as const;

type Order = (a: number | bigint, b: number | bigint) => boolean;
/** The argument that is first in an order; a NaN in `a` (or `b`) selects `a`. */
const choose = (first: Order, nan: "a" | "b") =>
  byKind({
    integer: (a, b) => (first(a, b) ? a : b),
    real: (a, b) => (Number.isNaN(nan === "a" ? a : b) || first(a, b) ? a : b),
  });
const above: Order = (a, b) => a > b;
const below: Order = (a, b) => a < b;

const maximum = {
  rule: "ordered",
  functor: "a > b ? a : b",
  overrides: { float: "isnan(a) || a > b ? a : b" },
  slopes: {
    a: { select: "a == b ? g / 2 : a < b ? 0 : g" },
    b: { select: "a == b ? g / 2 : a > b ? 0 : g" },
  },
  reference: choose(above, "a"),
  domain: [-10, 10],
  ulp: exact,
} as const;
const minimum = {
  rule: "ordered",
  functor: "a < b ? a : b",
  overrides: { float: "isnan(a) || a < b ? a : b" },
  slopes: {
    a: { select: "a == b ? g / 2 : a > b ? 0 : g" },
    b: { select: "a == b ? g / 2 : a < b ? 0 : g" },
  },
  reference: choose(below, "a"),
  domain: [-10, 10],
  ulp: exact,
} as const;

export const extremes = {
  maximum: binary({
    ...maximum,
    doc: "The larger of a and b; NaN where either is NaN.",
    numpy: "np.maximum",
    example: "jl.maximum(jl.tensor([1, 5, 3]), 2) // [2, 5, 3]",
    commutative: true,
  }),
  minimum: binary({
    ...minimum,
    doc: "The smaller of a and b; NaN where either is NaN.",
    numpy: "np.minimum",
    example: "jl.minimum(jl.tensor([1, 5, 3]), 2) // [1, 2, 2]",
    commutative: true,
  }),
  fmax: binary({
    rule: "ordered",
    functor: "a > b ? a : b",
    overrides: { float: "isnan(b) || a > b ? a : b" },
    slopes: { a: { select: "(a >= b) | isnan(b) ? g : 0" }, b: { select: "(a >= b) | isnan(b) ? 0 : g" } },
    reference: choose(above, "b"),
    domain: [-10, 10],
    ulp: exact,
    doc: "The larger of a and b; ignores a single NaN.",
    numpy: "np.fmax",
    example: "jl.fmax(jl.tensor([1, NaN, 3]), 2) // [2, 2, 3]",
    commutative: true,
  }),
  fmin: binary({
    rule: "ordered",
    functor: "a < b ? a : b",
    overrides: { float: "isnan(b) || a < b ? a : b" },
    slopes: { a: { select: "(a <= b) | isnan(b) ? g : 0" }, b: { select: "(a <= b) | isnan(b) ? 0 : g" } },
    reference: choose(below, "b"),
    domain: [-10, 10],
    ulp: exact,
    doc: "The smaller of a and b; ignores a single NaN.",
    numpy: "np.fmin",
    example: "jl.fmin(jl.tensor([1, NaN, 3]), 2) // [1, 2, 2]",
    commutative: true,
  }),
  clampMin: binary({
    ...maximum,
    slopes: { a: { select: "a >= b ? g : 0" }, b: { select: "a < b ? g : 0" } },
    doc: "a, but at least b.",
    numpy: "np.clip(a, b, None)",
    example: "jl.clampMin(jl.tensor([-5, 0, 5]), -1) // [-1, 0, 5]",
  }),
  clampMax: binary({
    ...minimum,
    slopes: { a: { select: "a <= b ? g : 0" }, b: { select: "a > b ? g : 0" } },
    doc: "a, but at most b.",
    numpy: "np.clip(a, None, b)",
    example: "jl.clampMax(jl.tensor([-5, 0, 5]), 1) // [-5, 0, 1]",
  }),
} as const satisfies Record<string, Op>;
