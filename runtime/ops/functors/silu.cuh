// silu of real numbers on a processor; NaN at minus infinity, as in PyTorch.
namespace jl {
template <typename T> inline T silu(T a) { return beyond_logistic(a, times_logistic(a, within_logistic(a)), a); }
}  // namespace jl
