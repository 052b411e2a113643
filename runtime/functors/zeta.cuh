// Hurwitz's zeta function by Euler and Maclaurin's summation.
namespace jl {
// Bernoulli's numbers B(2k) / (2k)!, k from 1.
inline float euler_maclaurin(int k, float) {
  const float c[] = {
    0.0833333333f, -0.00138888889f, 3.30687831e-5f, -8.26719577e-7f, 2.0876757e-8f, -5.28419014e-10f,
    1.33825365e-11f, -3.3896803e-13f, 8.58606206e-15f, -2.17486871e-16f, 5.509003e-18f, -1.39544647e-19f
  };
  return c[k];
}
inline double euler_maclaurin(int k, double) {
  const double c[] = {
    0.083333333333333333, -0.0013888888888888889, 3.3068783068783069e-5, -8.2671957671957672e-7,
    2.0876756987868099e-8, -5.2841901386874932e-10, 1.3382536530684679e-11, -3.3896802963225829e-13,
    8.5860620562778446e-15, -2.1748686985580619e-16, 5.5090028283602295e-18, -1.3954464685812523e-19
  };
  return c[k];
}
template <typename T> struct zeta_facts;
template <> struct zeta_facts<float> {
  static constexpr int terms() { return 6; }
};
template <> struct zeta_facts<double> {
  static constexpr int terms() { return 12; }
};
// The sum from a term a^-s on: the integral from there, half of that term, and corrections.
template <typename T> inline two<T> zeta_tail(T s, two<T> a, two<T> term, int corrections) {
  T factor = s, power = term.hi / a.hi, tail = T(0);
  for (int k = 0; k < corrections; ++k) {
    tail += euler_maclaurin(k, T(0)) * (factor * power);
    factor *= (s + T(2 * k + 1)) * (s + T(2 * k + 2));
    power /= a.hi * a.hi;
  }
  const two<T> integral = divide(multiply(term, a), two<T>{s - T(1), T(0)});
  return add(add(integral, two<T>{T(0.5) * term.hi, T(0.5) * term.lo}), tail);
}

// Sum of (q + k)^-s over k from 0, for s above 1 and positive q: some terms, then the integral and its corrections.
template <typename T> __noinline__ T zeta_positive(T s, T q) {
  two<T> a = {q, T(0)}, term = {pow(q, -s), T(0)}, sum = {T(0), T(0)};
  if (isinf(term.hi)) return term.hi;
  for (int k = 1; k <= 9 || a.hi <= T(9); ++k) {
    sum = add(sum, term);
    a = two_sum(q, T(k));
    const T power = pow(a.hi, -s);
    term = {power, -power * (s * (a.lo / a.hi))};
    if (power <= sum.hi * T(0.0625) * float_facts<T>::epsilon()) return rounded(sum);
  }
  return rounded(add(sum, zeta_tail(s, a, term, zeta_facts<T>::terms())));
}

// a^-n in two words.
template <typename T> inline two<T> reciprocal_power(two<T> a, int n) {
  two<T> base = divide(two<T>{T(1), T(0)}, a), result = {T(1), T(0)};
  for (; n > 0; n >>= 1) {
    if (n & 1) result = multiply(result, base);
    base = multiply(base, base);
  }
  return result;
}
// The same sum for a whole s up to 64, in two words; infinite in the first where a term is.
template <typename T> __noinline__ two<T> zeta_whole(int s, two<T> q) {
  two<T> a = q, term = reciprocal_power(a, s), sum = {T(0), T(0)};
  if (!isfinite(term.hi)) return {inf<T>(), T(0)};
  for (int k = 1; a.hi < T(14); ++k) {
    sum = add(sum, term);
    a = add(q, T(k));
    term = reciprocal_power(a, s);
    if (term.hi <= sum.hi * float_facts<T>::epsilon() * float_facts<T>::epsilon()) return sum;
  }
  return add(sum, zeta_tail(T(s), a, term, 12));
}
// For negative q the terms below zero are a difference of two sums of positive ones. For odd s they have another sign than
// those above, and the whole has zeros.
template <typename T> inline T zeta_negative(T s, T q) {
  const T below = -q - floor(-q);
  if (s > T(64)) {
    const T lower = zeta_positive(s, below) - zeta_positive(s, T(1) - q);
    return zeta_positive(s, T(1) - below) + (T(2) * floor(T(0.5) * s) != s ? -lower : lower);
  }
  const int n = int(s);
  const two<T> nearest = zeta_whole(n, two<T>{below, T(0)}), upper = zeta_whole(n, two_sum(T(1), -below));
  if (isinf(nearest.hi)) return n & 1 ? -nearest.hi : nearest.hi;
  if (isinf(upper.hi)) return upper.hi;
  // Half way between whole numbers the first two are equal, and what is left is the third.
  const two<T> beyond = zeta_whole(n, two_sum(T(1), -q));
  return rounded(n & 1 ? add(add(upper, negate(nearest)), beyond) : add(add(upper, nearest), negate(beyond)));
}
template <typename T> inline T zeta(T s, T q) {
  if (s == T(1)) return inf<T>();
  if (!(s > T(1)) || isinf(s)) return nan<T>();
  if (q <= T(0) && q == floor(q)) return inf<T>();
  if (q > T(0)) return isinf(q) ? nan<T>() : zeta_positive(s, q);
  return isnan(q) || s != floor(s) ? nan<T>() : zeta_negative(s, q);
}
}  // namespace jl
