// Sine, cosine and tangent of floats and doubles without branches, calls and tables, so that loops over them run in vector
// registers. Those of a float are computed in double, which gives every float to within 0.51 units and costs a processor less
// than two words.
namespace jitlab {
namespace circular {
inline double wide_polynomial(double x, double a, double b, double c, double d, double e) {
  return __builtin_fma(__builtin_fma(__builtin_fma(__builtin_fma(e, x, d), x, c), x, b), x, a);
}
// x / (2 pi) less a whole number. 1 / (2 pi) stands in two words; of a large x, those of its bits are left out whose
// product with x is whole.
inline double turn_of(float a) {
  const double x = a, size = __builtin_fabs(x);
  const bool b = size >= 0x1p52, c = size >= 0x1p78, d = size >= 0x1p104;
  const double high = d ? 0x1.57d1f534ddc0ep-82 : c ? 0x1.4a7f09d5f47d5p-56 : b ? 0x1.c9c882a53f84fp-31 : 0x1.45f306dc9c883p-3;
  const double low = d ? -0x1.275a99b0ef1bfp-136 : c ? -0x1.6447e493ad4cep-111 : b ? -0x1.4170565911f92p-85 : -0x1.6b01ec5417056p-57;
  const double turns = x * high, lost = __builtin_fma(x, high, -turns);
  return __builtin_fma(x, low, (turns - __builtin_rint(turns)) + lost);
}
// Sine and cosine of the angle that is left beside a number of quarters of a turn.
struct waves {
  double sine, cosine;
  int quarter;
};
inline waves waves_of(float a) {
  const double turn = turn_of(a), quarter = __builtin_rint(4.0 * turn);
  const double r = 6.283185307179586 * __builtin_fma(-0.25, quarter, turn), t = r * r;
  const double sine = wide_polynomial(t, -1.0 / 6, 1.0 / 120, -1.0 / 5040, 1.0 / 362880, -1.0 / 39916800);
  const double cosine = wide_polynomial(t, -1.0 / 2, 1.0 / 24, -1.0 / 720, 1.0 / 40320, -1.0 / 3628800);
  return {__builtin_fma(r * t, sine, r), __builtin_fma(t, cosine, 1.0), int(quarter)};
}
inline float sin(float a) {
  const waves w = waves_of(a);
  const float value = float(w.quarter & 1 ? w.cosine : w.sine);
  return a == 0.0f ? a : w.quarter & 2 ? -value : value;
}
inline float cos(float a) {
  const waves w = waves_of(a);
  const float value = float(w.quarter & 1 ? w.sine : w.cosine);
  return (w.quarter + 1) & 2 ? -value : value;
}
inline float tan(float a) {
  const waves w = waves_of(a);
  const bool odd = w.quarter & 1;
  const double above = odd ? -w.cosine : w.sine, below = odd ? w.sine : w.cosine;
  return a == 0.0f ? a : float(above / below);
}

template <int N> inline double polynomial(double x, const double (&c)[N]) {
  double sum = c[N - 1];
  JITLAB_UNROLL
  for (int i = N - 2; i >= 0; --i) sum = fma(sum, x, c[i]);
  return sum;
}
// <fit sine_tail double>
// (sin(x) - x) / x^3 in t = x^2, x up to pi/4
inline double sine_tail(double t) {
  const double c[] = {
    -0.16666666666666667, 0.0083333333333333315, -0.00019841269841265059, 2.755731921933466e-6,
    -2.5052106230882412e-8, 1.6058531370931903e-10, -7.5866824971577858e-13
  };
  return polynomial(t, c);
}
// </fit>
// <fit cosine_tail double>
// (cos(x) - 1 + x^2 / 2) / x^4 in t = x^2, x up to pi/4
inline double cosine_tail(double t) {
  const double c[] = {
    0.041666666666666665, -0.0013888888888887395, 2.4801587298762951e-5, -2.7557317270310507e-7,
    2.0876145972635081e-9, -1.138261111902563e-11
  };
  return polynomial(t, c);
}
// </fit>
// A double less the nearest multiple of pi/2, in two words; that multiple's number is in the last bits of `rounded`.
struct rest { double hi, lo, rounded; };
// pi/2 in four words, of which the first two have zeros at the end: for a number of up to 20 bits their products are exact,
// and so are the differences, or what they lose is known.
inline rest reduce(double x) {
  const double rounder = 6755399441055744.0, rounded = fma(x, 0x1.45f306dc9c883p-1, rounder), k = rounded - rounder;
  const double first = fma(k, -0x1.921fb54400000p+0, x), second = k * 0x1.0b4611a600000p-34;
  const double exact = first - second, lost = (first - exact) - second;
  const double third = k * 0x1.3198a2e037073p-69, hi = exact - third, part = hi - exact;
  const double lost_third = fma(k, -0x1.3198a2e037073p-69, third), lost_last = (exact - (hi - part)) - (third + part);
  const double low = lost_last + (lost + fma(k, -0x1.129024e088a68p-123, lost_third));
  const double sum = hi + low;
  return {sum, low - (sum - hi), rounded};
}
inline double sine_of(rest r) {
  const double t = r.hi * r.hi;
  return r.hi + fma(r.hi * t, sine_tail(t), fma(-0.5 * t, r.lo, r.lo));
}
inline double cosine_of(rest r) {
  const double t = r.hi * r.hi, half = 0.5 * t, first = 1.0 - half;
  return first + fma(t * t, cosine_tail(t), fma(-r.hi, r.lo, (1.0 - first) - half));
}
// The sine a number of quarters of a turn further on.
inline double sine_at(double x, unsigned long long ahead) {
  const rest r = reduce(x);
  const unsigned long long quarter = bits_of(r.rounded) + ahead;
  return float_of(bits_of(quarter & 1 ? cosine_of(r) : sine_of(r)) ^ ((quarter & 2) << 62));
}
inline double tangent(double x) {
  const rest r = reduce(x);
  const double t = r.hi * r.hi, rest_of_t = fma(r.hi, r.hi, -t), half = 0.5 * t, first = 1.0 - half;
  const double small = fma(r.hi * t, sine_tail(t), fma(-0.5 * t, r.lo, r.lo)), s = r.hi + small, s_low = small - (s - r.hi);
  const double less = fma(t * t, cosine_tail(t), fma(-0.5, rest_of_t, fma(-r.hi, r.lo, (1.0 - first) - half)));
  const double c = first + less, c_low = less - (c - first);
  const bool odd = bits_of(r.rounded) & 1;
  const double above = odd ? -c : s, above_low = odd ? -c_low : s_low, below = odd ? s : c, below_low = odd ? s_low : c_low;
  const double over = 1.0 / below, q = above * over;
  return fma(fma(-q, below, above) + fma(-q, below_low, above_low), over, q);
}
}  // namespace circular
// What the forms for small angles are for.
inline bool is_short_angle(double x) { return fabs(x) < 1e6; }
inline double short_sin(double x) { return x == 0.0 ? x : circular::sine_at(x, 0); }
inline double short_cos(double x) { return circular::sine_at(x, 1); }
inline double short_tan(double x) { return x == 0.0 ? x : circular::tangent(x); }
inline double sin(double x) { return is_short_angle(x) ? short_sin(x) : __builtin_sin(x); }
inline double cos(double x) { return is_short_angle(x) ? short_cos(x) : __builtin_cos(x); }
inline double tan(double x) { return is_short_angle(x) ? short_tan(x) : __builtin_tan(x); }
using circular::cos;
using circular::sin;
using circular::tan;
}  // namespace jitlab
