// exp of a GPU, whose threads have no registers of many numbers.
namespace lanes {
template <typename T> inline T exp(T x) { return ::exp(x); }
}  // namespace lanes
