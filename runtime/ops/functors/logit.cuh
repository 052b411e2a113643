// The logarithm of odds without branches, so that a processor's loops run in vector registers.
namespace jl {
// log(a / (1 - a)), with what the subtraction and the division lost, which counts near a half: there 4 (1 - a) is nearly 1 / a.
template <typename T> inline T logit(T a) {
  const T rest = T(1) - a, ratio = a / rest, lost = fma(-ratio, rest, a) - ratio * ((T(1) - rest) - a);
  return log_plus(ratio, T(4) * rest * lost);
}
}  // namespace jl
