// Logarithms of 1 + exp(a) on a GPU.
namespace jl {
template <typename T> inline T softplus(T a) { return a > T(20) ? a : log1p(exp(a)); }
template <typename T> inline T logsigmoid(T a) { return (a < T(0) ? a : T(0)) - log1p(exp(-fabs(a))); }
}  // namespace jl
