// The normalised sine cardinal, from the distance to the nearest whole number, so that its zeros are exact.
template <typename T> struct complex;
namespace jl {
template <typename T> inline T sinc(T a) {
  if (a == T(0)) return T(1);
  if (isinf(a)) return nan<T>();
  const T sine = sinpi_two(fraction(a)).hi;
  const bool odd = T(2) * rint(T(0.5) * rint(a)) != rint(a);
  return (odd ? -sine : sine) / (T(float_facts<T>::pi) * a);
}
template <typename T> inline complex<T> sinc(complex<T> a) {
  const complex<T> angle = T(float_facts<T>::pi) * a;
  return a.re == T(0) && a.im == T(0) ? complex<T>(T(1)) : sin(angle) / angle;
}
}  // namespace jl
