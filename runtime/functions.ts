// The function of every op record. Written by scripts/functions.mjs from runtime/ops; edit the records instead.
import { type BinaryFunction, opFunction, type UnaryFunction } from "./operations.js";

/** Magnitude of a; real for complex numbers. */
export const abs: UnaryFunction = opFunction("abs");
/** Sum of a and b. */
export const add: BinaryFunction = opFunction("add");
/** Cosine of a in radians. */
export const cos: UnaryFunction = opFunction("cos");
/** Derivative of the logarithm of the gamma function. */
export const digamma: UnaryFunction = opFunction("digamma");
/** Quotient of a and b; integers are divided as float32. */
export const div: BinaryFunction = opFunction("div");
/** True where a equals b. */
export const eq: BinaryFunction = opFunction("eq");
/** Exponential e^a. */
export const exp: UnaryFunction = opFunction("exp");
/** Quotient of a and b rounded towards minus infinity; an integer divided by zero gives 0. */
export const floorDivide: BinaryFunction = opFunction("floorDivide");
/** The larger of a and b; the other one where one is NaN. */
export const fmax: BinaryFunction = opFunction("fmax");
/** The smaller of a and b; the other one where one is NaN. */
export const fmin: BinaryFunction = opFunction("fmin");
/** Remainder of the division rounded towards zero, with the sign of a; an integer modulo zero gives 0. */
export const fmod: BinaryFunction = opFunction("fmod");
/** Greatest common divisor of a and b. */
export const gcd: BinaryFunction = opFunction("gcd");
/** True where a is greater than or equal to b. */
export const ge: BinaryFunction = opFunction("ge");
/** True where a is greater than b. */
export const gt: BinaryFunction = opFunction("gt");
/** Modified Bessel function of the first kind of order 0. */
export const i0: UnaryFunction = opFunction("i0");
/** Modified Bessel function of order 0 times exp(-|a|). */
export const i0e: UnaryFunction = opFunction("i0e");
/** Modified Bessel function of the first kind of order 1. */
export const i1: UnaryFunction = opFunction("i1");
/** Modified Bessel function of order 1 times exp(-|a|). */
export const i1e: UnaryFunction = opFunction("i1e");
/** Least common multiple of a and b; wraps where it does not fit the dtype. */
export const lcm: BinaryFunction = opFunction("lcm");
/** True where a is less than or equal to b. */
export const le: BinaryFunction = opFunction("le");
/** Logarithm of the magnitude of the gamma function. */
export const lgamma: UnaryFunction = opFunction("lgamma");
/** Natural logarithm of a; NaN below zero. */
export const log: UnaryFunction = opFunction("log");
/** True where a is zero. */
export const logicalNot: UnaryFunction = opFunction("logicalNot");
/** True where a is less than b. */
export const lt: BinaryFunction = opFunction("lt");
/** The larger of a and b; NaN where either is NaN. */
export const maximum: BinaryFunction = opFunction("maximum");
/** The smaller of a and b; NaN where either is NaN. */
export const minimum: BinaryFunction = opFunction("minimum");
/** Product of a and b. */
export const mul: BinaryFunction = opFunction("mul");
/** True where a differs from b. */
export const ne: BinaryFunction = opFunction("ne");
/** Negative of a. */
export const neg: UnaryFunction = opFunction("neg");
/** a to the power of b; a negative power of an integer is the truncated reciprocal. */
export const pow: BinaryFunction = opFunction("pow");
/** Remainder of the floor division, with the sign of b; an integer modulo zero gives 0. */
export const remainder: BinaryFunction = opFunction("remainder");
/** Sine of a in radians. */
export const sin: UnaryFunction = opFunction("sin");
/** Square root of a; NaN below zero. */
export const sqrt: UnaryFunction = opFunction("sqrt");
/** Square of a; a bool is squared as int64. */
export const square: UnaryFunction = opFunction("square");
/** Difference of a and b. */
export const sub: BinaryFunction = opFunction("sub");
/** Hyperbolic tangent of a. */
export const tanh: UnaryFunction = opFunction("tanh");
/** Second derivative of the logarithm of the gamma function. */
export const trigamma: UnaryFunction = opFunction("trigamma");
