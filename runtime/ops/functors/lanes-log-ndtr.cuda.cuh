// The logarithm of ndtr of a GPU, whose threads have no registers of many numbers.
namespace lanes {
template <typename T> inline T log_ndtr(T x) { return jl::log_ndtr(x); }
}  // namespace lanes
