// log10, by registers of positive normal numbers.
#if JITLAB_REGISTERS
namespace lanes {
// <table log10 float>
alignas(64) static const unsigned log10_float[3][16] = {
  {
    0x3fb00000u, 0x3fa80000u, 0x3fa00000u, 0x3fa00000u, 0x3f980000u, 0x3f900000u, 0x3f900000u, 0x3f880000u,
    0x3f800000u, 0x3f800000u, 0x3f780000u, 0x3f600000u, 0x3f580000u, 0x3f500000u, 0x3f400000u, 0x3f380000u
  },
  {
    0xbe0da000u, 0xbdf1e000u, 0xbdc67800u, 0xbdc67800u, 0xbd98d800u, 0xbd518000u, 0xbd518000u, 0xbcd7a000u,
    0x00000000u, 0x00000000u, 0x3c620000u, 0x3d6d9000u, 0x3d972000u, 0x3db8b000u, 0x3dffe000u, 0x3e12dc00u
  },
  {
    0x364709b6u, 0x367953c8u, 0xb5c1c432u, 0xb5c1c432u, 0xb6415712u, 0xb6a9d60au, 0xb6a9d60au, 0xb6fc9580u,
    0x00000000u, 0x00000000u, 0xb6bdf222u, 0xb6e12899u, 0xb6b17e91u, 0xb63cc726u, 0xb47510e2u, 0x36a0856cu
  }
};
constexpr float log10_rest_float[] = {
  -1.10855659e-8f, -0.217147057f, 0.144768611f, -0.108827758f, 0.0853004358f
};
// </table>
// <table log10 double>
alignas(64) static const unsigned long long log10_double[3][16] = {
  {
    0x3ff6000000000000ull, 0x3ff5000000000000ull, 0x3ff4000000000000ull, 0x3ff4000000000000ull,
    0x3ff3000000000000ull, 0x3ff2000000000000ull, 0x3ff2000000000000ull, 0x3ff1000000000000ull,
    0x3ff0000000000000ull, 0x3ff0000000000000ull, 0x3fef000000000000ull, 0x3fec000000000000ull,
    0x3feb000000000000ull, 0x3fea000000000000ull, 0x3fe8000000000000ull, 0x3fe7000000000000ull
  },
  {
    0xbfc1b3e71ec98000ull, 0xbfbe3bc1ab0e0000ull, 0xbfb8cf1838860000ull, 0xbfb8cf1838860000ull,
    0xbfb31b3055c40000ull, 0xbfaa30a9d60a0000ull, 0xbfaa30a9d60a0000ull, 0xbf9af5f92b000000ull,
    0x0000000000000000ull, 0x0000000000000000ull, 0x3f8c3d0837780000ull, 0x3fadb11ed7660000ull,
    0x3fb2e3a740b80000ull, 0x3fb715d0ce360000ull, 0x3fbffbfc2bbc0000ull, 0x3fc25ba8215b0000ull
  },
  {
    0x3d5842a222666db0ull, 0xbd39fe3d562a53f0ull, 0xbd520326ca2c7e5full, 0xbd520326ca2c7e5full,
    0xbd5c46006d082e6dull, 0x3d20163d7e67d282ull, 0x3d20163d7e67d282ull, 0xbd4cc1f4dbc14db5ull,
    0x0000000000000000ull, 0x0000000000000000ull, 0x3d2310272fe17537ull, 0x3d557e865b878377ull,
    0xbd5ffc5aef53f2edull, 0x3d5ebeeb67bf155aull, 0x3d5e00dd60df12c3ull, 0xbd3007bf2d8bf07aull
  }
};
constexpr double log10_rest_double[] = {
  1.0977711311552134e-17, -0.21714724095162592, 0.14476482730108408, -0.10857362047579489,
  0.086858896380076243, -0.072382413689632809, 0.062042069771351856, -0.05428677601256303,
  0.048254242373894174, -0.043442373577471043, 0.039729788586792583, -0.034511022713904185
};
// </table>
struct log10_form : ordinary_logarithms {
  static floats value(floats x) {
    return logarithm_of(x, log10_float, log10_rest_float, 0.301025391f, 4.60503907e-6f, 0.434294492f);
  }
  static doubles value(doubles x) {
    return logarithm_of(x, log10_double, log10_rest_double, 0.30102999566406652, -8.5323443170571066e-14, 0.43429448190325182);
  }
  template <typename T> static T other(T x) { return jitlab::log10(x); }
};
JITLAB_LANES(log10, float, log10_form)
JITLAB_LANES(log10, double, log10_form)
}  // namespace lanes
#endif
