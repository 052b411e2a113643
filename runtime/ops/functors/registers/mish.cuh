// mish, by registers of numbers up to 20, beyond which it is the number itself.
#if JITLAB_REGISTERS
namespace lanes {
// x n / d for n = e (e + 2) and d = n + 2, with the second words of e, n, d and the quotient.
template <typename V> inline V mish_of(V x) {
  const exp_parts<V> parts = exp_parts_of(x);
  const V two = 2, e = fma(parts.s, parts.p, parts.s), e_low = fma(parts.s, parts.p, parts.s - e);
  const sum_parts<V> sum = exact_sum(e, two);
  const V n = e * sum.sum, n_low = fma(e, sum.sum, -n) + fma(e, sum.lost, e_low * (e + sum.sum));
  const sum_parts<V> d = exact_sum(n, two);
  const V d_low = d.lost + n_low, over = V(1) / d.sum, q = n * over;
  return with_sign(fma(x, q, x * ((fma(-q, d.sum, n) + fma(-q, d_low, n_low)) * over)), x);
}
struct mish_form {
  static unsigned odd(floats x) { return above(x, floats(20.0f)) | above(floats(-80.0f), x); }
  static unsigned odd(doubles x) { return above(x, doubles(20.0)) | above(doubles(-700.0), x); }
  template <typename V> static V value(V x) { return mish_of(x); }
  template <typename T> static T other(T x) { return jl::mish(x); }
};
JITLAB_LANES(mish, float, mish_form)
JITLAB_LANES(mish, double, mish_form)
}  // namespace lanes
#endif
