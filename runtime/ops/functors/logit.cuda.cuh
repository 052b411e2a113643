// The logarithm of odds on a GPU, with one division.
namespace jl {
// a / b of a float to nearly half a unit, for b from 2^-126 to 2^126.
inline float quotient(float a, float b) {
  const float over = rough_reciprocal(b), q = a * over;
  return fma(fma(-q, b, a), over, q);
}
inline double quotient(double a, double b) { return a / b; }
// Nearly 1 / a near a half.
inline float over_half(float a) { return rough_reciprocal(a); }
inline double over_half(double a) { return 4.0 * (1.0 - a); }
// log(a / (1 - a)), with what the subtraction and the division lost, which counts near a half.
template <typename T> inline T logit(T a) {
  const bool inside = (a > T(0)) & (a < T(1));
  const T rest = T(1) - a, odds = quotient(a, rest), ratio = inside ? odds : a == T(1) ? inf<T>() : -fabs(a);
  const T lost = fma(-ratio, rest, a) - ratio * ((T(1) - rest) - a), value = log(ratio);
  return inside & (a > T(1e-30)) ? fma(over_half(a), lost, value) : value;
}
}  // namespace jl
