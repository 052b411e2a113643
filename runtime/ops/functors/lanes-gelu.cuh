// gelu, of floats by registers.
namespace lanes {
#if JITLAB_REGISTERS
struct gelu_of_float {
  static unsigned odd(floats x) { return above(fabs(x), 12.9f); }
  static floats value(floats x) {
    const floats a = fabs(x), square = a * a, low = fma(a, a, -square);
    const product_parts y = tail_of(a, mills_float, -1.0f, 0.5f * square, 0.5f * low);
    const floats q = y.q * a, lost = fma(y.q, a, -q);
    return with_sign(sum_of(at_least(0.0f, x), {q, fma(y.lost, a, lost), y.w}), x);
  }
  static float other(float x) { return jl::gelu(x); }
};
JITLAB_LANES(gelu, float, gelu_of_float)
#else
inline float gelu(float x) { return jl::gelu(x); }
#endif
inline double gelu(double x) { return jl::gelu(x); }
}  // namespace lanes
