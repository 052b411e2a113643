// What Euler and Maclaurin's summation of Hurwitz's zeta function adds to its first terms.
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
}  // namespace jl
