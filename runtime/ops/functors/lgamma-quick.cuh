// The logarithm of the gamma function on a processor: of a float in double arithmetic, without branches, so that loops run in
// vector registers. The polynomials are fits of our own (scripts/fit.py).
namespace jl {
// <fit lgamma_over wide>
// lgamma(x) / ((x - 1) (x - 2)) in t = x - 2, x from 1 to 2.5
inline double lgamma_over(double t) {
  const double c[] = {
    0.42278433510678878, -0.10031730174989425, 0.032964998766966031, -0.012384186909571663,
    0.0049987110147505056, -0.0021082085282197153, 0.00091437238290021732, -0.00040562392842650259,
    0.00018922174636768412, -7.8751397717969353e-5, 1.8491776509523606e-5, -4.3180294932304186e-5,
    2.3191603808359478e-5, 3.8022543983618578e-5, 2.3112221450489204e-5
  };
  return wide::polynomial(t, c);
}
// </fit>
// <fit stirling_rest wide>
// x (lgamma(x) - Stirling's formula) in t = 1 / x^2, x from 2.5 up
inline double stirling_rest(double t) {
  const double c[] = {
    0.08333333333212974, -0.0027777770358320473, 0.00079357414387277886, -0.00059216842883326382,
    0.00077995746767599649, -0.0012069509229348307, 0.0012053882913943232
  };
  return wide::polynomial(t, c);
}
// </fit>
// <fit sinpi_over wide>
// sin(pi x) / x in t = x^2, x up to 0.5
inline double sinpi_over(double t) {
  const double c[] = {
    3.141592653536132, -5.167712764593, 2.5501633179384269, -0.59925218653158298, 0.082050350201472475,
    -0.007028303855203096
  };
  return wide::polynomial(t, c);
}
// </fit>
// lgamma of a from 0 up, for log(a): a product near its zeros at 1 and 2, below 1 less log(a), far out Stirling's formula.
inline double wide_lgamma(double a, double log_a) {
  const bool small = a < 1.0, near = a < 2.5;
  const double y = small ? a + 1.0 : a, over = 1.0 / a, product = (y - 1.0) * (y - 2.0) * lgamma_over(y - 2.0);
  const double rest = wide::step(over, stirling_rest(over * over), 0.91893853320467274 - a);
  return wide::step(near ? (small ? -1.0 : 0.0) : a - 0.5, log_a, near ? product : rest);
}
// Below zero gamma(x) gamma(-x) is -pi / (x sin(pi x)).
inline float lgamma(float x) {
  const double a = fabs(x), r = a - __builtin_rint(a), positive = wide_lgamma(a, wide::quick_log(a));
  const double reflected = 1.1447298858494002 - wide::quick_log(a * __builtin_fabs(r) * sinpi_over(r * r)) - positive;
  const bool pole = (x <= 0.0f) & (r == 0.0);
  return pole | isinf(x) ? inf<float>() : float(x < 0.0f ? reflected : positive);
}
inline double lgamma(double x) { return lgamma_anywhere(x); }
}  // namespace jl
