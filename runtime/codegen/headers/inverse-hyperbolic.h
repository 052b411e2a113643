// Inverse hyperbolic functions of a float in double arithmetic, without branches, calls and tables, so that loops over them
// run in vector registers. Each is the logarithm of 1 and a number without cancellation.
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
}  // namespace jitlab
