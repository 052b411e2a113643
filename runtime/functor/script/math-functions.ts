// The functions of jl.math. Written by scripts/functions.mjs from runtime/ops; edit the records instead.

/** Every operation as a function of numbers: in a functor that of the kernel's device, elsewhere the definition in float64. */
export interface MathFunctions {
  /** Magnitude of a; real for complex numbers. */
  abs(a: number): number;
  /** Angle whose cosine is a, from 0 to pi. */
  acos(a: number): number;
  /** Inverse hyperbolic cosine of a; NaN below 1. */
  acosh(a: number): number;
  /** Sum of a and b. */
  add(a: number, b: number): number;
  /** a + b / c. */
  addcdiv(a: number, b: number, c: number): number;
  /** a + b c. */
  addcmul(a: number, b: number, c: number): number;
  /** Airy function Ai. */
  airyAi(a: number): number;
  /** Angle of a in the complex plane, from -pi to pi. */
  angle(a: number): number;
  /** Angle whose sine is a, from -pi/2 to pi/2. */
  asin(a: number): number;
  /** Inverse hyperbolic sine of a. */
  asinh(a: number): number;
  /** Angle whose tangent is a, from -pi/2 to pi/2. */
  atan(a: number): number;
  /** Angle of the point with ordinate a and abscissa b, from -pi to pi. */
  atan2(a: number, b: number): number;
  /** Inverse hyperbolic tangent of a; NaN beyond 1. */
  atanh(a: number): number;
  /** Bessel function of the first kind of order 0. */
  besselJ0(a: number): number;
  /** Bessel function of the first kind of order 1. */
  besselJ1(a: number): number;
  /** Bessel function of the second kind of order 0; NaN below 0. */
  besselY0(a: number): number;
  /** Bessel function of the second kind of order 1; NaN below 0. */
  besselY1(a: number): number;
  /** Bits set in both a and b. */
  bitwiseAnd(a: number, b: number): number;
  /** The number of bits that are set in the magnitude of a. */
  bitwiseCount(a: number): number;
  /** Every bit of a inverted; logical for bool. */
  bitwiseNot(a: number): number;
  /** Bits set in a or b. */
  bitwiseOr(a: number, b: number): number;
  /** Bits set in exactly one of a and b. */
  bitwiseXor(a: number, b: number): number;
  /** Cube root of a. */
  cbrt(a: number): number;
  /** Smallest whole number not below a. */
  ceil(a: number): number;
  /** Continuously differentiable elu; elu itself for alpha = 1. */
  celu(a: number): number;
  /** Chebyshev's polynomial of the first kind of degree b. */
  chebyshevPolynomialT(a: number, b: number): number;
  /** Chebyshev's polynomial of the second kind of degree b. */
  chebyshevPolynomialU(a: number, b: number): number;
  /** Chebyshev's polynomial of the third kind of degree b. */
  chebyshevPolynomialV(a: number, b: number): number;
  /** Chebyshev's polynomial of the fourth kind of degree b. */
  chebyshevPolynomialW(a: number, b: number): number;
  /** a clamped to [b, c]. */
  clamp(a: number, b: number, c: number): number;
  /** a, but at most b. */
  clampMax(a: number, b: number): number;
  /** a, but at least b. */
  clampMin(a: number, b: number): number;
  /** Complex conjugate of a. */
  conj(a: number): number;
  /** Magnitude of a with the sign of b; a NaN in b counts as positive. */
  copysign(a: number, b: number): number;
  /** Cosine of a in radians. */
  cos(a: number): number;
  /** Hyperbolic cosine of a. */
  cosh(a: number): number;
  /** Radians of an angle a in degrees. */
  deg2rad(a: number): number;
  /** Derivative of the logarithm of the gamma function. */
  digamma(a: number): number;
  /** Quotient of a and b; integers are divided as float32. */
  div(a: number, b: number): number;
  /** a above zero, e^a - 1 below. */
  elu(a: number): number;
  /** -a log(a), the entropy of one outcome; 0 at 0 and -Infinity below. */
  entr(a: number): number;
  /** True where a equals b. */
  eq(a: number, b: number): boolean;
  /** Error function. */
  erf(a: number): number;
  /** Complement of the error function, 1 - erf(a), without cancellation. */
  erfc(a: number): number;
  /** Complement of the error function times e^(a^2). */
  erfcx(a: number): number;
  /** Inverse of the error function. */
  erfinv(a: number): number;
  /** Exponential e^a. */
  exp(a: number): number;
  /** Two to the power of a. */
  exp2(a: number): number;
  /** e^a - 1 without cancellation near 0. */
  expm1(a: number): number;
  /** a to the power of b in float64, or complex128. */
  floatPower(a: number, b: number): number;
  /** Largest whole number not above a. */
  floor(a: number): number;
  /** Quotient of a and b rounded towards minus infinity; an integer divided by zero gives 0. */
  floorDivide(a: number, b: number): number;
  /** The larger of a and b; ignores a single NaN. */
  fmax(a: number, b: number): number;
  /** The smaller of a and b; ignores a single NaN. */
  fmin(a: number, b: number): number;
  /** Remainder of the division rounded towards zero, with the sign of a; an integer modulo zero gives 0. */
  fmod(a: number, b: number): number;
  /** Fractional part of a, with its sign. */
  frac(a: number): number;
  /** Regularized lower incomplete gamma function of order a at b. */
  gammainc(a: number, b: number): number;
  /** Regularized upper incomplete gamma function of order a at b. */
  gammaincc(a: number, b: number): number;
  /** Greatest common divisor of a and b; of a signed dtype's lowest number it may be negative, as in PyTorch. */
  gcd(a: number, b: number): number;
  /** True where a is greater than or equal to b. */
  ge(a: number, b: number): boolean;
  /** Gaussian error linear unit, a ndtr(a). */
  gelu(a: number): number;
  /** True where a is greater than b. */
  gt(a: number, b: number): boolean;
  /** a, and 0 within 0.5 of zero. */
  hardshrink(a: number): number;
  /** relu6(a + 3) / 6. */
  hardsigmoid(a: number): number;
  /** a relu6(a + 3) / 6. */
  hardswish(a: number): number;
  /** a clamped to [-1, 1]. */
  hardtanh(a: number): number;
  /** 0 below zero, 1 above, and b at zero. */
  heaviside(a: number, b: number): number;
  /** Hermite's polynomial of degree b, as physicists scale it. */
  hermitePolynomialH(a: number, b: number): number;
  /** Hermite's polynomial of degree b, as statisticians scale it. */
  hermitePolynomialHe(a: number, b: number): number;
  /** Length of the hypotenuse over a and b without overflow. */
  hypot(a: number, b: number): number;
  /** Modified Bessel function of the first kind of order 0. */
  i0(a: number): number;
  /** Modified Bessel function of order 0 times e^-|a|. */
  i0e(a: number): number;
  /** Modified Bessel function of the first kind of order 1. */
  i1(a: number): number;
  /** Modified Bessel function of order 1 times e^-|a|. */
  i1e(a: number): number;
  /** Imaginary part of a; 0 for real numbers. */
  imag(a: number): number;
  /** True where a and b differ by at most 1e-8 + 1e-5 |b|. */
  isclose(a: number, b: number): boolean;
  /** True where a is neither infinite nor NaN. */
  isfinite(a: number): boolean;
  /** True where a is infinite. */
  isinf(a: number): boolean;
  /** True where a is NaN. */
  isnan(a: number): boolean;
  /** True where a is negative infinity. */
  isneginf(a: number): boolean;
  /** True where a is positive infinity. */
  isposinf(a: number): boolean;
  /** True where a has no imaginary part. */
  isreal(a: number): boolean;
  /** Laguerre's polynomial of degree b. */
  laguerrePolynomialL(a: number, b: number): number;
  /** Least common multiple of a and b; wraps where it does not fit the dtype. */
  lcm(a: number, b: number): number;
  /** a times 2 to the power of b. */
  ldexp(a: number, b: number): number;
  /** True where a is less than or equal to b. */
  le(a: number, b: number): boolean;
  /** a above zero, a / 100 below. */
  leakyRelu(a: number): number;
  /** a shifted b bits to the left; 0 where b is negative or not below the width. */
  leftShift(a: number, b: number): number;
  /** Legendre's polynomial of degree b. */
  legendrePolynomialP(a: number, b: number): number;
  /** a + c (b - a), the point at weight c between a and b. */
  lerp(a: number, b: number, c: number): number;
  /** Logarithm of the magnitude of the gamma function. */
  lgamma(a: number): number;
  /** Natural logarithm of a; NaN below zero. */
  log(a: number): number;
  /** Logarithm of a to the base 10. */
  log10(a: number): number;
  /** log(1 + a) without cancellation near 0. */
  log1p(a: number): number;
  /** Logarithm of a to the base 2. */
  log2(a: number): number;
  /** Logarithm of ndtr, without underflow. */
  logNdtr(a: number): number;
  /** log(e^a + e^b) without overflow. */
  logaddexp(a: number, b: number): number;
  /** log2(2^a + 2^b) without overflow. */
  logaddexp2(a: number, b: number): number;
  /** True where both a and b are not zero. */
  logicalAnd(a: number, b: number): boolean;
  /** True where a is zero. */
  logicalNot(a: number): boolean;
  /** True where a or b is not zero. */
  logicalOr(a: number, b: number): boolean;
  /** True where exactly one of a and b is not zero. */
  logicalXor(a: number, b: number): boolean;
  /** log(a / (1 - a)), the inverse of the logistic function. */
  logit(a: number): number;
  /** Logarithm of the logistic function. */
  logsigmoid(a: number): number;
  /** True where a is less than b. */
  lt(a: number, b: number): boolean;
  /** The larger of a and b; NaN where either is NaN. */
  maximum(a: number, b: number): number;
  /** The smaller of a and b; NaN where either is NaN. */
  minimum(a: number, b: number): number;
  /** a tanh(log(1 + e^a)). */
  mish(a: number): number;
  /** Modified Bessel function of the first kind of order 0, another name of i0. */
  modifiedBesselI0(a: number): number;
  /** Modified Bessel function of the first kind of order 1, another name of i1. */
  modifiedBesselI1(a: number): number;
  /** Modified Bessel function of the second kind of order 0. */
  modifiedBesselK0(a: number): number;
  /** Modified Bessel function of the second kind of order 1. */
  modifiedBesselK1(a: number): number;
  /** Product of a and b. */
  mul(a: number, b: number): number;
  /** Logarithm of the multivariate gamma function of b dimensions. */
  multigammaln(a: number, b: number): number;
  /** a with NaN as 0 and the infinities as the largest finite numbers. */
  nanToNum(a: number): number;
  /** Probability that a standard normal variable is below a. */
  ndtr(a: number): number;
  /** Inverse of ndtr: the quantile of the standard normal distribution. */
  ndtri(a: number): number;
  /** True where a differs from b. */
  ne(a: number, b: number): boolean;
  /** Negative of a. */
  neg(a: number): number;
  /** The floating number after a in the direction of b. */
  nextafter(a: number, b: number): number;
  /** Derivative of order a of digamma at b; a is a whole number. */
  polygamma(a: number, b: number): number;
  /** a itself. */
  positive(a: number): number;
  /** a to the power of b; integers to negative powers of a tensor are truncated reciprocals, to a negative number an error. */
  pow(a: number, b: number): number;
  /** a above zero, a b below, for a slope b. */
  prelu(a: number, b: number): number;
  /** Degrees of an angle a in radians. */
  rad2deg(a: number): number;
  /** Real part of a. */
  real(a: number): number;
  /** 1 / a. */
  reciprocal(a: number): number;
  /** a where it is positive, 0 elsewhere. */
  relu(a: number): number;
  /** a clamped to [0, 6]. */
  relu6(a: number): number;
  /** Remainder of the floor division, with the sign of b; an integer modulo zero gives 0. */
  remainder(a: number, b: number): number;
  /** a shifted b bits to the right; only the sign is left where b is negative or not below the width. */
  rightShift(a: number, b: number): number;
  /** Nearest whole number; halves go to the even one. */
  round(a: number): number;
  /** Reciprocal of the square root of a. */
  rsqrt(a: number): number;
  /** b - a, the reversed difference. */
  rsub(a: number, b: number): number;
  /** Modified Bessel function of the second kind of order 0 times e^a. */
  scaledModifiedBesselK0(a: number): number;
  /** Modified Bessel function of the second kind of order 1 times e^a. */
  scaledModifiedBesselK1(a: number): number;
  /** Scaled elu, which keeps mean 0 and variance 1. */
  selu(a: number): number;
  /** a divided by its magnitude, and 0 at 0: the sign of a complex number. */
  sgn(a: number): number;
  /** Chebyshev's polynomial of the first kind of degree b, moved to the interval from 0 to 1. */
  shiftedChebyshevPolynomialT(a: number, b: number): number;
  /** Chebyshev's polynomial of the second kind of degree b, moved to the interval from 0 to 1. */
  shiftedChebyshevPolynomialU(a: number, b: number): number;
  /** Chebyshev's polynomial of the third kind of degree b, moved to the interval from 0 to 1. */
  shiftedChebyshevPolynomialV(a: number, b: number): number;
  /** Chebyshev's polynomial of the fourth kind of degree b, moved to the interval from 0 to 1. */
  shiftedChebyshevPolynomialW(a: number, b: number): number;
  /** Logistic function 1 / (1 + e^-a). */
  sigmoid(a: number): number;
  /** -1, 0 or 1, the sign of a. */
  sign(a: number): number;
  /** True where a is negative or -0; false for NaN, which has no sign. */
  signbit(a: number): boolean;
  /** a times its logistic function. */
  silu(a: number): number;
  /** Sine of a in radians. */
  sin(a: number): number;
  /** sin(pi a) / (pi a), and 1 at 0. */
  sinc(a: number): number;
  /** Hyperbolic sine of a. */
  sinh(a: number): number;
  /** log(1 + e^a), and a itself above 20. */
  softplus(a: number): number;
  /** a moved by 0.5 towards zero, and 0 within 0.5 of it. */
  softshrink(a: number): number;
  /** a / (1 + |a|). */
  softsign(a: number): number;
  /** The distance from a to the next number away from zero, with the sign of a. */
  spacing(a: number): number;
  /** Spherical Bessel function of the first kind of order 0, sin(a) / a. */
  sphericalBesselJ0(a: number): number;
  /** Square root of a; NaN below zero. */
  sqrt(a: number): number;
  /** Square of a; a bool is squared as int64. */
  square(a: number): number;
  /** Difference of a and b. */
  sub(a: number, b: number): number;
  /** Tangent of a in radians. */
  tan(a: number): number;
  /** Hyperbolic tangent of a. */
  tanh(a: number): number;
  /** a - tanh(a). */
  tanhshrink(a: number): number;
  /** Second derivative of the logarithm of the gamma function. */
  trigamma(a: number): number;
  /** Whole part of a, rounded towards zero. */
  trunc(a: number): number;
  /** b where the condition a holds, c elsewhere; as a method of tensors, mask.where(b, c). */
  where(a: boolean, b: number, c: number): number;
  /** a log(1 + b), and 0 where a is 0. */
  xlog1py(a: number, b: number): number;
  /** a log(b), and 0 where a is 0. */
  xlogy(a: number, b: number): number;
  /** Hurwitz's zeta function: the sum of (b + k)^-a over k from 0. */
  zeta(a: number, b: number): number;
  /** The position of the element along a dimension of the result; negative ones count from the last. In functors only. */
  index(dimension: number): number;
  /** The size of the result along a dimension; negative ones count from the last. In functors only. */
  extent(dimension: number): number;
}
