// silu of real numbers without branches, so that a processor's loops run in vector registers.
namespace jl {
template <typename T> inline T silu(T a) {
  const bool far = a < far_below<T>::start();
  const T q = a / (T(1) + exp(far ? -a - far_below<T>::shift() : -a));
  return far ? q * far_below<T>::factor() : q;
}
}  // namespace jl
