// Sine, cosine and tangent of doubles without branches, calls and tables, so that loops over them run in vector registers. The
// polynomials are fits of our own (scripts/fit.py).
namespace jitlab {
namespace circular {
template <int N> inline double polynomial(double x, const double (&c)[N]) {
  double sum = c[N - 1];
  JITLAB_UNROLL
  for (int i = N - 2; i >= 0; --i) sum = fma(sum, x, c[i]);
  return sum;
}
// <fit sine_gap double>
// (x - sin(x)) / x^3 in t = x^2, x up to pi/4
inline double sine_gap(double t) {
  const double c[] = {
    0.16666666666666667, -0.0083333333333333315, 0.00019841269841265059, -2.755731921933466e-6,
    2.5052106230882412e-8, -1.6058531370931903e-10, 7.5866824971577858e-13
  };
  return polynomial(t, c);
}
// </fit>
// <fit cosine_short double>
// (cos(x) - 1 + x^2 / 2) / x^4 in t = x^2, x up to pi/4
inline double cosine_short(double t) {
  const double c[] = {
    0.041666666666666665, -0.0013888888888887395, 2.4801587298762951e-5, -2.7557317270310507e-7,
    2.0876145972635081e-9, -1.138261111902563e-11
  };
  return polynomial(t, c);
}
// </fit>
// <fit tangent_tail double>
// (tan(x) - x - x^3 / 3) / x^5 in t = x^2, x up to pi/4
inline double tangent_tail_above(double t) {
  const double c[] = {
    0.13333333333333333, -0.0079407749592225158, 8.5269188256494456e-5
  };
  return polynomial(t, c);
}
inline double tangent_tail_below(double t) {
  const double c[] = {
    1.0, -0.46431771695607418, 0.024556478420609392, -0.00025586104331949645
  };
  return polynomial(t, c);
}
// </fit>
// A double less the nearest multiple of pi/2 is hi - lo; that multiple's number is in the last bits of `rounded`, plus `ahead`.
struct rest { double hi, lo, rounded; };
// pi/2 in three words, of which the second has zeros at the end: for a number k of up to 20 bits x - k pi/2 is exact after the
// first, and what the second step loses is known.
inline rest reduce(double x, double ahead) {
  const double second = 0x1.1a62633000000p-54, third = 0x1.45c06e0e68948p-86, rounder = 6755399441055744.0 + ahead;
  const double rounded = fma(x, 0x1.45f306dc9c883p-1, rounder), k = rounded - rounder;
  const double first = fma(-k, 0x1.921fb54442d18p+0, x), hi = fma(-k, second, first);
  return {hi, fma(k, third, fma(k, second, hi - first)), rounded};
}
// Both sums begin with the word that holds the most; a zero keeps its sign.
inline double sine_of(rest r) {
  const double t = r.hi * r.hi;
  return r.hi - fma(r.hi * t, sine_gap(t), r.lo);
}
inline double cosine_of(rest r) {
  const double t = r.hi * r.hi, first = fma(-0.5, t, 1.0);
  return first + fma(t * t, cosine_short(t), fma(r.hi, r.lo, fma(-0.5, t, 1.0 - first)));
}
// The sine a number of quarters of a turn further on.
inline double sine_at(double x, double ahead) {
  const rest r = reduce(x, ahead);
  const unsigned long long quarter = bits_of(r.rounded);
  return float_of(bits_of(quarter & 1 ? cosine_of(r) : sine_of(r)) ^ ((quarter & 2) << 62));
}
// tan(x) = x (1 + t p / q) for t = x^2, and an odd number of quarters further on minus its reciprocal: one division makes both.
// What the numerator loses is added to the remainder.
inline double tangent(double x) {
  const rest r = reduce(x, 0.0);
  const double t = r.hi * r.hi, q = tangent_tail_below(t), p = fma(t, tangent_tail_above(t), q * (1.0 / 3));
  const double sum = fma(t, p, q), sum_low = fma(t, p, q - sum), n = r.hi * sum;
  // What t lost counts as part of the angle.
  const double angle_low = fma(-0.26 * r.hi, fma(r.hi, r.hi, -t), r.lo);
  const double low = fma(-angle_low, fma(t, sum, q), fma(r.hi, sum_low, fma(r.hi, sum, -n)));
  const unsigned long long odd = bits_of(r.rounded) & 1;
  const double above = odd ? q : n, below = odd ? n : q, above_low = odd ? 0.0 : low, below_low = odd ? low : 0.0;
  const double over = 1.0 / below, value = above * over;
  const double left = fma(-value, below, above) + fma(-value, below_low, above_low);
  // A zero takes the angle's sign.
  const unsigned long long sign = bits_of(r.hi) & 0x8000000000000000ull;
  return float_of((bits_of(fma(left, over, value)) | sign) ^ odd << 63);
}
}  // namespace circular
// What the forms for small angles are for.
inline bool is_short_angle(double x) { return fabs(x) < 1e6; }
inline double short_sin(double x) { return circular::sine_at(x, 0.0); }
inline double short_cos(double x) { return circular::sine_at(x, 1.0); }
inline double short_tan(double x) { return circular::tangent(x); }
inline double sin(double x) { return is_short_angle(x) ? short_sin(x) : __builtin_sin(x); }
inline double cos(double x) { return is_short_angle(x) ? short_cos(x) : __builtin_cos(x); }
inline double tan(double x) { return is_short_angle(x) ? short_tan(x) : __builtin_tan(x); }
}  // namespace jitlab
