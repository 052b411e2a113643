// Greatest common divisor and least common multiple as PyTorch defines them: the lowest integer of a type, whose
// magnitude does not fit, stands for itself.
namespace jl {
template <typename T> inline T gcd(T a, T b) {
  a = wrapping_abs(a);
  b = wrapping_abs(b);
  while (a != T(0)) {
    const T r = T(b % a);
    b = a;
    a = r;
  }
  return b;
}
// The product is taken in at least 32 bits and wraps.
template <typename T> inline T lcm(T a, T b) {
  const T g = gcd(a, b);
  if (g == T(0)) return T(0);
  const wrapping<T> product = wrapping<T>(truncated_quotient(a, g)) * wrapping<T>(b);
  const bool negative = T(-1) < T(0) && product >> (8 * sizeof(product) - 1);
  return T(negative ? wrapping<T>(0) - product : product);
}
}  // namespace jl
