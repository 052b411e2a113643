// lgamma of a GPU, whose threads have no registers of many numbers.
namespace lanes {
template <typename T> inline T lgamma(T x) { return jl::lgamma(x); }
}  // namespace lanes
