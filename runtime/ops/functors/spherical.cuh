// The spherical Bessel function of order 0, sin(x) / x.
namespace jl {
#ifdef __CUDACC__
inline float spherical_bessel_j0(float x) {
  if (!isfinite(x)) return isnan(x) ? x : 0.0f;
  const reduced_angle angle = reduce_angle(x);
  const two<float> sine = angle.quarter & 1 ? precise_cosine_of(angle.rest) : precise_sine_of(angle.rest);
  const float q = sine.hi / x, value = q + (fma(-q, x, sine.hi) + sine.lo) / x;
  return x == 0.0f ? 1.0f : angle.quarter & 2 ? -value : value;
}
#else
// In double arithmetic without branches, so that a processor's loops run in vector registers.
inline float spherical_bessel_j0(float x) {
  const circular::waves w = circular::waves_of(circular::turn_of(x));
  const float value = float((w.quarter & 1 ? w.cosine : w.sine) / x), signed_value = w.quarter & 2 ? -value : value;
  return x == 0.0f ? 1.0f : isinf(x) ? 0.0f : signed_value;
}
#endif
inline double spherical_bessel_j0(double x) {
  if (isinf(x)) return 0.0;
  return x == 0.0 ? 1.0 : sin(x) / x;
}
}  // namespace jl
