// silu of a GPU, whose threads have no registers of many numbers.
namespace lanes {
template <typename T> inline T silu(T x) { return jl::silu(x); }
}  // namespace lanes
