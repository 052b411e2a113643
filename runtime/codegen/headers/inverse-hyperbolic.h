// Inverse hyperbolic functions without branches, calls and tables, so that loops over them run in vector registers: of a float in
// double arithmetic, of a double in two words. Each is the logarithm of 1 and a number without cancellation.
namespace jitlab {
inline float asinh(float x) {
  const double a = __builtin_fabsf(x), square = a * a;
  const float value = float(wide::quick_log1p(a + square / (1.0 + __builtin_sqrt(1.0 + square))));
  return __builtin_fabsf(x) < __builtin_inff() ? __builtin_copysignf(value, x) : x;
}
inline float acosh(float x) {
  const double a = double(x) - 1.0;
  const float value = float(wide::quick_log1p(a + __builtin_sqrt(a * (a + 2.0))));
  return x >= 1.0f ? (x < __builtin_inff() ? value : x) : __builtin_nanf("");
}
inline float atanh(float x) {
  const double a = __builtin_fabsf(x);
  const float size = __builtin_fabsf(x), value = float(0.5 * wide::quick_log1p(2.0 * a / (1.0 - a)));
  return __builtin_copysignf(size < 1.0f ? value : size == 1.0f ? __builtin_inff() : __builtin_nanf(""), x);
}
#ifndef __wasm__
// From 2^60 on they are the logarithm of twice the number.
namespace inverse_hyperbolic {
using elementary::exact_sum;
using elementary::pair;
// The root of a positive number in two words.
inline pair<double> root_of(pair<double> x) {
  const double root = __builtin_sqrt(x.hi);
  return {root, (fma(-root, root, x.hi) + x.lo) / (root == 0.0 ? 1.0 : root + root)};
}
// log(1 + a), or of x above 2^60 log(2 x).
inline double logarithm(double x, pair<double> a) {
  const bool large = x > 0x1p60;
  const double first = large ? x : a.hi;
  const pair<double> sum = elementary::log1p_parts(first, 1.0 + first, large ? 0.0 : a.lo);
  return sum.hi + (sum.lo + (large ? 0.69314718055994529 : 0.0));
}
inline double asinh(double x) {
  const double a = x > 0x1p60 ? 0.0 : x, square = a * a, low = fma(a, a, -square);
  const pair<double> sum = exact_sum(1.0, square), root = root_of(pair<double>{sum.hi, sum.lo + low}), below = exact_sum(1.0, root.hi);
  const double q = square / below.hi, rest = fma(-q, below.hi, square) + low;
  const pair<double> first = exact_sum(a, q);
  return logarithm(x, pair<double>{first.hi, first.lo + fma(-q, below.lo + root.lo, rest) / below.hi});
}
inline double acosh(double x) {
  const double a = x > 0x1p60 ? 1.0 : x, b = a - 1.0;
  const pair<double> above = exact_sum(a, 1.0);
  const double square = b * above.hi;
  const pair<double> root = root_of(pair<double>{square, fma(b, above.hi, -square) + b * above.lo}), first = exact_sum(b, root.hi);
  return logarithm(x, pair<double>{first.hi, first.lo + root.lo});
}
}  // namespace inverse_hyperbolic
inline double asinh(double x) {
  const double a = __builtin_fabs(x), value = __builtin_copysign(inverse_hyperbolic::asinh(a), x);
  return ((a > 0x1p-30) & (a < __builtin_inf())) ? value : x;
}
inline double acosh(double x) {
  const double value = inverse_hyperbolic::acosh(x);
  return x >= 1.0 ? (x < __builtin_inf() ? value : x) : __builtin_nan("");
}
#endif
}  // namespace jitlab
