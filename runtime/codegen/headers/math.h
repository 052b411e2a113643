// The math functions that CUDA C++ knows without headers, for a host compiler that is given none.
#define JITLAB_WIDE(NAME) inline double NAME(double x) { return __builtin_##NAME(x); }
#define JITLAB_MATH1(NAME) \
  inline float NAME(float x) { return __builtin_##NAME##f(x); } \
  JITLAB_WIDE(NAME)
#define JITLAB_MATH2(NAME) \
  inline float NAME(float x, float y) { return __builtin_##NAME##f(x, y); } \
  inline double NAME(double x, double y) { return __builtin_##NAME(x, y); }
#define JITLAB_QUESTION(NAME) \
  inline bool NAME(float x) { return __builtin_##NAME(x); } \
  inline bool NAME(double x) { return __builtin_##NAME(x); }
namespace jitlab {
// Others are in elementary.h, sine-cosine.h, circular.h, angles.h, inverse-hyperbolic.h, power.h and cube-root.h, and for WebAssembly in wasm-elementary.h,
// sine-cosine.h, wasm-library.h and wasm-angles.h.
#ifdef __wasm__
JITLAB_WIDE(asinh) JITLAB_WIDE(acosh)
#endif
JITLAB_MATH1(sinh) JITLAB_MATH1(cosh)
JITLAB_WIDE(atanh) JITLAB_MATH1(sqrt) JITLAB_MATH1(floor) JITLAB_MATH1(ceil) JITLAB_MATH1(trunc)
JITLAB_MATH1(rint) JITLAB_MATH1(nearbyint) JITLAB_MATH1(round) JITLAB_MATH1(fabs) JITLAB_MATH1(erf) JITLAB_MATH1(erfc) JITLAB_MATH1(lgamma)
JITLAB_MATH1(tgamma)
JITLAB_MATH2(remainder) JITLAB_MATH2(copysign) JITLAB_MATH2(fmin) JITLAB_MATH2(fmax)
#ifndef __wasm__
inline float fma(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
#endif
// The squares are exact in a double, and their sum neither overflows nor vanishes.
inline float hypot(float x, float y) {
  const double square = double(x) * double(x) + double(y) * double(y);
  const bool infinite = (__builtin_fabsf(x) == __builtin_inff()) | (__builtin_fabsf(y) == __builtin_inff());
  return infinite ? __builtin_inff() : float(__builtin_sqrt(square));
}
inline double fma(double x, double y, double z) { return __builtin_fma(x, y, z); }
// x less a whole number of y. Where that number has few enough bits, x / y is off by less than one, and the rest is exact: so
// it is of floats in double, and of doubles with one rounding for a product and a sum.
inline bool is_short_quotient(float x, float y) {
  return (__builtin_fabsf(x) < __builtin_fabsf(y) * 268435456.0f) & (__builtin_fabsf(y) < __builtin_inff());
}
inline float short_fmod(float x, float y) {
  const double a = __builtin_fabsf(x), b = __builtin_fabsf(y), rest = a - __builtin_trunc(a / b) * b;
  const double low = rest < 0.0 ? rest + b : rest;
  return __builtin_copysignf(float(low >= b ? low - b : low), x);
}
#ifdef __wasm__
inline bool is_short_quotient(double, double) { return false; }
inline double short_fmod(double x, double y) { return __builtin_fmod(x, y); }
#else
inline bool is_short_quotient(double x, double y) {
  return (__builtin_fabs(x) < __builtin_fabs(y) * 0x1p51) & (__builtin_fabs(y) < __builtin_inf());
}
inline double short_fmod(double x, double y) {
  const double a = __builtin_fabs(x), b = __builtin_fabs(y), rest = __builtin_fma(-__builtin_trunc(a / b), b, a);
  const double low = rest < 0.0 ? rest + b : rest;
  return __builtin_copysign(low >= b ? low - b : low, x);
}
#endif
inline float fmod(float x, float y) { return is_short_quotient(x, y) ? short_fmod(x, y) : __builtin_fmodf(x, y); }
inline double fmod(double x, double y) { return is_short_quotient(x, y) ? short_fmod(x, y) : __builtin_fmod(x, y); }
// Python's floor division of such numbers.
template <typename F> inline F short_floor_divide(F x, F y) {
  const F rest = short_fmod(x, y), quotient = (x - rest) / y;
  const F q = ((rest != F(0)) & ((rest < F(0)) != (y < F(0)))) ? quotient - F(1) : quotient;
  const F whole = floor(q), nearest = q - whole > F(0.5) ? whole + F(1) : whole;
  return q == F(0) ? copysign(F(0), copysign(F(1), x) * y) : nearest;
}
// The neighbour of x on the side of y.
template <typename F, typename B> inline F neighbour(F x, F y, B least) {
  const bool up = (x < y) == (x > F(0));
  const F beside = x == F(0) ? copysign(float_of(least), y) : float_of(bits_of(x) + (up ? B(1) : ~B(0)));
  const F within = x == y ? y : beside;
  return ((x == x) & (y == y)) ? within : x + y;
}
inline float nextafter(float x, float y) { return neighbour(x, y, 1u); }
inline double nextafter(double x, double y) { return neighbour(x, y, 1ull); }
inline float ldexp(float x, int n) { return __builtin_ldexpf(x, n); }
inline double ldexp(double x, int n) { return __builtin_ldexp(x, n); }
inline float frexp(float x, int* n) { return __builtin_frexpf(x, n); }
inline double frexp(double x, int* n) { return __builtin_frexp(x, n); }
inline float rsqrt(float x) { return 1.0f / __builtin_sqrtf(x); }
inline double rsqrt(double x) { return 1.0 / __builtin_sqrt(x); }
JITLAB_QUESTION(isnan) JITLAB_QUESTION(isinf) JITLAB_QUESTION(isfinite) JITLAB_QUESTION(signbit)
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
#undef JITLAB_QUESTION
using namespace jitlab;
