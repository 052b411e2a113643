// Hurwitz's zeta function of negative q.
namespace jl {
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
}  // namespace jl
