// Elementary functions of a float in double arithmetic, where WebAssembly has no fused multiplication to keep the digits of
// a float's: no second words are needed. Those of a double are the C library's.
namespace jitlab {
namespace elementary {
inline float exp(float a) { return float(wide::exp(wide::within(a, -104.0, 89.0))); }
inline float exp2(float a) {
  const double x = wide::within(a, -151.0, 129.0), rounded = x + wide::rounder();
  const double r = (x - (rounded - wide::rounder())) * wide::ln2();
  return float((1.0 + wide::expm1_near(r)) * wide::power_of_two(rounded));
}
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
JITLAB_WIDE(log1p) JITLAB_WIDE(tanh)
#undef JITLAB_WIDE
}  // namespace jitlab
