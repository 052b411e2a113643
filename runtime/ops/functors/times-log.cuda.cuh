// Products with a logarithm on a GPU.
namespace jl {
template <typename T> inline T times_log(T y, T x) { return y * log(x); }
template <typename T> inline T times_log1p(T y, T x) { return y * log1p(x); }
}  // namespace jl
