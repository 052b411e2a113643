// The incomplete gamma functions of a GPU, which has no form of its own for ordinary arguments.
namespace jl {
template <typename T> inline T gammainc(T a, T x) { return gamma_of(a, x, false); }
template <typename T> inline T gammaincc(T a, T x) { return gamma_of(a, x, true); }
}  // namespace jl
