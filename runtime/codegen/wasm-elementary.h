// Elementary functions of a float in double arithmetic, where WebAssembly has no fused multiplication to keep the digits of
// a float's: no second words are needed, and without branches, calls and tables loops run in vector registers. The series
// are Taylor's, cut where they no longer change a float.
namespace jitlab {
namespace elementary {
inline double ln2() { return 0.6931471805599453; }
// A number of this size has no fraction: adding it rounds to a whole number, which its last bits then hold.
inline double rounder() { return 6755399441055744.0; }
// x within limits; NaN stays.
inline double within(double x, double lowest, double highest) {
  const double y = x < lowest ? lowest : x;
  return y > highest ? highest : y;
}
// 2^n for the whole number n in the last bits of `rounded`.
inline double power_of_two(double rounded) { return float_of((bits_of(rounded) << 52) + 0x3ff0000000000000ull); }
// (exp(r) - 1) / r for r up to log(2) / 2.
inline double expm1_over(double r) {
  const double high = 1.0 / 120 + r * (1.0 / 720 + r * (1.0 / 5040 + r * (1.0 / 40320)));
  return 1.0 + r * (0.5 + r * (1.0 / 6 + r * (1.0 / 24 + r * high)));
}
// Rounding to a float rounds once, also where the result is subnormal or beyond the largest float.
inline float exp(float a) {
  const double x = within(a, -104.0, 89.0), rounded = x * 1.4426950408889634 + rounder();
  const double r = x - (rounded - rounder()) * ln2();
  return float((1.0 + r * expm1_over(r)) * power_of_two(rounded));
}
inline float exp2(float a) {
  const double x = within(a, -151.0, 129.0), rounded = x + rounder();
  const double r = (x - (rounded - rounder())) * ln2();
  return float((1.0 + r * expm1_over(r)) * power_of_two(rounded));
}
inline double wide_expm1(double x) {
  const double rounded = x * 1.4426950408889634 + rounder(), r = x - (rounded - rounder()) * ln2();
  const double power = power_of_two(rounded);
  return power * (r * expm1_over(r)) + (power - 1.0);
}
inline float expm1(float a) { return a == 0.0f ? a : float(wide_expm1(within(a, -30.0, 89.0))); }
inline float tanh(float a) {
  // From 9.02 on the result is 1.
  const double e = wide_expm1(2.0 * within(__builtin_fabsf(a), 0.0, 10.0));
  return __builtin_copysignf(float(e / (e + 2.0)), a);
}

// A positive number as (1 + f) 2^k with 1 + f from 2/3 to 4/3. Every positive float is a normal double.
struct split { double f, k; };
inline split split_near_one(double x) {
  const unsigned long long third = 0x3fe5555555555555ull, u = bits_of(x) - third;
  const unsigned long long k = (unsigned long long)((long long)(u) >> 52);
  return {float_of((u & 0xfffffffffffffull) + third) - 1.0, float_of(bits_of(rounder()) + k) - rounder()};
}
// log(1 + f) = 2 atanh(f / (2 + f)).
inline double log1p_near(double f) {
  const double s = f / (2.0 + f), t = s * s;
  return s * (2.0 + t * (2.0 / 3 + t * (2.0 / 5 + t * (2.0 / 7 + t * (2.0 / 9 + t * (2.0 / 11))))));
}
// The logarithm of x, which `finite` is for positive finite x; the other numbers are few, yet each has its own.
inline float logarithm(float x, double finite) {
  const float special = x == 0.0f ? -__builtin_inff() : x < 0.0f ? __builtin_nanf("") : x;
  return bits_of(x) - 1u < 0x7f7fffffu ? float(finite) : special;
}
inline float log(float a) {
  const split s = split_near_one(a);
  return logarithm(a, s.k * ln2() + log1p_near(s.f));
}
inline float log2(float a) {
  const split s = split_near_one(a);
  return logarithm(a, s.k + log1p_near(s.f) * 1.4426950408889634);
}
inline float log10(float a) {
  const split s = split_near_one(a);
  return logarithm(a, s.k * 0.30102999566398120 + log1p_near(s.f) * 0.43429448190325182);
}
// What a small number would lose beside 1 it keeps by itself.
inline float log1p(float a) {
  const double x = a;
  const bool small = __builtin_fabs(x) < 0.25;
  const split s = split_near_one(1.0 + x);
  const double value = (small ? 0.0 : s.k * ln2()) + log1p_near(small ? x : s.f);
  return a == 0.0f ? a : logarithm(1.0f + a, value);
}
}  // namespace elementary
using elementary::exp;
using elementary::exp2;
using elementary::expm1;
using elementary::log;
using elementary::log10;
using elementary::log1p;
using elementary::log2;
using elementary::tanh;
inline float sin(float x) { return __builtin_sinf(x); }
inline float cos(float x) { return __builtin_cosf(x); }
inline float tan(float x) { return __builtin_tanf(x); }
}  // namespace jitlab
