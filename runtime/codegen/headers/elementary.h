// Elementary functions of a float without branches, calls and tables, so that loops over them run in vector registers; an
// element's value does not depend on its place in such a loop. The polynomials are fits of our own (scripts/fit.py).
namespace jitlab {
namespace elementary {
template <int N> inline float polynomial(float x, const float (&c)[N]) {
  float sum = c[N - 1];
  JITLAB_UNROLL
  for (int i = N - 2; i >= 0; --i) sum = __builtin_fmaf(sum, x, c[i]);
  return sum;
}
// <fit exp_tail float>
// (exp(x) - 1 - x) / x^2 in t = x, x up to log(2) / 2
inline float exp_tail(float t) {
  const float c[] = {
    0.500000001f, 0.166666667f, 0.0416664635f, 0.00833331077f, 0.00139338032f, 0.00019891161f
  };
  return polynomial(t, c);
}
// </fit>
// <fit exp_rest float>
// (exp(x) - 1 - x - x^2 / 2) / x^3 in t = x, x up to log(2) / 2
inline float exp_rest(float t) {
  const float c[] = {
    0.166666667f, 0.0416665538f, 0.00833332092f, 0.00139263112f, 0.000198827613f
  };
  return polynomial(t, c);
}
// </fit>
// <fit log1p_tail float>
// (log(1 + x) - x + x^2 / 2) / x^3 in t = x, x up to 1/3
inline float log1p_tail(float t) {
  const float c[] = {
    0.333333333f, -0.249999442f, 0.199999483f, -0.166733163f, 0.142918674f, -0.122887216f, 0.109156518f,
    -0.124222006f, 0.113306293f
  };
  return polynomial(t, c);
}
// </fit>
// <fit tanh_tail float>
// (tanh(x) - x) / x^3 in t = x^2, x up to 0.625
inline float tanh_tail(float t) {
  const float c[] = {
    -0.333333332f, 0.133333036f, -0.0539592596f, 0.0217689187f, -0.00834394552f, 0.00229274482f
  };
  return polynomial(t, c);
}
// </fit>

// A sum in two words where |x| >= |y| or x is 0.
struct pair { float hi, lo; };
inline pair sum_of(float x, float y) {
  const float s = x + y;
  return {s, y - (s - x)};
}
// A number of this size has no fraction: adding it rounds to a whole number, which its last bits then hold.
inline float rounder() { return 12582912.0f; }
// x within limits; NaN stays.
inline float within(float x, float lowest, float highest) {
  const float y = x < lowest ? lowest : x;
  return y > highest ? highest : y;
}
// x 2^n for a power of two x and the whole number n in the last bits of `rounded`, where the result is normal.
inline float power_of_two(float x, float rounded) { return float_of((bits_of(rounded) << 23) + bits_of(x)); }
// x 2^n in two steps, so that a subnormal result is rounded once.
inline float scale(float x, float rounded) {
  const unsigned n = bits_of(rounded), half = n >> 1;
  return x * float_of((half << 23) + 0x3f800000u) * float_of(((n - half) << 23) + 0x3f800000u);
}
// x as n log(2) + r; n is the last bits of `rounded`.
struct reduced { float rounded, r; };
inline reduced reduce(float x) {
  const float rounded = __builtin_fmaf(x, 1.44269504f, rounder()), n = rounded - rounder();
  return {rounded, __builtin_fmaf(n, -1.42860682e-6f, __builtin_fmaf(n, -0.693145752f, x))};
}
inline float exp(float a) {
  const reduced x = reduce(within(a, -104.0f, 89.0f));
  const pair sum = sum_of(1.0f, x.r);
  return scale(sum.hi + __builtin_fmaf(x.r * x.r, exp_tail(x.r), sum.lo), x.rounded);
}
inline float exp2(float a) {
  const float x = within(a, -151.0f, 129.0f), rounded = x + rounder(), rest = x - (rounded - rounder());
  const float r = 0.693147182f * rest, lost = __builtin_fmaf(rest, -1.90465421e-9f, __builtin_fmaf(rest, 0.693147182f, -r));
  const pair sum = sum_of(1.0f, r);
  return scale(sum.hi + __builtin_fmaf(r * r, exp_tail(r), sum.lo + lost), rounded);
}
inline float expm1(float a) {
  const float x = within(a, -30.0f, 89.0f);
  const float rounded = __builtin_fmaf(x, 1.44269504f, rounder()), n = rounded - rounder();
  const float exact = __builtin_fmaf(n, -0.693145752f, x), r = __builtin_fmaf(n, -1.42860682e-6f, exact);
  const float t = r * r;
  const pair first = sum_of(r, 0.5f * t);
  const float lost = __builtin_fmaf(0.5f, __builtin_fmaf(r, r, -t), __builtin_fmaf(n, -1.42860682e-6f, exact - r));
  const pair rest = {first.hi, first.lo + __builtin_fmaf(r * t, exp_rest(r), lost)};
  // Half the result, since 2^128 is not a float.
  const float half = power_of_two(0.5f, rounded), less = half - 0.5f;
  const pair sum = sum_of(less, half * rest.hi);
  const float low = __builtin_fmaf(half, rest.lo, sum.lo + ((half - less) - 0.5f));
  return __builtin_fabsf(a) < 5.9604645e-8f ? a : (sum.hi + low) * 2.0f;
}

// A positive number as (1 + f) 2^k with 1 + f from 2/3 to 4/3.
struct split { float f, k; };
inline split split_near_one(float x) {
  const bool tiny = x < 1.17549435e-38f;
  const unsigned u = bits_of(x * (tiny ? 8388608.0f : 1.0f)) - 0x3f2aaaabu;
  return {float_of((u & 0x7fffffu) + 0x3f2aaaabu) - 1.0f, float(int(u) >> 23) - (tiny ? 23.0f : 0.0f)};
}
// log(1 + f) less f.
inline float log1p_rest(float f) {
  const float square = f * f;
  return square * __builtin_fmaf(f, log1p_tail(f), -0.5f);
}
// The logarithm of x, which `finite` is for positive finite x; the other numbers are few, yet each has its own.
inline float logarithm(float x, float finite) {
  const float special = x == 0.0f ? -__builtin_inff() : x < 0.0f ? __builtin_nanf("") : x;
  return bits_of(x) - 1u < 0x7f7fffffu ? finite : special;
}
// The first word of log(2) has zeros at the end, so that its product is exact; what adding f to it loses joins the rest.
inline float log(float x) {
  const split s = split_near_one(x);
  const float sum = __builtin_fmaf(s.k, 0.693145752f, s.f), lost = __builtin_fmaf(s.k, 0.693145752f, -sum) + s.f;
  return logarithm(x, sum + (lost + __builtin_fmaf(s.k, 1.42860682e-6f, log1p_rest(s.f))));
}
// log(1 + f) in two words.
inline pair log1p_pair(float f) {
  const float square = f * f, lost = __builtin_fmaf(f, f, -square);
  const pair sum = sum_of(f, -0.5f * square);
  return {sum.hi, __builtin_fmaf(square * f, log1p_tail(f), __builtin_fmaf(-0.5f, lost, sum.lo))};
}
// 1 + a is kept in two parts, of which the smaller one joins f.
inline float log1p(float a) {
  const float u = 1.0f + a, shift = u - 1.0f, lost = (a - shift) + (1.0f - (u - shift));
  const split s = split_near_one(u);
  const pair l = log1p_pair(s.f);
  // The first word of log(2) has zeros at the end, so that its product is exact.
  const pair sum = sum_of(s.k * 0.693145752f, l.hi);
  // 2^(1 - k) is a float for every k; the lost part over 1 + f is about (1 - f) times it.
  const float part = 0.5f * lost * float_of(unsigned(128 - int(s.k)) << 23);
  const float low = __builtin_fmaf(s.k, 1.42860682e-6f, l.lo + __builtin_fmaf(-s.f, part, part));
  return __builtin_fabsf(a) < 2.98023224e-8f ? a : logarithm(u, sum.hi + (sum.lo + low));
}
inline float log2(float x) {
  const split s = split_near_one(x);
  const pair l = log1p_pair(s.f);
  const float product = l.hi * 1.44269502f;
  const pair sum = sum_of(s.k, product);
  const float low = __builtin_fmaf(l.hi, 1.44269502f, -product) + __builtin_fmaf(l.hi, 1.92596303e-8f, l.lo * 1.44269502f);
  return logarithm(x, sum.hi + (sum.lo + low));
}
inline float log10(float x) {
  const split s = split_near_one(x);
  const pair l = log1p_pair(s.f);
  // The first word of log10(2) has zeros at the end, so that its product is exact.
  const float product = l.hi * 0.434294492f;
  const pair sum = sum_of(s.k * 0.301025391f, product);
  const float low = __builtin_fmaf(l.hi, 0.434294492f, -product) + __builtin_fmaf(l.hi, -1.01030493e-8f, l.lo * 0.434294492f);
  return logarithm(x, sum.hi + (sum.lo + __builtin_fmaf(s.k, 4.60503907e-6f, low)));
}
inline float tanh(float a) {
  const float x = __builtin_fabsf(a), t = x * x;
  const float near = __builtin_fmaf(x * t, tanh_tail(t), x);
  // From 9.02 on the result is 1.
  const reduced y = reduce(2.0f * (x > 10.0f ? 10.0f : x));
  const float s = power_of_two(1.0f, y.rounded), rest = __builtin_fmaf(y.r * y.r, exp_tail(y.r), y.r);
  const float far = 1.0f - 2.0f / __builtin_fmaf(s, rest, s + 1.0f);
  return __builtin_copysignf(x < 0.625f ? near : far, a);
}
// Sine, cosine and tangent in double, which gives every float to within 0.51 units and costs a processor less than two words.
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
  const float value = float(w.quarter & 1 ? -w.cosine / w.sine : w.sine / w.cosine);
  return a == 0.0f ? a : value;
}
}  // namespace elementary
using elementary::cos;
using elementary::exp;
using elementary::exp2;
using elementary::expm1;
using elementary::log;
using elementary::log10;
using elementary::log1p;
using elementary::log2;
using elementary::sin;
using elementary::tan;
using elementary::tanh;
}  // namespace jitlab
