// Signs and steps of single values.
template <typename T> struct complex;
namespace jl {
template <typename T> inline T sign(T a) { return a > T(0) ? T(1) : a < T(0) ? T(-1) : T(0); }
template <typename T> inline complex<T> sgn(complex<T> a) {
  const T size = abs(a);
  return size == T(0) ? complex<T>(T(0), T(0)) : complex<T>(a.re / size, a.im / size);
}
template <typename T> inline T nan_to_num(T a) {
  if (isnan(a)) return T(0);
  return isinf(a) ? copysign(float_facts<T>::highest(), a) : a;
}
template <typename T> inline T nan_to_num(T a, T nan, T posinf, T neginf) {
  if (isnan(a)) return nan;
  return isinf(a) ? (a > T(0) ? posinf : neginf) : a;
}
template <typename T> inline complex<T> nan_to_num(complex<T> a, T nan, T posinf, T neginf) {
  return {nan_to_num(a.re, nan, posinf, neginf), nan_to_num(a.im, nan, posinf, neginf)};
}
template <typename T> inline complex<T> nan_to_num(complex<T> a) { return {nan_to_num(a.re), nan_to_num(a.im)}; }
}  // namespace jl
