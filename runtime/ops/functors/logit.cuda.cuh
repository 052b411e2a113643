// The logarithm of odds on a GPU, where a second division waits for no other.
namespace jl {
// log(a / (1 - a)), with what the subtraction and the division lost, which counts near a half.
template <typename T> inline T logit(T a) {
  const T rest = T(1) - a, ratio = a / rest, lost = fma(-ratio, rest, a) - ratio * ((T(1) - rest) - a);
  return a > T(0) && a < T(1) ? log(ratio) + lost / a : log(ratio);
}
}  // namespace jl
