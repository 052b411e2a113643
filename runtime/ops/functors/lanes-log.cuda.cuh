// log of a GPU, whose threads have no registers of many numbers.
namespace lanes {
template <typename T> inline T log(T x) { return ::log(x); }
}  // namespace lanes
