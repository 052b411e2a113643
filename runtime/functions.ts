// The function of every op record. Written by scripts/functions.mjs from runtime/ops; edit the records instead.
import {
  type BinaryFunction,
  type OptionsOf,
  opFunction,
  type TernaryFunction,
  type UnaryFunction,
} from "./operations.js";
import type { ops } from "./ops/index.js";

/** Magnitude of a; real for complex numbers. */
export const abs: UnaryFunction = opFunction("abs");
/** Angle whose cosine is a, from 0 to pi. */
export const acos: UnaryFunction = opFunction("acos");
/** Inverse hyperbolic cosine of a; NaN below 1. */
export const acosh: UnaryFunction = opFunction("acosh");
/** Sum of a and b. */
export const add: BinaryFunction<OptionsOf<typeof ops.add>> = opFunction("add");
/** a + b / c. */
export const addcdiv: TernaryFunction<OptionsOf<typeof ops.addcdiv>> = opFunction("addcdiv");
/** a + b c. */
export const addcmul: TernaryFunction<OptionsOf<typeof ops.addcmul>> = opFunction("addcmul");
/** Airy function Ai. */
export const airyAi: UnaryFunction = opFunction("airyAi");
/** Angle of a in the complex plane, from -pi to pi. */
export const angle: UnaryFunction = opFunction("angle");
/** Angle whose sine is a, from -pi/2 to pi/2. */
export const asin: UnaryFunction = opFunction("asin");
/** Inverse hyperbolic sine of a. */
export const asinh: UnaryFunction = opFunction("asinh");
/** Angle whose tangent is a, from -pi/2 to pi/2. */
export const atan: UnaryFunction = opFunction("atan");
/** Angle of the point with ordinate a and abscissa b, from -pi to pi. */
export const atan2: BinaryFunction = opFunction("atan2");
/** Inverse hyperbolic tangent of a; NaN beyond 1. */
export const atanh: UnaryFunction = opFunction("atanh");
/** Bessel function of the first kind of order 0. */
export const besselJ0: UnaryFunction = opFunction("besselJ0");
/** Bessel function of the first kind of order 1. */
export const besselJ1: UnaryFunction = opFunction("besselJ1");
/** Bessel function of the second kind of order 0; NaN below 0. */
export const besselY0: UnaryFunction = opFunction("besselY0");
/** Bessel function of the second kind of order 1; NaN below 0. */
export const besselY1: UnaryFunction = opFunction("besselY1");
/** Bits set in both a and b. */
export const bitwiseAnd: BinaryFunction = opFunction("bitwiseAnd");
/** Every bit of a inverted; logical for bool. */
export const bitwiseNot: UnaryFunction = opFunction("bitwiseNot");
/** Bits set in a or b. */
export const bitwiseOr: BinaryFunction = opFunction("bitwiseOr");
/** Bits set in exactly one of a and b. */
export const bitwiseXor: BinaryFunction = opFunction("bitwiseXor");
/** Cube root of a. */
export const cbrt: UnaryFunction = opFunction("cbrt");
/** Smallest whole number not below a. */
export const ceil: UnaryFunction = opFunction("ceil");
/** Continuously differentiable elu; elu itself for alpha = 1. */
export const celu: UnaryFunction<OptionsOf<typeof ops.celu>> = opFunction("celu");
/** Chebyshev's polynomial of the first kind of degree b. */
export const chebyshevPolynomialT: BinaryFunction = opFunction("chebyshevPolynomialT");
/** Chebyshev's polynomial of the second kind of degree b. */
export const chebyshevPolynomialU: BinaryFunction = opFunction("chebyshevPolynomialU");
/** Chebyshev's polynomial of the third kind of degree b. */
export const chebyshevPolynomialV: BinaryFunction = opFunction("chebyshevPolynomialV");
/** Chebyshev's polynomial of the fourth kind of degree b. */
export const chebyshevPolynomialW: BinaryFunction = opFunction("chebyshevPolynomialW");
/** a held between the bounds b and c. */
export const clamp: TernaryFunction = opFunction("clamp");
/** a, but no more than the bound b. */
export const clampMax: BinaryFunction = opFunction("clampMax");
/** a, but no less than the bound b. */
export const clampMin: BinaryFunction = opFunction("clampMin");
/** The complex number with real part a and imaginary part b. */
export const complex: BinaryFunction = opFunction("complex");
/** Complex conjugate of a. */
export const conj: UnaryFunction = opFunction("conj");
/** Magnitude of a with the sign of b. */
export const copysign: BinaryFunction = opFunction("copysign");
/** Cosine of a in radians. */
export const cos: UnaryFunction = opFunction("cos");
/** Hyperbolic cosine of a. */
export const cosh: UnaryFunction = opFunction("cosh");
/** Radians of an angle a in degrees. */
export const deg2rad: UnaryFunction = opFunction("deg2rad");
/** Derivative of the logarithm of the gamma function. */
export const digamma: UnaryFunction = opFunction("digamma");
/** Quotient of a and b; integers are divided as float32. */
export const div: BinaryFunction<OptionsOf<typeof ops.div>> = opFunction("div");
/** a above zero, e^a - 1 below. */
export const elu: UnaryFunction<OptionsOf<typeof ops.elu>> = opFunction("elu");
/** -a log(a), the entropy of one outcome; 0 at 0 and -Infinity below. */
export const entr: UnaryFunction = opFunction("entr");
/** True where a equals b. */
export const eq: BinaryFunction = opFunction("eq");
/** Error function. */
export const erf: UnaryFunction = opFunction("erf");
/** Complement of the error function, 1 - erf(a), without cancellation. */
export const erfc: UnaryFunction = opFunction("erfc");
/** Complement of the error function times e^(a^2). */
export const erfcx: UnaryFunction = opFunction("erfcx");
/** Inverse of the error function. */
export const erfinv: UnaryFunction = opFunction("erfinv");
/** Exponential e^a. */
export const exp: UnaryFunction = opFunction("exp");
/** Two to the power of a. */
export const exp2: UnaryFunction = opFunction("exp2");
/** e^a - 1 without cancellation near 0. */
export const expm1: UnaryFunction = opFunction("expm1");
/** a to the power of b in float64, or complex128. */
export const floatPower: BinaryFunction = opFunction("floatPower");
/** Largest whole number not above a. */
export const floor: UnaryFunction = opFunction("floor");
/** Quotient of a and b rounded towards minus infinity; an integer divided by zero gives 0. */
export const floorDivide: BinaryFunction = opFunction("floorDivide");
/** The larger of a and b; the other one where one is NaN. */
export const fmax: BinaryFunction = opFunction("fmax");
/** The smaller of a and b; the other one where one is NaN. */
export const fmin: BinaryFunction = opFunction("fmin");
/** Remainder of the division rounded towards zero, with the sign of a; an integer modulo zero gives 0. */
export const fmod: BinaryFunction = opFunction("fmod");
/** Fractional part of a, with its sign. */
export const frac: UnaryFunction = opFunction("frac");
/** Share of the gamma integral of order a below b. */
export const gammainc: BinaryFunction = opFunction("gammainc");
/** Share of the gamma integral of order a above b. */
export const gammaincc: BinaryFunction = opFunction("gammaincc");
/** Greatest common divisor of a and b. */
export const gcd: BinaryFunction = opFunction("gcd");
/** True where a is greater than or equal to b. */
export const ge: BinaryFunction = opFunction("ge");
/** Gaussian error linear unit, a ndtr(a). */
export const gelu: UnaryFunction<OptionsOf<typeof ops.gelu>> = opFunction("gelu");
/** True where a is greater than b. */
export const gt: BinaryFunction = opFunction("gt");
/** a, and 0 within 0.5 of zero. */
export const hardshrink: UnaryFunction<OptionsOf<typeof ops.hardshrink>> = opFunction("hardshrink");
/** relu6(a + 3) / 6. */
export const hardsigmoid: UnaryFunction = opFunction("hardsigmoid");
/** a relu6(a + 3) / 6. */
export const hardswish: UnaryFunction = opFunction("hardswish");
/** a held between -1 and 1. */
export const hardtanh: UnaryFunction<OptionsOf<typeof ops.hardtanh>> = opFunction("hardtanh");
/** 0 below zero, 1 above, and b at zero. */
export const heaviside: BinaryFunction = opFunction("heaviside");
/** Hermite's polynomial of degree b, as physicists scale it. */
export const hermitePolynomialH: BinaryFunction = opFunction("hermitePolynomialH");
/** Hermite's polynomial of degree b, as statisticians scale it. */
export const hermitePolynomialHe: BinaryFunction = opFunction("hermitePolynomialHe");
/** Length of the hypotenuse over a and b without overflow. */
export const hypot: BinaryFunction = opFunction("hypot");
/** Modified Bessel function of the first kind of order 0. */
export const i0: UnaryFunction = opFunction("i0");
/** Modified Bessel function of order 0 times e^-|a|. */
export const i0e: UnaryFunction = opFunction("i0e");
/** Modified Bessel function of the first kind of order 1. */
export const i1: UnaryFunction = opFunction("i1");
/** Modified Bessel function of order 1 times e^-|a|. */
export const i1e: UnaryFunction = opFunction("i1e");
/** Imaginary part of a; 0 for real numbers. */
export const imag: UnaryFunction = opFunction("imag");
/** True where a and b differ by at most 1e-8 + 1e-5 |b|. */
export const isclose: BinaryFunction<OptionsOf<typeof ops.isclose>> = opFunction("isclose");
/** True where a is neither infinite nor NaN. */
export const isfinite: UnaryFunction = opFunction("isfinite");
/** True where a is infinite. */
export const isinf: UnaryFunction = opFunction("isinf");
/** True where a is NaN. */
export const isnan: UnaryFunction = opFunction("isnan");
/** True where a is negative infinity. */
export const isneginf: UnaryFunction = opFunction("isneginf");
/** True where a is positive infinity. */
export const isposinf: UnaryFunction = opFunction("isposinf");
/** True where a has no imaginary part. */
export const isreal: UnaryFunction = opFunction("isreal");
/** Laguerre's polynomial of degree b. */
export const laguerrePolynomialL: BinaryFunction = opFunction("laguerrePolynomialL");
/** Least common multiple of a and b; wraps where it does not fit the dtype. */
export const lcm: BinaryFunction = opFunction("lcm");
/** a times 2 to the power of b. */
export const ldexp: BinaryFunction = opFunction("ldexp");
/** True where a is less than or equal to b. */
export const le: BinaryFunction = opFunction("le");
/** a above zero, a / 100 below. */
export const leakyRelu: UnaryFunction<OptionsOf<typeof ops.leakyRelu>> = opFunction("leakyRelu");
/** a shifted b bits to the left; 0 where b is negative or not below the width. */
export const leftShift: BinaryFunction = opFunction("leftShift");
/** Legendre's polynomial of degree b. */
export const legendrePolynomialP: BinaryFunction = opFunction("legendrePolynomialP");
/** a + c (b - a), the point at weight c between a and b. */
export const lerp: TernaryFunction = opFunction("lerp");
/** Logarithm of the magnitude of the gamma function. */
export const lgamma: UnaryFunction = opFunction("lgamma");
/** Natural logarithm of a; NaN below zero. */
export const log: UnaryFunction = opFunction("log");
/** Logarithm of a to the base 10. */
export const log10: UnaryFunction = opFunction("log10");
/** log(1 + a) without cancellation near 0. */
export const log1p: UnaryFunction = opFunction("log1p");
/** Logarithm of a to the base 2. */
export const log2: UnaryFunction = opFunction("log2");
/** Logarithm of ndtr, without underflow. */
export const logNdtr: UnaryFunction = opFunction("logNdtr");
/** log(e^a + e^b) without overflow. */
export const logaddexp: BinaryFunction = opFunction("logaddexp");
/** log2(2^a + 2^b) without overflow. */
export const logaddexp2: BinaryFunction = opFunction("logaddexp2");
/** True where both a and b are not zero. */
export const logicalAnd: BinaryFunction = opFunction("logicalAnd");
/** True where a is zero. */
export const logicalNot: UnaryFunction = opFunction("logicalNot");
/** True where a or b is not zero. */
export const logicalOr: BinaryFunction = opFunction("logicalOr");
/** True where exactly one of a and b is not zero. */
export const logicalXor: BinaryFunction = opFunction("logicalXor");
/** log(a / (1 - a)), the inverse of the logistic function. */
export const logit: UnaryFunction<OptionsOf<typeof ops.logit>> = opFunction("logit");
/** Logarithm of the logistic function. */
export const logsigmoid: UnaryFunction = opFunction("logsigmoid");
/** True where a is less than b. */
export const lt: BinaryFunction = opFunction("lt");
/** The larger of a and b; NaN where either is NaN. */
export const maximum: BinaryFunction = opFunction("maximum");
/** The smaller of a and b; NaN where either is NaN. */
export const minimum: BinaryFunction = opFunction("minimum");
/** a tanh(log(1 + e^a)). */
export const mish: UnaryFunction = opFunction("mish");
/** Modified Bessel function of the first kind of order 0, another name of i0. */
export const modifiedBesselI0: UnaryFunction = opFunction("modifiedBesselI0");
/** Modified Bessel function of the first kind of order 1, another name of i1. */
export const modifiedBesselI1: UnaryFunction = opFunction("modifiedBesselI1");
/** Modified Bessel function of the second kind of order 0. */
export const modifiedBesselK0: UnaryFunction = opFunction("modifiedBesselK0");
/** Modified Bessel function of the second kind of order 1. */
export const modifiedBesselK1: UnaryFunction = opFunction("modifiedBesselK1");
/** Product of a and b. */
export const mul: BinaryFunction = opFunction("mul");
/** Logarithm of the multivariate gamma function of b dimensions. */
export const multigammaln: BinaryFunction = opFunction("multigammaln");
/** a with NaN as 0 and the infinities as the largest finite numbers. */
export const nanToNum: UnaryFunction<OptionsOf<typeof ops.nanToNum>> = opFunction("nanToNum");
/** Probability that a standard normal variable is below a. */
export const ndtr: UnaryFunction = opFunction("ndtr");
/** Inverse of ndtr: the quantile of the standard normal distribution. */
export const ndtri: UnaryFunction = opFunction("ndtri");
/** True where a differs from b. */
export const ne: BinaryFunction = opFunction("ne");
/** Negative of a. */
export const neg: UnaryFunction = opFunction("neg");
/** The floating number after a in the direction of b. */
export const nextafter: BinaryFunction = opFunction("nextafter");
/** The complex number with magnitude a and angle b. */
export const polar: BinaryFunction = opFunction("polar");
/** Derivative of order a of digamma at b; a is a whole number. */
export const polygamma: BinaryFunction = opFunction("polygamma");
/** a to the power of b; a negative power of an integer is the truncated reciprocal. */
export const pow: BinaryFunction = opFunction("pow");
/** a above zero, a b below, for a slope b. */
export const prelu: BinaryFunction = opFunction("prelu");
/** Degrees of an angle a in radians. */
export const rad2deg: UnaryFunction = opFunction("rad2deg");
/** Real part of a. */
export const real: UnaryFunction = opFunction("real");
/** 1 / a. */
export const reciprocal: UnaryFunction = opFunction("reciprocal");
/** a where it is positive, 0 elsewhere. */
export const relu: UnaryFunction = opFunction("relu");
/** a held between 0 and 6. */
export const relu6: UnaryFunction = opFunction("relu6");
/** Remainder of the floor division, with the sign of b; an integer modulo zero gives 0. */
export const remainder: BinaryFunction = opFunction("remainder");
/** a shifted b bits to the right; only the sign is left where b is negative or not below the width. */
export const rightShift: BinaryFunction = opFunction("rightShift");
/** Nearest whole number; halves go to the even one. */
export const round: UnaryFunction<OptionsOf<typeof ops.round>> = opFunction("round");
/** Reciprocal of the square root of a. */
export const rsqrt: UnaryFunction = opFunction("rsqrt");
/** Modified Bessel function of the second kind of order 0 times e^a. */
export const scaledModifiedBesselK0: UnaryFunction = opFunction("scaledModifiedBesselK0");
/** Modified Bessel function of the second kind of order 1 times e^a. */
export const scaledModifiedBesselK1: UnaryFunction = opFunction("scaledModifiedBesselK1");
/** Scaled elu, which keeps mean 0 and variance 1. */
export const selu: UnaryFunction = opFunction("selu");
/** a divided by its magnitude, and 0 at 0: the sign of a complex number. */
export const sgn: UnaryFunction = opFunction("sgn");
/** Chebyshev's polynomial of the first kind of degree b, moved to the interval from 0 to 1. */
export const shiftedChebyshevPolynomialT: BinaryFunction = opFunction("shiftedChebyshevPolynomialT");
/** Chebyshev's polynomial of the second kind of degree b, moved to the interval from 0 to 1. */
export const shiftedChebyshevPolynomialU: BinaryFunction = opFunction("shiftedChebyshevPolynomialU");
/** Chebyshev's polynomial of the third kind of degree b, moved to the interval from 0 to 1. */
export const shiftedChebyshevPolynomialV: BinaryFunction = opFunction("shiftedChebyshevPolynomialV");
/** Chebyshev's polynomial of the fourth kind of degree b, moved to the interval from 0 to 1. */
export const shiftedChebyshevPolynomialW: BinaryFunction = opFunction("shiftedChebyshevPolynomialW");
/** Logistic function 1 / (1 + e^-a). */
export const sigmoid: UnaryFunction = opFunction("sigmoid");
/** -1, 0 or 1 after the sign of a. */
export const sign: UnaryFunction = opFunction("sign");
/** True where a is negative, also for -0. */
export const signbit: UnaryFunction = opFunction("signbit");
/** a times its logistic function. */
export const silu: UnaryFunction = opFunction("silu");
/** Sine of a in radians. */
export const sin: UnaryFunction = opFunction("sin");
/** sin(pi a) / (pi a), and 1 at 0. */
export const sinc: UnaryFunction = opFunction("sinc");
/** Hyperbolic sine of a. */
export const sinh: UnaryFunction = opFunction("sinh");
/** log(1 + e^a), and a itself above 20. */
export const softplus: UnaryFunction<OptionsOf<typeof ops.softplus>> = opFunction("softplus");
/** a moved by 0.5 towards zero, and 0 within 0.5 of it. */
export const softshrink: UnaryFunction<OptionsOf<typeof ops.softshrink>> = opFunction("softshrink");
/** a / (1 + |a|). */
export const softsign: UnaryFunction = opFunction("softsign");
/** Spherical Bessel function of the first kind of order 0, sin(a) / a. */
export const sphericalBesselJ0: UnaryFunction = opFunction("sphericalBesselJ0");
/** Square root of a; NaN below zero. */
export const sqrt: UnaryFunction = opFunction("sqrt");
/** Square of a; a bool is squared as int64. */
export const square: UnaryFunction = opFunction("square");
/** Difference of a and b. */
export const sub: BinaryFunction<OptionsOf<typeof ops.sub>> = opFunction("sub");
/** Tangent of a in radians. */
export const tan: UnaryFunction = opFunction("tan");
/** Hyperbolic tangent of a. */
export const tanh: UnaryFunction = opFunction("tanh");
/** a - tanh(a). */
export const tanhshrink: UnaryFunction = opFunction("tanhshrink");
/** Second derivative of the logarithm of the gamma function. */
export const trigamma: UnaryFunction = opFunction("trigamma");
/** Whole part of a, rounded towards zero. */
export const trunc: UnaryFunction = opFunction("trunc");
/** b where the condition a holds, c elsewhere. */
export const where: TernaryFunction = opFunction("where");
/** a log(1 + b), and 0 where a is 0. */
export const xlog1py: BinaryFunction = opFunction("xlog1py");
/** a log(b), and 0 where a is 0. */
export const xlogy: BinaryFunction = opFunction("xlogy");
/** Hurwitz's zeta function: the sum of (b + k)^-a over k from 0. */
export const zeta: BinaryFunction = opFunction("zeta");
