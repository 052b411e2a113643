// Exponentials and logarithms of floats and doubles, without branches, calls and tables, so that loops over them run in
// vector registers; an element's value does not depend on its place in such a loop. Here are their parts, and expm1 and
// log1p, which need two words. The polynomials are fits of our own (scripts/fit.py).
namespace jitlab {
namespace elementary {
template <typename T, int N> inline T polynomial(T x, const T (&c)[N]) {
  T sum = c[N - 1];
  JITLAB_UNROLL
  for (int i = N - 2; i >= 0; --i) sum = fma(sum, x, c[i]);
  return sum;
}
// <fit exp_tail double>
// (exp(x) - 1 - x) / x^2 in t = x, x up to log(2) / 2
inline double exp_tail(double t) {
  const double c[] = {
    0.5, 0.16666666666666671, 0.04166666666666667, 0.0083333333333260362, 0.0013888888888883806,
    0.00019841269875165947, 2.4801587325550776e-5, 2.7557254962941826e-6, 2.7557273532902359e-7,
    2.5105398682936388e-8, 2.0914755757800773e-9
  };
  return polynomial(t, c);
}
// </fit>
// <fit exp_rest>
// (exp(x) - 1 - x - x^2 / 2) / x^3 in t = x, x up to log(2) / 2
inline float exp_rest(float t) {
  const float c[] = {
    0.166666667f, 0.0416665538f, 0.00833332092f, 0.00139263112f, 0.000198827613f
  };
  return polynomial(t, c);
}
inline double exp_rest(double t) {
  const double c[] = {
    0.16666666666666667, 0.041666666666666667, 0.0083333333333300169, 0.001388888888888652,
    0.00019841269863277818, 2.4801587317304606e-5, 2.7557268112223656e-6, 2.7557282721197555e-7,
    2.510055063387081e-8, 2.0911354558780047e-9
  };
  return polynomial(t, c);
}
// </fit>
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

// What depends on the type: the bits of a 1, constants in two words, of which the first has zeros at the end where its
// products are exact, and the limits beyond which results are 0 or infinite.
template <typename T> struct facts;
template <> struct facts<float> {
  static constexpr int fraction = 23;
  using signed_bits = int;
  static constexpr unsigned one = 0x3f800000u, two = 0x40000000u, root_half = 0x3f3504f3u, infinity = 0x7f800000u;
  // Of the parts that one-word.h splits numbers into.
  static constexpr unsigned least_part = 0x3f2c0000u;
  static constexpr float rounder = 12582912.0f, tiny = 9.31322575e-10f;
  static constexpr float least_normal = 1.17549435e-38f, lift = 33554432.0f, lifted = 25.0f;
  static constexpr float log2e = 1.44269504f, log2e_low = 1.92596303e-8f;
  static constexpr float ln2 = 0.693147182f, ln2_low = -1.90465421e-9f;
  static constexpr float ln2_short = 0.693145752f, ln2_rest = 1.42860682e-6f;
  static constexpr float log10e = 0.434294492f, log10e_low = -1.01030493e-8f;
  static constexpr float log10_2_short = 0.301025391f, log10_2_rest = 4.60503907e-6f;
  // Below the lowest the power is 0, from the least on it is normal, and beyond the greatest it is infinite.
  static constexpr float lowest_exp = -104.0f, least_exp = -87.25f, greatest_exp = 88.7228317f;
  static constexpr float lowest_exp2 = -151.0f, least_exp2 = -126.0f, greatest_exp2 = 127.999992f;
  static constexpr float lowest_expm1 = -30.0f, highest_expm1 = 89.0f, highest_tanh = 10.0f;
};
template <> struct facts<double> {
  static constexpr int fraction = 52;
  using signed_bits = long long;
  static constexpr unsigned long long one = 0x3ff0000000000000ull, two = 0x4000000000000000ull;
  static constexpr unsigned long long root_half = 0x3fe6a09e667f3bcdull, infinity = 0x7ff0000000000000ull;
  static constexpr unsigned long long least_part = 0x3fe5800000000000ull;
  static constexpr double rounder = 6755399441055744.0, tiny = 8.6736173798840355e-19;
  static constexpr double least_normal = 2.2250738585072014e-308, lift = 18014398509481984.0, lifted = 54.0;
  static constexpr double log2e = 1.4426950408889634, log2e_low = 2.0355273740931033e-17;
  static constexpr double ln2 = 0.6931471805599453, ln2_low = 2.3190468138462996e-17;
  static constexpr double ln2_short = 0.69314718055966296, ln2_rest = 2.8235290563031577e-13;
  static constexpr double log10e = 0.4342944819032518, log10e_low = 1.0983196502167651e-17;
  static constexpr double log10_2_short = 0.30102999566361177, log10_2_rest = 3.694239077158931e-13;
  static constexpr double lowest_exp = -746.0, least_exp = -708.25, greatest_exp = 709.78271289338397;
  static constexpr double lowest_exp2 = -1076.0, least_exp2 = -1022.0, greatest_exp2 = 1023.9999999999999;
  static constexpr double lowest_expm1 = -60.0, highest_expm1 = 710.0, highest_tanh = 20.0;
};

// A number as the sum of two, of which the second is small.
template <typename T> struct pair { T hi, lo; };
// The exact sum where |x| >= |y| or x is 0.
template <typename T> inline pair<T> sum_of(T x, T y) {
  const T s = x + y;
  return {s, y - (s - x)};
}
// The exact sum.
template <typename T> inline pair<T> exact_sum(T x, T y) {
  const T s = x + y, part = s - x;
  return {s, (x - (s - part)) + (y - part)};
}
// x / y, to about twice the digits of T.
template <typename T> inline pair<T> quotient(pair<T> x, pair<T> y) {
  const T over = T(1) / y.hi, q = x.hi * over;
  return {q, (fma(-q, y.hi, x.hi) + fma(-q, y.lo, x.lo)) * over};
}
// x within limits; NaN stays.
template <typename T> inline T within(T x, T lowest, T highest) {
  const T y = x < lowest ? lowest : x;
  return x > highest ? highest : y;
}
// x 2^n for a power of two x and the whole number n in the last bits of `rounded`, where the result is normal.
template <typename T> inline T power_of_two(T x, T rounded) {
  return float_of((bits_of(rounded) << facts<T>::fraction) + bits_of(x));
}
// x 2^n in two steps, so that a subnormal result is rounded once.
template <typename T> inline T scale(T x, T rounded) {
  const auto n = bits_of(rounded), half = n >> 1;
  const auto first = (half << facts<T>::fraction) + facts<T>::one;
  return x * float_of(first) * float_of(((n - half) << facts<T>::fraction) + facts<T>::one);
}
// x as n log(2) + hi + lo; n is the last bits of `rounded`: a number of its size has no fraction.
template <typename T> struct reduced { T rounded, hi, lo; };
template <typename T> inline reduced<T> reduce(T x) {
  const T rounded = fma(x, facts<T>::log2e, facts<T>::rounder), n = rounded - facts<T>::rounder;
  const T exact = fma(n, -facts<T>::ln2_short, x), hi = fma(n, -facts<T>::ln2_rest, exact);
  return {rounded, hi, fma(n, -facts<T>::ln2_rest, exact - hi)};
}
// exp(hi + lo) in one word, times 2^n.
template <typename T> inline T exp_of(reduced<T> x) {
  const pair<T> sum = sum_of(T(1), x.hi);
  return scale(sum.hi + fma(x.hi * x.hi, exp_tail(x.hi), sum.lo + x.lo), x.rounded);
}
// Half of exp(x) - 1, since 2^n itself may be no number.
template <typename T> inline pair<T> half_expm1(T x) {
  const reduced<T> y = reduce(x);
  const T r = y.hi, t = r * r;
  const pair<T> first = sum_of(r, T(0.5) * t);
  const T lost = fma(T(0.5), fma(r, r, -t), y.lo);
  const pair<T> rest = sum_of(first.hi, first.lo + fma(r * t, exp_rest(r), lost));
  const T half = power_of_two(T(0.5), y.rounded), less = half - T(0.5);
  const pair<T> sum = sum_of(less, half * rest.hi);
  return {sum.hi, fma(half, rest.lo, sum.lo + ((half - less) - T(0.5)))};
}
template <typename T> inline T expm1(T a) {
  const pair<T> half = half_expm1(within(a, facts<T>::lowest_expm1, facts<T>::highest_expm1));
  return fabs(a) < facts<T>::tiny ? a : (half.hi + half.lo) * T(2);
}
// A positive number as (1 + f) 2^k with 1 + f from sqrt(1/2) to sqrt(2).
template <typename T> struct split { T f, k; };
template <typename T> inline split<T> split_near_one(T x) {
  using signed_bits = typename facts<T>::signed_bits;
  const bool subnormal = x < facts<T>::least_normal;
  const auto u = bits_of(subnormal ? x * facts<T>::lift : x) - facts<T>::root_half;
  const auto k = signed_bits(u) >> facts<T>::fraction;
  const auto f = u - (decltype(u)(k) << facts<T>::fraction) + facts<T>::root_half;
  const T rounded = float_of(bits_of(facts<T>::rounder) + k);
  return {float_of(f) - T(1), (rounded - facts<T>::rounder) - (subnormal ? facts<T>::lifted : T(0))};
}
// log(1 + f + low), as 2 atanh of f / (2 + f).
template <typename T> inline pair<T> log_near_one(T f, T low) {
  const pair<T> below = sum_of(T(2), f);
  const pair<T> s = quotient(pair<T>{f, low}, pair<T>{below.hi, below.lo + low});
  const T t = s.hi * s.hi;
  return {T(2) * s.hi, fma(s.hi * t, log_tail(t), T(2) * s.lo)};
}
// k times a constant, and a pair; the product with the constant's first word is exact.
template <typename T> inline pair<T> add_powers(T k, T constant, T rest, pair<T> x) {
  const pair<T> sum = sum_of(k * constant, x.hi);
  return {sum.hi, sum.lo + fma(k, rest, x.lo)};
}
// The logarithm of x, which `finite` is for positive finite x; the other numbers are few, yet each has its own.
template <typename T> inline T logarithm(T x, T finite) {
  const T infinite = float_of(facts<T>::infinity), none = float_of(facts<T>::infinity | (facts<T>::infinity >> 1));
  const T special = x == T(0) ? -infinite : x < T(0) ? none : x;
  return bits_of(x) - 1u < facts<T>::infinity - 1u ? finite : special;
}
// log(1 + a + low), of a positive number u = 1 + a. 1 + a is kept in two parts, of which the smaller one joins f.
template <typename T> inline pair<T> log1p_parts(T a, T u, T low) {
  const T shift = u - T(1), lost = (a - shift) + (T(1) - (u - shift)) + low;
  const split<T> s = split_near_one(u);
  // 2^(1 - k) is a number for every k.
  const T twice = float_of(facts<T>::two - (bits_of(s.k + facts<T>::rounder) << facts<T>::fraction));
  return add_powers(s.k, facts<T>::ln2_short, facts<T>::ln2_rest, log_near_one(s.f, T(0.5) * lost * twice));
}
template <typename T> inline T log1p(T a, T low) {
  const T u = T(1) + a;
  const pair<T> value = log1p_parts(a, u, low);
  return fabs(a) < facts<T>::tiny ? a : logarithm(u, value.hi + value.lo);
}
template <typename T> inline T log1p(T a) { return log1p(a, T(0)); }
}  // namespace elementary
inline float expm1(float x) { return elementary::expm1(x); }
inline double expm1(double x) { return elementary::expm1(x); }
inline float log1p(float x) { return elementary::log1p(x); }
inline double log1p(double x) { return elementary::log1p(x); }
}  // namespace jitlab
