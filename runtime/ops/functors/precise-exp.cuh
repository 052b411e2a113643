// The exponential in two words, for functions whose terms nearly cancel. The polynomial is a fit of our own (scripts/fit.py).
namespace jl {
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
}  // namespace jl
