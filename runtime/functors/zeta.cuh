// Hurwitz's zeta function by Euler and Maclaurin's summation.
namespace jl {
// Bernoulli's numbers B(2k) / (2k)!, k from 1.
inline float euler_maclaurin(int k, float) {
  const float c[] = {
    0.0833333333f, -0.00138888889f, 3.30687831e-5f, -8.26719577e-7f, 2.0876757e-8f, -5.28419014e-10f
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

// Sum of (q + k)^-s over k from 0, for s above 1 and positive q: some terms, then the integral and its corrections.
template <typename T> __noinline__ T zeta_positive(T s, T q) {
  T sum = pow(q, -s), a = q, term = sum;
  if (isinf(sum)) return sum;
  for (int k = 0; k < 9 || a <= T(9); ++k) {
    a += T(1);
    term = pow(a, -s);
    if (term <= sum * T(0.0625) * float_facts<T>::epsilon()) return sum;
    sum += term;
  }
  T factor = s, power = term / a, tail = T(0);
  for (int k = 0; k < zeta_facts<T>::terms(); ++k) {
    tail += euler_maclaurin(k, T(0)) * (factor * power);
    factor *= (s + T(2 * k + 1)) * (s + T(2 * k + 2));
    power /= a * a;
  }
  // The last term was added whole; the summation counts half of it.
  return sum + (term * (a / (s - T(1))) + (tail - T(0.5) * term));
}
// For negative q the terms below zero are a difference of two sums of positive ones.
template <typename T> inline T zeta(T s, T q) {
  if (s == T(1)) return inf<T>();
  if (!(s > T(1)) || isinf(s)) return nan<T>();
  if (q <= T(0) && q == floor(q)) return inf<T>();
  if (q > T(0)) return isinf(q) ? nan<T>() : zeta_positive(s, q);
  if (isnan(q) || s != floor(s)) return nan<T>();
  const T above = -q - floor(-q);
  const T below = zeta_positive(s, above) - zeta_positive(s, T(1) - q);
  const bool odd = T(2) * floor(T(0.5) * s) != s;
  return zeta_positive(s, T(1) - above) + (odd ? -below : below);
}
}  // namespace jl
