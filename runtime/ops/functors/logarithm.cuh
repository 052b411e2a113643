// Logarithms of sums of exponentials, and products with powers of two.
template <typename T> struct complex;
namespace jl {
template <typename T> inline T logaddexp(T a, T b) {
  if (a == b) return a + T(float_facts<T>::ln2());
  const T larger = a > b ? a : b, distance = fabs(a - b);
  return isnan(distance) ? distance : larger + log1p(exp(-distance));
}
template <typename T> inline complex<T> logaddexp(complex<T> a, complex<T> b) {
  const bool swap = a.re < b.re;
  const complex<T> larger = swap ? b : a, smaller = swap ? a : b;
  return isinf(larger.re) ? larger : larger + log1p(exp(smaller - larger));
}
template <typename T> inline T logaddexp2(T a, T b) {
  if (a == b) return a + T(1);
  const T larger = a > b ? a : b, distance = fabs(a - b);
  return isnan(distance) ? distance : larger + log1p(exp2(-distance)) * T(1.4426950408889634);
}
template <typename T> inline complex<T> sigmoid(complex<T> a) { return complex<T>(T(1)) / (complex<T>(T(1)) + exp(-a)); }
// a 2^b, exact where b is whole.
template <typename T> inline T ldexp(T a, T b) {
  if (fabs(b) < T(5000) && b == rint(b)) return ::ldexp(a, int(b));
  return a * exp2(b);
}
template <typename T> inline complex<T> ldexp(complex<T> a, complex<T> b) { return a * exp2(b); }
}  // namespace jl
