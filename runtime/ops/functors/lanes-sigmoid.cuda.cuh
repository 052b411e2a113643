// sigmoid of a GPU, whose threads have no registers of many numbers.
namespace lanes {
template <typename T> inline T sigmoid(T x) { return jl::sigmoid(x); }
}  // namespace lanes
