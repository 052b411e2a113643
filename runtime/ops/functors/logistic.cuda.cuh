// The logistic function of real numbers on a GPU.
namespace jl {
template <typename T> inline T sigmoid(T a) {
  const T e = exp(-fabs(a));
  return (a < T(0) ? e : T(1)) / (T(1) + e);
}
}  // namespace jl
