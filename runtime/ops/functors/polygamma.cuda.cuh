// The derivatives of digamma, from Hurwitz's zeta function.
namespace jl {
// The derivative of order n of digamma; n! in two words.
template <typename T> inline T polygamma(int n, T x) {
  if (n < 0) return nan<T>();
  if (n == 0) return digamma(x);
  if (n == 1) return trigamma(x);
  two<T> factorial = {T(1), T(0)};
  for (int k = 2; k <= n && isfinite(factorial.hi); ++k) factorial = multiply(factorial, T(k));
  if (!isfinite(factorial.hi)) factorial.hi = inf<T>();
  const T value = zeta(T(n) + T(1), x);
  const T product = isinf(factorial.hi) ? factorial.hi * value : fma(factorial.hi, value, factorial.lo * value);
  return n % 2 == 0 ? -product : product;
}
}  // namespace jl
