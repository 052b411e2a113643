// The logarithm of the gamma function on a GPU, where neighbouring threads go through all branches that any of them takes: they
// share one logarithm and the sum, and leave what is not ordinary to a function of its own. Positive floats take a short way.
// The polynomials are fits of our own (scripts/fit.py).
namespace jl {
// <fit lgamma_near_tail>
// (lgamma(x) / ((x - 1) (x - 2)) + euler - 1) / (x - 2) in t = x - 2, x from 1 to 3
inline float lgamma_near_tail(float t) {
  const float c[] = {
    -0.100317298f, 0.0329649988f, -0.012384473f, 0.00499877381f, -0.00210490778f, 0.000913854468f,
    -0.000419005835f, 0.000188833041f, -5.90323996e-5f, 2.68093658e-5f, -3.63155219e-5f, 1.7020651e-5f
  };
  return polynomial(t, c);
}
inline double lgamma_near_tail(double t) {
  const double c[] = {
    -0.10031730167435392, 0.032965000621155966, -0.012384192193371346, 0.0049986411646803602,
    -0.00210813083394754, 0.00091537692285927474, -0.00040570739780433495, 0.00018255262896164609,
    -8.3095121368834451e-5, 3.8168983839289734e-5, -1.7661722584929574e-5, 8.2216411846884587e-6,
    -3.8470557551691251e-6, 1.8101965374585381e-6, -8.5398053695531289e-7, 3.9829198619176526e-7,
    -1.8900970417890539e-7, 1.0090082501416391e-7, -4.822203162795447e-8, 8.9807529313193284e-9,
    -4.2218209524290131e-9, 1.4354602538186548e-8, -6.9483858973545438e-9, -3.6707781973177215e-9,
    1.7867062298498474e-9, 1.4756784497956258e-9, -7.1582064214314862e-10
  };
  return polynomial(t, c);
}
// </fit>
// <fit sine_log_tail>
// (log(sin(pi x) / (pi x)) + pi^2 x^2 / 6) / x^4 in t = x^2, x up to 1/2
inline float sine_log_tail(float t) {
  const float c[] = {
    -0.541161619f, -0.339113582f, -0.251068161f, -0.199054697f, -0.17925243f, -0.0745594576f, -0.294886979f
  };
  return polynomial(t, c);
}
inline double sine_log_tail(double t) {
  const double c[] = {
    -0.54116161685556909, -0.33911435399483319, -0.25101933904512779, -0.20019891546935638,
    -0.16670765758077194, -0.14286663614020609, -0.12498674116056017, -0.11132044292236306,
    -0.098009844188699174, -0.10412662445656661, -0.02272162799628058, -0.26266557313859963,
    0.28130145984688713, -0.4094616072270452
  };
  return polynomial(t, c);
}
// </fit>

// 1 - euler, pi^2 / 6 and log(2 pi) / 2 - 1/2 in two words.
template <typename T> struct quick_lgamma_facts;
template <> struct quick_lgamma_facts<float> {
  static constexpr two<float> one_less_euler() { return {0.422784328f, 6.63777378e-9f}; }
  static constexpr two<float> sixth() { return {1.64493406f, 8.65883435e-9f}; }
  static constexpr two<float> half_log_2pi_less_half() { return {0.418938547f, -1.41681453e-8f}; }
};
template <> struct quick_lgamma_facts<double> {
  static constexpr two<double> one_less_euler() { return {0.42278433509846713, 4.9429151524306449e-18}; }
  static constexpr two<double> sixth() { return {1.6449340668482264, 3.0406723503984762e-17}; }
  static constexpr two<double> half_log_2pi_less_half() { return {0.41893853320467273, 1.6728209650585413e-17}; }
};

// The number a b + level + rest, not rounded yet; the rest is small.
template <typename T> struct product_sum {
  T a, b, level, rest;
};
// lgamma of a number from 1 to 3, or of 1 more than a smaller one.
template <typename T> inline product_sum<T> lgamma_near(T x) {
  const T y = x < T(1) ? x : x - T(1), t = y - T(1), product = y * t, lost = fma(y, t, -product);
  const two<T> factor = quick_lgamma_facts<T>::one_less_euler();
  return {product, factor.hi, T(0), fma(product * t, lgamma_near_tail(t), fma(product, factor.lo, lost * factor.hi))};
}
// lgamma of a number from 3 up that keeps its digits less 1/2, with its logarithm.
template <typename T> inline product_sum<T> lgamma_far(T x, two<T> log) {
  const two<T> level = quick_lgamma_facts<T>::half_log_2pi_less_half();
  const T count = x - T(0.5), q = fine_reciprocal(x), tail = fma(q, stirling_tail(q * q), level.lo);
  return {count, log.hi - T(1), level.hi, fma(count, log.lo, tail)};
}
// lgamma(-x) of x whose distance from the nearest whole number is r: the product of both gamma functions is
// -pi / (x sin(pi r)). The logarithm of x is 0 where `sum` is without it.
template <typename T> inline T lgamma_reflected(product_sum<T> sum, two<T> log, T r) {
  const T product = sum.a * sum.b, square = r * r, lost = fma(r, r, -square);
  const two<T> log_r = log_sum(r), sixth = quick_lgamma_facts<T>::sixth();
  // log(sin(pi r) / (pi r))
  const T step = square * sixth.hi, step_lost = fma(square, sixth.hi, -step) + fma(lost, sixth.hi, square * sixth.lo);
  const T curve = fma(square * square, sine_log_tail(square), -step_lost);
  const two<T> level = quick_sum(log.hi, sum.level), first = two_sum(product, level.hi);
  const two<T> second = two_sum(first.hi, log_r.hi), third = two_sum(second.hi, -step);
  const T low = (fma(sum.a, sum.b, -product) + sum.rest) + (((level.lo + first.lo) + second.lo) + third.lo);
  return -(third.hi + (low + ((log.lo + log_r.lo) + curve)));
}

template <typename T> __noinline__ inline T lgamma_rare(T x) { return lgamma_anywhere(x); }
template <typename T> inline T lgamma_ordinary(T x) {
  const T a = fabs(x), r = fabs(fraction(a));
  // Without subnormal and enormous numbers, and whole ones below 0.
  const bool ordinary = (a >= float_facts<T>::smallest()) & (a * float_facts<T>::epsilon() < T(1)) & ((x > T(0)) | (r > T(0)));
  if (!ordinary) return lgamma_rare(x);
  const two<T> log = log_sum(a);
  const product_sum<T> sum = a < T(3) ? lgamma_near(a) : lgamma_far(a, log);
  if (x < T(0)) return lgamma_reflected(sum, a < T(1) ? two<T>{T(0), T(0)} : log, r);
  return a < T(1) ? fma(sum.a, sum.b, sum.rest - log.lo) - log.hi : fma(sum.a, sum.b, sum.level + sum.rest);
}
inline double lgamma(double x) { return lgamma_ordinary(x); }

// Constants of the short way; ln 2 is over 2^23, for exponents where a float has them, and the first of two words makes exact products.
struct short_lgamma_facts {
  static constexpr float one_less_euler() { return 0.422784328f; }
  static constexpr float half_log_2pi_less_half() { return 0.418938533f; }
  static constexpr float ln2() { return 0.693147182f / 8388608.0f; }
  static constexpr float ln2_hi() { return 0.693145752f / 8388608.0f; }
  static constexpr float ln2_lo() { return 1.42860682e-6f / 8388608.0f; }
};
// A normal float is (1 + f) / 2^k with 1 + f from 2/3 to 4/3: its logarithm is f - rest - k ln 2. `exponent` is 2^23 k.
struct log_parts {
  float exponent, f, rest;
};
inline log_parts split_log(float x) {
  const unsigned exponent = (0x3faaaaaau - bits_of(x)) & 0xff800000u;
  const float f = float_of(bits_of(x) + exponent) - 1.0f;
  return {float(int(exponent)), f, f * f * fma(-f, lgamma_log_tail(f), 0.5f)};
}
// lgamma of a float below 3: the polynomial is for x from 1 up, and lgamma(x) = lgamma(x + 1) - log(x).
inline float short_lgamma_below_three(float x, log_parts l) {
  const float y = x < 1.0f ? x : x - 1.0f, t = y - 1.0f, product = y * t;
  const float low = fma(product * t, lgamma_near_tail(t), l.rest - l.f);
  return fma(l.exponent, short_lgamma_facts::ln2(), fma(product, short_lgamma_facts::one_less_euler(), low));
}
// lgamma of a float from 3 up: x times a factor, and a rest. The factor, log(x) - 1, begins with an exact product that is greater
// than f, so that what the sum loses is exact too.
inline float short_stirling(float x, log_parts l) {
  const float power = fma(l.exponent, -short_lgamma_facts::ln2_hi(), -1.0f), factor = power + l.f;
  const float low = (l.f - (factor - power)) - fma(l.exponent, short_lgamma_facts::ln2_lo(), l.rest);
  const float q = rough_reciprocal(x), tail = fma(q, stirling_tail(q * q), short_lgamma_facts::half_log_2pi_less_half());
  return fma(x, factor, fma(x, low, fma(-0.5f, factor + low, tail)));
}
__noinline__ inline float lgamma_not_positive(float x) { return lgamma_ordinary(x); }
inline float lgamma(float x) {
  if (!(x >= float_facts<float>::smallest())) return lgamma_not_positive(x);
  // From 1 to 3 nothing asks for the logarithm: that of 1.
  const log_parts l = split_log(x < 1.0f || x >= 3.0f ? x : 1.0f);
  return x < 3.0f ? short_lgamma_below_three(x, l) : short_stirling(x, l);
}
}  // namespace jl
