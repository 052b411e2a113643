// log2 of a GPU, whose threads have no registers of many numbers.
namespace lanes {
template <typename T> inline T log2(T x) { return ::log2(x); }
}  // namespace lanes
