// Cosine and sine of an angle x - (2n + 1) pi/4 + phase, reduced in three words, so that the zeros of Bessel and Airy
// functions keep their relative accuracy.
namespace jl {
template <typename T> struct quarter_pi;
template <> struct quarter_pi<float> {
  static constexpr float p1() { return 0.785398185f; }
  static constexpr float p2() { return -2.18556941e-8f; }
  static constexpr float p3() { return -8.57562255e-16f; }
  // Above it the odd multiple of pi/4 is no longer exact; neighbouring numbers are then more than a radian apart.
  static constexpr float limit() { return 4194304.0f; }
};
template <> struct quarter_pi<double> {
  static constexpr double p1() { return 0.78539816339744828; }
  static constexpr double p2() { return 3.061616997868383e-17; }
  static constexpr double p3() { return -7.4869245242958492e-34; }
  static constexpr double limit() { return 1125899906842624.0; }
};
template <typename T> struct direction {
  T cosine, sine;
};
template <typename T> inline direction<T> oscillation(two<T> x, int n, two<T> phase) {
  if (x.hi > quarter_pi<T>::limit()) {
    if (isinf(x.hi)) return {nan<T>(), nan<T>()};
    const T s = sin(x.hi), c = cos(x.hi), scale = T(0.70710678118654752);
    const direction<T> first = {scale * (c + s), scale * (s - c)};
    return n == 0 ? first : direction<T>{first.sine, -first.cosine};
  }
  const T half = floor(x.hi * T(0.63661977236758134)), m = T(2) * half + T(1);
  const two<T> a = two_product(m, quarter_pi<T>::p1()), b = two_product(m, quarter_pi<T>::p2());
  two<T> r = two_sum(x.hi - a.hi, -a.lo);
  r = add(add(r, negate(b)), x.lo - m * quarter_pi<T>::p3());
  const two<T> u = add(r, phase);
  const T s0 = sin(u.hi), c0 = cos(u.hi);
  const T s = fma(u.lo, c0, s0), c = fma(-u.lo, s0, c0);
  // The whole quarters that the reduction took away, less those of the order.
  const int quarter = int(half - T(4) * floor(half * T(0.25))) - n;
  switch (quarter & 3) {
    case 0: return {c, s};
    case 1: return {-s, c};
    case 2: return {-c, -s};
    default: return {s, -c};
  }
}
}  // namespace jl
