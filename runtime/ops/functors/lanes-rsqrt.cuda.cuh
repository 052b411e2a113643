// rsqrt of a GPU, whose threads have no registers of many numbers.
namespace lanes {
template <typename T> inline T rsqrt(T x) { return ::rsqrt(x); }
}  // namespace lanes
