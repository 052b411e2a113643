// log2, by registers of positive normal numbers.
#if JITLAB_REGISTERS
namespace lanes {
// <table log2 float>
alignas(64) static const unsigned log2_float[3][16] = {
  {
    0x3fb00000u, 0x3fa80000u, 0x3fa00000u, 0x3fa00000u, 0x3f980000u, 0x3f900000u, 0x3f900000u, 0x3f880000u,
    0x3f800000u, 0x3f800000u, 0x3f780000u, 0x3f600000u, 0x3f580000u, 0x3f500000u, 0x3f400000u, 0x3f380000u
  },
  {
    0xbeeb3a00u, 0xbec8de00u, 0xbea4d400u, 0xbea4d400u, 0xbe7de000u, 0xbe2e0000u, 0xbe2e0000u, 0xbdb32000u,
    0x00000000u, 0x00000000u, 0x3d3ba000u, 0x3e454400u, 0x3e7b0000u, 0x3e996000u, 0x3ed48000u, 0x3ef3f000u
  },
  {
    0xb69f0197u, 0x35aedc1du, 0x35f6865du, 0x35f6865du, 0xb635c813u, 0xb651cfdfu, 0xb651cfdfu, 0x3510536fu,
    0x00000000u, 0x00000000u, 0xb6566c4du, 0x364055feu, 0xb69d5be7u, 0xb48e4789u, 0xb5d1cfdfu, 0xb6201ac7u
  }
};
constexpr float log2_rest_float[] = {
  1.5995783e-8f, -0.721346909f, 0.480910915f, -0.361517987f, 0.283361914f
};
// </table>
// <table log2 double>
alignas(64) static const unsigned long long log2_double[3][16] = {
  {
    0x3ff6000000000000ull, 0x3ff5000000000000ull, 0x3ff4000000000000ull, 0x3ff4000000000000ull,
    0x3ff3000000000000ull, 0x3ff2000000000000ull, 0x3ff2000000000000ull, 0x3ff1000000000000ull,
    0x3ff0000000000000ull, 0x3ff0000000000000ull, 0x3fef000000000000ull, 0x3fec000000000000ull,
    0x3feb000000000000ull, 0x3fea000000000000ull, 0x3fe8000000000000ull, 0x3fe7000000000000ull
  },
  {
    0xbfdd6753e0330000ull, 0xbfd91bba891f0000ull, 0xbfd49a784bcd0000ull, 0xbfd49a784bcd0000ull,
    0xbfcfbc16b9028000ull, 0xbfc5c01a39fc0000ull, 0xbfc5c01a39fc0000ull, 0xbfb663f6fac90000ull,
    0x0000000000000000ull, 0x0000000000000000ull, 0x3fa77394c9da0000ull, 0x3fc8a8980abf8000ull,
    0x3fcf5fd8a9060000ull, 0x3fd32bfee3710000ull, 0x3fda8ff971810000ull, 0x3fde7df5fe538000ull
  },
  {
    0x3d55f101c141e670ull, 0xbd5708b4b2b5056cull, 0xbd5b8afe492bf6ffull, 0xbd5b8afe492bf6ffull,
    0x3d47f5dc57266758ull, 0x3d54bc302ffa76fbull, 0x3d54bc302ffa76fbull, 0xbd33167ccc538261ull,
    0x0000000000000000ull, 0x0000000000000000ull, 0xbd54e55443478fe0ull, 0x3d5e9933354dbf17ull,
    0x3d5f1a4847f7b278ull, 0xbd51979a5db68722ull, 0x3d44bc302ffa76fbull, 0x3d45669df6a2b592ull
  }
};
constexpr double log2_rest_double[] = {
  2.0337052332119533e-17, -0.72134752044448171, 0.48089834696298825, -0.36067376022218085,
  0.28853900817588549, -0.24044917361135085, 0.20609929463841568, -0.18033676641699047,
  0.16029712343934331, -0.14431244129559347, 0.13197950091040156, -0.11464313593661422
};
// </table>
struct log2_form : ordinary_logarithms {
  static floats value(floats x) {
    return logarithm_of(x, log2_float, log2_rest_float, 1.0f, 0.0f, 1.44269502f);
  }
  static doubles value(doubles x) {
    return logarithm_of(x, log2_double, log2_rest_double, 1.0, 0.0, 1.4426950408889634);
  }
  template <typename T> static T other(T x) { return jitlab::log2(x); }
};
JITLAB_LANES(log2, float, log2_form)
JITLAB_LANES(log2, double, log2_form)
}  // namespace lanes
#endif
