// The logarithm to the base 10 by the GPU's own, which is within one ULP.
namespace jl {
inline double precise_log10(double x) { return ::log10(x); }
}  // namespace jl
