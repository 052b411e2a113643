// Hyperbolic functions from an exponential or a logarithm in two words, so that what is lost is the last rounding. The
// polynomials are fits of our own (scripts/fit.py).
namespace jl {
// <fit sinh_tail>
// (sinh(x) - x) / x^3 in t = x^2, x up to 0.75
inline float sinh_tail(float t) {
  const float c[] = {
    0.166666682f, 0.00833283923f, 0.000200751273f
  };
  return polynomial(t, c);
}
inline double sinh_tail(double t) {
  const double c[] = {
    0.16666666666666665, 0.0083333333333348567, 0.00019841269838110786, 2.7557321619452371e-6,
    2.5051287564594897e-8, 1.6188591349645103e-10
  };
  return polynomial(t, c);
}
// </fit>

// Half of exp(x) in two words, for x from 0 up; infinite where it overflows.
template <typename T> inline two<T> half_exp(T x) {
  const T limit = T(1.13) * float_facts<T>::exp_limit();
  const exponential<T> e = exp_two(two<T>{x < limit ? x : limit, T(0)});
  return {scale(e.value.hi, e.k - T(1)), scale(e.value.lo, e.k - T(1))};
}
// 1 / (4 a), which half of exp(-x) is where a is half of exp(x).
template <typename T> inline two<T> quarter_over(two<T> a) {
  const T q = T(0.25) / a.hi;
  return {q, T(4) * q * (fma(-q, a.hi, T(0.25)) - q * a.lo)};
}
template <typename T> inline T precise_sinh(T x) {
  const T a = fabs(x), t = a * a;
  if (!(a >= T(0.75))) return fma(x * t, sinh_tail(t), x);
  const two<T> e = half_exp(a);
  return copysign(isinf(e.hi) ? e.hi : rounded(add(e, negate(quarter_over(e)))), x);
}
template <typename T> inline T precise_cosh(T x) {
  const two<T> e = half_exp(fabs(x));
  return isinf(e.hi) || isnan(x) ? fabs(x) * e.hi : rounded(add(e, quarter_over(e)));
}
template <typename T> inline T precise_atanh(T x) {
  const T a = fabs(x), t = a * a;
  if (a < T(0.17)) return fma(T(0.5) * x * t, log_tail(t), x);
  if (!(a < T(1))) return a == T(1) ? x * inf<T>() : nan<T>();
  return copysign(T(0.5) * rounded(log_two(divide(two_sum(T(1), a), two_sum(T(1), -a)))), x);
}
template <> inline float precise_atanh(float x) { return atanh(x); }
}  // namespace jl
