// erfinv of a GPU, whose threads have no registers of many numbers.
namespace lanes {
template <typename T> inline T erfinv(T x) { return jl::erfinv(x); }
}  // namespace lanes
