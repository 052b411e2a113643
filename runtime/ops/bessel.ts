// Bessel functions.
import { type Op, unary } from "./op.js";
import * as reference from "./reference/bessel.js";
import { onReals } from "./reference/scalar.js";

const needs = ["numeric", "bessel-i"] as const;

export const bessel = {
  /** Modified Bessel function of the first kind of order 0. */
  i0: unary({
    rule: "toRealFloat",
    functor: "jl::i0(a)",
    needs,
    reference: onReals(reference.i0),
    domain: [-20, 20],
    ulp: { float32: 4, float64: 4 },
    doc: "Modified Bessel function of the first kind of order 0.",
    numpy: "scipy.special.i0",
    example: "jl.i0(jl.tensor([0, 1, 10]))",
  }),
  /** Modified Bessel function of order 0 times exp(-|a|). */
  i0e: unary({
    rule: "toRealFloat",
    functor: "jl::i0e(a)",
    needs,
    reference: onReals(reference.i0e),
    domain: [-20, 20],
    ulp: { float32: 4, float64: 4 },
    doc: "Modified Bessel function of order 0 times exp(-|a|).",
    numpy: "scipy.special.i0e",
    example: "jl.i0e(jl.tensor([0, 1, 10]))",
  }),
  /** Modified Bessel function of the first kind of order 1. */
  i1: unary({
    rule: "toRealFloat",
    functor: "jl::i1(a)",
    needs,
    reference: onReals(reference.i1),
    domain: [-20, 20],
    ulp: { float32: 4, float64: 4 },
    doc: "Modified Bessel function of the first kind of order 1.",
    numpy: "scipy.special.i1",
    example: "jl.i1(jl.tensor([0, 1, 10]))",
  }),
  /** Modified Bessel function of order 1 times exp(-|a|). */
  i1e: unary({
    rule: "toRealFloat",
    functor: "jl::i1e(a)",
    needs,
    reference: onReals(reference.i1e),
    domain: [-20, 20],
    ulp: { float32: 4, float64: 4 },
    doc: "Modified Bessel function of order 1 times exp(-|a|).",
    numpy: "scipy.special.i1e",
    example: "jl.i1e(jl.tensor([0, 1, 10]))",
  }),
} as const satisfies Record<string, Op>;
