// silu, by registers of ordinary numbers.
#if JITLAB_REGISTERS
namespace lanes {
template <typename V> struct silu_of : ordinary_powers {
  static V value(V x) {
    const logistic_parts<V> y = logistic_of(x);
    return fma(x, y.over, x * y.over * y.left);
  }
  static typename V::lane other(typename V::lane x) { return jl::silu(x); }
};
JITLAB_LANES(silu, float, silu_of<floats>)
JITLAB_LANES(silu, double, silu_of<doubles>)
}  // namespace lanes
#endif
