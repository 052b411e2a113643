// Angles and lengths, of floats and doubles, without branches, calls and tables, so that loops over them run in vector
// registers. The polynomials are fits of our own (scripts/fit.py).
namespace jitlab {
namespace angles {
using elementary::pair;
using elementary::polynomial;
using elementary::quotient;
using elementary::sum_of;
// <fit atan_tail>
// (atan(x) - x) / x^3 in t = x^2, x up to tan(pi/8)
inline float atan_tail(float t) {
  const float c[] = {
    -0.333333318f, 0.199995402f, -0.142639464f, 0.107436316f, -0.0645159726f
  };
  return polynomial(t, c);
}
inline double atan_tail(double t) {
  const double c[] = {
    -0.33333333333333333, 0.19999999999999804, -0.14285714285659749, 0.11111111105147764,
    -0.090909087531185939, 0.07692296363979951, -0.066664246872464995, 0.058789267157567258,
    -0.052304374642516871, 0.045515165635903106, -0.0345685906686069, 0.016283572356482589
  };
  return polynomial(t, c);
}
// </fit>
// <fit atan_near>
// (atan(x) - x) / x^3 in t = x^2, x up to tan(1/2)
inline float atan_near(float t) {
  const float c[] = {
    -0.333333322f, 0.199997281f, -0.142748869f, 0.109502813f, -0.0797231074f, 0.0380084063f
  };
  return polynomial(t, c);
}
inline double atan_near(double t) {
  const double c[] = {
    -0.33333333333333333, 0.19999999999999762, -0.14285714285662276, 0.11111111106621166,
    -0.090909088879767274, 0.076923021764919972, -0.066665690543813052, 0.058811725528074553,
    -0.052531155202530256, 0.047008478188181115, -0.040812217896270344, 0.031673532582646126,
    -0.018629019421155033, 0.0058713335610505311
  };
  return polynomial(t, c);
}
// </fit>
// <fit asin_tail>
// (asin(x) - x) / x^3 in t = x^2, x up to 0.5
inline float asin_tail(float t) {
  const float c[] = {
    0.166666663f, 0.0750009454f, 0.0445994015f, 0.0311006627f, 0.0171492384f, 0.0336908472f
  };
  return polynomial(t, c);
}
inline double asin_tail(double t) {
  const double c[] = {
    0.16666666666666667, 0.075000000000001178, 0.044642857142551893, 0.03038194447553234,
    0.022372157443507222, 0.017352816540325495, 0.01396378001220357, 0.011566459612121669,
    0.009621842970100281, 0.0093195607947674463, 0.0030448799094556774, 0.019554513336123379,
    -0.019241671746743041, 0.02961201126495512
  };
  return polynomial(t, c);
}
// </fit>
template <typename T> struct facts;
template <> struct facts<float> {
  static constexpr float quarter_pi = 0.785398185f, quarter_pi_low = -2.18556941e-8f, pi_low = -2.78275342e-8f;
  static constexpr float highest = 3.402823466e+38f, large = 0x1p+100f, down = 0x1p-40f, small = 0x1p-40f, up = 0x1p+80f;
  static constexpr unsigned sign = 0x80000000u;
};
template <> struct facts<double> {
  static constexpr double quarter_pi = 0.78539816339744831, quarter_pi_low = 3.061616997868383e-17;
  // Of pi's second word over the first.
  static constexpr double pi_low = 3.898171832519376e-17;
  static constexpr double highest = 1.7976931348623157e+308, large = 0x1p+900, down = 0x1p-300, small = 0x1p-400, up = 0x1p+600;
  static constexpr unsigned long long sign = 0x8000000000000000ull;
};
// A number of eighths of a turn, and x more, of which the first word is less than an eighth unless there are none.
template <typename T> inline T turned(T eighths, pair<T> x) {
  const T hi = eighths * facts<T>::quarter_pi;
  const T lo = fma(eighths, facts<T>::quarter_pi_low, fma(eighths, facts<T>::quarter_pi, -hi));
  const pair<T> sum = sum_of(hi, x.hi);
  return sum.hi + (sum.lo + (lo + x.lo));
}
// The angle of n / d for finite n from 0 to d, on the other side of pi / 4 where `steep`, and of pi / 2 where `behind`.
template <typename T> inline T angle(T n, T d, bool steep, bool behind) {
  // Beyond tan(pi / 8) it is pi / 4 less the angle of (d - n) / (d + n).
  const bool far = n > T(0.41421356) * d;
  const pair<T> q = quotient(sum_of(far ? -d : T(0), n), sum_of(d, far ? n : T(0)));
  const T t = q.hi * q.hi, low = fma(q.hi * t, atan_tail(t), fma(-t, q.lo, q.lo));
  const T near = far ? T(1) : T(0), side = steep ? T(2) - near : near, eighths = behind ? T(4) - side : side;
  const bool back = steep ^ behind;
  return turned(eighths, pair<T>{back ? -q.hi : q.hi, back ? -low : low});
}
// In one word: n / d is exact where it is small, and beyond tan(1 / 2) it is pi / 4 and the angle of (n - d) / (n + d).
template <typename T> inline T atan(T x) {
  const T a = fabs(x), n = a > T(1) ? T(1) : a, d = a > T(1) ? a : T(1);
  const bool far = n > T(0.5463) * d;
  const T tangent = (n - (far ? d : T(0))) / (d + (far ? n : T(0))), q = a > T(1) ? -tangent : tangent, t = q * q;
  const T axis = a > T(1) ? T(2) * facts<T>::quarter_pi : T(0), base = far ? facts<T>::quarter_pi : axis;
  const pair<T> sum = sum_of(base, q);
  return copysign(sum.hi + (sum.lo + fma(q * t, atan_near(t), base * facts<T>::pi_low)), x);
}
template <typename T> inline T atan2(T y, T x) {
  const T a = fabs(x), b = fabs(y);
  const bool steep = b > a;
  const T larger = steep ? b : a, smaller = steep ? a : b, highest = facts<T>::highest;
  // Two infinities are as far from the axes as each other, and two zeros lie on the first.
  const T d = larger > highest ? highest : larger, rest = larger > highest ? T(0) : smaller;
  const T n = smaller > highest ? highest : rest;
  const T factor = d > facts<T>::large ? facts<T>::down : d < facts<T>::small ? facts<T>::up : T(1);
  const T value = angle(n * factor, d == T(0) ? T(1) : d * factor, steep, (bits_of(x) & facts<T>::sign) != 0);
  return ((x == x) & (y == y)) ? copysign(value, y) : x + y;
}
// Half of the reciprocal root of x to within four hundredths, from half of its exponent.
inline float half_over_root(float x) { return float_of(0x5eb759dfu - (bits_of(x) >> 1)); }
inline double half_over_root(double x) { return float_of(0x5fd6eb50c7b537a9ull - (bits_of(x) >> 1)); }
// The root of x, which is not negative, in two words; the second one needs few digits.
template <typename T> inline pair<T> root_of(T x) {
  const T s = sqrt(x);
  return {s, fma(-s, s, x) * half_over_root(x)};
}
// asin of x from 0 to 1 is hi + lo, or pi / 2 less twice it where x is above a half.
template <typename T> inline pair<T> arc_of(T x) {
  const T half = T(0.5) * (T(1) - x), t = x > T(0.5) ? half : x * x;
  const pair<T> root = root_of(half);
  const T s = x > T(0.5) ? root.hi : x, lost = x > T(0.5) ? root.lo : T(0);
  return {s, fma(s * t, asin_tail(t), lost)};
}
// An angle of 0, pi / 2 or pi, and `times` an arc more.
template <typename T> inline T from_axis(T axis, T times, pair<T> arc) {
  const pair<T> sum = sum_of(axis, times * arc.hi);
  return sum.hi + (sum.lo + fma(times, arc.lo, axis * facts<T>::pi_low));
}
template <typename T> inline T asin(T x) {
  const T a = fabs(x), axis = a > T(0.5) ? T(2) * facts<T>::quarter_pi : T(0), times = a > T(0.5) ? T(-2) : T(1);
  return copysign(from_axis(axis, times, arc_of(a)), x);
}
template <typename T> inline T acos(T x) {
  const T a = fabs(x), half_pi = T(2) * facts<T>::quarter_pi, turn = a > T(0.5) ? half_pi : T(0);
  const T times = a > T(0.5) ? T(2) : T(-1);
  return from_axis(half_pi - copysign(turn, x), copysign(T(1), x) * times, arc_of(a));
}
// The root of a sum of squares, and what the sum and the root lose.
inline double hypot(double x, double y) {
  const double a = fabs(x), b = fabs(y), larger = b > a ? b : a, smaller = b > a ? a : b;
  const double factor = larger > 0x1p+500 ? 0x1p-600 : larger < 0x1p-400 ? 0x1p+600 : 1.0, u = larger * factor, v = smaller * factor;
  const double square = u * u, other = v * v, sum = square + other, root = sqrt(sum);
  const double lost = (other - (sum - square)) + (fma(u, u, -square) + fma(v, v, -other));
  const double value = root + (fma(-root, root, sum) + lost) / (2.0 * (root == 0.0 ? 1.0 : root));
  const double back = factor > 1.0 ? 0x1p-600 : factor < 1.0 ? 0x1p+600 : 1.0;
  const bool infinite = (a > facts<double>::highest) | (b > facts<double>::highest);
  return infinite ? __builtin_inf() : value * back;
}
}  // namespace angles
inline float atan(float x) { return angles::atan(x); }
inline double atan(double x) { return angles::atan(x); }
inline float atan2(float y, float x) { return angles::atan2(y, x); }
inline double atan2(double y, double x) { return angles::atan2(y, x); }
inline float asin(float x) { return angles::asin(x); }
inline double asin(double x) { return angles::asin(x); }
inline float acos(float x) { return angles::acos(x); }
inline double acos(double x) { return angles::acos(x); }
using angles::hypot;
}  // namespace jitlab
