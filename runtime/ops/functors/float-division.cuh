// Python's floor division of floating numbers and the remainder that goes with it.
namespace jl {
// A remainder r of b, moved to the side of b.
template <typename T> inline T beside(T r, T b) { return ((r != T(0)) & ((r < T(0)) != (b < T(0)))) ? r + b : r; }
template <typename T> inline T float_remainder(T a, T b) { return beside(fmod(a, b), b); }
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
