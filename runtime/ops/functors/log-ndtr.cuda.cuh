// The logarithm of the normal distribution by the GPU's own functions.
namespace jl {
// Below -1 the logarithm of the scaled complement, less half of x^2, whose low word counts.
template <typename T> inline T log_ndtr(T x) {
  if (!(x < T(-1))) return log1p(-::normcdf(-x));
  const two<T> square = two_product(x, x);
  if (isinf(square.hi)) return -square.hi;
  const T tail = log(T(0.5) * ::erfcx(x * T(-0.70710678118654752)));
  return rounded(add(two<T>{T(-0.5) * square.hi, T(-0.5) * square.lo}, tail));
}
}  // namespace jl
