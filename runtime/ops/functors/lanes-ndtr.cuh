// ndtr, of floats by registers.
namespace lanes {
#if JITLAB_REGISTERS
struct ndtr_of_float {
  static unsigned odd(floats x) { return above(fabs(x), 12.9f); }
  static floats value(floats x) {
    const floats a = fabs(x), square = a * a, low = fma(a, a, -square);
    const floats sign = with_sign(1.0f, -x);
    return sum_of(fma(sign, -0.5f, 0.5f), tail_of(a, mills_float, sign, 0.5f * square, 0.5f * low));
  }
  static float other(float x) { return jl::ndtr(x); }
};
JITLAB_LANES(ndtr, float, ndtr_of_float)
#else
inline float ndtr(float x) { return jl::ndtr(x); }
#endif
inline double ndtr(double x) { return jl::ndtr(x); }
}  // namespace lanes
