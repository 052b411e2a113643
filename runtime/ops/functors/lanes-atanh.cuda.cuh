// atanh of a GPU, whose threads have no registers of many numbers.
namespace lanes {
template <typename T> inline T atanh(T x) { return jl::precise_atanh(x); }
}  // namespace lanes
