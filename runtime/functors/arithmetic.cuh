// Arithmetic with every case defined: integers wrap, and division by zero gives 0, the same on every device.
namespace jl {
// The unsigned type in which T's arithmetic wraps; at least 32 bits wide, so that it is not promoted to int.
template <int Bytes> struct wrapping_type { typedef unsigned int type; };
template <> struct wrapping_type<8> { typedef unsigned long long type; };
template <typename T> using wrapping = typename wrapping_type<sizeof(T)>::type;

template <typename T> inline T wrapping_add(T a, T b) { return T(wrapping<T>(a) + wrapping<T>(b)); }
template <typename T> inline T wrapping_subtract(T a, T b) { return T(wrapping<T>(a) - wrapping<T>(b)); }
template <typename T> inline T wrapping_multiply(T a, T b) { return T(wrapping<T>(a) * wrapping<T>(b)); }
template <typename T> inline T wrapping_negate(T a) { return T(wrapping<T>(0) - wrapping<T>(a)); }
template <typename T> inline T wrapping_abs(T a) { return a < T(0) ? wrapping_negate(a) : a; }

// Quotient rounded towards zero.
template <typename T> inline T truncated_quotient(T a, T b) {
  if (b == T(0)) return T(0);
  if (T(-1) < T(0) && b == T(-1)) return wrapping_negate(a);
  return T(a / b);
}
// Remainder with the sign of the dividend.
template <typename T> inline T integer_fmod(T a, T b) {
  if (b == T(0) || (T(-1) < T(0) && b == T(-1))) return T(0);
  return T(a % b);
}
// Quotient rounded towards minus infinity.
template <typename T> inline T integer_floor_divide(T a, T b) {
  const T q = truncated_quotient(a, b);
  const T r = integer_fmod(a, b);
  return r != T(0) && (r < T(0)) != (b < T(0)) ? T(q - 1) : q;
}
// Remainder with the sign of the divisor.
template <typename T> inline T integer_remainder(T a, T b) {
  const T r = integer_fmod(a, b);
  return r != T(0) && (r < T(0)) != (b < T(0)) ? T(r + b) : r;
}
// Power by squaring; a negative exponent gives the truncated reciprocal, 0 for a base of 0.
template <typename T> inline T integer_power(T base, T exponent) {
  if (exponent < T(0)) {
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
template <typename T> inline T float_remainder(T a, T b) {
  const T r = fmod(a, b);
  return r != T(0) && (r < T(0)) != (b < T(0)) ? r + b : r;
}
// Python's floor division: consistent with the remainder, where floor(a / b) may be off by one.
template <typename T> inline T float_floor_divide(T a, T b) {
  if (b == T(0)) return a / b;
  const T r = fmod(a, b);
  T q = (a - r) / b;
  if (r != T(0) && (r < T(0)) != (b < T(0))) q -= T(1);
  if (q == T(0)) return copysign(T(0), a / b);
  const T whole = floor(q);
  return q - whole > T(0.5) ? whole + T(1) : whole;
}
}  // namespace jl
