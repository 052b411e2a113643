// The tangent of a float from sine and cosine in two words; CUDA's own one reduces a large angle in double.
namespace jl {
inline float tangent_at(reduced_angle a) {
  const two<float> s = precise_sine_of(a.rest), c = precise_cosine_of(a.rest);
  const bool odd = a.quarter & 1;
  const two<float> above = odd ? negate(c) : s, below = odd ? s : c;
  const float q = above.hi / below.hi;
  return q + (fma(-q, below.hi, above.hi) + fma(-q, below.lo, above.lo)) * rough_reciprocal(below.hi);
}
inline float tan(float x) { return x == 0.0f ? x : isfinite(x) ? tangent_at(reduce_angle(x)) : nan<float>(); }
// The same of small angles, without a branch or a call.
inline float small_tan(float x) { return x == 0.0f ? x : tangent_at(reduce_small(x)); }
inline double tan(double x) { return ::tan(x); }
}  // namespace jl
