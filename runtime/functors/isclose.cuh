// Equality within numpy's tolerances; infinities are close only to themselves.
template <typename T> struct complex;
namespace jl {
template <typename T> inline bool isclose(T a, T b) {
  return a == b || (isfinite(b) && fabs(a - b) <= T(1e-8) + T(1e-5) * fabs(b));
}
template <typename T> inline bool isclose(complex<T> a, complex<T> b) {
  return a == b || (isfinite(abs(b)) && abs(a - b) <= T(1e-8) + T(1e-5) * abs(b));
}
}  // namespace jl
