// Equality within tolerances, as numpy has it; infinities are close only to themselves.
template <typename T> struct complex;
namespace jl {
template <typename T> inline bool isclose(T a, T b, T rtol, T atol) {
  return a == b || (isfinite(b) && fabs(a - b) <= atol + rtol * fabs(b));
}
template <typename T> inline bool isclose(complex<T> a, complex<T> b, T rtol, T atol) {
  return a == b || (isfinite(abs(b)) && abs(a - b) <= atol + rtol * abs(b));
}
}  // namespace jl
