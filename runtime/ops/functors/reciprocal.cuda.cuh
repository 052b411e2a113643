// Reciprocals on a GPU.
namespace jl {
// 1 / x without the exact quotient's tests.
inline float fine_reciprocal(float x) {
  const float q = rough_reciprocal(x);
  return fma(fma(-q, x, 1.0f), q, q);
}
inline double fine_reciprocal(double x) {
  // One step that triples the digits.
  const double first = rough_reciprocal(x), rest = fma(-first, x, 1.0);
  return fma(first, fma(rest, rest, rest), first);
}
}  // namespace jl
