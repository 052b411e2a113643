// Products with a logarithm in which a zero wins.
namespace jl {
template <typename T> inline T xlogy(T a, T b) { return isnan(b) ? b : a == T(0) ? T(0) : times_log(a, b); }
template <typename T> inline T xlog1py(T a, T b) { return isnan(b) ? b : a == T(0) ? T(0) : times_log1p(a, b); }
template <typename T> inline T entr(T a) {
  if (a > T(0)) return times_log(-a, a);
  return a == T(0) ? T(0) : isnan(a) ? a : -inf<T>();
}
}  // namespace jl
