// rsqrt, by registers of positive numbers.
namespace lanes {
#if JITLAB_REGISTERS
template <typename V> struct rsqrt_of {
  static unsigned odd(floats x) { return above(root_parts_of(x).half, 3.40282347e38f); }
  static unsigned odd(doubles x) { return above(root_parts_of(x).half, 1.7976931348623157e308); }
  static V value(V x) {
    // 1 less x over^2, with x over in two words.
    const V half = root_parts_of(x).half, over = half + half, root = x * over;
    return fma(half, fma(-fma(x, over, -root), over, fma(-root, over, V(1))), over);
  }
  static typename V::lane other(typename V::lane x) { return jitlab::rsqrt(x); }
};
JITLAB_LANES(rsqrt, float, rsqrt_of<floats>)
JITLAB_LANES(rsqrt, double, rsqrt_of<doubles>)
#else
template <typename T> inline T rsqrt(T x) { return jitlab::rsqrt(x); }
#endif
}  // namespace lanes
