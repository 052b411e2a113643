// exp, by registers of ordinary numbers.
#if JITLAB_REGISTERS
namespace lanes {
template <typename V> struct exp_of : ordinary_powers {
  static V value(V x) {
    const exp_parts<V> y = exp_parts_of(x);
    return fma(y.s, y.p, y.s);
  }
  static typename V::lane other(typename V::lane x) { return jitlab::exp(x); }
};
JITLAB_LANES(exp, float, exp_of<floats>)
JITLAB_LANES(exp, double, exp_of<doubles>)
}  // namespace lanes
#endif
