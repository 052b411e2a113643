// The logarithm of the normal distribution, whose tail is a sum of two large terms.
namespace jl {
template <typename T> inline T log_ndtr(T x) {
  if (!(x < T(0))) return log1p(-rounded(ndtr_tail(x)));
  const two<T> square = two_product(x, x);
  if (isinf(square.hi)) return -square.hi;
  const two<T> tail = erfcx_positive(multiply(root_half<T>(), -x));
  return rounded(add(log_two(two<T>{T(0.5) * tail.hi, T(0.5) * tail.lo}), two<T>{T(-0.5) * square.hi, T(-0.5) * square.lo}));
}
}  // namespace jl
