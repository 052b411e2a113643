// rsqrt, by registers of positive numbers: from an estimate to 14 bits by Newton's steps. The instructions of square roots and
// divisions take more than twice the time.
#if JITLAB_REGISTERS
namespace lanes {
inline floats root_estimate(floats x) { return __builtin_ia32_rsqrt14ps512_mask(x.of, x.of, (unsigned short)-1); }
inline doubles root_estimate(doubles x) { return __builtin_ia32_rsqrt14pd512_mask(x.of, x.of, (unsigned char)-1); }
// sqrt(x), and half of its reciprocal: not a number for 0, infinity and what has no root.
template <typename V> struct root_parts { V root, half; };
template <typename V> inline root_parts<V> nearer(root_parts<V> y) {
  const V rest = fma(-y.root, y.half, V(0.5));
  return {fma(y.root, rest, y.root), fma(y.half, rest, y.half)};
}
inline root_parts<floats> root_parts_of(floats x) {
  const floats over = root_estimate(x);
  return nearer(root_parts<floats>{x * over, 0.5f * over});
}
inline root_parts<doubles> root_parts_of(doubles x) {
  const doubles over = root_estimate(x);
  return nearer(nearer(root_parts<doubles>{x * over, 0.5 * over}));
}
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
}  // namespace lanes
#endif
