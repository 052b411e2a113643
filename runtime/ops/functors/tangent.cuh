// The tangent of a float, in two words where they count; CUDA's own one reduces a large angle in double. The polynomial is a fit of
// our own (scripts/fit.py).
namespace jl {
// <fit tangent_rest float>
// (tan(x) - x - x^3 / 3) / x^5 in t = x^2, x up to pi/4
inline float tangent_rest(float t) {
  const float c[] = {
    0.133333336f, 0.0539678383f, 0.021880127f, 0.00876245534f, 0.00403793214f, 0.000479702355f,
    0.00155797534f
  };
  return polynomial(t, c);
}
// </fit>
inline float tangent_at(reduced_angle a) {
  const float x = a.rest.hi, t = x * x, cube = x * t, third = 0.333333343f;
  // x + x^3 / 3 and what its rounding takes away; the angle's second word counts 1 + t times, or nearly so.
  const float first = fma(cube, third, x), lost = fma(cube, third, x - first) + fma(1.25f * t, a.rest.lo, a.rest.lo);
  const float rest = fma(cube * t, tangent_rest(t), lost), near = first + rest, low = rest - (near - first);
  // An odd number of quarters further on it is minus the reciprocal.
  const float over = rough_reciprocal(near), excess = fma(over, low, fma(over, near, -1.0f));
  return a.quarter & 1 ? fma(over, excess, -over) : near;
}
#ifdef __CUDACC__
__noinline__ inline float large_tangent(float x) { return isfinite(x) ? tangent_at(reduce_large(x)) : nan<float>(); }
inline float tan(float x) {
  if (!is_small_angle(x)) return large_tangent(x);
  return x == 0.0f ? x : tangent_at(reduce_small(x));
}
#else
inline float tan(float x) { return x == 0.0f ? x : isfinite(x) ? tangent_at(reduce_angle(x)) : nan<float>(); }
#endif
// The same of small angles, without a branch or a call.
inline float small_tan(float x) { return x == 0.0f ? x : tangent_at(reduce_small(x)); }
inline double tan(double x) { return ::tan(x); }
}  // namespace jl
