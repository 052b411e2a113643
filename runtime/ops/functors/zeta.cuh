// Hurwitz's zeta function by Euler and Maclaurin's summation.
namespace jl {
// a^-n in two words.
template <typename T> inline two<T> reciprocal_power(two<T> a, int n) {
  two<T> base = divide(two<T>{T(1), T(0)}, a), result = {T(1), T(0)};
  for (; n > 0; n >>= 1) {
    if (n & 1) result = multiply(result, base);
    base = multiply(base, base);
  }
  return result;
}
// The same sum for a whole s up to 64, in two words; infinite in the first where a term is.
template <typename T> __noinline__ two<T> zeta_whole(int s, two<T> q) {
  two<T> a = q, term = reciprocal_power(a, s), sum = {T(0), T(0)};
  if (!isfinite(term.hi)) return {inf<T>(), T(0)};
  for (int k = 1; a.hi < T(14); ++k) {
    sum = add(sum, term);
    a = add(q, T(k));
    term = reciprocal_power(a, s);
    if (term.hi <= sum.hi * float_facts<T>::epsilon() * float_facts<T>::epsilon()) return sum;
  }
  return add(sum, zeta_tail(T(s), a, term, 12));
}
// For negative q the terms below zero are a difference of two sums of positive ones. For odd s they have another sign than
// those above, and the whole has zeros.
template <typename T> inline T zeta_negative(T s, T q) {
  const T below = -q - floor(-q);
  if (s > T(64)) {
    const T lower = zeta_positive(s, below) - zeta_positive(s, T(1) - q);
    return zeta_positive(s, T(1) - below) + (T(2) * floor(T(0.5) * s) != s ? -lower : lower);
  }
  const int n = int(s);
  const two<T> nearest = zeta_whole(n, two<T>{below, T(0)}), upper = zeta_whole(n, two_sum(T(1), -below));
  if (isinf(nearest.hi)) return n & 1 ? -nearest.hi : nearest.hi;
  if (isinf(upper.hi)) return upper.hi;
  // Half way between whole numbers the first two are equal, and what is left is the third.
  const two<T> beyond = zeta_whole(n, two_sum(T(1), -q));
  return rounded(n & 1 ? add(add(upper, negate(nearest)), beyond) : add(add(upper, nearest), negate(beyond)));
}
template <typename T> inline T zeta(T s, T q) {
  if (s == T(1)) return inf<T>();
  if (!(s > T(1)) || isinf(s)) return nan<T>();
  if (q <= T(0) && q == floor(q)) return inf<T>();
  if (q > T(0)) return isinf(q) ? nan<T>() : zeta_positive(s, q);
  return isnan(q) || s != floor(s) ? nan<T>() : zeta_negative(s, q);
}
}  // namespace jl
