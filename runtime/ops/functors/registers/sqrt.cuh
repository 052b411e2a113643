// sqrt, by registers of positive numbers. The instruction takes more than twice the time for doubles on Intel's processors.
#if JITLAB_REGISTERS
namespace lanes {
// The last step rounds the root correctly: the error before it is less than the distance of a root from the middle of two
// numbers, but for the few numbers that test/conformance/roots.test.ts tries.
template <typename V> struct sqrt_of {
  // The remainder of a very small number would lose digits.
  static unsigned odd(floats x) { return above(root_parts_of(x).half, 2e14f); }
  static unsigned odd(doubles x) { return above(root_parts_of(x).half, 1e135); }
  static V value(V x) {
    const root_parts<V> y = root_parts_of(x);
    return fma(fma(-y.root, y.root, x), y.half, y.root);
  }
  static typename V::lane other(typename V::lane x) { return jitlab::sqrt(x); }
};
JITLAB_LANES(sqrt, float, sqrt_of<floats>)
JITLAB_LANES(sqrt, double, sqrt_of<doubles>)
}  // namespace lanes
#endif
