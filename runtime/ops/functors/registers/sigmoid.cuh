// sigmoid, by registers of ordinary numbers.
#if JITLAB_REGISTERS
namespace lanes {
template <typename V> struct sigmoid_of : ordinary_powers {
  static V value(V x) {
    const logistic_parts<V> y = logistic_of(x);
    return fma(y.over, y.left, y.over);
  }
  static typename V::lane other(typename V::lane x) { return jl::sigmoid(x); }
};
JITLAB_LANES(sigmoid, float, sigmoid_of<floats>)
JITLAB_LANES(sigmoid, double, sigmoid_of<doubles>)
}  // namespace lanes
#endif
