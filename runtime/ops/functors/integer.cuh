// Greatest common divisor and least common multiple. A magnitude that only the unsigned type holds, that of the lowest
// integer, wraps around where it is the result.
namespace jl {
template <typename T> inline wrapping<T> unsigned_magnitude(T a) {
  return a < T(0) ? wrapping<T>(0) - wrapping<T>(a) : wrapping<T>(a);
}
// Stein's binary algorithm (1967): shifts and subtractions, since a GPU divides integers in dozens of instructions.
template <typename T> inline T gcd(T a, T b) {
  wrapping<T> u = unsigned_magnitude(a), v = unsigned_magnitude(b);
  if (u == 0 || v == 0) return T(u | v);
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
