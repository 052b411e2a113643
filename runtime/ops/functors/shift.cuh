// Shifts defined for every distance: past the width, or below zero, they leave 0, or the sign to the right.
namespace jl {
template <typename T> inline T left_shift(T a, T b) {
  if (b < T(0) || b >= T(8 * sizeof(T))) return T(0);
  return T((unsigned long long)(a) << int(b));
}
template <typename T> inline T right_shift(T a, T b) {
  if (b < T(0) || b >= T(8 * sizeof(T))) return a < T(0) ? T(-1) : T(0);
  return T(a >> int(b));
}
}  // namespace jl
