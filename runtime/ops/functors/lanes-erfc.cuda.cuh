// erfc of a GPU, whose threads have no registers of many numbers.
namespace lanes {
template <typename T> inline T erfc(T x) { return jl::erfc(x); }
}  // namespace lanes
