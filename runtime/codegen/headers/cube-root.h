// Cube roots without branches, calls and tables, so that loops over them run in vector registers.
namespace jitlab {
namespace cube_root {
// Within 4 percent of the reciprocal cube root of a positive normal number, from a third of its bits.
inline float estimate(float x) { return float_of(0x54a1f000u - bits_of(x) / 3u); }
inline double estimate(double x) {
  const unsigned long long third = ((bits_of(x) >> 32) * 0x55555556ull) >> 32;
  return float_of((0x553eea00ull - third) << 32);
}
// A reciprocal cube root of a quarter of the digits, or of a third of them, becomes one of all those.
template <typename T> inline T four_times(T r, T x) {
  const T e = fma(-x * r, r * r, T(1));
  return fma(r * e, fma(e, fma(e, T(14.0 / 81), T(2.0 / 9)), T(1.0 / 3)), r);
}
inline float nearer(float r, float x) { return four_times(r, x); }
inline double nearer(double r, double x) { return four_times(four_times(r, x), x); }
// Of a positive number that is not so small that the remainder is subnormal; what the first root loses is known from its cube in two words.
template <typename T> inline T of_positive(T x) {
  const T r = nearer(estimate(x), x), square = r * r, root = x * square;
  const T area = root * root, rest = fma(-area, root, x) - fma(root, root, -area) * root;
  return fma(rest * square, T(1.0 / 3), root);
}
template <typename T> inline T of(T x, T least, T up, T down) {
  const T a = fabs(x);
  const bool small = a < least;
  const T root = of_positive(small ? a * up : a), value = copysign(small ? root * down : root, x);
  // 0, infinity and NaN.
  return ((a > T(0)) & (a - a == T(0))) ? value : x;
}
}  // namespace cube_root
inline float cbrt(float x) { return cube_root::of(x, 0x1p-96f, 0x1p+96f, 0x1p-32f); }
inline double cbrt(double x) { return cube_root::of(x, 0x1p-900, 0x1p+192, 0x1p-64); }
}  // namespace jitlab
