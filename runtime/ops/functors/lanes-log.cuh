// log, by registers of positive normal numbers.
namespace lanes {
#if JITLAB_REGISTERS
// <table log float>
alignas(64) static const unsigned log_over_float[16] = {
    0x3fb00000u, 0x3fa80000u, 0x3fa00000u, 0x3fa00000u, 0x3f980000u, 0x3f900000u, 0x3f900000u, 0x3f880000u,
    0x3f800000u, 0x3f800000u, 0x3f780000u, 0x3f600000u, 0x3f580000u, 0x3f500000u, 0x3f400000u, 0x3f380000u
};
alignas(64) static const unsigned log_high_float[16] = {
    0xbea30c00u, 0xbe8b3a00u, 0xbe648000u, 0xbe648000u, 0xbe2ff800u, 0xbdf13800u, 0xbdf13800u, 0xbd785000u,
    0x00000000u, 0x00000000u, 0x3d021000u, 0x3e08bc00u, 0x3e2dfc00u, 0x3e54a000u, 0x3e934c00u, 0x3ea91600u
};
alignas(64) static const unsigned log_low_float[16] = {
    0xb63c21c6u, 0xb6e55d5du, 0x35838656u, 0x35838656u, 0xb6c1c29eu, 0xb4edc55eu, 0xb4edc55eu, 0xb5c30046u,
    0x00000000u, 0x00000000u, 0xb6a27619u, 0x35e8227eu, 0xb6fe52afu, 0xb6161ba9u, 0xb6ef7659u, 0xb68fc63bu
};
constexpr float log_rest_float[] = {
  -0.499999824f, 0.333338068f, -0.250476157f, 0.197123904f
};
// </table>
// <table log double>
alignas(64) static const unsigned long long log_over_double[16] = {
    0x3ff6000000000000ull, 0x3ff5000000000000ull, 0x3ff4000000000000ull, 0x3ff4000000000000ull,
    0x3ff3000000000000ull, 0x3ff2000000000000ull, 0x3ff2000000000000ull, 0x3ff1000000000000ull,
    0x3ff0000000000000ull, 0x3ff0000000000000ull, 0x3fef000000000000ull, 0x3fec000000000000ull,
    0x3feb000000000000ull, 0x3fea000000000000ull, 0x3fe8000000000000ull, 0x3fe7000000000000ull
};
alignas(64) static const unsigned long long log_high_double[16] = {
    0xbfd4618bc21c4000ull, 0xbfd1675cababc000ull, 0xbfcc8ff7c79a8000ull, 0xbfcc8ff7c79a8000ull,
    0xbfc5ff3070a78000ull, 0xbfbe27076e2b0000ull, 0xbfbe27076e2b0000ull, 0xbfaf0a30c0120000ull,
    0x0000000000000000ull, 0x0000000000000000ull, 0x3fa0415d89e80000ull, 0x3fc1178e82280000ull,
    0x3fc5bf406b540000ull, 0x3fca93ed3c8b0000ull, 0x3fd269621134c000ull, 0x3fd522ae0738c000ull
};
alignas(64) static const unsigned long long log_low_double[16] = {
    0xbd5ec27d0b7b37b3ull, 0x3d59f1fc63382a8full, 0xbd4a21ac25d81ef3ull, 0xbd4a21ac25d81ef3ull,
    0xbd43d3c873e20a07ull, 0x3d2a342c2af0003cull, 0x3d2a342c2af0003cull, 0x3d53ab33d066d1d2ull,
    0x0000000000000000ull, 0x0000000000000000ull, 0xbd577771fd187145ull, 0xbd4b8421cc74be04ull,
    0x3d5ed8fdc149767eull, 0xbd530e486a0ac42dull, 0x3d5b92783beb7677ull, 0xbd5c2831efd36715ull
};
constexpr double log_rest_double[] = {
  -0.5, 0.33333333333333344, -0.24999999999998318, 0.19999999999923313, -0.16666666671938827,
  0.14285714443309703, -0.12499994294163005, 0.11110974143742083, -0.10002477126880336,
  0.09144332683065955, -0.07977995547952486
};
// </table>
inline floats log_of(floats x) {
  const auto y = mantissa_of(x);
  const floats f = fma(y.m, float_of(pick(log_over_float, y.piece)), -1.0f);
  const floats high = fma(y.k, 0.693145752f, float_of(pick(log_high_float, y.piece)));
  const floats low = fma(y.k, 1.42860677e-6f, float_of(pick(log_low_float, y.piece)));
  const floats rest = jitlab::registers::polynomial(f, log_rest_float);
  return high + (f + fma(f * f, rest, low));
}
inline doubles log_of(doubles x) {
  const auto y = mantissa_of(x);
  const doubles f = fma(y.m, float_of(pick(log_over_double, y.piece)), -1.0);
  const doubles high = fma(y.k, 0.6931471805601177, float_of(pick(log_high_double, y.piece)));
  const doubles low = fma(y.k, -1.7239444525614835e-13, float_of(pick(log_low_double, y.piece)));
  const doubles rest = jitlab::registers::polynomial(f, log_rest_double);
  return high + (f + fma(f * f, rest, low));
}
template <typename V> struct log_form : ordinary_logarithms {
  static V value(V x) { return log_of(x); }
  static typename V::lane other(typename V::lane x) { return jitlab::log(x); }
};
JITLAB_LANES(log, float, log_form<floats>)
JITLAB_LANES(log, double, log_form<doubles>)
#else
template <typename T> inline T log(T x) { return jitlab::log(x); }
#endif
}  // namespace lanes
