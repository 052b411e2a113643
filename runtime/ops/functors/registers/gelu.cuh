// gelu, by registers of numbers whose result is normal.
#if JITLAB_REGISTERS
namespace lanes {
template <typename V> inline V gelu_of(V x, V limit) {
  const V a = at_most(limit, fabs(x));
  const tail_parts<V> y = normal_parts(a);
  const V q = a * y.q, tail = q + fma(a, fma(y.q, y.w, y.lost), fma(a, y.q, -q));
  return with_sign(at_least(V(0), x) - tail, x);
}
struct gelu_form {
  static unsigned odd(floats x) { return above(-x, 12.6f); }
  static unsigned odd(doubles x) { return above(-x, 37.0); }
  static floats value(floats x) { return gelu_of(x, floats(12.6f)); }
  static doubles value(doubles x) { return gelu_of(x, doubles(37.0)); }
  template <typename T> static T other(T x) { return jl::gelu(x); }
};
JITLAB_LANES(gelu, float, gelu_form)
JITLAB_LANES(gelu, double, gelu_form)
}  // namespace lanes
#endif
