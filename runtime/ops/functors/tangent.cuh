// The tangent; a host's own one of a float has no branches.
namespace jl {
template <typename T> inline T tan(T x) { return ::tan(x); }
}  // namespace jl
