// ndtr of a GPU, whose threads have no registers of many numbers.
namespace lanes {
template <typename T> inline T ndtr(T x) { return jl::ndtr(x); }
}  // namespace lanes
