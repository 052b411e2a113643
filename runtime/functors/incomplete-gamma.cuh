// The incomplete gamma functions, as shares of the whole: a series below the mean, a continued fraction above it. The
// common factor x^a e^-x / gamma(a + 1) is taken from two-word logarithms, or, for large a, from the distance of x from a.
// The polynomial is a fit of our own (scripts/fit.py).
namespace jl {
// <fit log1p_rest>
// (x - log(1 + x)) / x^2 in t = x, x from -0.4 to 0.4
inline two<float> log1p_rest(two<float> t) {
  const float c[] = {
    0.5f, -0.333333343f, 0.250000417f, -0.200000385f, 0.166637035f, -0.142829386f, 0.12577371f,
    -0.111835764f, 0.0910408226f, -0.0825205809f, 0.129005994f, -0.119657641f
  };
  const float low[] = {
    -9.14076895e-10f, 1.07904456e-8f, -6.70341135e-9f
  };
  return polynomial(t, c, low);
}
inline two<double> log1p_rest(two<double> t) {
  const double c[] = {
    0.5, -0.33333333333333331, 0.24999999999999997, -0.20000000000002715, 0.1666666666666925,
    -0.14285714285193381, 0.12499999999500209, -0.11111111157360005, 0.10000000044518187,
    -0.090909067973618122, 0.083333311221752192, -0.076923777756442652, 0.071429247666135478,
    -0.066652737535799883, 0.062486552848097732, -0.059008436496290678, 0.055734120362767096,
    -0.050985247531172085, 0.048409844900105915, -0.057250499414667485, 0.05475810642180698,
    -0.0085967907383732985, 0.0079737776775263285, -0.1071416550816178, 0.10329948025710464
  };
  const double low[] = {
    -3.3333333333333333e-21, 2.3330037964845352e-17, -1.0515373897478121e-17
  };
  return polynomial(t, c, low);
}
// </fit>

// More terms than any argument needs whose answer is not 0 or 1.
template <typename T> inline int most_terms() { return 100000; }

// lgamma(a + 1) for a from 0 up, without rounding a + 1.
template <typename T> inline two<T> lgamma_next(T a) {
  return a < T(0.5) ? multiply(lgamma_near_one(two<T>{a, T(0)}), a) : add(lgamma_positive(a), log_two(a));
}
template <typename T> inline two<T> gamma_share(T a, T x) {
  two<T> exponent;
  T root = T(1);
  if (a < T(20)) {
    exponent = add(add(multiply(log_two(x), a), -x), negate(lgamma_next(a)));
  } else {
    // x - a - a log(x / a), near a as the square of their relative distance times a polynomial.
    const two<T> gap = two_sum(x, -a), m = divide(gap, two<T>{a, T(0)});
    const two<T> distance = fabs(m.hi) < T(0.4) ? multiply(multiply(multiply(m, m), log1p_rest(m)), a)
                                                : add(gap, negate(multiply(log_two(divide(two<T>{x, T(0)}, two<T>{a, T(0)})), a)));
    const T q = T(1) / a;
    exponent = add(negate(distance), -q * stirling_tail(q * q));
    root = sqrt(T(2) * float_facts<T>::pi() * a);
  }
  // A share is at most 1, and one below the least number does not matter.
  const T lowest = T(-1.2) * float_facts<T>::exp_limit();
  if (!(exponent.hi > lowest)) return {T(0), T(0)};
  const exponential<T> e = exp_two(exponent);
  return {scale(e.value.hi, e.k) / root, scale(e.value.lo, e.k) / root};
}
template <typename T> inline T gamma_series(T a, T x) {
  T term = T(1), sum = T(1), n = a;
  for (int k = 0; k < most_terms<T>() && term > sum * T(0.25) * float_facts<T>::epsilon(); ++k) {
    n += T(1);
    term *= x / n;
    sum += term;
  }
  return rounded(multiply(gamma_share(a, x), sum));
}
// Legendre's continued fraction by Steed's method: its convergents differ by ever smaller terms.
template <typename T> inline T gamma_fraction(T a, T x) {
  T b = x + T(1) - a, d = T(1) / b, term = d, value = d;
  for (int k = 1; k < most_terms<T>() && fabs(term) > fabs(value) * T(0.25) * float_facts<T>::epsilon(); ++k) {
    const T numerator = T(k) * (a - T(k)), before = d;
    b += T(2);
    d = T(1) / fma(numerator, d, b);
    term *= -numerator * before * d;
    value += term;
  }
  return rounded(multiply(multiply(gamma_share(a, x), a), value));
}
// The upper share for small x, where the lower one is close to 1 if a is small too.
template <typename T> inline T gamma_upper_small(T a, T x) {
  T power = T(1), sum = T(0);
  for (int n = 1; n < 60; ++n) {
    power *= -x / T(n);
    sum += power / (a + T(n));
    if (fabs(power) < T(0.25) * float_facts<T>::epsilon()) break;
  }
  const T exponent = a * log(x) - lgamma_next(a).hi;
  return -expm1(exponent) - a * exp(exponent) * sum;
}
template <typename T> inline bool prefers_upper(T a, T x) {
  return x > T(1.1) ? x > a : x <= T(0.5) ? T(-0.4) / log(x) >= a : T(1.1) * x >= a;
}
template <typename T> inline T gammainc(T a, T x) {
  if (!(a >= T(0) && x >= T(0)) || (isinf(a) && isinf(x)) || (a == T(0) && x == T(0))) return nan<T>();
  if (x == T(0) || isinf(a)) return T(0);
  if (a == T(0) || isinf(x)) return T(1);
  if (!prefers_upper(a, x)) return gamma_series(a, x);
  return T(1) - (x > T(1.1) ? gamma_fraction(a, x) : gamma_upper_small(a, x));
}
template <typename T> inline T gammaincc(T a, T x) {
  if (!(a >= T(0) && x >= T(0)) || (isinf(a) && isinf(x)) || (a == T(0) && x == T(0))) return nan<T>();
  if (x == T(0) || isinf(a)) return T(1);
  if (a == T(0) || isinf(x)) return T(0);
  if (!prefers_upper(a, x)) return T(1) - gamma_series(a, x);
  return x > T(1.1) ? gamma_fraction(a, x) : gamma_upper_small(a, x);
}
// Logarithm of the multivariate gamma function of p dimensions, defined for a above (p - 1) / 2.
template <typename T> inline T multigammaln(T a, int p) {
  if (p < 1 || !(a > T(0.5) * (T(p) - T(1)))) return nan<T>();
  if (isinf(a)) return a;
  two<T> sum = multiply(two<T>{lgamma_facts<T>::log_pi_hi(), lgamma_facts<T>::log_pi_lo()}, T(0.25) * T(p) * T(p - 1));
  for (int j = 0; j < p; ++j) sum = add(sum, lgamma_positive(a - T(0.5) * T(j)));
  return rounded(sum);
}
}  // namespace jl
