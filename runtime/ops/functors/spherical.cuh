// The spherical Bessel function of order 0, sin(x) / x.
namespace jl {
inline float spherical_bessel_j0(float x) {
  if (!isfinite(x)) return isnan(x) ? x : 0.0f;
  const reduced_angle angle = reduce_angle(x);
  const two<float> sine = angle.quarter & 1 ? precise_cosine_of(angle.rest) : precise_sine_of(angle.rest);
  const float q = sine.hi / x, value = q + (fma(-q, x, sine.hi) + sine.lo) / x;
  return x == 0.0f ? 1.0f : angle.quarter & 2 ? -value : value;
}
inline double spherical_bessel_j0(double x) {
  if (isinf(x)) return 0.0;
  return x == 0.0 ? 1.0 : sin(x) / x;
}
}  // namespace jl
