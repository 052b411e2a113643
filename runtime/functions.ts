// The function and the methods of every op record. Written by scripts/functions.mjs from runtime/ops; edit the records instead.
import {
  type BinaryFunction,
  type OpOptions,
  type OptionsOf,
  opFunction,
  type TernaryFunction,
  type UnaryFunction,
} from "./operations.js";
import type { ops } from "./ops/index.js";
import type { Scalar } from "./ops/op.js";
import type { Tensor } from "./tensor.js";

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

type Operand = Tensor | Scalar;

/** Every operation as a method; one with an underscore writes into its tensor and returns it. */
export interface OpMethods {
  /** Magnitude of a; real for complex numbers. */
  abs(options?: OpOptions): Tensor;
  /** Magnitude of a; real for complex numbers. Written into the tensor itself. */
  abs_(): Tensor;
  /** Angle whose cosine is a, from 0 to pi. */
  acos(options?: OpOptions): Tensor;
  /** Angle whose cosine is a, from 0 to pi. Written into the tensor itself. */
  acos_(): Tensor;
  /** Inverse hyperbolic cosine of a; NaN below 1. */
  acosh(options?: OpOptions): Tensor;
  /** Inverse hyperbolic cosine of a; NaN below 1. Written into the tensor itself. */
  acosh_(): Tensor;
  /** Sum of a and b. */
  add(b: Operand, options?: OpOptions & OptionsOf<typeof ops.add>): Tensor;
  /** Sum of a and b. Written into the tensor itself. */
  add_(b: Operand, options?: OptionsOf<typeof ops.add>): Tensor;
  /** a + b / c. */
  addcdiv(b: Operand, c: Operand, options?: OpOptions & OptionsOf<typeof ops.addcdiv>): Tensor;
  /** a + b / c. Written into the tensor itself. */
  addcdiv_(b: Operand, c: Operand, options?: OptionsOf<typeof ops.addcdiv>): Tensor;
  /** a + b c. */
  addcmul(b: Operand, c: Operand, options?: OpOptions & OptionsOf<typeof ops.addcmul>): Tensor;
  /** a + b c. Written into the tensor itself. */
  addcmul_(b: Operand, c: Operand, options?: OptionsOf<typeof ops.addcmul>): Tensor;
  /** Airy function Ai. */
  airyAi(options?: OpOptions): Tensor;
  /** Airy function Ai. Written into the tensor itself. */
  airyAi_(): Tensor;
  /** Angle of a in the complex plane, from -pi to pi. */
  angle(options?: OpOptions): Tensor;
  /** Angle of a in the complex plane, from -pi to pi. Written into the tensor itself. */
  angle_(): Tensor;
  /** Angle whose sine is a, from -pi/2 to pi/2. */
  asin(options?: OpOptions): Tensor;
  /** Angle whose sine is a, from -pi/2 to pi/2. Written into the tensor itself. */
  asin_(): Tensor;
  /** Inverse hyperbolic sine of a. */
  asinh(options?: OpOptions): Tensor;
  /** Inverse hyperbolic sine of a. Written into the tensor itself. */
  asinh_(): Tensor;
  /** Angle whose tangent is a, from -pi/2 to pi/2. */
  atan(options?: OpOptions): Tensor;
  /** Angle whose tangent is a, from -pi/2 to pi/2. Written into the tensor itself. */
  atan_(): Tensor;
  /** Angle of the point with ordinate a and abscissa b, from -pi to pi. */
  atan2(b: Operand, options?: OpOptions): Tensor;
  /** Angle of the point with ordinate a and abscissa b, from -pi to pi. Written into the tensor itself. */
  atan2_(b: Operand): Tensor;
  /** Inverse hyperbolic tangent of a; NaN beyond 1. */
  atanh(options?: OpOptions): Tensor;
  /** Inverse hyperbolic tangent of a; NaN beyond 1. Written into the tensor itself. */
  atanh_(): Tensor;
  /** Bessel function of the first kind of order 0. */
  besselJ0(options?: OpOptions): Tensor;
  /** Bessel function of the first kind of order 0. Written into the tensor itself. */
  besselJ0_(): Tensor;
  /** Bessel function of the first kind of order 1. */
  besselJ1(options?: OpOptions): Tensor;
  /** Bessel function of the first kind of order 1. Written into the tensor itself. */
  besselJ1_(): Tensor;
  /** Bessel function of the second kind of order 0; NaN below 0. */
  besselY0(options?: OpOptions): Tensor;
  /** Bessel function of the second kind of order 0; NaN below 0. Written into the tensor itself. */
  besselY0_(): Tensor;
  /** Bessel function of the second kind of order 1; NaN below 0. */
  besselY1(options?: OpOptions): Tensor;
  /** Bessel function of the second kind of order 1; NaN below 0. Written into the tensor itself. */
  besselY1_(): Tensor;
  /** Bits set in both a and b. */
  bitwiseAnd(b: Operand, options?: OpOptions): Tensor;
  /** Bits set in both a and b. Written into the tensor itself. */
  bitwiseAnd_(b: Operand): Tensor;
  /** Every bit of a inverted; logical for bool. */
  bitwiseNot(options?: OpOptions): Tensor;
  /** Every bit of a inverted; logical for bool. Written into the tensor itself. */
  bitwiseNot_(): Tensor;
  /** Bits set in a or b. */
  bitwiseOr(b: Operand, options?: OpOptions): Tensor;
  /** Bits set in a or b. Written into the tensor itself. */
  bitwiseOr_(b: Operand): Tensor;
  /** Bits set in exactly one of a and b. */
  bitwiseXor(b: Operand, options?: OpOptions): Tensor;
  /** Bits set in exactly one of a and b. Written into the tensor itself. */
  bitwiseXor_(b: Operand): Tensor;
  /** Cube root of a. */
  cbrt(options?: OpOptions): Tensor;
  /** Cube root of a. Written into the tensor itself. */
  cbrt_(): Tensor;
  /** Smallest whole number not below a. */
  ceil(options?: OpOptions): Tensor;
  /** Smallest whole number not below a. Written into the tensor itself. */
  ceil_(): Tensor;
  /** Continuously differentiable elu; elu itself for alpha = 1. */
  celu(options?: OpOptions & OptionsOf<typeof ops.celu>): Tensor;
  /** Continuously differentiable elu; elu itself for alpha = 1. Written into the tensor itself. */
  celu_(options?: OptionsOf<typeof ops.celu>): Tensor;
  /** Chebyshev's polynomial of the first kind of degree b. */
  chebyshevPolynomialT(b: Operand, options?: OpOptions): Tensor;
  /** Chebyshev's polynomial of the first kind of degree b. Written into the tensor itself. */
  chebyshevPolynomialT_(b: Operand): Tensor;
  /** Chebyshev's polynomial of the second kind of degree b. */
  chebyshevPolynomialU(b: Operand, options?: OpOptions): Tensor;
  /** Chebyshev's polynomial of the second kind of degree b. Written into the tensor itself. */
  chebyshevPolynomialU_(b: Operand): Tensor;
  /** Chebyshev's polynomial of the third kind of degree b. */
  chebyshevPolynomialV(b: Operand, options?: OpOptions): Tensor;
  /** Chebyshev's polynomial of the third kind of degree b. Written into the tensor itself. */
  chebyshevPolynomialV_(b: Operand): Tensor;
  /** Chebyshev's polynomial of the fourth kind of degree b. */
  chebyshevPolynomialW(b: Operand, options?: OpOptions): Tensor;
  /** Chebyshev's polynomial of the fourth kind of degree b. Written into the tensor itself. */
  chebyshevPolynomialW_(b: Operand): Tensor;
  /** a held between the bounds b and c. */
  clamp(b: Operand, c: Operand, options?: OpOptions): Tensor;
  /** a held between the bounds b and c. Written into the tensor itself. */
  clamp_(b: Operand, c: Operand): Tensor;
  /** a, but no more than the bound b. */
  clampMax(b: Operand, options?: OpOptions): Tensor;
  /** a, but no more than the bound b. Written into the tensor itself. */
  clampMax_(b: Operand): Tensor;
  /** a, but no less than the bound b. */
  clampMin(b: Operand, options?: OpOptions): Tensor;
  /** a, but no less than the bound b. Written into the tensor itself. */
  clampMin_(b: Operand): Tensor;
  /** The complex number with real part a and imaginary part b. */
  complex(b: Operand, options?: OpOptions): Tensor;
  /** The complex number with real part a and imaginary part b. Written into the tensor itself. */
  complex_(b: Operand): Tensor;
  /** Complex conjugate of a. */
  conj(options?: OpOptions): Tensor;
  /** Complex conjugate of a. Written into the tensor itself. */
  conj_(): Tensor;
  /** Magnitude of a with the sign of b. */
  copysign(b: Operand, options?: OpOptions): Tensor;
  /** Magnitude of a with the sign of b. Written into the tensor itself. */
  copysign_(b: Operand): Tensor;
  /** Cosine of a in radians. */
  cos(options?: OpOptions): Tensor;
  /** Cosine of a in radians. Written into the tensor itself. */
  cos_(): Tensor;
  /** Hyperbolic cosine of a. */
  cosh(options?: OpOptions): Tensor;
  /** Hyperbolic cosine of a. Written into the tensor itself. */
  cosh_(): Tensor;
  /** Radians of an angle a in degrees. */
  deg2rad(options?: OpOptions): Tensor;
  /** Radians of an angle a in degrees. Written into the tensor itself. */
  deg2rad_(): Tensor;
  /** Derivative of the logarithm of the gamma function. */
  digamma(options?: OpOptions): Tensor;
  /** Derivative of the logarithm of the gamma function. Written into the tensor itself. */
  digamma_(): Tensor;
  /** Quotient of a and b; integers are divided as float32. */
  div(b: Operand, options?: OpOptions & OptionsOf<typeof ops.div>): Tensor;
  /** Quotient of a and b; integers are divided as float32. Written into the tensor itself. */
  div_(b: Operand, options?: OptionsOf<typeof ops.div>): Tensor;
  /** a above zero, e^a - 1 below. */
  elu(options?: OpOptions & OptionsOf<typeof ops.elu>): Tensor;
  /** a above zero, e^a - 1 below. Written into the tensor itself. */
  elu_(options?: OptionsOf<typeof ops.elu>): Tensor;
  /** -a log(a), the entropy of one outcome; 0 at 0 and -Infinity below. */
  entr(options?: OpOptions): Tensor;
  /** -a log(a), the entropy of one outcome; 0 at 0 and -Infinity below. Written into the tensor itself. */
  entr_(): Tensor;
  /** True where a equals b. */
  eq(b: Operand, options?: OpOptions): Tensor;
  /** True where a equals b. Written into the tensor itself. */
  eq_(b: Operand): Tensor;
  /** Error function. */
  erf(options?: OpOptions): Tensor;
  /** Error function. Written into the tensor itself. */
  erf_(): Tensor;
  /** Complement of the error function, 1 - erf(a), without cancellation. */
  erfc(options?: OpOptions): Tensor;
  /** Complement of the error function, 1 - erf(a), without cancellation. Written into the tensor itself. */
  erfc_(): Tensor;
  /** Complement of the error function times e^(a^2). */
  erfcx(options?: OpOptions): Tensor;
  /** Complement of the error function times e^(a^2). Written into the tensor itself. */
  erfcx_(): Tensor;
  /** Inverse of the error function. */
  erfinv(options?: OpOptions): Tensor;
  /** Inverse of the error function. Written into the tensor itself. */
  erfinv_(): Tensor;
  /** Exponential e^a. */
  exp(options?: OpOptions): Tensor;
  /** Exponential e^a. Written into the tensor itself. */
  exp_(): Tensor;
  /** Two to the power of a. */
  exp2(options?: OpOptions): Tensor;
  /** Two to the power of a. Written into the tensor itself. */
  exp2_(): Tensor;
  /** e^a - 1 without cancellation near 0. */
  expm1(options?: OpOptions): Tensor;
  /** e^a - 1 without cancellation near 0. Written into the tensor itself. */
  expm1_(): Tensor;
  /** a to the power of b in float64, or complex128. */
  floatPower(b: Operand, options?: OpOptions): Tensor;
  /** a to the power of b in float64, or complex128. Written into the tensor itself. */
  floatPower_(b: Operand): Tensor;
  /** Largest whole number not above a. */
  floor(options?: OpOptions): Tensor;
  /** Largest whole number not above a. Written into the tensor itself. */
  floor_(): Tensor;
  /** Quotient of a and b rounded towards minus infinity; an integer divided by zero gives 0. */
  floorDivide(b: Operand, options?: OpOptions): Tensor;
  /** Quotient of a and b rounded towards minus infinity; an integer divided by zero gives 0. Written into the tensor itself. */
  floorDivide_(b: Operand): Tensor;
  /** The larger of a and b; the other one where one is NaN. */
  fmax(b: Operand, options?: OpOptions): Tensor;
  /** The larger of a and b; the other one where one is NaN. Written into the tensor itself. */
  fmax_(b: Operand): Tensor;
  /** The smaller of a and b; the other one where one is NaN. */
  fmin(b: Operand, options?: OpOptions): Tensor;
  /** The smaller of a and b; the other one where one is NaN. Written into the tensor itself. */
  fmin_(b: Operand): Tensor;
  /** Remainder of the division rounded towards zero, with the sign of a; an integer modulo zero gives 0. */
  fmod(b: Operand, options?: OpOptions): Tensor;
  /** Remainder of the division rounded towards zero, with the sign of a; an integer modulo zero gives 0. Written into the tensor itself. */
  fmod_(b: Operand): Tensor;
  /** Fractional part of a, with its sign. */
  frac(options?: OpOptions): Tensor;
  /** Fractional part of a, with its sign. Written into the tensor itself. */
  frac_(): Tensor;
  /** Share of the gamma integral of order a below b. */
  gammainc(b: Operand, options?: OpOptions): Tensor;
  /** Share of the gamma integral of order a below b. Written into the tensor itself. */
  gammainc_(b: Operand): Tensor;
  /** Share of the gamma integral of order a above b. */
  gammaincc(b: Operand, options?: OpOptions): Tensor;
  /** Share of the gamma integral of order a above b. Written into the tensor itself. */
  gammaincc_(b: Operand): Tensor;
  /** Greatest common divisor of a and b. */
  gcd(b: Operand, options?: OpOptions): Tensor;
  /** Greatest common divisor of a and b. Written into the tensor itself. */
  gcd_(b: Operand): Tensor;
  /** True where a is greater than or equal to b. */
  ge(b: Operand, options?: OpOptions): Tensor;
  /** True where a is greater than or equal to b. Written into the tensor itself. */
  ge_(b: Operand): Tensor;
  /** Gaussian error linear unit, a ndtr(a). */
  gelu(options?: OpOptions & OptionsOf<typeof ops.gelu>): Tensor;
  /** Gaussian error linear unit, a ndtr(a). Written into the tensor itself. */
  gelu_(options?: OptionsOf<typeof ops.gelu>): Tensor;
  /** True where a is greater than b. */
  gt(b: Operand, options?: OpOptions): Tensor;
  /** True where a is greater than b. Written into the tensor itself. */
  gt_(b: Operand): Tensor;
  /** a, and 0 within 0.5 of zero. */
  hardshrink(options?: OpOptions & OptionsOf<typeof ops.hardshrink>): Tensor;
  /** a, and 0 within 0.5 of zero. Written into the tensor itself. */
  hardshrink_(options?: OptionsOf<typeof ops.hardshrink>): Tensor;
  /** relu6(a + 3) / 6. */
  hardsigmoid(options?: OpOptions): Tensor;
  /** relu6(a + 3) / 6. Written into the tensor itself. */
  hardsigmoid_(): Tensor;
  /** a relu6(a + 3) / 6. */
  hardswish(options?: OpOptions): Tensor;
  /** a relu6(a + 3) / 6. Written into the tensor itself. */
  hardswish_(): Tensor;
  /** a held between -1 and 1. */
  hardtanh(options?: OpOptions & OptionsOf<typeof ops.hardtanh>): Tensor;
  /** a held between -1 and 1. Written into the tensor itself. */
  hardtanh_(options?: OptionsOf<typeof ops.hardtanh>): Tensor;
  /** 0 below zero, 1 above, and b at zero. */
  heaviside(b: Operand, options?: OpOptions): Tensor;
  /** 0 below zero, 1 above, and b at zero. Written into the tensor itself. */
  heaviside_(b: Operand): Tensor;
  /** Hermite's polynomial of degree b, as physicists scale it. */
  hermitePolynomialH(b: Operand, options?: OpOptions): Tensor;
  /** Hermite's polynomial of degree b, as physicists scale it. Written into the tensor itself. */
  hermitePolynomialH_(b: Operand): Tensor;
  /** Hermite's polynomial of degree b, as statisticians scale it. */
  hermitePolynomialHe(b: Operand, options?: OpOptions): Tensor;
  /** Hermite's polynomial of degree b, as statisticians scale it. Written into the tensor itself. */
  hermitePolynomialHe_(b: Operand): Tensor;
  /** Length of the hypotenuse over a and b without overflow. */
  hypot(b: Operand, options?: OpOptions): Tensor;
  /** Length of the hypotenuse over a and b without overflow. Written into the tensor itself. */
  hypot_(b: Operand): Tensor;
  /** Modified Bessel function of the first kind of order 0. */
  i0(options?: OpOptions): Tensor;
  /** Modified Bessel function of the first kind of order 0. Written into the tensor itself. */
  i0_(): Tensor;
  /** Modified Bessel function of order 0 times e^-|a|. */
  i0e(options?: OpOptions): Tensor;
  /** Modified Bessel function of order 0 times e^-|a|. Written into the tensor itself. */
  i0e_(): Tensor;
  /** Modified Bessel function of the first kind of order 1. */
  i1(options?: OpOptions): Tensor;
  /** Modified Bessel function of the first kind of order 1. Written into the tensor itself. */
  i1_(): Tensor;
  /** Modified Bessel function of order 1 times e^-|a|. */
  i1e(options?: OpOptions): Tensor;
  /** Modified Bessel function of order 1 times e^-|a|. Written into the tensor itself. */
  i1e_(): Tensor;
  /** Imaginary part of a; 0 for real numbers. */
  imag(options?: OpOptions): Tensor;
  /** Imaginary part of a; 0 for real numbers. Written into the tensor itself. */
  imag_(): Tensor;
  /** True where a and b differ by at most 1e-8 + 1e-5 |b|. */
  isclose(b: Operand, options?: OpOptions & OptionsOf<typeof ops.isclose>): Tensor;
  /** True where a and b differ by at most 1e-8 + 1e-5 |b|. Written into the tensor itself. */
  isclose_(b: Operand, options?: OptionsOf<typeof ops.isclose>): Tensor;
  /** True where a is neither infinite nor NaN. */
  isfinite(options?: OpOptions): Tensor;
  /** True where a is neither infinite nor NaN. Written into the tensor itself. */
  isfinite_(): Tensor;
  /** True where a is infinite. */
  isinf(options?: OpOptions): Tensor;
  /** True where a is infinite. Written into the tensor itself. */
  isinf_(): Tensor;
  /** True where a is NaN. */
  isnan(options?: OpOptions): Tensor;
  /** True where a is NaN. Written into the tensor itself. */
  isnan_(): Tensor;
  /** True where a is negative infinity. */
  isneginf(options?: OpOptions): Tensor;
  /** True where a is negative infinity. Written into the tensor itself. */
  isneginf_(): Tensor;
  /** True where a is positive infinity. */
  isposinf(options?: OpOptions): Tensor;
  /** True where a is positive infinity. Written into the tensor itself. */
  isposinf_(): Tensor;
  /** True where a has no imaginary part. */
  isreal(options?: OpOptions): Tensor;
  /** True where a has no imaginary part. Written into the tensor itself. */
  isreal_(): Tensor;
  /** Laguerre's polynomial of degree b. */
  laguerrePolynomialL(b: Operand, options?: OpOptions): Tensor;
  /** Laguerre's polynomial of degree b. Written into the tensor itself. */
  laguerrePolynomialL_(b: Operand): Tensor;
  /** Least common multiple of a and b; wraps where it does not fit the dtype. */
  lcm(b: Operand, options?: OpOptions): Tensor;
  /** Least common multiple of a and b; wraps where it does not fit the dtype. Written into the tensor itself. */
  lcm_(b: Operand): Tensor;
  /** a times 2 to the power of b. */
  ldexp(b: Operand, options?: OpOptions): Tensor;
  /** a times 2 to the power of b. Written into the tensor itself. */
  ldexp_(b: Operand): Tensor;
  /** True where a is less than or equal to b. */
  le(b: Operand, options?: OpOptions): Tensor;
  /** True where a is less than or equal to b. Written into the tensor itself. */
  le_(b: Operand): Tensor;
  /** a above zero, a / 100 below. */
  leakyRelu(options?: OpOptions & OptionsOf<typeof ops.leakyRelu>): Tensor;
  /** a above zero, a / 100 below. Written into the tensor itself. */
  leakyRelu_(options?: OptionsOf<typeof ops.leakyRelu>): Tensor;
  /** a shifted b bits to the left; 0 where b is negative or not below the width. */
  leftShift(b: Operand, options?: OpOptions): Tensor;
  /** a shifted b bits to the left; 0 where b is negative or not below the width. Written into the tensor itself. */
  leftShift_(b: Operand): Tensor;
  /** Legendre's polynomial of degree b. */
  legendrePolynomialP(b: Operand, options?: OpOptions): Tensor;
  /** Legendre's polynomial of degree b. Written into the tensor itself. */
  legendrePolynomialP_(b: Operand): Tensor;
  /** a + c (b - a), the point at weight c between a and b. */
  lerp(b: Operand, c: Operand, options?: OpOptions): Tensor;
  /** a + c (b - a), the point at weight c between a and b. Written into the tensor itself. */
  lerp_(b: Operand, c: Operand): Tensor;
  /** Logarithm of the magnitude of the gamma function. */
  lgamma(options?: OpOptions): Tensor;
  /** Logarithm of the magnitude of the gamma function. Written into the tensor itself. */
  lgamma_(): Tensor;
  /** Natural logarithm of a; NaN below zero. */
  log(options?: OpOptions): Tensor;
  /** Natural logarithm of a; NaN below zero. Written into the tensor itself. */
  log_(): Tensor;
  /** Logarithm of a to the base 10. */
  log10(options?: OpOptions): Tensor;
  /** Logarithm of a to the base 10. Written into the tensor itself. */
  log10_(): Tensor;
  /** log(1 + a) without cancellation near 0. */
  log1p(options?: OpOptions): Tensor;
  /** log(1 + a) without cancellation near 0. Written into the tensor itself. */
  log1p_(): Tensor;
  /** Logarithm of a to the base 2. */
  log2(options?: OpOptions): Tensor;
  /** Logarithm of a to the base 2. Written into the tensor itself. */
  log2_(): Tensor;
  /** Logarithm of ndtr, without underflow. */
  logNdtr(options?: OpOptions): Tensor;
  /** Logarithm of ndtr, without underflow. Written into the tensor itself. */
  logNdtr_(): Tensor;
  /** log(e^a + e^b) without overflow. */
  logaddexp(b: Operand, options?: OpOptions): Tensor;
  /** log(e^a + e^b) without overflow. Written into the tensor itself. */
  logaddexp_(b: Operand): Tensor;
  /** log2(2^a + 2^b) without overflow. */
  logaddexp2(b: Operand, options?: OpOptions): Tensor;
  /** log2(2^a + 2^b) without overflow. Written into the tensor itself. */
  logaddexp2_(b: Operand): Tensor;
  /** True where both a and b are not zero. */
  logicalAnd(b: Operand, options?: OpOptions): Tensor;
  /** True where both a and b are not zero. Written into the tensor itself. */
  logicalAnd_(b: Operand): Tensor;
  /** True where a is zero. */
  logicalNot(options?: OpOptions): Tensor;
  /** True where a is zero. Written into the tensor itself. */
  logicalNot_(): Tensor;
  /** True where a or b is not zero. */
  logicalOr(b: Operand, options?: OpOptions): Tensor;
  /** True where a or b is not zero. Written into the tensor itself. */
  logicalOr_(b: Operand): Tensor;
  /** True where exactly one of a and b is not zero. */
  logicalXor(b: Operand, options?: OpOptions): Tensor;
  /** True where exactly one of a and b is not zero. Written into the tensor itself. */
  logicalXor_(b: Operand): Tensor;
  /** log(a / (1 - a)), the inverse of the logistic function. */
  logit(options?: OpOptions & OptionsOf<typeof ops.logit>): Tensor;
  /** log(a / (1 - a)), the inverse of the logistic function. Written into the tensor itself. */
  logit_(options?: OptionsOf<typeof ops.logit>): Tensor;
  /** Logarithm of the logistic function. */
  logsigmoid(options?: OpOptions): Tensor;
  /** Logarithm of the logistic function. Written into the tensor itself. */
  logsigmoid_(): Tensor;
  /** True where a is less than b. */
  lt(b: Operand, options?: OpOptions): Tensor;
  /** True where a is less than b. Written into the tensor itself. */
  lt_(b: Operand): Tensor;
  /** The larger of a and b; NaN where either is NaN. */
  maximum(b: Operand, options?: OpOptions): Tensor;
  /** The larger of a and b; NaN where either is NaN. Written into the tensor itself. */
  maximum_(b: Operand): Tensor;
  /** The smaller of a and b; NaN where either is NaN. */
  minimum(b: Operand, options?: OpOptions): Tensor;
  /** The smaller of a and b; NaN where either is NaN. Written into the tensor itself. */
  minimum_(b: Operand): Tensor;
  /** a tanh(log(1 + e^a)). */
  mish(options?: OpOptions): Tensor;
  /** a tanh(log(1 + e^a)). Written into the tensor itself. */
  mish_(): Tensor;
  /** Modified Bessel function of the first kind of order 0, another name of i0. */
  modifiedBesselI0(options?: OpOptions): Tensor;
  /** Modified Bessel function of the first kind of order 0, another name of i0. Written into the tensor itself. */
  modifiedBesselI0_(): Tensor;
  /** Modified Bessel function of the first kind of order 1, another name of i1. */
  modifiedBesselI1(options?: OpOptions): Tensor;
  /** Modified Bessel function of the first kind of order 1, another name of i1. Written into the tensor itself. */
  modifiedBesselI1_(): Tensor;
  /** Modified Bessel function of the second kind of order 0. */
  modifiedBesselK0(options?: OpOptions): Tensor;
  /** Modified Bessel function of the second kind of order 0. Written into the tensor itself. */
  modifiedBesselK0_(): Tensor;
  /** Modified Bessel function of the second kind of order 1. */
  modifiedBesselK1(options?: OpOptions): Tensor;
  /** Modified Bessel function of the second kind of order 1. Written into the tensor itself. */
  modifiedBesselK1_(): Tensor;
  /** Product of a and b. */
  mul(b: Operand, options?: OpOptions): Tensor;
  /** Product of a and b. Written into the tensor itself. */
  mul_(b: Operand): Tensor;
  /** Logarithm of the multivariate gamma function of b dimensions. */
  multigammaln(b: Operand, options?: OpOptions): Tensor;
  /** Logarithm of the multivariate gamma function of b dimensions. Written into the tensor itself. */
  multigammaln_(b: Operand): Tensor;
  /** a with NaN as 0 and the infinities as the largest finite numbers. */
  nanToNum(options?: OpOptions & OptionsOf<typeof ops.nanToNum>): Tensor;
  /** a with NaN as 0 and the infinities as the largest finite numbers. Written into the tensor itself. */
  nanToNum_(options?: OptionsOf<typeof ops.nanToNum>): Tensor;
  /** Probability that a standard normal variable is below a. */
  ndtr(options?: OpOptions): Tensor;
  /** Probability that a standard normal variable is below a. Written into the tensor itself. */
  ndtr_(): Tensor;
  /** Inverse of ndtr: the quantile of the standard normal distribution. */
  ndtri(options?: OpOptions): Tensor;
  /** Inverse of ndtr: the quantile of the standard normal distribution. Written into the tensor itself. */
  ndtri_(): Tensor;
  /** True where a differs from b. */
  ne(b: Operand, options?: OpOptions): Tensor;
  /** True where a differs from b. Written into the tensor itself. */
  ne_(b: Operand): Tensor;
  /** Negative of a. */
  neg(options?: OpOptions): Tensor;
  /** Negative of a. Written into the tensor itself. */
  neg_(): Tensor;
  /** The floating number after a in the direction of b. */
  nextafter(b: Operand, options?: OpOptions): Tensor;
  /** The floating number after a in the direction of b. Written into the tensor itself. */
  nextafter_(b: Operand): Tensor;
  /** The complex number with magnitude a and angle b. */
  polar(b: Operand, options?: OpOptions): Tensor;
  /** The complex number with magnitude a and angle b. Written into the tensor itself. */
  polar_(b: Operand): Tensor;
  /** Derivative of order a of digamma at b; a is a whole number. */
  polygamma(b: Operand, options?: OpOptions): Tensor;
  /** Derivative of order a of digamma at b; a is a whole number. Written into the tensor itself. */
  polygamma_(b: Operand): Tensor;
  /** a to the power of b; a negative power of an integer is the truncated reciprocal. */
  pow(b: Operand, options?: OpOptions): Tensor;
  /** a to the power of b; a negative power of an integer is the truncated reciprocal. Written into the tensor itself. */
  pow_(b: Operand): Tensor;
  /** a above zero, a b below, for a slope b. */
  prelu(b: Operand, options?: OpOptions): Tensor;
  /** a above zero, a b below, for a slope b. Written into the tensor itself. */
  prelu_(b: Operand): Tensor;
  /** Degrees of an angle a in radians. */
  rad2deg(options?: OpOptions): Tensor;
  /** Degrees of an angle a in radians. Written into the tensor itself. */
  rad2deg_(): Tensor;
  /** Real part of a. */
  real(options?: OpOptions): Tensor;
  /** Real part of a. Written into the tensor itself. */
  real_(): Tensor;
  /** 1 / a. */
  reciprocal(options?: OpOptions): Tensor;
  /** 1 / a. Written into the tensor itself. */
  reciprocal_(): Tensor;
  /** a where it is positive, 0 elsewhere. */
  relu(options?: OpOptions): Tensor;
  /** a where it is positive, 0 elsewhere. Written into the tensor itself. */
  relu_(): Tensor;
  /** a held between 0 and 6. */
  relu6(options?: OpOptions): Tensor;
  /** a held between 0 and 6. Written into the tensor itself. */
  relu6_(): Tensor;
  /** Remainder of the floor division, with the sign of b; an integer modulo zero gives 0. */
  remainder(b: Operand, options?: OpOptions): Tensor;
  /** Remainder of the floor division, with the sign of b; an integer modulo zero gives 0. Written into the tensor itself. */
  remainder_(b: Operand): Tensor;
  /** a shifted b bits to the right; only the sign is left where b is negative or not below the width. */
  rightShift(b: Operand, options?: OpOptions): Tensor;
  /** a shifted b bits to the right; only the sign is left where b is negative or not below the width. Written into the tensor itself. */
  rightShift_(b: Operand): Tensor;
  /** Nearest whole number; halves go to the even one. */
  round(options?: OpOptions & OptionsOf<typeof ops.round>): Tensor;
  /** Nearest whole number; halves go to the even one. Written into the tensor itself. */
  round_(options?: OptionsOf<typeof ops.round>): Tensor;
  /** Reciprocal of the square root of a. */
  rsqrt(options?: OpOptions): Tensor;
  /** Reciprocal of the square root of a. Written into the tensor itself. */
  rsqrt_(): Tensor;
  /** Modified Bessel function of the second kind of order 0 times e^a. */
  scaledModifiedBesselK0(options?: OpOptions): Tensor;
  /** Modified Bessel function of the second kind of order 0 times e^a. Written into the tensor itself. */
  scaledModifiedBesselK0_(): Tensor;
  /** Modified Bessel function of the second kind of order 1 times e^a. */
  scaledModifiedBesselK1(options?: OpOptions): Tensor;
  /** Modified Bessel function of the second kind of order 1 times e^a. Written into the tensor itself. */
  scaledModifiedBesselK1_(): Tensor;
  /** Scaled elu, which keeps mean 0 and variance 1. */
  selu(options?: OpOptions): Tensor;
  /** Scaled elu, which keeps mean 0 and variance 1. Written into the tensor itself. */
  selu_(): Tensor;
  /** a divided by its magnitude, and 0 at 0: the sign of a complex number. */
  sgn(options?: OpOptions): Tensor;
  /** a divided by its magnitude, and 0 at 0: the sign of a complex number. Written into the tensor itself. */
  sgn_(): Tensor;
  /** Chebyshev's polynomial of the first kind of degree b, moved to the interval from 0 to 1. */
  shiftedChebyshevPolynomialT(b: Operand, options?: OpOptions): Tensor;
  /** Chebyshev's polynomial of the first kind of degree b, moved to the interval from 0 to 1. Written into the tensor itself. */
  shiftedChebyshevPolynomialT_(b: Operand): Tensor;
  /** Chebyshev's polynomial of the second kind of degree b, moved to the interval from 0 to 1. */
  shiftedChebyshevPolynomialU(b: Operand, options?: OpOptions): Tensor;
  /** Chebyshev's polynomial of the second kind of degree b, moved to the interval from 0 to 1. Written into the tensor itself. */
  shiftedChebyshevPolynomialU_(b: Operand): Tensor;
  /** Chebyshev's polynomial of the third kind of degree b, moved to the interval from 0 to 1. */
  shiftedChebyshevPolynomialV(b: Operand, options?: OpOptions): Tensor;
  /** Chebyshev's polynomial of the third kind of degree b, moved to the interval from 0 to 1. Written into the tensor itself. */
  shiftedChebyshevPolynomialV_(b: Operand): Tensor;
  /** Chebyshev's polynomial of the fourth kind of degree b, moved to the interval from 0 to 1. */
  shiftedChebyshevPolynomialW(b: Operand, options?: OpOptions): Tensor;
  /** Chebyshev's polynomial of the fourth kind of degree b, moved to the interval from 0 to 1. Written into the tensor itself. */
  shiftedChebyshevPolynomialW_(b: Operand): Tensor;
  /** Logistic function 1 / (1 + e^-a). */
  sigmoid(options?: OpOptions): Tensor;
  /** Logistic function 1 / (1 + e^-a). Written into the tensor itself. */
  sigmoid_(): Tensor;
  /** -1, 0 or 1 after the sign of a. */
  sign(options?: OpOptions): Tensor;
  /** -1, 0 or 1 after the sign of a. Written into the tensor itself. */
  sign_(): Tensor;
  /** True where a is negative, also for -0. */
  signbit(options?: OpOptions): Tensor;
  /** True where a is negative, also for -0. Written into the tensor itself. */
  signbit_(): Tensor;
  /** a times its logistic function. */
  silu(options?: OpOptions): Tensor;
  /** a times its logistic function. Written into the tensor itself. */
  silu_(): Tensor;
  /** Sine of a in radians. */
  sin(options?: OpOptions): Tensor;
  /** Sine of a in radians. Written into the tensor itself. */
  sin_(): Tensor;
  /** sin(pi a) / (pi a), and 1 at 0. */
  sinc(options?: OpOptions): Tensor;
  /** sin(pi a) / (pi a), and 1 at 0. Written into the tensor itself. */
  sinc_(): Tensor;
  /** Hyperbolic sine of a. */
  sinh(options?: OpOptions): Tensor;
  /** Hyperbolic sine of a. Written into the tensor itself. */
  sinh_(): Tensor;
  /** log(1 + e^a), and a itself above 20. */
  softplus(options?: OpOptions & OptionsOf<typeof ops.softplus>): Tensor;
  /** log(1 + e^a), and a itself above 20. Written into the tensor itself. */
  softplus_(options?: OptionsOf<typeof ops.softplus>): Tensor;
  /** a moved by 0.5 towards zero, and 0 within 0.5 of it. */
  softshrink(options?: OpOptions & OptionsOf<typeof ops.softshrink>): Tensor;
  /** a moved by 0.5 towards zero, and 0 within 0.5 of it. Written into the tensor itself. */
  softshrink_(options?: OptionsOf<typeof ops.softshrink>): Tensor;
  /** a / (1 + |a|). */
  softsign(options?: OpOptions): Tensor;
  /** a / (1 + |a|). Written into the tensor itself. */
  softsign_(): Tensor;
  /** Spherical Bessel function of the first kind of order 0, sin(a) / a. */
  sphericalBesselJ0(options?: OpOptions): Tensor;
  /** Spherical Bessel function of the first kind of order 0, sin(a) / a. Written into the tensor itself. */
  sphericalBesselJ0_(): Tensor;
  /** Square root of a; NaN below zero. */
  sqrt(options?: OpOptions): Tensor;
  /** Square root of a; NaN below zero. Written into the tensor itself. */
  sqrt_(): Tensor;
  /** Square of a; a bool is squared as int64. */
  square(options?: OpOptions): Tensor;
  /** Square of a; a bool is squared as int64. Written into the tensor itself. */
  square_(): Tensor;
  /** Difference of a and b. */
  sub(b: Operand, options?: OpOptions & OptionsOf<typeof ops.sub>): Tensor;
  /** Difference of a and b. Written into the tensor itself. */
  sub_(b: Operand, options?: OptionsOf<typeof ops.sub>): Tensor;
  /** Tangent of a in radians. */
  tan(options?: OpOptions): Tensor;
  /** Tangent of a in radians. Written into the tensor itself. */
  tan_(): Tensor;
  /** Hyperbolic tangent of a. */
  tanh(options?: OpOptions): Tensor;
  /** Hyperbolic tangent of a. Written into the tensor itself. */
  tanh_(): Tensor;
  /** a - tanh(a). */
  tanhshrink(options?: OpOptions): Tensor;
  /** a - tanh(a). Written into the tensor itself. */
  tanhshrink_(): Tensor;
  /** Second derivative of the logarithm of the gamma function. */
  trigamma(options?: OpOptions): Tensor;
  /** Second derivative of the logarithm of the gamma function. Written into the tensor itself. */
  trigamma_(): Tensor;
  /** Whole part of a, rounded towards zero. */
  trunc(options?: OpOptions): Tensor;
  /** Whole part of a, rounded towards zero. Written into the tensor itself. */
  trunc_(): Tensor;
  /** b where the condition a holds, c elsewhere. */
  where(b: Operand, c: Operand, options?: OpOptions): Tensor;
  /** b where the condition a holds, c elsewhere. Written into the tensor itself. */
  where_(b: Operand, c: Operand): Tensor;
  /** a log(1 + b), and 0 where a is 0. */
  xlog1py(b: Operand, options?: OpOptions): Tensor;
  /** a log(1 + b), and 0 where a is 0. Written into the tensor itself. */
  xlog1py_(b: Operand): Tensor;
  /** a log(b), and 0 where a is 0. */
  xlogy(b: Operand, options?: OpOptions): Tensor;
  /** a log(b), and 0 where a is 0. Written into the tensor itself. */
  xlogy_(b: Operand): Tensor;
  /** Hurwitz's zeta function: the sum of (b + k)^-a over k from 0. */
  zeta(b: Operand, options?: OpOptions): Tensor;
  /** Hurwitz's zeta function: the sum of (b + k)^-a over k from 0. Written into the tensor itself. */
  zeta_(b: Operand): Tensor;
}

// The class stands below this file, so its methods are declared from here.
declare module "./tensor.js" {
  interface Tensor extends OpMethods {}
}
