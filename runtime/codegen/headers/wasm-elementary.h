// Elementary functions of a float in double arithmetic, where WebAssembly has no fused multiplication to keep the digits of
// a float's: no second words are needed. Those of a double are the C library's, but for tanh, whose
// error is more than a unit there; its polynomial is a fit of our own (scripts/fit.py).
namespace jitlab {
namespace elementary {
inline float exp(float a) { return float(wide::exp(wide::within(a, -104.0, 89.0))); }
inline float exp2(float a) { return float(wide::exp2(wide::within(a, -151.0, 129.0))); }
inline float expm1(float a) { return a == 0.0f ? a : float(wide::expm1(wide::within(a, -30.0, 89.0))); }
inline float tanh(float a) {
  // From 9.02 on the result is 1.
  const double e = wide::expm1(2.0 * wide::within(__builtin_fabsf(a), 0.0, 10.0));
  return __builtin_copysignf(float(e / (e + 2.0)), a);
}
// The logarithm of x, which `finite` is for positive finite x; the other numbers are few, yet each has its own.
inline float logarithm(float x, double finite) {
  const float special = x == 0.0f ? -__builtin_inff() : x < 0.0f ? __builtin_nanf("") : x;
  return bits_of(x) - 1u < 0x7f7fffffu ? float(finite) : special;
}
// Every positive float is a normal double.
inline float log(float a) { return logarithm(a, wide::log(a)); }
inline float log2(float a) {
  const wide::split s = wide::split_near_one(a);
  return logarithm(a, s.k + wide::log1p_near(s.f) * 1.4426950408889634);
}
inline float log10(float a) {
  const wide::split s = wide::split_near_one(a);
  return logarithm(a, s.k * 0.30102999566398120 + wide::log1p_near(s.f) * 0.43429448190325182);
}
inline float log1p(float a) { return a == 0.0f ? a : logarithm(1.0f + a, wide::log1p(a)); }
using wide::polynomial;
// <fit tanh_tail double>
// (tanh(x) - x) / x^3 in t = x^2, x up to 1
inline double tanh_tail(double t) {
  const double c[] = {
    -0.33333333333333333, 0.1333333333333309, -0.053968253968046376, 0.02186948852912909,
    -0.0088632354045782825, 0.0035921266793663412, -0.0014558246920964942, 0.00058997929463000517,
    -0.00023895705228738225, 9.6462777433131814e-5, -3.8389607893147333e-5, 1.4606131676715378e-5,
    -4.9877603175203467e-6, 1.3791814499083342e-6, -2.6330772232959335e-7, 2.5155023659382106e-8
  };
  return polynomial(t, c);
}
// </fit>
}  // namespace elementary
using elementary::exp;
using elementary::exp2;
using elementary::expm1;
using elementary::log;
using elementary::log10;
using elementary::log1p;
using elementary::log2;
using elementary::tanh;
#define JITLAB_WIDE(NAME) inline double NAME(double x) { return __builtin_##NAME(x); }
JITLAB_WIDE(exp) JITLAB_WIDE(exp2) JITLAB_WIDE(expm1) JITLAB_WIDE(log) JITLAB_WIDE(log2) JITLAB_WIDE(log10)
JITLAB_WIDE(log1p)
#undef JITLAB_WIDE
template <typename T> inline T log_plus(T x, T low) { return isinf(x) ? x : log(x) + low; }
template <typename T> inline T log1p_exp(T x) { return log1p(exp(x)); }
template <typename T> inline T less_log1p_exp(T base, T x) { return base - log1p_exp(x); }
template <typename T> inline T times_log(T y, T x) { return y * log(x); }
template <typename T> inline T times_log1p(T y, T x) { return y * log1p(x); }
template <typename T> inline T times_logistic(T y, T x) { return y / (T(1) + exp(-x)); }
template <typename T> inline T logistic(T x) { return times_logistic(T(1), x); }
// What it loses is not known here.
inline double log_of_normal(double x, double& lost) {
  lost = 0.0;
  return __builtin_log(x);
}
inline double tanh(double x) {
  const double a = __builtin_fabs(x), t = a * a;
  // From 19.1 on the result is 1.
  const double far = 1.0 - 2.0 / (__builtin_exp(2.0 * (a > 20.0 ? 20.0 : a)) + 1.0);
  return __builtin_copysign(a < 1.0 ? a + a * (t * elementary::tanh_tail(t)) : far, x);
}
}  // namespace jitlab
