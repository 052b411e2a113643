// Hurwitz's zeta function by Euler and Maclaurin's summation.
namespace jl {
template <typename T> inline T zeta(T s, T q) {
  if (s == T(1)) return inf<T>();
  if (!(s > T(1)) || isinf(s)) return nan<T>();
  if (q <= T(0) && q == floor(q)) return inf<T>();
  if (q > T(0)) return isinf(q) ? T(0) : zeta_positive(s, q);
  return isnan(q) || s != floor(s) ? nan<T>() : zeta_negative(s, q);
}
}  // namespace jl
