// Hyperbolic functions by the GPU's own ones, which keep up with its memory and stay within two ULP.
namespace jl {
template <typename T> inline T precise_sinh(T x) { return ::sinh(x); }
template <typename T> inline T precise_cosh(T x) { return ::cosh(x); }
template <typename T> inline T precise_atanh(T x) { return ::atanh(x); }
}  // namespace jl
