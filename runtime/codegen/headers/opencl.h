// What every kernel's text takes for granted, for a clang that writes SPIR-V: CUDA's words by OpenCL's functions, which the
// compiler knows by their mangled names. The letters at a label's end are the types of the function's parameters. The compiler
// says that it builds for an architecture of CUDA, whose instructions texts would use.
#undef __CUDA_ARCH__
#define __CUDACC__ 1
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __constant__ __attribute__((constant))
#define __shared__ __attribute__((shared))
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define JITLAB_KERNEL(THREADS) __attribute__((global, reqd_work_group_size(THREADS, 1, 1), intel_reqd_sub_group_size(32)))
#define JITLAB_INDEPENDENT
#define JITLAB_WITHOUT_DOUBLES 1
#define JITLAB_UNROLL _Pragma("unroll")
#pragma clang force_cuda_host_device begin
#define JITLAB_PURE __attribute__((const, nothrow))
#define JITLAB_TOGETHER __attribute__((convergent, nothrow))
namespace jitlab {
JITLAB_PURE unsigned long local_id(unsigned) __asm("_Z12get_local_idj");
JITLAB_PURE unsigned long group_id(unsigned) __asm("_Z12get_group_idj");
JITLAB_PURE unsigned long local_size(unsigned) __asm("_Z14get_local_sizej");
JITLAB_PURE unsigned long group_count(unsigned) __asm("_Z14get_num_groupsj");
struct place { unsigned x, y, z; };
}  // namespace jitlab
#define threadIdx (jitlab::place{unsigned(jitlab::local_id(0)), unsigned(jitlab::local_id(1)), unsigned(jitlab::local_id(2))})
#define blockIdx (jitlab::place{unsigned(jitlab::group_id(0)), unsigned(jitlab::group_id(1)), unsigned(jitlab::group_id(2))})
#define blockDim (jitlab::place{unsigned(jitlab::local_size(0)), unsigned(jitlab::local_size(1)), unsigned(jitlab::local_size(2))})
#define gridDim (jitlab::place{unsigned(jitlab::group_count(0)), unsigned(jitlab::group_count(1)), unsigned(jitlab::group_count(2))})
// Both kinds of memory: 1 is that of a block, 2 the device's.
namespace jitlab {
JITLAB_TOGETHER void barrier(unsigned) __asm("_Z7barrierj");
JITLAB_TOGETHER void warp_barrier(unsigned) __asm("_Z17sub_group_barrierj");
JITLAB_TOGETHER unsigned shuffle(unsigned, unsigned) __asm("_Z17sub_group_shufflejj");
JITLAB_TOGETHER unsigned lane() __asm("_Z22get_sub_group_local_idv");
typedef unsigned word4 __attribute__((ext_vector_type(4)));
JITLAB_TOGETHER word4 ballot(int) __asm("_Z16sub_group_balloti");
}  // namespace jitlab
inline void __syncthreads() { jitlab::barrier(3); }
inline void __syncwarp() { jitlab::warp_barrier(3); }
// A warp of 32 threads is a subgroup. All threads of a block call these together.
inline unsigned __shfl_sync(unsigned, unsigned v, int from, int width = 32) {
  return jitlab::shuffle(v, (jitlab::lane() & -unsigned(width)) + (from & (width - 1)));
}
inline unsigned __shfl_down_sync(unsigned, unsigned v, int step, int width = 32) {
  const unsigned at = jitlab::lane();
  return jitlab::shuffle(v, int(at & (width - 1)) + step < width ? at + step : at);
}
inline unsigned __shfl_up_sync(unsigned, unsigned v, int step, int width = 32) {
  const unsigned at = jitlab::lane();
  return jitlab::shuffle(v, int(at & (width - 1)) >= step ? at - step : at);
}
inline unsigned __ballot_sync(unsigned, bool vote) { return jitlab::ballot(vote).x; }
inline int atomicAdd(int* at, int v) { return __scoped_atomic_fetch_add(at, v, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE); }
inline unsigned atomicAdd(unsigned* at, unsigned v) { return __scoped_atomic_fetch_add(at, v, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE); }
inline unsigned long long atomicAdd(unsigned long long* at, unsigned long long v) {
  return __scoped_atomic_fetch_add(at, v, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
}
// The math functions that CUDA C++ knows without headers, except those whose portable forms are in files of their own.
#define JITLAB_BUILTIN1(NAME) \
  inline float NAME(float x) { return __builtin_##NAME##f(x); } \
  inline double NAME(double x) { return __builtin_##NAME(x); }
#define JITLAB_BUILTIN2(NAME) \
  inline float NAME(float x, float y) { return __builtin_##NAME##f(x, y); } \
  inline double NAME(double x, double y) { return __builtin_##NAME(x, y); }
#define JITLAB_MATH1(NAME, LABEL) \
  JITLAB_PURE float NAME(float) __asm("_Z" LABEL "f"); \
  JITLAB_PURE double NAME(double) __asm("_Z" LABEL "d");
#define JITLAB_MATH2(NAME, LABEL) \
  JITLAB_PURE float NAME(float, float) __asm("_Z" LABEL "ff"); \
  JITLAB_PURE double NAME(double, double) __asm("_Z" LABEL "dd");
namespace jitlab {
JITLAB_BUILTIN1(sqrt) JITLAB_BUILTIN1(floor) JITLAB_BUILTIN1(ceil) JITLAB_BUILTIN1(trunc) JITLAB_BUILTIN1(rint)
JITLAB_BUILTIN1(nearbyint) JITLAB_BUILTIN1(round) JITLAB_BUILTIN1(fabs)
JITLAB_BUILTIN2(copysign) JITLAB_BUILTIN2(fmin) JITLAB_BUILTIN2(fmax)
JITLAB_MATH1(sinh, "4sinh") JITLAB_MATH1(cosh, "4cosh") JITLAB_MATH1(asinh, "5asinh") JITLAB_MATH1(acosh, "5acosh")
JITLAB_MATH1(atanh, "5atanh") JITLAB_MATH1(erf, "3erf") JITLAB_MATH1(erfc, "4erfc") JITLAB_MATH1(lgamma, "6lgamma")
JITLAB_MATH1(tgamma, "6tgamma") JITLAB_MATH1(sinpi, "5sinpi") JITLAB_MATH1(cospi, "5cospi")
JITLAB_MATH2(pow, "3pow") JITLAB_MATH2(fmod, "4fmod") JITLAB_MATH2(remainder, "9remainder")
JITLAB_MATH2(nextafter, "9nextafter")
// Those of doubles have files of their own.
JITLAB_PURE float sin(float) __asm("_Z3sinf");
JITLAB_PURE float cos(float) __asm("_Z3cosf");
JITLAB_PURE float tan(float) __asm("_Z3tanf");
JITLAB_PURE float hypot(float, float) __asm("_Z5hypotff");
inline float fma(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
inline double fma(double x, double y, double z) { return __builtin_fma(x, y, z); }
inline float rsqrt(float x) { return 1.0f / sqrt(x); }
inline double rsqrt(double x) { return 1.0 / sqrt(x); }
JITLAB_PURE float ldexp(float, int) __asm("_Z5ldexpfi");
JITLAB_PURE double ldexp(double, int) __asm("_Z5ldexpdi");
inline float frexp(float x, int* n) { return __builtin_frexpf(x, n); }
inline double frexp(double x, int* n) { return __builtin_frexp(x, n); }
inline bool isnan(float x) { return x != x; }
inline bool isnan(double x) { return x != x; }
inline bool isinf(float x) { return fabs(x) == __builtin_inff(); }
inline bool isinf(double x) { return fabs(x) == __builtin_inf(); }
inline bool isfinite(float x) { return fabs(x) < __builtin_inff(); }
inline bool isfinite(double x) { return fabs(x) < __builtin_inf(); }
inline bool signbit(float x) { return __builtin_bit_cast(int, x) < 0; }
inline bool signbit(double x) { return __builtin_bit_cast(long long, x) < 0; }
inline int abs(int x) { return x < 0 ? -x : x; }
inline long long abs(long long x) { return x < 0 ? -x : x; }
inline float abs(float x) { return fabs(x); }
inline double abs(double x) { return fabs(x); }
template <typename N> inline N min(N x, N y) { return y < x ? y : x; }
template <typename N> inline N max(N x, N y) { return x < y ? y : x; }
}  // namespace jitlab
using namespace jitlab;
inline float fabsf(float x) { return __builtin_fabsf(x); }
inline float sqrtf(float x) { return __builtin_sqrtf(x); }
inline float rintf(float x) { return __builtin_rintf(x); }
inline float fmaf(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
inline void* memcpy(void* to, const void* from, unsigned long bytes) { return __builtin_memcpy(to, from, bytes); }
inline unsigned bits_of(float x) { return __builtin_bit_cast(unsigned, x); }
inline float float_of(unsigned u) { return __builtin_bit_cast(float, u); }
inline unsigned long long bits_of(double x) { return __builtin_bit_cast(unsigned long long, x); }
inline double float_of(unsigned long long u) { return __builtin_bit_cast(double, u); }
inline float __uint_as_float(unsigned u) { return float_of(u); }
inline unsigned __float_as_uint(float x) { return bits_of(x); }
inline unsigned __umulhi(unsigned a, unsigned b) { return unsigned((unsigned long long)a * b >> 32); }
// The upper half from products of halves: no device has integers of 128 bits.
inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  const unsigned long long al = unsigned(a), ah = a >> 32, bl = unsigned(b), bh = b >> 32;
  const unsigned long long middle = ah * bl + (al * bl >> 32), other = al * bh + unsigned(middle);
  return ah * bh + (middle >> 32) + (other >> 32);
}
// Where CUDA has quick instructions, exact arithmetic; 2^x below 2^-126 is 0.
inline float rough_reciprocal(float x) { return 1.0f / x; }
inline double rough_reciprocal(double x) { return 1.0 / x; }
JITLAB_PURE float opencl_exp2(float) __asm("_Z4exp2f");
JITLAB_PURE float opencl_log2(float) __asm("_Z4log2f");
inline float rough_exp2(float x) { return x < -126.0f ? 0.0f : opencl_exp2(x); }
inline float rough_log2(float x) { return opencl_log2(x); }
inline int __popc(unsigned x) { return __builtin_popcount(x); }
// The number of zero bits below the lowest one bit of a number that is not 0.
inline int trailing_zeros(unsigned x) { return __builtin_popcount((x & -x) - 1u); }
inline int trailing_zeros(unsigned long long x) { return unsigned(x) ? trailing_zeros(unsigned(x)) : 32 + trailing_zeros(unsigned(x >> 32)); }
namespace jl {
// A value by itself; clang converts and multiplies as it is told.
template <typename V> inline V apart(V x) { return x; }
}  // namespace jl
