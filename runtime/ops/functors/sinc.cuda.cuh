// The normalised sine cardinal from the GPU's own sine of pi x, whose zeros are exact.
template <typename T> struct complex;
namespace jl {
template <typename T> inline T sinc(T a) {
  if (fabs(a) < float_facts<T>::epsilon() * T(0.125)) return T(1);
  if (!isfinite(a)) return nan<T>();
  return ::sinpi(a) / T(4) / (T(0.25) * float_facts<T>::pi() * a);
}
// sin(pi x + i pi y) from real functions; pi y is kept in two words, because exp multiplies its error.
template <typename T> inline complex<T> sinc(complex<T> a) {
  if (a.re == T(0) && a.im == T(0)) return complex<T>(T(1));
  const two<T> y = multiply(two<T>{two_facts<T>::pi_hi(), two_facts<T>::pi_lo()}, a.im);
  const T c = cosh(y.hi), s = sinh(y.hi);
  const complex<T> sine = {::sinpi(a.re) * fma(y.lo, s, c), ::cospi(a.re) * fma(y.lo, c, s)};
  return sine / (T(float_facts<T>::pi()) * a);
}
}  // namespace jl
