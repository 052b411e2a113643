// log, by registers of positive normal numbers.
#if JITLAB_REGISTERS
namespace lanes {
// <table log float>
alignas(64) static const unsigned log_float[3][16] = {
  {
    0x3fb00000u, 0x3fa80000u, 0x3fa00000u, 0x3fa00000u, 0x3f980000u, 0x3f900000u, 0x3f900000u, 0x3f880000u,
    0x3f800000u, 0x3f800000u, 0x3f780000u, 0x3f600000u, 0x3f580000u, 0x3f500000u, 0x3f400000u, 0x3f380000u
  },
  {
    0xbea30c00u, 0xbe8b3a00u, 0xbe648000u, 0xbe648000u, 0xbe2ff800u, 0xbdf13800u, 0xbdf13800u, 0xbd785000u,
    0x00000000u, 0x00000000u, 0x3d021000u, 0x3e08bc00u, 0x3e2dfc00u, 0x3e54a000u, 0x3e934c00u, 0x3ea91600u
  },
  {
    0xb63c21c6u, 0xb6e55d5du, 0x35838656u, 0x35838656u, 0xb6c1c29eu, 0xb4edc55eu, 0xb4edc55eu, 0xb5c30046u,
    0x00000000u, 0x00000000u, 0xb6a27619u, 0x35e8227eu, 0xb6fe52afu, 0xb6161ba9u, 0xb6ef7659u, 0xb68fc63bu
  }
};
constexpr float log_rest_float[] = {
  -2.26232626e-9f, -0.499999576f, 0.333342045f, -0.250585174f, 0.196411512f
};
// </table>
// <table log double>
alignas(64) static const unsigned long long log_double[3][16] = {
  {
    0x3ff6000000000000ull, 0x3ff5000000000000ull, 0x3ff4000000000000ull, 0x3ff4000000000000ull,
    0x3ff3000000000000ull, 0x3ff2000000000000ull, 0x3ff2000000000000ull, 0x3ff1000000000000ull,
    0x3ff0000000000000ull, 0x3ff0000000000000ull, 0x3fef000000000000ull, 0x3fec000000000000ull,
    0x3feb000000000000ull, 0x3fea000000000000ull, 0x3fe8000000000000ull, 0x3fe7000000000000ull
  },
  {
    0xbfd4618bc21c4000ull, 0xbfd1675cababc000ull, 0xbfcc8ff7c79a8000ull, 0xbfcc8ff7c79a8000ull,
    0xbfc5ff3070a78000ull, 0xbfbe27076e2b0000ull, 0xbfbe27076e2b0000ull, 0xbfaf0a30c0120000ull,
    0x0000000000000000ull, 0x0000000000000000ull, 0x3fa0415d89e80000ull, 0x3fc1178e82280000ull,
    0x3fc5bf406b540000ull, 0x3fca93ed3c8b0000ull, 0x3fd269621134c000ull, 0x3fd522ae0738c000ull
  },
  {
    0xbd5ec27d0b7b37b3ull, 0x3d59f1fc63382a8full, 0xbd4a21ac25d81ef3ull, 0xbd4a21ac25d81ef3ull,
    0xbd43d3c873e20a07ull, 0x3d2a342c2af0003cull, 0x3d2a342c2af0003cull, 0x3d53ab33d066d1d2ull,
    0x0000000000000000ull, 0x0000000000000000ull, 0xbd577771fd187145ull, 0xbd4b8421cc74be04ull,
    0x3d5ed8fdc149767eull, 0xbd530e486a0ac42dull, 0x3d5b92783beb7677ull, 0xbd5c2831efd36715ull
  }
};
constexpr double log_rest_double[] = {
  -1.2630118143520505e-20, -0.50000000000000001, 0.33333333333333365, -0.24999999999995841,
  0.19999999999867803, -0.16666666675667665, 0.14285714499401128, -0.12499992119323437,
  0.11110949916385034, -0.10002976180376324, 0.091481218947753574, -0.07946456644501469
};
// </table>
struct log_form : ordinary_logarithms {
  static floats value(floats x) {
    return logarithm_of(x, log_float, log_rest_float, 0.693145752f, 1.42860677e-6f, 1.0f);
  }
  static doubles value(doubles x) {
    return logarithm_of(x, log_double, log_rest_double, 0.6931471805601177, -1.7239444525614835e-13, 1.0);
  }
  template <typename T> static T other(T x) { return jitlab::log(x); }
};
JITLAB_LANES(log, float, log_form)
JITLAB_LANES(log, double, log_form)
}  // namespace lanes
#endif
