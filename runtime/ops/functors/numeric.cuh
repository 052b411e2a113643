// What the other functors stand on: constants of a floating type, polynomials, and sums kept in two words.
namespace jl {
template <typename T> struct float_facts;
template <> struct float_facts<float> {
  static constexpr float highest() { return 3.402823466e+38f; }
  static constexpr float smallest() { return 1.175494351e-38f; }
  static constexpr float epsilon() { return 1.1920929e-07f; }
  static constexpr float pi() { return 3.14159265f; }
  // Below it, and above its negative, exp neither overflows nor becomes subnormal.
  static constexpr float exp_limit() { return 87.0f; }
  static constexpr float ln2() { return 0.693147181f; }
};
template <> struct float_facts<double> {
  static constexpr double highest() { return 1.7976931348623157e+308; }
  static constexpr double smallest() { return 2.2250738585072014e-308; }
  static constexpr double epsilon() { return 2.220446049250313e-16; }
  static constexpr double pi() { return 3.141592653589793; }
  static constexpr double exp_limit() { return 708.0; }
  static constexpr double ln2() { return 0.6931471805599453; }
};
template <typename T> inline T inf();
template <> inline float inf<float>() { return float_of(0x7f800000u); }
template <> inline double inf<double>() { return float_of(0x7ff0000000000000ull); }
template <typename T> inline T nan();
template <> inline float nan<float>() { return float_of(0x7fc00000u); }
template <> inline double nan<double>() { return float_of(0x7ff8000000000000ull); }

// c[0] + c[1] x + c[2] x^2 + ... by Horner's rule.
template <typename T, int N> inline T polynomial(T x, const T (&c)[N]) {
  T sum = c[N - 1];
  JITLAB_UNROLL
  for (int i = N - 2; i >= 0; --i) sum = fma(sum, x, c[i]);
  return sum;
}

// A number as the unevaluated sum of two floating numbers: about twice the digits of T, without a wider type.
template <typename T> struct two {
  T hi, lo;
};
template <typename T> inline T rounded(two<T> x) { return x.hi + x.lo; }
// The exact sum (Knuth).
template <typename T> inline two<T> two_sum(T a, T b) {
  const T s = a + b, t = s - a;
  return {s, (a - (s - t)) + (b - t)};
}
// The exact sum where |a| >= |b| or a is 0 (Dekker).
template <typename T> inline two<T> quick_sum(T a, T b) {
  const T s = a + b;
  return {s, b - (s - a)};
}
// The exact product.
template <typename T> inline two<T> two_product(T a, T b) {
  const T p = a * b;
  return {p, fma(a, b, -p)};
}
template <typename T> inline two<T> add(two<T> a, two<T> b) {
  const two<T> s = two_sum(a.hi, b.hi);
  return quick_sum(s.hi, s.lo + (a.lo + b.lo));
}
template <typename T> inline two<T> add(two<T> a, T b) {
  const two<T> s = two_sum(a.hi, b);
  return quick_sum(s.hi, s.lo + a.lo);
}
template <typename T> inline two<T> multiply(two<T> a, two<T> b) {
  const two<T> p = two_product(a.hi, b.hi);
  return quick_sum(p.hi, p.lo + fma(a.hi, b.lo, a.lo * b.hi));
}
template <typename T> inline two<T> multiply(two<T> a, T b) {
  const two<T> p = two_product(a.hi, b);
  return quick_sum(p.hi, fma(a.lo, b, p.lo));
}
template <typename T> inline two<T> divide(two<T> a, two<T> b) {
  const T q = a.hi / b.hi;
  const T r = fma(-q, b.hi, a.hi);
  return quick_sum(q, (r + (a.lo - q * b.lo)) / b.hi);
}
template <typename T> inline two<T> negate(two<T> a) { return {-a.hi, -a.lo}; }
// c[0] + c[1] x + ... where the first coefficients have a second word, and so the value.
template <typename T, int N, int K> inline two<T> polynomial(two<T> x, const T (&c)[N], const T (&low)[K]) {
  T tail = c[N - 1];
  JITLAB_UNROLL
  for (int i = N - 2; i >= K; --i) tail = fma(tail, x.hi, c[i]);
  two<T> sum = {tail, T(0)};
  JITLAB_UNROLL
  for (int i = K - 1; i >= 0; --i) {
    const two<T> product = two_product(sum.hi, x.hi);
    const T rest = product.lo + fma(sum.hi, x.lo, sum.lo * x.hi);
    sum = two_sum(c[i], product.hi);
    sum.lo += low[i] + rest;
  }
  return sum;
}

// Constants in two words. The first one of log 2 has zeros at the end, so that its product with an exponent is exact.
template <typename T> struct two_facts;
template <> struct two_facts<float> {
  static constexpr float ln2_hi() { return 0.693145752f; }
  static constexpr float ln2_lo() { return 1.42860682e-6f; }
  static constexpr float pi_hi() { return 3.14159274f; }
  static constexpr float pi_lo() { return -8.742278e-8f; }
  static constexpr float pi2_hi() { return 9.86960411f; }
  static constexpr float pi2_lo() { return 2.90371585e-7f; }
  static constexpr float root_two_hi() { return 1.41421354f; }
  static constexpr float root_two_lo() { return 2.42032391e-8f; }
};
template <> struct two_facts<double> {
  static constexpr double ln2_hi() { return 0.69314718055966296; }
  static constexpr double ln2_lo() { return 2.8235290563031577e-13; }
  static constexpr double pi_hi() { return 3.1415926535897931; }
  static constexpr double pi_lo() { return 1.2246467991473532e-16; }
  static constexpr double pi2_hi() { return 9.869604401089358; }
  static constexpr double pi2_lo() { return 6.2652955087397117e-16; }
  static constexpr double root_two_hi() { return 1.4142135623730951; }
  static constexpr double root_two_lo() { return -9.6672933134529135e-17; }
};
}  // namespace jl
