// The logarithm of the normal distribution, whose tail is a sum of two large terms.
namespace jl {
inline double log_ndtr(double x) {
  if (!(x < 0.0)) return log1p(-rounded(ndtr_tail(x)));
  const two<double> square = two_product(x, x);
  if (isinf(square.hi)) return -square.hi;
  const two<double> tail = erfcx_positive(multiply(root_half(), -x));
  return rounded(add(log_two(two<double>{0.5 * tail.hi, 0.5 * tail.lo}), two<double>{-0.5 * square.hi, -0.5 * square.lo}));
}
#if JITLAB_WITHOUT_DOUBLES
inline float log_ndtr(float x) {
  if (!(x < 0.0f)) return x == x ? log1p(-rounded(ndtr_tail(size_within(x, 14.5f)))) : x;
  const two<float> half = two_product(-0.5f * x, x), tail = erfcx_positive(less_root(-x));
  return isinf(half.hi) ? half.hi : rounded(add(log_two(two<float>{0.5f * tail.hi, 0.5f * tail.lo}), half));
}
#else
inline float log_ndtr(float x) {
  const double a = x, z = 0.7071067811865476 * __builtin_fabs(a);
  const double below = wide::log(0.5 * wide_erfcx(wide::within(z, 0.0, 1e39))) - 0.5 * a * a;
  return x == x ? float(x < 0.0f ? below : wide::log1p(-wide_ndtr_tail(size_within(x, 14.5f)))) : x;
}
#endif
}  // namespace jl
