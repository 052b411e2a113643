// The normalised sine cardinal, from the distance to the nearest whole number, so that its zeros are exact.
template <typename T> struct complex;
namespace jl {
// sin(pi x) and cos(pi x), from the distance to the nearest whole number; an odd one turns the sign.
template <typename T> inline T turned(T value, T nearest) {
  return T(2) * rint(T(0.5) * nearest) != nearest ? -value : value;
}
template <typename T> inline T sinpi(T x) { return turned(sinpi_two(fraction(x)).hi, rint(x)); }
template <typename T> inline T cospi(T x) { return turned(sinpi_two(T(0.5) - fabs(fraction(x))).hi, rint(x)); }
template <typename T> inline T sinc(T a) {
  if (fabs(a) < float_facts<T>::epsilon() * T(0.125)) return T(1);
  if (!isfinite(a)) return nan<T>();
  const two<T> pi = {two_facts<T>::pi_hi(), two_facts<T>::pi_lo()};
  // A quarter of a, so that the product does not overflow.
  const two<T> sine = sinpi_two(fraction(a)), angle = multiply(pi, T(0.25) * a);
  return turned(T(0.25) * rounded(divide(sine, angle)), rint(a));
}
// sin(pi x + i pi y) from real functions; pi y is kept in two words, because exp multiplies its error.
template <typename T> inline complex<T> sinc(complex<T> a) {
  if (a.re == T(0) && a.im == T(0)) return complex<T>(T(1));
  const two<T> y = multiply(two<T>{two_facts<T>::pi_hi(), two_facts<T>::pi_lo()}, a.im);
  const T c = cosh(y.hi), s = sinh(y.hi);
  const complex<T> sine = {sinpi(a.re) * fma(y.lo, s, c), cospi(a.re) * fma(y.lo, c, s)};
  return sine / (T(float_facts<T>::pi()) * a);
}
}  // namespace jl
