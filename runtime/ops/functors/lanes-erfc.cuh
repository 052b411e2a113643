// erfc, of floats by registers.
namespace lanes {
#if JITLAB_REGISTERS
struct erfc_of_float {
  static unsigned odd(floats x) { return above(fabs(x), 9.1f); }
  static floats value(floats x) {
    const floats a = fabs(x), high = a * a, sign = with_sign(1.0f, x);
    return sum_of(1.0f - sign, tail_of(a, erfcx_float, sign, high, fma(a, a, -high)));
  }
  static float other(float x) { return jl::erfc(x); }
};
JITLAB_LANES(erfc, float, erfc_of_float)
#else
inline float erfc(float x) { return jl::erfc(x); }
#endif
inline double erfc(double x) { return jl::erfc(x); }
}  // namespace lanes
