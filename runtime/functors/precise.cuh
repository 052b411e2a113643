// Exponential, logarithm and circular functions of pi x in two words: building blocks of functions whose terms nearly cancel.
// The polynomials are fits of our own (scripts/fit.py).
namespace jl {
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
// <fit exp_tail>
// (exp(x) - 1 - x) / x^2 in t = x, x up to log(2) / 2
inline float exp_tail(float t) {
  const float c[] = {
    0.500000001f, 0.166666667f, 0.0416664635f, 0.00833331077f, 0.00139338032f, 0.00019891161f
  };
  return polynomial(t, c);
}
inline double exp_tail(double t) {
  const double c[] = {
    0.5, 0.16666666666666671, 0.04166666666666667, 0.0083333333333260362, 0.0013888888888883806,
    0.00019841269875165947, 2.4801587325550776e-5, 2.7557254962941826e-6, 2.7557273532902359e-7,
    2.5105398682936388e-8, 2.0914755757800773e-9
  };
  return polynomial(t, c);
}
// </fit>
// <fit sinpi_tail>
// (pi x - sin(pi x)) / x^3 in t = x^2, x up to 0.5
inline two<float> sinpi_tail(two<float> t) {
  const float c[] = {
    5.16771269f, -2.55016387f, 0.599258994f, -0.0820837178f, 0.00708448878f
  };
  const float low[] = {
    9.07402668e-8f
  };
  return polynomial(t, c, low);
}
inline two<double> sinpi_tail(two<double> t) {
  const double c[] = {
    5.1677127800499703, -2.5501640398773401, 0.59926452932034303, -0.082145886596752322,
    0.0073704307196345865, -0.00046630087411496363, 2.1906201655131958e-5, -7.7257430307898759e-7
  };
  const double low[] = {
    -2.3709419403499854e-16
  };
  return polynomial(t, c, low);
}
// </fit>
// <fit cotpi_tail>
// (1 / x - pi cot(pi x)) / x in t = x^2, x up to 0.25
inline float cotpi_tail(float t) {
  const float c[] = {
    3.28986814f, 2.16464297f, 2.03513041f, 1.98853853f, 2.34919476f
  };
  return polynomial(t, c);
}
inline double cotpi_tail(double t) {
  const double c[] = {
    3.2898681336964529, 2.1646464674222917, 2.0346861239608401, 2.0081547140412661, 2.0019889799437164,
    2.0005022743772563, 1.9997590854471102, 2.0080732280868983, 1.8937276859767057, 2.7545039873927942
  };
  return polynomial(t, c);
}
// </fit>
// <fit tanpi_tail>
// (pi tan(pi x) - pi^2 x) / x^3 in t = x^2, x up to 0.25
inline float tanpi_tail(float t) {
  const float c[] = {
    32.469697f, 128.185318f, 512.048726f, 2051.89214f, 7957.26414f, 40368.488f, 0.00302905039f, 1589897.11f
  };
  return polynomial(t, c);
}
inline double tanpi_tail(double t) {
  const double c[] = {
    32.469697011334146, 128.18522581004085, 512.0794516605972, 2048.0349009011919, 8192.0153956872516,
    32768.0158499358, 131071.00791656942, 524363.78971059578, 2093051.9121928943, 8549028.0247269552,
    28984564.112029601, 228561838.89683604, -848556543.61677494, 16045432824.754017, -78992900060.327411,
    315971600241.30966
  };
  return polynomial(t, c);
}
// </fit>

// The first words have zeros at the end, so that their product with an exponent is exact.
template <typename T> struct two_facts;
template <> struct two_facts<float> {
  static constexpr float ln2_hi() { return 0.693145752f; }
  static constexpr float ln2_lo() { return 1.42860682e-6f; }
  static constexpr float pi_hi() { return 3.14159274f; }
  static constexpr float pi_lo() { return -8.742278e-8f; }
  static constexpr float pi2_hi() { return 9.86960411f; }
  static constexpr float pi2_lo() { return 2.90371585e-7f; }
};
template <> struct two_facts<double> {
  static constexpr double ln2_hi() { return 0.69314718055966296; }
  static constexpr double ln2_lo() { return 2.8235290563031577e-13; }
  static constexpr double pi_hi() { return 3.1415926535897931; }
  static constexpr double pi_lo() { return 1.2246467991473532e-16; }
  static constexpr double pi2_hi() { return 9.869604401089358; }
  static constexpr double pi2_lo() { return 6.2652955087397117e-16; }
};

// x as m 2^k with m from sqrt(1/2) to sqrt(2), for positive finite x.
inline float split_exponent(float x, float& k) {
  const bool tiny = x < 1.17549435e-38f;
  const unsigned u = bits_of(tiny ? x * 8388608.0f : x) - 0x3f3504f3u;
  k = float(int(u) >> 23) - (tiny ? 23.0f : 0.0f);
  return float_of((u & 0x7fffffu) + 0x3f3504f3u);
}
inline double split_exponent(double x, double& k) {
  const bool tiny = x < 2.2250738585072014e-308;
  const unsigned long long u = bits_of(tiny ? x * 4503599627370496.0 : x) - 0x3fe6a09e667f3bcdull;
  k = double((long long)(u) >> 52) - (tiny ? 52.0 : 0.0);
  return float_of((u & 0xfffffffffffffull) + 0x3fe6a09e667f3bcdull);
}
// log x for positive finite x, with about seven bits more than T has.
template <typename T> inline two<T> log_two(T x) {
  T k;
  const T m = split_exponent(x, k);
  const two<T> s = divide(two<T>{m - T(1), T(0)}, two_sum(m, T(1)));
  const T square = s.hi * s.hi;
  const two<T> near = quick_sum(T(2) * s.hi, fma(s.hi * square, log_tail(square), T(2) * s.lo));
  const two<T> far = two_sum(k * two_facts<T>::ln2_hi(), near.hi);
  return quick_sum(far.hi, far.lo + fma(k, two_facts<T>::ln2_lo(), near.lo));
}
// log of a number in two words.
template <typename T> inline two<T> log_two(two<T> x) { return add(log_two(x.hi), x.lo / x.hi); }

// x 2^k in two steps, so that neither the factors overflow nor a subnormal result is rounded twice.
inline float scale(float x, float k) {
  const int n = int(k), half = n >> 1;
  return x * float_of(unsigned(127 + half) << 23) * float_of(unsigned(127 + n - half) << 23);
}
inline double scale(double x, double k) {
  const long long n = (long long)(k), half = n >> 1;
  return x * float_of((unsigned long long)(1023 + half) << 52) * float_of((unsigned long long)(1023 + n - half) << 52);
}
// A number as `value` times 2^k: an exponential, whose products are rounded once, also where they are subnormal.
template <typename T> struct exponential {
  two<T> value;
  T k;
};
template <typename T> inline exponential<T> multiply(exponential<T> a, two<T> b) { return {multiply(a.value, b), a.k}; }
template <typename T> inline T rounded(exponential<T> a) { return scale(rounded(a.value), a.k); }
// From a number without subnormal words.
template <typename T> inline T subtract(T a, exponential<T> b) {
  return rounded(add(two<T>{-scale(b.value.hi, b.k), -scale(b.value.lo, b.k)}, a));
}
// exp of a number in two words that is not much beyond those with an exponential in T.
template <typename T> inline exponential<T> exp_two(two<T> x) {
  const T k = rint(x.hi * T(1.4426950408889634));
  // The first difference is exact.
  const two<T> r = two_sum(fma(k, -two_facts<T>::ln2_hi(), x.hi), fma(k, -two_facts<T>::ln2_lo(), x.lo));
  const two<T> first = quick_sum(T(1), r.hi);
  return {quick_sum(first.hi, first.lo + fma(r.hi * r.hi, exp_tail(r.hi), fma(r.hi, r.lo, r.lo))), k};
}

// sin(pi r) for |r| up to 0.5.
template <typename T> inline two<T> sinpi_two(T r) {
  const two<T> pi = {two_facts<T>::pi_hi(), two_facts<T>::pi_lo()};
  const two<T> square = two_product(r, r);
  return add(multiply(pi, r), negate(multiply(multiply(sinpi_tail(square), square), r)));
}
// pi cot(pi r) for |r| up to 0.5; infinite where r is 0.
template <typename T> inline two<T> cotpi_two(T r) {
  const T a = fabs(r);
  if (a <= T(0.25)) {
    const T q = T(1) / r;
    if (isinf(q)) return {q, T(0)};
    const two<T> reciprocal = {q, fma(-q, r, T(1)) / r};
    return add(reciprocal, -r * cotpi_tail(r * r));
  }
  const T u = T(0.5) - a, square = u * u;
  const two<T> pi2 = {two_facts<T>::pi2_hi(), two_facts<T>::pi2_lo()};
  const two<T> value = add(multiply(pi2, u), u * square * tanpi_tail(square));
  return r < T(0) ? negate(value) : value;
}
// x less the nearest integer, exact.
template <typename T> inline T fraction(T x) { return x - rint(x); }
}  // namespace jl
