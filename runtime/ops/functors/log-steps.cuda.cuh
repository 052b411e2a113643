// Products with a logarithm, and logarithms of 1 + exp(a), on a GPU.
namespace jl {
template <typename T> inline T times_log(T y, T x) { return y * log(x); }
template <typename T> inline T times_log1p(T y, T x) { return y * log1p(x); }
template <typename T> inline T softplus(T a) { return a > T(20) ? a : log1p(exp(a)); }
template <typename T> inline T logsigmoid(T a) { return (a < T(0) ? a : T(0)) - log1p(exp(-fabs(a))); }
}  // namespace jl
