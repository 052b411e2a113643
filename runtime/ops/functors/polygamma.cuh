// The derivatives of digamma on a processor, from Hurwitz's zeta function in two words, or in double for floats.
namespace jl {
// Where the factorial is exact, and zeta short.
template <typename T> inline bool is_short_polygamma(int n, T x) { return (n >= 2) & (n <= 22) & is_short_zeta(T(n + 1), x); }
__forceinline__ double short_factorial(int n) {
  double product = 1.0;
  JITLAB_UNROLL
  for (int k = 2; k <= 22; ++k) product *= k <= n ? double(k) : 1.0;
  return product;
}
__forceinline__ double short_polygamma(int n, double x) {
  const double value = rounded(multiply(short_zeta_parts(double(n + 1), x), short_factorial(n)));
  return n & 1 ? value : -value;
}
__forceinline__ float short_polygamma(int n, float x) {
  const float value = float(wide_zeta(double(n + 1), double(x)) * short_factorial(n));
  return n & 1 ? value : -value;
}
// Zeta of n + 1 above 2, in two words where it is not large.
inline two<double> zeta_parts(int n, double q) {
  if (n >= 64 || !isfinite(q) || (q <= 0.0 && q == floor(q))) return {zeta(double(n) + 1.0, q), 0.0};
  return q > 0.0 ? zeta_whole(n + 1, two<double>{q, 0.0}) : zeta_below(n + 1, q);
}
// The derivative of order n of digamma; n! in two words.
template <typename T> inline T polygamma(int n, T x) {
  if (n < 0) return nan<T>();
  if (n == 0) return digamma(x);
  if (n == 1) return trigamma(x);
  if (is_short_polygamma(n, x)) return short_polygamma(n, x);
  two<double> factorial = {1.0, 0.0};
  // Beyond 170! the two words are no longer numbers.
  if (n > 170) factorial = {inf<double>(), 0.0};
  else for (int k = 2; k <= n; ++k) factorial = multiply(factorial, double(k));
  const two<double> value = zeta_parts(n, double(x));
  const double first = factorial.hi * value.hi;
  const T product = T(isfinite(first) ? rounded(multiply(factorial, value)) : first);
  return n % 2 == 0 ? -product : product;
}
}  // namespace jl
