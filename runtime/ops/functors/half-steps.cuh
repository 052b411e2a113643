// What depends on the numbers that a half type has, although its arithmetic happens in float.
namespace jl {
inline float nan_to_num_within(float a, float highest) {
  if (isnan(a)) return 0.0f;
  return isinf(a) ? copysign(highest, a) : a;
}
// The neighbour of a half number: `step` in the float's bits, or the subnormal spacing below the least normal number.
inline float next_half(float a, float b, unsigned step, float least_normal, float spacing, float highest) {
  if (isnan(a) || isnan(b)) return a + b;
  if (a == b) return b;
  if (a == 0.0f) return copysign(spacing, b);
  const bool away = (a < b) == (a > 0.0f);
  const float m = fabs(a);
  if (isinf(a)) return copysign(highest, a);
  if (m < least_normal || (m == least_normal && !away)) return copysign(away ? m + spacing : m - spacing, a);
  const float next = float_of(away ? bits_of(m) + step : bits_of(m) - step);
  return copysign(next > highest ? float_of(0x7f800000u) : next, a);
}
inline float next_float16(float a, float b) {
  return next_half(a, b, 0x2000u, 6.103515625e-05f, 5.9604644775390625e-08f, 65504.0f);
}
inline float next_bfloat16(float a, float b) {
  return next_half(a, b, 0x10000u, 1.17549435e-38f, 9.18354962e-41f, 3.38953139e+38f);
}
}  // namespace jl
