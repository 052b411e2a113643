// sqrt of a GPU, whose threads have no registers of many numbers.
namespace lanes {
template <typename T> inline T sqrt(T x) { return ::sqrt(x); }
}  // namespace lanes
