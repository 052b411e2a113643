// The error function and the normal distribution by the GPU's own functions, which keep up with its memory and stay within
// a few ULP; ours in two words, a processor's, do not.
namespace jl {
template <typename T> inline T erf(T x) { return ::erf(x); }
template <typename T> inline T erfc(T x) { return ::erfc(x); }
template <typename T> inline T erfcx(T x) { return ::erfcx(x); }
// For a positive x of two words; the slope of erfcx is 2 x erfcx(x) - 2 / sqrt(pi).
template <typename T> inline two<T> erfcx_positive(two<T> x) {
  const T value = ::erfcx(x.hi);
  return {value, x.lo * fma(T(2) * x.hi, value, T(-1.1283791670955126))};
}
template <typename T> inline T ndtr(T x) { return ::normcdf(x); }
template <typename T> inline T gelu(T x) { return x * ::normcdf(x); }
}  // namespace jl
