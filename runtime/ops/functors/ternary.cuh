// Functions of three arguments.
template <typename T> struct complex;
namespace jl {
// From the nearer end, so that a weight of 1 gives b exactly.
template <typename T> inline T lerp(T a, T b, T weight) {
  const T step = b - a;
  return fabs(weight) < T(0.5) ? a + weight * step : b - step * (T(1) - weight);
}
template <typename T> inline complex<T> lerp(complex<T> a, complex<T> b, complex<T> weight) {
  const complex<T> step = b - a;
  return abs(weight) < T(0.5) ? a + weight * step : b - step * (complex<T>(T(1)) - weight);
}
// A NaN in any argument is the answer.
template <typename T> inline T clamp(T a, T low, T high) {
  const T raised = isnan(a) || isnan(low) ? a + low : a < low ? low : a;
  return isnan(raised) || isnan(high) ? raised + high : raised > high ? high : raised;
}
}  // namespace jl
