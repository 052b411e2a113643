// The tangent of a float from sine and cosine in two words; CUDA's own one reduces a large angle in double.
namespace jl {
inline float tangent_at(reduced_angle a) {
  const two<float> s = precise_sine_of(a.rest), c = precise_cosine_of(a.rest);
  const bool odd = a.quarter & 1;
  // Word by word: of a pair a processor's compiler would make a branch.
  const float above = odd ? -c.hi : s.hi, above_low = odd ? -c.lo : s.lo;
  const float below = odd ? s.hi : c.hi, below_low = odd ? s.lo : c.lo, q = above / below;
  return q + (fma(-q, below, above) + fma(-q, below_low, above_low)) * rough_reciprocal(below);
}
inline float tan(float x) { return x == 0.0f ? x : isfinite(x) ? tangent_at(reduce_angle(x)) : nan<float>(); }
// The same of small angles, without a branch or a call.
inline float small_tan(float x) { return x == 0.0f ? x : tangent_at(reduce_small(x)); }
inline double tan(double x) { return ::tan(x); }
}  // namespace jl
