// ndtr, by registers of numbers whose result is normal.
#if JITLAB_REGISTERS
namespace lanes {
template <typename V> inline V ndtr_of(V x, V limit) {
  const V tail = sum_of(normal_parts(at_most(limit, fabs(x))));
  return where_below(x, V(0), tail, V(1) - tail);
}
struct ndtr_form {
  static unsigned odd(floats x) { return above(-x, 12.6f); }
  static unsigned odd(doubles x) { return above(-x, 37.0); }
  static floats value(floats x) { return ndtr_of(x, floats(12.6f)); }
  static doubles value(doubles x) { return ndtr_of(x, doubles(37.0)); }
  template <typename T> static T other(T x) { return jl::ndtr(x); }
};
JITLAB_LANES(ndtr, float, ndtr_form)
JITLAB_LANES(ndtr, double, ndtr_form)
}  // namespace lanes
#endif
