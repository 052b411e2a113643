// Products with a logarithm, which round once, and logarithms of 1 + exp(a), on a processor.
namespace jl {
using jitlab::times_log;
using jitlab::times_log1p;
template <typename T> inline T softplus(T a) { return a > T(20) ? a : log1p_exp(a); }
template <typename T> inline T logsigmoid(T a) { return less_log1p_exp(a < T(0) ? a : T(0), -fabs(a)); }
}  // namespace jl
