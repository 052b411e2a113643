// The logarithm in two words, for functions whose terms nearly cancel. The polynomial is a fit of our own (scripts/fit.py).
namespace jl {
// <fit log_tail>
// (log((1 + s) / (1 - s)) - 2 s) / s^3 in t = s^2, s up to 0.1716
inline float log_tail(float t) {
  const float c[] = {
    0.666666666f, 0.400001226f, 0.285507308f, 0.233329128f
  };
  return polynomial(t, c);
}
inline double log_tail(double t) {
  const double c[] = {
    0.66666666666666666, 0.4000000000000089, 0.28571428570795431, 0.22222222393566609, 0.18181795442371985,
    0.15386250447940189, 0.13268485680654427, 0.13089629160674623
  };
  return polynomial(t, c);
}
// </fit>

// x as m 2^k with m from sqrt(1/2) to sqrt(2), for positive finite x.
inline float split_exponent(float x, float& k) {
  const bool tiny = x < 1.17549435e-38f;
  const unsigned u = bits_of(tiny ? x * 8388608.0f : x) - 0x3f3504f3u;
  k = float(int(u) >> 23) - (tiny ? 23.0f : 0.0f);
  return float_of((u & 0x7fffffu) + 0x3f3504f3u);
}
inline double split_exponent(double x, double& k) {
  const bool tiny = x < 2.2250738585072014e-308;
  const unsigned long long u = bits_of(tiny ? x * 4503599627370496.0 : x) - 0x3fe6a09e667f3bcdull;
  k = double((long long)(u) >> 52) - (tiny ? 52.0 : 0.0);
  return float_of((u & 0xfffffffffffffull) + 0x3fe6a09e667f3bcdull);
}
// log x for positive finite x, with about seven bits more than T has.
template <typename T> inline two<T> log_two(T x) {
  T k;
  const T m = split_exponent(x, k);
  const two<T> s = divide(two<T>{m - T(1), T(0)}, two_sum(m, T(1)));
  const T square = s.hi * s.hi;
  const two<T> near = quick_sum(T(2) * s.hi, fma(s.hi * square, log_tail(square), T(2) * s.lo));
  const two<T> far = two_sum(k * two_facts<T>::ln2_hi(), near.hi);
  return quick_sum(far.hi, far.lo + fma(k, two_facts<T>::ln2_lo(), near.lo));
}
// log of a number in two words.
template <typename T> inline two<T> log_two(two<T> x) { return add(log_two(x.hi), x.lo / x.hi); }
}  // namespace jl
