// Integer division with every case defined: by zero it gives 0, and the lowest integer over -1 wraps.
namespace jl {
// Quotient rounded towards zero.
template <typename T> JITLAB_QUOTIENT T truncated_quotient(T a, T b) {
  if (b == T(0)) return T(0);
  if (T(-1) < T(0) && b == T(-1)) return wrapping_negate(a);
  return T(a / b);
}
// What a quotient that was rounded towards zero leaves: it has the sign of the dividend.
template <typename T> inline T rest_of(T a, T b, T quotient) {
  return b == T(0) ? T(0) : wrapping_subtract(a, wrapping_multiply(quotient, b));
}
// Remainder with the sign of the dividend.
template <typename T> inline T integer_fmod(T a, T b) { return rest_of(a, b, truncated_quotient(a, b)); }
// True below zero. Without a comparison with zero, about which compilers warn for unsigned integers.
template <typename T> inline bool is_negative(T a) { return T(-1) < T(0) && a <= T(-1); }
// Quotient rounded towards minus infinity.
template <typename T> inline T integer_floor_divide(T a, T b) {
  const T q = truncated_quotient(a, b);
  const T r = rest_of(a, b, q);
  return r != T(0) && is_negative(r) != is_negative(b) ? T(q - 1) : q;
}
// Remainder with the sign of the divisor.
template <typename T> inline T integer_remainder(T a, T b) {
  const T r = integer_fmod(a, b);
  return r != T(0) && is_negative(r) != is_negative(b) ? T(r + b) : r;
}
// Power by squaring; a negative exponent gives the truncated reciprocal, 0 for a base of 0.
template <typename T> inline T integer_power(T base, T exponent) {
  if (is_negative(exponent)) {
    if (base == T(1)) return T(1);
    if (base == T(-1)) return exponent % 2 == 0 ? T(1) : T(-1);
    return T(0);
  }
  T result = T(1);
  while (exponent > T(0)) {
    if (exponent & T(1)) result = wrapping_multiply(result, base);
    exponent = T(exponent >> 1);
    base = wrapping_multiply(base, base);
  }
  return result;
}
}  // namespace jl
