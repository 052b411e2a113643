// ndtri of a GPU, whose threads have no registers of many numbers.
namespace lanes {
template <typename T> inline T ndtri(T x) { return jl::ndtri(x); }
}  // namespace lanes
