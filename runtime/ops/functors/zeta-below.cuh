// Hurwitz's zeta function of negative q, in two words, which polygamma needs.
namespace jl {
// For negative q the terms below zero are a difference of two sums of positive ones. For odd s they have another sign than
// those above, and the whole has zeros. This is the sum for a whole s up to 64.
template <typename T> inline two<T> zeta_below(int n, T q) {
  const T below = -q - floor(-q);
  const two<T> nearest = zeta_whole(n, two<T>{below, T(0)}), upper = zeta_whole(n, two_sum(T(1), -below));
  if (isinf(nearest.hi)) return {n & 1 ? -nearest.hi : nearest.hi, T(0)};
  if (isinf(upper.hi)) return {upper.hi, T(0)};
  // Half way between whole numbers the first two are equal, and what is left is the third.
  const two<T> beyond = zeta_whole(n, two_sum(T(1), -q));
  return n & 1 ? add(add(upper, negate(nearest)), beyond) : add(add(upper, nearest), negate(beyond));
}
template <typename T> inline T zeta_negative(T s, T q) {
  if (s <= T(64)) return rounded(zeta_below(int(s), q));
  const T below = -q - floor(-q), lower = zeta_positive(s, below) - zeta_positive(s, T(1) - q);
  return zeta_positive(s, T(1) - below) + (T(2) * floor(T(0.5) * s) != s ? -lower : lower);
}
}  // namespace jl
