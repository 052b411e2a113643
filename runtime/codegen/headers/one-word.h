// Exponentials, logarithms and the hyperbolic tangent of floats and doubles in one word: within one unit in the last place,
// at half the cost of two words. The polynomials are fits of our own (scripts/fit.py). Conditions ask for the arguments, not
// for what another condition chose, and choose among numbers: so GCC makes each one mask.
namespace jitlab {
namespace elementary {
// <fit exp_short>
// (exp(x) - 1 - x) / x^2 in t = x, x up to log(2) / 2
inline float exp_short(float t) {
  const float c[] = {
    0.5f, 0.166665764f, 0.0416665538f, 0.00836328122f, 0.00139263112f
  };
  return two_chains(t, c);
}
inline double exp_short(double t) {
  const double c[] = {
    0.5000000000000001, 0.16666666666666667, 0.041666666666623543, 0.0083333333333300169,
    0.0013888888917505259, 0.00019841269863277818, 2.4801520843720835e-5, 2.7557268112223656e-6,
    2.7620303186785932e-7, 2.510055063387081e-8
  };
  return two_chains(t, c);
}
// </fit>
// <fit exp2_over>
// (2^x - 1) / x in t = x, x up to 1/2
inline float exp2_over(float t) {
  const float c[] = {
    0.693147188f, 0.240226508f, 0.0555035711f, 0.00961808256f, 0.00133908634f, 0.000154531629f
  };
  return polynomial(t, c);
}
inline double exp2_over(double t) {
  const double c[] = {
    0.69314718055994531, 0.24022650695910071, 0.055504108664821627, 0.0096181291076284795,
    0.0013333558146406471, 0.00015403530393370733, 1.5252733841556773e-5, 1.3215486808705563e-6,
    1.0178057087733941e-7, 7.0548973041554993e-9, 4.4558179083360645e-10, 2.5729324177362304e-11
  };
  return polynomial(t, c);
}
// </fit>
// <fit tanh_near>
// (tanh(x) - x) / x^3 in t = x^2, x up to 0.8
inline float tanh_near(float t) {
  const float c[] = {
    -0.333333332f, 0.133333121f, -0.0539628827f, 0.0218177611f, -0.00862106362f, 0.00298704542f,
    -0.000634542236f
  };
  return polynomial(t, c);
}
inline double tanh_near(double t) {
  const double c[] = {
    -0.33333333333333333, 0.13333333333333156, -0.053968253968072763, 0.021869488528862377,
    -0.0088632353762740765, 0.0035921260909037337, -0.0014558183493366923, 0.00058993715448497752,
    -0.00023877177686581663, 9.590580074661438e-5, -3.723351759986434e-5, 1.2965969286746462e-5,
    -3.4510651521734755e-6, 4.9674188986122992e-7
  };
  return polynomial(t, c);
}
// </fit>
// <fit log_gap float>
// (x - log(1 + x)) / x^2 in t = x, x from -21/64 to 11/32
inline float log_gap(float t) {
  const float c[] = {
    0.500000003f, -0.333333312f, 0.249998447f, -0.200002024f, 0.166777606f, -0.142830746f, 0.122255036f,
    -0.110318524f, 0.127021161f, -0.108131048f
  };
  return polynomial(t, c);
}
// </fit>
// <fit log2_gap float>
// (x - log(1 + x)) / (x^2 log(2)) in t = x, x from -21/64 to 11/32
inline float log2_gap(float t) {
  const float c[] = {
    0.721347525f, -0.480898316f, 0.360671519f, -0.288541928f, 0.240609224f, -0.206061209f, 0.176376735f,
    -0.159155987f, 0.183252799f, -0.156000127f
  };
  return polynomial(t, c);
}
// </fit>
// <fit atanh_gap double>
// (2 atanh(s) - 2 s) / s^3 in t = s^2, s up to 0.197
inline double atanh_gap(double t) {
  const double c[] = {
    0.66666666666666665, 0.40000000000006391, 0.28571428567983196, 0.22222222928852164, 0.18181747143082996,
    0.1538848200789953, 0.13217409077878871, 0.13549001945219633
  };
  return polynomial(t, c);
}
// </fit>
// x as n log(2) + r; n is the last bits of `rounded`.
template <typename T> struct remainder_of_log2 { T rounded, r; };
template <typename T> inline remainder_of_log2<T> short_reduce(T x) {
  const T rounded = fma(x, facts<T>::log2e, facts<T>::rounder), n = rounded - facts<T>::rounder;
  return {rounded, fma(n, -facts<T>::ln2_rest, fma(n, -facts<T>::ln2_short, x))};
}
// value 2^n for the n in the last bits of `rounded`, as a function of x that is 0 below `lowest`, infinite beyond `greatest` and normal
// from `least` on. What is below the normal numbers is computed 2^64 times as large first, so that it is rounded once.
template <typename T> inline T powered(T x, T value, T rounded, T lowest, T least, T greatest) {
  using bits = decltype(bits_of(x));
  const bits power = (bits_of(rounded) << facts<T>::fraction) + (x < least ? bits(64) << facts<T>::fraction : bits(0));
  const T lifted = float_of(bits_of(value) + power), normal = x < least ? lifted * T(0x1p-64) : lifted;
  const T finite = x < lowest ? T(0) : normal;
  return x <= greatest ? finite : x + float_of(facts<T>::infinity);
}
template <typename T> inline T exp(T x) {
  const remainder_of_log2<T> y = short_reduce(x);
  const pair<T> sum = sum_of(T(1), y.r);
  const T value = sum.hi + fma(y.r * y.r, exp_short(y.r), sum.lo);
  return powered(x, value, y.rounded, facts<T>::lowest_exp, facts<T>::least_exp, facts<T>::greatest_exp);
}
// exp(x), and what its rounding takes away where it is normal.
template <typename T> inline pair<T> exp_parts(T x) {
  const remainder_of_log2<T> y = short_reduce(x);
  const pair<T> first = sum_of(T(1), y.r), value = sum_of(first.hi, fma(y.r * y.r, exp_short(y.r), first.lo));
  const T e = powered(x, value.hi, y.rounded, facts<T>::lowest_exp, facts<T>::least_exp, facts<T>::greatest_exp);
  return {e, x < facts<T>::least_exp ? T(0) : power_of_two(T(1), y.rounded) * value.lo};
}
template <typename T> inline T log1p_exp(T x) {
  const pair<T> e = exp_parts(x);
  return log1p(e.hi, e.lo);
}
// base - log(1 + exp(x)), rounded once.
template <typename T> inline T less_log1p_exp(T base, T x) {
  const pair<T> e = exp_parts(x), sum = log1p_parts(e.hi, T(1) + e.hi, e.lo);
  const T first = e.hi < facts<T>::tiny ? e.hi : sum.hi, last = e.hi < facts<T>::tiny ? T(0) : sum.lo;
  const pair<T> value = exact_sum(base, -first);
  return fabs(x) < float_of(facts<T>::infinity) ? value.hi + (value.lo - last) : base - (x == x ? T(0) : x);
}
// 1 / (1 + exp(-x)), where that and exp(-x) are normal numbers, is `over` times 1 + left: what the division left is known from
// the exponential and from 1 - over, both in two words.
template <typename T> struct logistic_parts { T over, left; };
template <typename T> inline logistic_parts<T> logistic_of(T x) {
  const remainder_of_log2<T> y = short_reduce(-x);
  const pair<T> first = sum_of(T(1), y.r), e = sum_of(first.hi, fma(y.r * y.r, exp_short(y.r), first.lo));
  const T power = power_of_two(T(1), y.rounded), over = T(1) / fma(power, e.hi, T(1)), times = over * power;
  const pair<T> rest = sum_of(T(1), -over);
  return {over, fma(-times, e.hi, rest.hi) + fma(-times, e.lo, rest.lo)};
}
template <typename T> inline T logistic(T x) {
  const logistic_parts<T> parts = logistic_of(x);
  return fma(parts.over, parts.left, parts.over);
}
template <typename T> inline T times_logistic(T y, T x) {
  const logistic_parts<T> parts = logistic_of(x);
  return fma(y, parts.over, y * parts.over * parts.left);
}
template <typename T> inline T exp2(T x) {
  const T rounded = x + facts<T>::rounder, r = x - (rounded - facts<T>::rounder), value = fma(r, exp2_over(r), T(1));
  return powered(x, value, rounded, facts<T>::lowest_exp2, facts<T>::least_exp2, facts<T>::greatest_exp2);
}
// A polynomial up to 0.8, and beyond it 1 - 2 / sum for sum = exp(2 x) + 1, of which 3/4 is taken away before the division, so
// that the quotient is small; from the limit on the result is 1.
template <typename T> inline T tanh(T a) {
  const T x = fabs(a), t = x * x, near = fma(x * t, tanh_near(t), x), limit = facts<T>::highest_tanh;
  const remainder_of_log2<T> y = short_reduce(T(2) * (x > limit ? limit : x));
  const T power = power_of_two(T(1), y.rounded), sum = fma(power, fma(y.r * y.r, exp_short(y.r), y.r), power + T(1));
  const T far = T(0.75) + fma(T(0.25), sum, T(-2)) / sum;
  return copysign(x >= T(0.8) ? far : near, a);
}

inline float number_of(int k) { return float(k); }
inline double number_of(long long k) { return float_of(bits_of(facts<double>::rounder) + k) - facts<double>::rounder; }
// A positive number as (1 + f) 2^k with 1 + f from 43/64 to 43/32: the logarithm of the ends is more than 1/8 to every base.
template <typename T, typename B> inline split<T> split_normal(T x, B lift) {
  using signed_bits = typename facts<T>::signed_bits;
  const B least = facts<T>::least_part, u = bits_of(x) - least, part = u & ((B(1) << facts<T>::fraction) - 1);
  return {float_of(part + least) - T(1), number_of(signed_bits(u - lift) >> facts<T>::fraction)};
}
// A subnormal number is lifted to normal ones.
template <typename T> inline split<T> short_split(T x) {
  using bits = decltype(bits_of(x));
  const bits zero = 0, lift = x < facts<T>::least_normal ? bits(facts<T>::lifted) << facts<T>::fraction : zero;
  return split_normal(x * float_of(facts<T>::one + lift), lift);
}
// f - log(1 + f), and the same over log(2), as a product of two.
template <typename T> struct product { T x, y; };
inline product<float> log_rest(float f) { return {f * f, log_gap(f)}; }
inline product<float> log2_rest(float f) { return {f * f, log2_gap(f)}; }
inline product<double> log_rest(double f) {
  const double s = f / (2.0 + f), t = s * s;
  return {s, fma(-t, atanh_gap(t), f)};
}
inline product<double> log2_rest(double f) {
  const product<double> rest = log_rest(f);
  return {facts<double>::log2e * rest.x, rest.y};
}
// The logarithm of x, which `value` is for positive finite x.
template <typename T> inline T logarithm_of(T x, T value) {
  const T infinite = float_of(facts<T>::infinity), real = bits_of(x) < facts<T>::infinity ? value : fma(x, infinite, infinite);
  return x == T(0) ? -infinite : real;
}
template <typename T> inline pair<T> log_of(split<T> s) {
  const product<T> rest = log_rest(s.f);
  const T sum = fma(s.k, facts<T>::ln2, s.f), lost = fma(s.k, facts<T>::ln2, -sum) + s.f;
  return {sum, fma(-rest.x, rest.y, fma(s.k, facts<T>::ln2_low, lost))};
}
// log(x) + low for a small second word.
template <typename T> inline T log_plus(T x, T low) {
  const pair<T> sum = log_of(short_split(x));
  return logarithm_of(x, sum.hi + (sum.lo + low));
}
template <typename T> inline T log(T x) {
  const pair<T> sum = log_of(short_split(x));
  return logarithm_of(x, sum.hi + sum.lo);
}
// y log(x) and y log(1 + x), rounded once; the second word counts where all is finite. A negative zero keeps the sign of a zero.
template <typename T> inline T times_sum(T y, T hi, T lo) {
  const T low = y * lo;
  return fma(y, hi, low - low == T(0) && low != T(0) ? low : -T(0));
}
template <typename T> inline T times_log(T y, T x) {
  const pair<T> sum = log_of(short_split(x));
  return times_sum(y, logarithm_of(x, sum.hi), sum.lo);
}
template <typename T> inline T times_log1p(T y, T x) {
  const T u = T(1) + x;
  const pair<T> sum = log1p_parts(x, u, T(0));
  const bool small = fabs(x) < facts<T>::tiny;
  return times_sum(y, small ? x : logarithm(u, sum.hi), small ? T(0) : sum.lo);
}
template <typename T> inline T log2(T x) {
  const split<T> s = short_split(x);
  const product<T> rest = log2_rest(s.f);
  const T sum = fma(s.f, facts<T>::log2e, s.k), lost = fma(s.f, facts<T>::log2e, s.k - sum);
  return logarithm_of(x, sum + fma(-rest.x, rest.y, fma(s.f, facts<T>::log2e_low, lost)));
}
template <typename T> inline T log10(T x) {
  const split<T> s = short_split(x);
  const product<T> rest = log_rest(s.f);
  const T whole = s.k * facts<T>::log10_2_short, sum = fma(s.f, facts<T>::log10e, whole);
  const T lost = fma(s.f, facts<T>::log10e, whole - sum), low = fma(s.k, facts<T>::log10_2_rest, lost);
  return logarithm_of(x, sum + fma(-facts<T>::log10e * rest.x, rest.y, fma(s.f, facts<T>::log10e_low, low)));
}
}  // namespace elementary
#define JITLAB_EACH(NAME) \
  inline float NAME(float x) { return elementary::NAME(x); } \
  inline double NAME(double x) { return elementary::NAME(x); }
JITLAB_EACH(exp) JITLAB_EACH(exp2) JITLAB_EACH(log) JITLAB_EACH(log2) JITLAB_EACH(log10) JITLAB_EACH(tanh)
#undef JITLAB_EACH
using elementary::less_log1p_exp;
using elementary::log1p_exp;
using elementary::log_plus;
using elementary::logistic;
using elementary::times_log;
using elementary::times_log1p;
using elementary::times_logistic;
// log of a positive normal number, less what its rounding loses.
inline double log_of_normal(double x, double& lost) {
  const elementary::pair<double> sum = elementary::log_of(elementary::split_normal(x, 0ull));
  const double value = sum.hi + sum.lo;
  lost = sum.lo - (value - sum.hi);
  return value;
}
}  // namespace jitlab
