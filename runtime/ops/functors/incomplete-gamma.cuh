// The incomplete gamma functions, as shares of the whole: a series below the mean, a continued fraction above it. The
// common factor x^a e^-x / gamma(a + 1) is taken from two-word logarithms, or, for large a, from the distance of x from a.
// Near a very large a both would need many terms: there Temme's expansion corrects a normal distribution.
// The polynomials are fits of our own (scripts/fit.py).
namespace jl {
// <fit temme_0>
// Temme's c_0(t), t = eta from -0.48 to 0.36
inline float temme_0(float t) {
  const float c[] = {
    -0.333333329f, 0.0833332596f, -0.0148152827f, 0.00115974723f, 0.000360946056f, -0.000193269869f
  };
  return polynomial(t, c);
}
inline double temme_0(double t) {
  const double c[] = {
    -0.33333333333333333, 0.083333333333333316, -0.014814814814814685, 0.0011574074074106582,
    0.00035273368605653286, -0.00017875514421443915, 3.919263205191953e-5, -2.1854440717060594e-6,
    -1.8540640639229978e-6, 8.2961733602547297e-7, -1.7667611125609073e-7, 7.0260755936282257e-9,
    1.0528783725485867e-8, -5.1186730781008193e-9
  };
  return polynomial(t, c);
}
// </fit>
// <fit temme_1>
// Temme's c_1(t), t = eta from -0.48 to 0.36
inline float temme_1(float t) {
  const float c[] = {
    -0.0018518516f, -0.00347221957f, 0.00264546688f, -0.000990357219f, 0.000206492806f, 1.40083016e-6f,
    -2.19519499e-5f
  };
  return polynomial(t, c);
}
inline double temme_1(double t) {
  const double c[] = {
    -0.0018518518518518515, -0.0034722222222221939, 0.0026455026455024173, -0.00099022633745392068,
    0.00020576131689212278, -4.0187727547624377e-7, -1.8098550898262296e-5, 7.6491536996894027e-6,
    -1.6120841474114897e-6, 4.7348706031882072e-9, 1.3785667622316449e-7, -5.8054856297266168e-8,
    1.1712510288796036e-8, 1.3022470634443591e-9
  };
  return polynomial(t, c);
}
// </fit>
// <fit temme_2 double>
// Temme's c_2(t), t = eta from -0.48 to 0.36
inline double temme_2(double t) {
  const double c[] = {
    0.0041335978835988762, -0.0026813271604953262, 0.00077160493792475821, 2.0093882270217286e-6,
    -0.00010736651273257422, 5.2923435208308288e-5, -1.2761032380003405e-5, 3.4384453827198407e-8,
    1.375723453833732e-6, -6.3031863754712665e-7, 1.295936546540116e-7
  };
  return polynomial(t, c);
}
// </fit>
// <fit temme_3 double>
// Temme's c_3(t), t = eta from -0.48 to 0.36
inline double temme_3(double t) {
  const double c[] = {
    0.00064943415616152325, 0.00022947209260762694, -0.00046918944176212171, 0.00026772067377942842,
    -7.5620003745236863e-5, -2.401401565961985e-7, 1.1107996020640501e-5, -5.6720930871400253e-6,
    1.3004532882825655e-6
  };
  return polynomial(t, c);
}
// </fit>
// <fit temme_4 double>
// Temme's c_4(t), t = eta from -0.48 to 0.36
inline double temme_4(double t) {
  const double c[] = {
    -0.00086188709854295022, 0.0007840193330337439, -0.00029920216265525395, -8.4049505836342808e-7,
    6.8738103618848501e-5, -4.3455720089743528e-5
  };
  return polynomial(t, c);
}
// </fit>

// More terms than any argument needs that Temme's expansion leaves.
template <typename T> inline int most_terms() { return 10000; }
// A sum ends with a term of this share of it, since those that follow may be a good part of it each.
template <typename T> inline T sum_end() { return T(0.015625) * float_facts<T>::epsilon(); }

// lgamma(a + 1) for a from 0 up, without rounding a + 1.
template <typename T> inline two<T> lgamma_next(T a) {
  return a < T(0.5) ? multiply(lgamma_near_one(two<T>{a, T(0)}), a) : add(lgamma_positive(a), log_two(a));
}
// The logarithm of a number in two words, with the digits of both.
template <typename T> inline two<T> full_log(two<T> x) {
  T k;
  const T m = split_exponent(x.hi, k);
  const two<T> t = two_sum(m - T(1), x.lo * (m / x.hi));
  const two<T> power = {k * two_facts<T>::ln2_hi(), k * two_facts<T>::ln2_lo()};
  return add(power, add(t, negate(multiply(multiply(t, t), log1p_rest(t)))));
}
// x - a - a log(x / a), near a as the square of their relative distance m times a polynomial.
template <typename T> inline two<T> gamma_distance(T a, T x) {
  const two<T> gap = two_sum(x, -a), m = divide(gap, two<T>{a, T(0)});
  if (fabs(m.hi) < T(0.4)) return multiply(multiply(multiply(m, m), log1p_rest(m)), a);
  return add(gap, negate(multiply(full_log(divide(two<T>{x, T(0)}, two<T>{a, T(0)})), a)));
}
template <typename T> inline two<T> sqrt_two(two<T> x) {
  const T root = sqrt(x.hi);
  return {root, root == T(0) ? T(0) : T(0.5) * (fma(-root, root, x.hi) + x.lo) / root};
}
// exp(exponent) / divisor; 0 where it is far below the least number.
template <typename T> inline two<T> exp_share(two<T> exponent, two<T> divisor) {
  if (!(exponent.hi > T(-1.2) * float_facts<T>::exp_limit())) return {T(0), T(0)};
  const exponential<T> e = exp_two(exponent);
  const two<T> share = divide(e.value, divisor);
  return {scale(share.hi, e.k), scale(share.lo, e.k)};
}
// sqrt(2 pi a), without overflow.
template <typename T> inline two<T> bell_width(T a) {
  const two<T> quarter = sqrt_two(multiply(two<T>{two_facts<T>::pi_hi(), two_facts<T>::pi_lo()}, T(0.125) * a));
  return {T(4) * quarter.hi, T(4) * quarter.lo};
}
template <typename T> inline two<T> gamma_share(T a, T x) {
  if (a < T(20)) {
    return exp_share(add(add(multiply(log_two(x), a), -x), negate(lgamma_next(a))), two<T>{T(1), T(0)});
  }
  const T q = T(1) / a;
  return exp_share(add(negate(gamma_distance(a, x)), -q * stirling_tail(q * q)), bell_width(a));
}
inline float temme_sum(float eta, float q) { return fma(q, temme_1(eta), temme_0(eta)); }
inline double temme_sum(double eta, double q) {
  return fma(q, fma(q, fma(q, fma(q, temme_4(eta), temme_3(eta)), temme_2(eta)), temme_1(eta)), temme_0(eta));
}
// Where a is so large that few terms of Temme's expansion are enough, and x near enough for its polynomials.
template <typename T> inline bool is_bell(T a, T x) { return a > T(1000) && fabs(x - a) < T(0.4) * a; }
// The lesser of the two shares, or the lower one where x is a: half of exp(-y^2) erfcx(y), y^2 the distance, and a
// correction, which lessens the share below a and adds to that above it.
template <typename T> inline two<T> gamma_bell(T a, T x) {
  const two<T> distance = gamma_distance(a, x), y = sqrt_two(distance), width = bell_width(a);
  const T side = x > a ? T(1) : T(-1), eta = side * y.hi * sqrt(T(2) / a);
  const two<T> bell = multiply(multiply(erfcx_positive(y), T(0.5)), width);
  return multiply(exp_share(negate(distance), width), add(bell, side * temme_sum(eta, T(1) / a)));
}
// The terms in two words, since every one has the errors of those before it.
template <typename T> inline two<T> gamma_series(T a, T x) {
  two<T> term = {T(1), T(0)}, sum = term;
  for (int k = 1; k < most_terms<T>() && term.hi > sum.hi * sum_end<T>(); ++k) {
    const two<T> n = two_sum(a, T(k));
    const T q = T(1) / n.hi, ratio = x * q;
    term = multiply(term, two<T>{ratio, q * fma(-ratio, n.lo, fma(-ratio, n.hi, x))});
    sum = add(sum, term);
  }
  return multiply(gamma_share(a, x), sum);
}
// Legendre's continued fraction by Steed's method: its convergents differ by ever smaller terms.
template <typename T> inline two<T> gamma_fraction(T a, T x) {
  const two<T> one = {T(1), T(0)}, first = add(two_sum(x, -a), T(1));
  two<T> d = divide(one, first), term = d, value = d;
  for (int k = 1; k < most_terms<T>() && fabs(term.hi) > fabs(value.hi) * sum_end<T>(); ++k) {
    const two<T> part = multiply(multiply(two_sum(a, T(-k)), T(k)), d);
    d = divide(one, add(part, add(first, T(2 * k))));
    term = negate(multiply(term, multiply(part, d)));
    value = add(value, term);
  }
  return multiply(multiply(gamma_share(a, x), a), value);
}
// exp(x) - 1 in two words.
template <typename T> inline two<T> expm1_two(two<T> x) {
  if (fabs(x.hi) < T(0.3)) return add(x, x.hi * x.hi * exp_tail(x.hi));
  const exponential<T> e = exp_two(x);
  return add(two<T>{scale(e.value.hi, e.k), scale(e.value.lo, e.k)}, T(-1));
}
// The upper share for small x, where the lower one is close to 1 if a is small too. Its two parts nearly cancel.
template <typename T> inline two<T> gamma_upper_small(T a, T x) {
  two<T> power = {T(-1), T(0)}, sum = {T(0), T(0)};
  for (int n = 1; n < 60 && fabs(power.hi) > sum_end<T>(); ++n) {
    power = divide(multiply(power, -x), two<T>{T(n), T(0)});
    sum = add(sum, divide(power, two_sum(a, T(n))));
  }
  const two<T> less = expm1_two(add(multiply(log_two(x), a), negate(lgamma_next(a))));
  return add(negate(less), multiply(multiply(add(less, T(1)), a), sum));
}
template <typename T> inline bool prefers_upper(T a, T x) {
  if (is_bell(a, x)) return x > a;
  return x > T(1.1) ? x > a : x <= T(0.5) ? T(-0.4) / log(x) >= a : T(1.1) * x >= a;
}
// The share below x, or that above it if `prefers_upper`.
template <typename T> inline two<T> gamma_lesser(T a, T x) {
  if (is_bell(a, x)) return gamma_bell(a, x);
  if (!prefers_upper(a, x)) return gamma_series(a, x);
  return x > T(1.1) ? gamma_fraction(a, x) : gamma_upper_small(a, x);
}
template <typename T> inline T gamma_of(T a, T x, bool upper) {
  if (!(a >= T(0) && x >= T(0)) || (isinf(a) && isinf(x)) || (a == T(0) && x == T(0))) return nan<T>();
  if (x == T(0) || isinf(a)) return upper ? T(1) : T(0);
  if (a == T(0) || isinf(x)) return upper ? T(0) : T(1);
  const two<T> share = gamma_lesser(a, x);
  return rounded(upper == prefers_upper(a, x) ? share : add(negate(share), T(1)));
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
