// The incomplete gamma functions of ordinary arguments on a processor: the series below x as one quotient, for a fixed number
// of terms and without branches, so that loops run in vector registers; of doubles in two words, of floats in double.
// The upper share of doubles, where it is the lesser one, is a finite sum that ends with a continued fraction. The polynomials
// are fits of our own (scripts/fit.py).
namespace jl {
// <fit log_rest double>
// (log((1 + s) / (1 - s)) - 2 s - 2 / 3 s^3) / s^5 in t = s^2, s up to 0.1716
inline double log_rest(double t) {
  const double c[] = {
    0.4, 0.28571428571429378, 0.22222222221648821, 0.1818181833699257, 0.15384594791762351,
    0.13334813971292004, 0.11705988156500908, 0.11725771221811145
  };
  return polynomial(t, c);
}
// </fit>
// <fit exp_rest double>
// (exp(x) - 1 - x - x^2 / 2) / x^3 in t = x, x up to log(2) / 2
inline double exp_rest(double t) {
  const double c[] = {
    0.16666666666666667, 0.041666666666666667, 0.0083333333333300169, 0.001388888888888652,
    0.00019841269863277818, 2.4801587317304606e-5, 2.7557268112223656e-6, 2.7557282721197555e-7,
    2.510055063387081e-8, 2.0911354558780047e-9
  };
  return polynomial(t, c);
}
// </fit>
// The logarithm of a number in two words, to about 2^-65 of itself.
__forceinline__ two<double> long_log(two<double> x) {
  double k;
  const double m = split_exponent(x.hi, k);
  const two<double> s = divide(two<double>{m - 1.0, 0.0}, two_sum(m, 1.0)), t = multiply(s, s);
  const double rest = log_rest(t.hi), far = t.hi * rest;
  const two<double> sum = quick_sum(0.66666666666666663, far);
  const double lost = fma(t.hi, rest, -far) + fma(t.lo, rest, 3.7007434154171886e-17);
  const two<double> tail = multiply(multiply(s, t), two<double>{sum.hi, sum.lo + lost});
  const two<double> near = add(two<double>{2.0 * s.hi, 2.0 * s.lo}, two<double>{tail.hi, tail.lo + x.lo / x.hi});
  return add(two<double>{k * two_facts<double>::ln2_hi(), k * two_facts<double>::ln2_lo()}, near);
}
// exp, to about 2^-59 of itself, where it is a normal number.
__forceinline__ two<double> long_exp(two<double> x) {
  const double k = rint(x.hi * 1.4426950408889634);
  const two<double> ln2 = {two_facts<double>::ln2_hi(), two_facts<double>::ln2_lo()};
  const two<double> r = add(two_sum(fma(k, -ln2.hi, x.hi), -k * ln2.lo), fma(-k, ln2.lo, k * ln2.lo) + x.lo);
  const two<double> square = multiply(r, r);
  const two<double> rest = {0.5 * square.hi, fma(square.hi * r.hi, exp_rest(r.hi), 0.5 * square.lo)};
  const two<double> sum = add(add(r, quick_sum(rest.hi, rest.lo)), 1.0);
  return {scale(sum.hi, k), scale(sum.lo, k)};
}
// x^a e^-x / gamma(a + 1), by Stirling's formula for z = a + 3.
__forceinline__ double wide_gamma_share(double a, double x) {
  const double z = a + 3.0, q = 1.0 / z, square = q * q;
  const double power = exp(a * log(x * q) + (z - x) - q * stirling_tail(square));
  return power * (a + 1.0) * (a + 2.0) * square / sqrt(6.283185307179586 * z);
}
__forceinline__ two<double> long_gamma_share(double a, double x) {
  const two<double> z = two_sum(a, 3.0), log = long_log(divide(two<double>{x, 0.0}, z));
  const double q = 1.0 / z.hi;
  const two<double> power = long_exp(add(add(multiply(log, a), add(z, -x)), -q * stirling_tail(q * q)));
  const two<double> factor = multiply(multiply(power, two_sum(a, 1.0)), two_sum(a, 2.0));
  const two<double> width = multiply(z, two<double>{6.2831853071795862, 2.4492935982947064e-16});
  return divide(factor, multiply(multiply(z, z), sqrt_two(width)));
}
// The lower share over the factor before: 1 + x / (a + 1) (1 + x / (a + 2) (...)) as a quotient.
__forceinline__ double wide_gamma_sum(double a, double x) {
  double above = 1.0, below = 1.0;
  JITLAB_UNROLL
  for (int k = 64; k >= 1; --k) {
    below *= a + double(k);
    above = fma(above, x, below);
  }
  return above / below;
}
// A quotient of two sums, each in two words.
struct long_quotient {
  two<double> above, below;
};
// From 1 + u / v times a quotient.
__forceinline__ long_quotient next_quotient(long_quotient q, double u, two<double> v) {
  const double below = q.below.hi * v.hi, above = q.above.hi * u;
  const double low = fma(q.below.hi, v.lo, fma(q.below.lo, v.hi, fma(q.below.hi, v.hi, -below)));
  const two<double> sum = two_sum(above, below);
  return {{sum.hi, fma(q.above.lo, u, (fma(q.above.hi, u, -above) + sum.lo) + low)}, {below, low}};
}
// a + k for a whole k, exactly.
__forceinline__ two<double> ahead(double a, double k) {
  const double sum = a + k;
  return {sum, a - (sum - k)};
}
__forceinline__ long_quotient long_gamma_terms(double a, double x, int from, int to) {
  long_quotient q = {{1.0, 0.0}, {1.0, 0.0}};
  JITLAB_UNROLL
  for (int k = from; k >= to; --k) q = next_quotient(q, x, ahead(a, double(k)));
  return q;
}
// x^(1 - a) e^x times the upper integral, for a up to 1 and x from 3 up: Legendre's continued fraction from its end.
__forceinline__ double upper_fraction(double a, double x) {
  double above = 1.0, below = 0.0;
  JITLAB_UNROLL
  for (int k = 28; k >= 0; --k) {
    const double next = fma(x - a + double(2 * k + 1), above, -(double(k + 1) * (double(k + 1) - a)) * below);
    below = above;
    above = next;
  }
  return x * below / above;
}
inline bool is_short_gammainc(float a, float x) { return (a > 0.0f) & (a <= 40.0f) & (x > 0.0f) & (x <= 20.0f); }
inline bool is_short_gammainc(double a, double x) {
  return (a >= 0x1p-20) & (a <= 32.0) & (x >= 0x1p-20) & (x <= 16.0);
}
// Where the upper share is not much less than 1, or a finite sum.
inline bool is_short_gammaincc(float a, float x) { return is_short_gammainc(a, x) & (a >= 0.25f) & (x <= a + 8.0f); }
inline bool is_finite_sum(double a, double x) { return (a >= 3.0) & (a <= 16.0) & (x > a) & (x <= 40.0); }
inline bool is_short_gammaincc(double a, double x) {
  return (is_short_gammainc(a, x) & (a >= 0.5) & (x <= a + 1.0)) | is_finite_sum(a, x);
}
__forceinline__ float short_gammainc(float a, float x) { return float(wide_gamma_share(a, x) * wide_gamma_sum(a, x)); }
__forceinline__ float short_gammaincc(float a, float x) {
  return float(1.0 - wide_gamma_share(a, x) * wide_gamma_sum(a, x));
}
__forceinline__ double short_gammainc(double a, double x) {
  const long_quotient sum = long_gamma_terms(a, x, 64, 1);
  return rounded(multiply(long_gamma_share(a, x), divide(sum.above, sum.below)));
}
// The upper share, from the lower one's quotient or that of the finite sum.
__forceinline__ double upper_share(double a, double x, long_quotient q, bool finite) {
  const two<double> order = {finite ? a : 1.0, 0.0}, place = {finite ? x : 1.0, 0.0};
  const two<double> value = divide(multiply(multiply(long_gamma_share(a, x), order), q.above), multiply(q.below, place));
  const two<double> other = add(negate(value), 1.0);
  return finite ? rounded(value) : rounded(other);
}
// The finite sum is 1 + (a - 1) / x (1 + (a - 2) / x (...)), whose last factor is that of an order from 0 to 1.
__forceinline__ double short_gammaincc(double a, double x) {
  const bool finite = is_finite_sum(a, x);
  const double last = ceil(a) - 1.0, rest = upper_fraction(a - last, x);
  long_quotient q = long_gamma_terms(a, x, 64, 16);
  JITLAB_UNROLL
  for (int k = 15; k >= 1; --k) {
    const bool begins = finite & (last == double(k));
    const two<double> v = ahead(a, double(k));
    q = {{begins ? rest : q.above.hi, begins ? 0.0 : q.above.lo}, {begins ? 1.0 : q.below.hi, begins ? 0.0 : q.below.lo}};
    q = next_quotient(q, finite ? a - double(k) : x, two<double>{finite ? x : v.hi, finite ? 0.0 : v.lo});
  }
  return upper_share(a, x, q, finite);
}
// The same values for one element by itself: with less code, and without the part that does not count.
inline long_quotient single_gamma_terms(double a, double x) {
  long_quotient q = {{1.0, 0.0}, {1.0, 0.0}};
  for (int k = 64; k >= 1; --k) q = next_quotient(q, x, ahead(a, double(k)));
  return q;
}
inline double single_gammainc(double a, double x) {
  const long_quotient sum = single_gamma_terms(a, x);
  return rounded(multiply(long_gamma_share(a, x), divide(sum.above, sum.below)));
}
inline double single_gammaincc(double a, double x) {
  if (!is_finite_sum(a, x)) return upper_share(a, x, single_gamma_terms(a, x), false);
  const double last = ceil(a) - 1.0;
  long_quotient q = {{upper_fraction(a - last, x), 0.0}, {1.0, 0.0}};
  for (int k = int(last); k >= 1; --k) q = next_quotient(q, a - double(k), two<double>{x, 0.0});
  return upper_share(a, x, q, true);
}
inline float single_gammainc(float a, float x) { return short_gammainc(a, x); }
inline float single_gammaincc(float a, float x) { return short_gammaincc(a, x); }
// The floats beyond all these are far from the mean, or near a large one, which two floats do not hold.
template <typename T> __noinline__ T other_gamma(T a, T x, bool upper) {
  return is_bell(a, x) ? T(gamma_of(double(a), double(x), upper)) : gamma_of(a, x, upper);
}
template <typename T> inline T gammainc(T a, T x) {
  return is_short_gammainc(a, x) ? single_gammainc(a, x) : other_gamma(a, x, false);
}
template <typename T> inline T gammaincc(T a, T x) {
  return is_short_gammaincc(a, x) ? single_gammaincc(a, x) : other_gamma(a, x, true);
}
}  // namespace jl
