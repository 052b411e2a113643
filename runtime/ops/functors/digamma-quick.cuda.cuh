// The derivative of lgamma on a GPU, where neighbouring threads go through all branches that any of them takes: they share one
// logarithm, one reciprocal and the sum, and leave what is not ordinary to a function of its own.
namespace jl {
// 1 / x in two words.
template <typename T> inline two<T> reciprocal_two(T x) {
  const T q = fine_reciprocal(x);
  return {q, fma(-q, x, T(1)) * q};
}
// pi cot(pi r) for |r| up to 0.5 other than 0.
template <typename T> inline two<T> quick_cotpi(T r) {
  const T a = fabs(r);
  if (a <= T(0.25)) {
    const two<T> q = reciprocal_two(r);
    return quick_sum(q.hi, fma(-r, cotpi_tail(r * r), q.lo));
  }
  const T u = copysign(T(0.5) - a, r), square = u * u, high = u * two_facts<T>::pi2_hi();
  const T low = fma(u, two_facts<T>::pi2_lo(), fma(u, two_facts<T>::pi2_hi(), -high));
  return quick_sum(high, fma(u * square, tanpi_tail(square), low));
}
__noinline__ inline float digamma_rare(float x) { return digamma_anywhere(x); }
__noinline__ inline double digamma_rare(double x) { return digamma_anywhere(x); }
template <typename T> inline T quick_digamma(T x) {
  const T a = fabs(x), r = fraction(a);
  // Without subnormal and enormous numbers, and whole ones below 0.
  const bool above = x > T(0);
  const bool moderate = (a >= float_facts<T>::smallest()) & (a * float_facts<T>::epsilon() < T(1));
  if (!(moderate & (above | (r != T(0))))) return digamma_rare(x);
  // digamma(-a) is digamma(a) + 1 / a + pi cot(pi a); below 1 digamma(a) is digamma(1 + a) - 1 / a.
  const two<T> over = reciprocal_two(a);
  two<T> sum;
  T share = above ? T(0) : T(1);
  if (a < T(2)) {
    const T gap = (a - digamma_facts<T>::root_hi()) - digamma_facts<T>::root_lo();
    sum = {a < T(1) ? digamma_next(a) : gap * digamma_near(a - T(1.5)), T(0)};
    share = a < T(1) ? share - T(1) : share;
  } else {
    const T square = over.hi * over.hi;
    sum = log_sum(a);
    sum.lo = fma(-square, digamma_tail(square), sum.lo);
    share -= T(0.5);
  }
  two<T> value = two_sum(sum.hi, share * over.hi);
  value.lo += fma(share, over.lo, sum.lo);
  if (above) return rounded(value);
  const two<T> cotangent = quick_cotpi(r), whole = two_sum(value.hi, cotangent.hi);
  return whole.hi + (whole.lo + (value.lo + cotangent.lo));
}
inline float digamma(float x) { return quick_digamma(x); }
inline double digamma(double x) { return quick_digamma(x); }
}  // namespace jl
