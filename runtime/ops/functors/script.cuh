// JavaScript's meaning of what C++ spells alike: conversions to 32 bits, powers, rounding, extremes.
namespace js {
// ToInt32: the low 32 bits of the whole part, whatever its size.
template <typename F> inline int32 to_int32(F x) {
  if (fabs(x) < F(2147483648.0)) return int32(x);
  if (!isfinite(x)) return 0;
  return int32(uint32(int64(fmod(trunc(x), F(4294967296.0)))));
}
template <typename F> inline bool is_integer(F x) { return isfinite(x) && trunc(x) == x; }
template <typename F> inline bool is_safe_integer(F x) { return trunc(x) == x && fabs(x) < F(9007199254740992.0); }
inline bool is_safe_integer(int64 x) { return -9007199254740992ll < x && x < 9007199254740992ll; }
template <typename F> inline F power(F x, F y) {
  // C takes 1 for what is no number here.
  if (isnan(y) || (fabs(x) == F(1) && isinf(y))) return y - y;
  return pow(x, y);
}
template <typename F> inline F remainder(F x, F y) { return fmod(x, y); }
// Halves go up, and zero keeps its sign.
template <typename F> inline F round(F x) {
  const F below = floor(x);
  return copysign(x - below < F(0.5) ? below : below + F(1), x);
}
template <typename F> inline F sign(F x) { return x > F(0) ? F(1) : x < F(0) ? F(-1) : x; }
template <typename F> inline F maximum(F a, F b) {
  return a > b ? a : a < b ? b : a == b ? (signbit(a) ? b : a) : a + b;
}
template <typename F> inline F minimum(F a, F b) {
  return a < b ? a : a > b ? b : a == b ? (signbit(a) ? a : b) : a + b;
}
inline int32 imul(int32 a, int32 b) { return int32(uint32(a) * uint32(b)); }
inline int32 clz32(int32 a) {
  int32 count = 0;
  for (uint32 x = uint32(a); count < 32 && !(x >> 31); x <<= 1) ++count;
  return count;
}
// The remainder of integers; 0 for a divisor of 0 or -1.
template <typename I> inline I rest(I a, I b) { return b == I(0) || b == I(-1) ? I(0) : a % b; }
}  // namespace js
