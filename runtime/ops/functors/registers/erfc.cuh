// erfc, by registers of numbers whose result is normal.
#if JITLAB_REGISTERS
namespace lanes {
template <typename V> inline V erfc_of(V x, V limit) {
  const V tail = sum_of(erfc_parts(at_most(limit, fabs(x))));
  return where_below(x, V(0), V(2) - tail, tail);
}
struct erfc_form {
  static unsigned odd(floats x) { return above(x, 9.1f); }
  static unsigned odd(doubles x) { return above(x, 26.0); }
  static floats value(floats x) { return erfc_of(x, floats(9.1f)); }
  static doubles value(doubles x) { return erfc_of(x, doubles(26.0)); }
  template <typename T> static T other(T x) { return jl::erfc(x); }
};
JITLAB_LANES(erfc, float, erfc_form)
JITLAB_LANES(erfc, double, erfc_form)
}  // namespace lanes
#endif
