// NVRTC knows the math functions without headers; only what the C++ dialect spells otherwise needs a name here.
#define JITLAB_INDEPENDENT
#define JITLAB_UNROLL _Pragma("unroll")
__device__ inline unsigned bits_of(float x) { return __float_as_uint(x); }
__device__ inline float float_of(unsigned u) { return __uint_as_float(u); }
__device__ inline unsigned long long bits_of(double x) { return __double_as_longlong(x); }
__device__ inline double float_of(unsigned long long u) { return __longlong_as_double(u); }
// 1 / x to about 22 bits, without the exact quotient's tests.
__device__ inline float rough_reciprocal(float x) {
  float q;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(q) : "f"(x));
  return q;
}
// The same of a double, to about 20 bits.
__device__ inline double rough_reciprocal(double x) {
  double q;
  asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(q) : "d"(x));
  return q;
}
// 2^x and log2(x) to about 22 bits, the latter where it is not near 0; 2^x below 2^-126 is 0.
__device__ inline float rough_exp2(float x) {
  float y;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
__device__ inline float rough_log2(float x) {
  float y;
  asm("lg2.approx.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
// The number of zero bits below the lowest one bit of a number that is not 0.
__device__ inline int trailing_zeros(unsigned x) { return __ffs(int(x)) - 1; }
__device__ inline int trailing_zeros(unsigned long long x) { return __ffsll((long long)x) - 1; }
namespace jl {
// A value by itself; NVRTC converts and multiplies as it is told.
template <typename V> __device__ inline V apart(V x) { return x; }
}  // namespace jl
