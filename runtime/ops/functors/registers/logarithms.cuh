// Registers of positive normal numbers as m 2^k, with m from 45/64 to 45/32, for logarithms by 16 pieces.
#if JITLAB_REGISTERS
namespace lanes {
template <typename V, typename B> struct mantissa_parts { V m, k; B piece; };
inline mantissa_parts<floats, float_bits> mantissa_of(floats x) {
  typedef int whole __attribute__((vector_size(64)));
  const float_bits least = bits_of(kept(floats(0.703125f))), u = bits_of(x) - least;
  const float_bits part = bits_of(both(float_of(u), ::float_of(0x7fffffu))) + least;
  return {float_of(part), __builtin_convertvector((whole)u >> 23, float_vector), u >> 19};
}
inline mantissa_parts<doubles, double_bits> mantissa_of(doubles x) {
  typedef long long whole __attribute__((vector_size(64)));
  const double_bits least = bits_of(kept(doubles(0.703125))), u = bits_of(x) - least;
  const double_bits part = bits_of(both(float_of(u), ::float_of(0xfffffffffffffull))) + least;
  return {float_of(part), __builtin_convertvector((whole)u >> 52, double_vector), u >> 48};
}
// The logarithm to a base by its table and polynomial (scripts/tables.py), as high + f slope + small: `two` is that of 2, in two
// words, and `slope` the derivative at 1. The sum of high and f has an error that their difference shows.
template <typename V> struct logarithm_parts { V high, f, small; };
template <typename V, typename T, typename B, int N>
inline logarithm_parts<V> logarithm_parts_of(V x, const B (&table)[3][16], const T (&rest)[N], T two_high, T two_low) {
  const auto y = mantissa_of(x);
  const V f = fma(y.m, float_of(pick(table[0], y.piece)), V(T(-1))), curve = jitlab::registers::polynomial(f, rest);
  const V high = fma(y.k, V(two_high), float_of(pick(table[1], y.piece)));
  const V piece_low = float_of(pick(table[2], y.piece)), low = two_low == T(0) ? piece_low : fma(y.k, V(two_low), piece_low);
  return {high, f, fma(f, curve, low)};
}
template <typename V, typename T, typename B, int N>
inline V logarithm_of(V x, const B (&table)[3][16], const T (&rest)[N], T two_high, T two_low, T slope) {
  const logarithm_parts<V> y = logarithm_parts_of(x, table, rest, two_high, two_low);
  return y.high + (slope == T(1) ? y.f + y.small : fma(y.f, V(slope), y.small));
}
struct ordinary_logarithms {
  static unsigned odd(floats x) { return above(floats(1.17549435e-38f), x) | above(x, floats(3.40282347e38f)); }
  static unsigned odd(doubles x) { return above(doubles(2.2250738585072014e-308), x) | above(x, doubles(1.7976931348623157e308)); }
};
}  // namespace lanes
#endif
