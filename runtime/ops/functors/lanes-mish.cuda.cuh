// mish of a GPU, whose threads have no registers of many numbers.
namespace lanes {
template <typename T> inline T mish(T x) { return jl::mish(x); }
}  // namespace lanes
