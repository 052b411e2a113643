// log10 of a GPU, whose threads have no registers of many numbers.
namespace lanes {
template <typename T> inline T log10(T x) { return ::log10(x); }
}  // namespace lanes
