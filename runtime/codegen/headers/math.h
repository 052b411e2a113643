// The math functions that CUDA C++ knows without headers, for a host compiler that is given none.
#define JITLAB_WIDE(NAME) inline double NAME(double x) { return __builtin_##NAME(x); }
#define JITLAB_MATH1(NAME) \
  inline float NAME(float x) { return __builtin_##NAME##f(x); } \
  JITLAB_WIDE(NAME)
#define JITLAB_MATH2(NAME) \
  inline float NAME(float x, float y) { return __builtin_##NAME##f(x, y); } \
  inline double NAME(double x, double y) { return __builtin_##NAME(x, y); }
namespace jitlab {
// Those of a float are in elementary.h, or in wasm-elementary.h, and in wide.h.
JITLAB_WIDE(exp) JITLAB_WIDE(exp2) JITLAB_WIDE(expm1) JITLAB_WIDE(log) JITLAB_WIDE(log2) JITLAB_WIDE(log10)
JITLAB_WIDE(log1p) JITLAB_WIDE(tanh) JITLAB_WIDE(sin) JITLAB_WIDE(cos) JITLAB_WIDE(tan)
JITLAB_WIDE(asin) JITLAB_WIDE(acos)
JITLAB_WIDE(atan) JITLAB_MATH1(sinh) JITLAB_MATH1(cosh) JITLAB_MATH1(asinh) JITLAB_MATH1(acosh)
JITLAB_MATH1(atanh) JITLAB_MATH1(sqrt) JITLAB_MATH1(cbrt) JITLAB_MATH1(floor) JITLAB_MATH1(ceil) JITLAB_MATH1(trunc)
JITLAB_MATH1(rint) JITLAB_MATH1(round) JITLAB_MATH1(fabs) JITLAB_MATH1(erf) JITLAB_MATH1(erfc) JITLAB_MATH1(lgamma)
JITLAB_MATH1(tgamma)
JITLAB_MATH2(pow) JITLAB_MATH2(fmod) JITLAB_MATH2(remainder)
JITLAB_MATH2(copysign) JITLAB_MATH2(nextafter) JITLAB_MATH2(fmin) JITLAB_MATH2(fmax)
#ifndef __wasm__
inline float fma(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
#endif
// The squares are exact in a double, and their sum neither overflows nor vanishes.
inline float hypot(float x, float y) {
  const double square = double(x) * double(x) + double(y) * double(y);
  const bool infinite = (__builtin_fabsf(x) == __builtin_inff()) | (__builtin_fabsf(y) == __builtin_inff());
  return infinite ? __builtin_inff() : float(__builtin_sqrt(square));
}
inline double atan2(double y, double x) { return __builtin_atan2(y, x); }
inline double hypot(double x, double y) { return __builtin_hypot(x, y); }
inline double fma(double x, double y, double z) { return __builtin_fma(x, y, z); }
inline float ldexp(float x, int n) { return __builtin_ldexpf(x, n); }
inline double ldexp(double x, int n) { return __builtin_ldexp(x, n); }
inline float frexp(float x, int* n) { return __builtin_frexpf(x, n); }
inline double frexp(double x, int* n) { return __builtin_frexp(x, n); }
inline float rsqrt(float x) { return 1.0f / __builtin_sqrtf(x); }
inline double rsqrt(double x) { return 1.0 / __builtin_sqrt(x); }
template <typename F> inline bool isnan(F x) { return __builtin_isnan(x); }
template <typename F> inline bool isinf(F x) { return __builtin_isinf(x); }
template <typename F> inline bool isfinite(F x) { return __builtin_isfinite(x); }
template <typename F> inline bool signbit(F x) { return __builtin_signbit(x); }
inline int abs(int x) { return x < 0 ? -x : x; }
inline long long abs(long long x) { return x < 0 ? -x : x; }
inline float abs(float x) { return __builtin_fabsf(x); }
inline double abs(double x) { return __builtin_fabs(x); }
template <typename N> inline N min(N x, N y) { return y < x ? y : x; }
template <typename N> inline N max(N x, N y) { return x < y ? y : x; }
}  // namespace jitlab
#undef JITLAB_WIDE
#undef JITLAB_MATH1
#undef JITLAB_MATH2
using namespace jitlab;
