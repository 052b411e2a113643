// Modified Bessel functions of the first kind, plain and scaled by exp(-|x|).
namespace jl {
template <typename T> inline T i0e(T x) {
  const T a = fabs(x);
  return a < T(5) ? exp_times(-a, i0_near(a)) : rounded(i0_far(a));
}
template <typename T> inline T i1e(T x) {
  const T a = fabs(x), value = a < T(5) ? exp_times(-a, i1_near(a)) : rounded(i1_far(a));
  return x < T(0) ? -value : value;
}
// At infinity the growing functions are NaN, as in PyTorch.
template <typename T> inline T i0(T x) {
  const T a = fabs(x);
  if (isinf(a)) return nan<T>();
  return a < T(5) ? rounded(i0_near(a)) : exp_times(a, i0_far(a));
}
template <typename T> inline T i1(T x) {
  const T a = fabs(x);
  if (isinf(a)) return nan<T>();
  const T value = a < T(5) ? rounded(i1_near(a)) : exp_times(a, i1_far(a));
  return x < T(0) ? -value : value;
}
}  // namespace jl
