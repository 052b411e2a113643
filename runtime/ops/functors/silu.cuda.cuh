// silu of real numbers on a GPU, where the threads of few groups go both ways.
namespace jl {
template <typename T> inline T silu(T a) {
  return a < far_below<T>::start() ? silu_far_below(a) : a / (T(1) + exp(-a));
}
}  // namespace jl
