// Angles of floats in double arithmetic, where WebAssembly has no fused multiplication to keep the digits of a float's; those
// of doubles are the C library's. The polynomials are fits of our own (scripts/fit.py).
namespace jitlab {
namespace wide {
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
inline double atan(double x) { return __builtin_atan(x); }
inline double atan2(double y, double x) { return __builtin_atan2(y, x); }
inline double asin(double x) { return __builtin_asin(x); }
inline double acos(double x) { return __builtin_acos(x); }
inline double hypot(double x, double y) { return __builtin_hypot(x, y); }
}  // namespace jitlab
