// Odd functions of registers of numbers between -1 and 1 that are singular at 1, in a piece for each octave of 1 - |x|.
#if JITLAB_REGISTERS
namespace lanes {
// The first piece, up to 1/2, is of f(x) - x, so that little of it is rounded. Octaves are those of the number before 1, less |x|,
// so that 0 has the octave of the numbers beside it: the number before 1/2 is of the second piece.
template <typename V, typename B, typename T, int N, int M>
inline V octave_piece(V x, V a, const T (&table)[N][M], B octave, V before_half) {
  const piece<V> y = piece_of(a, table, octave);
  return with_sign(fma(y.slope, y.t, where_below(a, before_half, a, y.value)), x);
}
template <int N> inline floats by_octave(floats x, const unsigned (&table)[N][16]) {
  const floats a = fabs(x);
  return octave_piece(x, a, table, bits_of(0.99999994f - a) >> 23, floats(0.49999997f));
}
template <int N> inline doubles by_octave(doubles x, const unsigned long long (&table)[N][16]) {
  const doubles a = fabs(x);
  return octave_piece(x, a, table, bits_of(0.99999999999999989 - a) >> 52, doubles(0.49999999999999994));
}
// The tables have 15 octaves.
struct within_octaves {
  static unsigned odd(floats x) { return above(fabs(x), 0.9999694f); }
  static unsigned odd(doubles x) { return above(fabs(x), 0.9999694); }
};
}  // namespace lanes
#endif
