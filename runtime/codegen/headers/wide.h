// Functions of a float in double arithmetic, good to 33 bits: the last rounding, to a float, is all that is lost, also where
// the result is subnormal or beyond the largest float. Without branches, calls and tables, so that loops over them run in
// vector registers. The polynomials are fits of our own (scripts/fit.py).
namespace jitlab {
namespace wide {
#if defined(__FMA__) || defined(__aarch64__)
inline double step(double x, double y, double z) { return __builtin_fma(x, y, z); }
#else
inline double step(double x, double y, double z) { return x * y + z; }
#endif
template <int N> inline double polynomial(double x, const double (&c)[N]) {
  double sum = c[N - 1];
  JITLAB_UNROLL
  for (int i = N - 2; i >= 0; --i) sum = step(sum, x, c[i]);
  return sum;
}
// <fit exp_tail wide>
// (exp(x) - 1 - x) / x^2 in t = x, x up to log(2) / 2
inline double exp_tail(double t) {
  const double c[] = {
    0.5, 0.16666666719567953, 0.041666666719551048, 0.0083332982308920134, 0.0013888853796864278,
    0.00019899484113228376, 2.4859788281460614e-5
  };
  return wide::polynomial(t, c);
}
// </fit>
// <fit atanh_over wide>
// 2 atanh(s) / s in t = s^2, s up to 0.2
inline double atanh_over(double t) {
  const double c[] = {
    2.000000000040129, 0.66666661666453408, 0.40000993987892883, 0.28502569630341833, 0.2415036248535917
  };
  return wide::polynomial(t, c);
}
// </fit>
// <fit atan_over wide>
// atan(x) / x in t = x^2, x up to 1
inline double atan_over(double t) {
  const double c[] = {
    0.99999999992930368, -0.33333331290889988, 0.19999901102171554, -0.14283813255743194,
    0.11091922963683302, -0.089741719583638811, 0.072282783453772522, -0.053956680571371718,
    0.033826218952786872, -0.015828322749149416, 0.0047324841934219207, -0.00066339545711047872
  };
  return wide::polynomial(t, c);
}
// </fit>
// <fit asin_tail wide>
// (asin(x) - x) / x^3 in t = x^2, x up to 0.5
inline double asin_tail(double t) {
  const double c[] = {
    0.16666666665495086, 0.075000005988290491, 0.044642358484883195, 0.030397634130580702,
    0.022132443623426793, 0.019306260869368044, 0.0054431851027481071, 0.029305239705335789
  };
  return wide::polynomial(t, c);
}
// </fit>
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
// exp(r) - 1 for r up to log(2) / 2.
inline double expm1_near(double r) { return step(r * r, exp_tail(r), r); }
// exp(x) and exp(x) - 1 for x up to 700.
inline double exp(double x) {
  const double rounded = step(x, 1.4426950408889634, rounder()), r = step(rounded - rounder(), -ln2(), x);
  return (1.0 + expm1_near(r)) * power_of_two(rounded);
}
inline double expm1(double x) {
  const double rounded = step(x, 1.4426950408889634, rounder()), r = step(rounded - rounder(), -ln2(), x);
  const double power = power_of_two(rounded);
  return power * expm1_near(r) + (power - 1.0);
}
// A positive normal double as (1 + f) 2^k with 1 + f from 2/3 to 4/3.
struct split { double f, k; };
inline split split_near_one(double x) {
  const unsigned long long third = 0x3fe5555555555555ull, u = bits_of(x) - third;
  const unsigned long long k = (unsigned long long)((long long)(u) >> 52);
  return {float_of((u & 0xfffffffffffffull) + third) - 1.0, float_of(bits_of(rounder()) + k) - rounder()};
}
// log(1 + f) = 2 atanh(f / (2 + f)).
inline double log1p_near(double f) {
  const double s = f / (2.0 + f);
  return s * atanh_over(s * s);
}
// log(x) for a positive normal double.
inline double log(double x) {
  const split s = split_near_one(x);
  return step(s.k, ln2(), log1p_near(s.f));
}
// log(1 + x) for x above -1: what a small x would lose beside 1 it keeps by itself.
inline double log1p(double x) {
  const bool small = __builtin_fabs(x) < 0.25;
  const split s = split_near_one(1.0 + x);
  return (small ? 0.0 : s.k * ln2()) + log1p_near(small ? x : s.f);
}
// atan(r) for r from 0 to 1, or pi / 2 less it: the angle of 1 / r.
inline double angle(double r, bool steep) {
  const double near = r * atan_over(r * r);
  return steep ? 1.5707963267948966 - near : near;
}
// asin of x from 0 to 1 is `value`, or pi / 2 less it where `high`.
struct arc { double value; bool high; };
inline arc arc_of(double x) {
  const bool high = x > 0.5;
  const double half = 0.5 * (1.0 - x), t = high ? half : x * x, s = high ? __builtin_sqrt(half) : x;
  const double value = step(s * t, asin_tail(t), s);
  return {high ? 2.0 * value : value, high};
}
}  // namespace wide
inline float atan(float x) {
  const double a = __builtin_fabsf(x), over = 1.0 / a;
  return __builtin_copysignf(float(wide::angle(a > 1.0 ? over : a, a > 1.0)), x);
}
inline float atan2(float y, float x) {
  const double a = __builtin_fabsf(x), b = __builtin_fabsf(y);
  const double larger = b > a ? b : a, smaller = b > a ? a : b;
  // Two infinities are as far from the axes as each other, and two zeros lie on the first.
  const double over = smaller / (larger == 0.0 ? 1.0 : larger), r = (a == b) & (a > 0.0) ? 1.0 : over;
  const double angle = wide::angle(r, b > a);
  const float value = float(bits_of(x) >> 31 ? 3.141592653589793 - angle : angle);
  return (x == x) & (y == y) ? __builtin_copysignf(value, y) : x + y;
}
inline float asin(float x) {
  const wide::arc a = wide::arc_of(__builtin_fabsf(x));
  return __builtin_copysignf(float(a.high ? 1.5707963267948966 - a.value : a.value), x);
}
inline float acos(float x) {
  const wide::arc a = wide::arc_of(__builtin_fabsf(x));
  const double below = x < 0.0f ? 3.141592653589793 - a.value : a.value;
  const double beside = x < 0.0f ? 1.5707963267948966 + a.value : 1.5707963267948966 - a.value;
  return float(a.high ? below : beside);
}
}  // namespace jitlab
