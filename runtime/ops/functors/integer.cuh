// Greatest common divisor and least common multiple as PyTorch defines them: the lowest integer of a type, whose
// magnitude does not fit, stands for itself.
namespace jl {
template <typename T> __noinline__ T gcd_by_division(T a, T b) {
  while (a != T(0)) {
    const T r = T(b % a);
    b = a;
    a = r;
  }
  return b;
}
// Stein's binary algorithm (1967): shifts and subtractions, since a GPU divides integers in dozens of instructions.
template <typename T> inline T gcd(T a, T b) {
  a = wrapping_abs(a);
  b = wrapping_abs(b);
  // Only the lowest integer is still negative here, and its remainders have signs.
  if (a < T(0) || b < T(0)) return gcd_by_division(a, b);
  if (a == T(0) || b == T(0)) return T(a | b);
  wrapping<T> u = wrapping<T>(a), v = wrapping<T>(b);
  const int twos = trailing_zeros(u | v);
  u >>= trailing_zeros(u);
  do {
    v >>= trailing_zeros(v);
    const wrapping<T> low = u < v ? u : v;
    v = u < v ? v - u : u - v;
    u = low;
  } while (v != 0);
  return T(u << twos);
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
