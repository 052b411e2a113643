// The derivative of lgamma on a processor.
namespace jl {
template <typename T> inline T digamma(T x) { return digamma_anywhere(x); }
}  // namespace jl
