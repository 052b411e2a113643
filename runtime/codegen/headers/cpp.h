// What every kernel's text takes for granted, for a host compiler.
#define __device__
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#if defined(__clang__)
#define JITLAB_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#define JITLAB_UNROLL _Pragma("unroll")
#else
#define JITLAB_INDEPENDENT _Pragma("GCC ivdep")
#define JITLAB_UNROLL _Pragma("GCC unroll 64")
#endif
// 1 where functions compute whole vector registers: ops/functors/registers/README.md.
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__GNUC__) && !defined(__clang__)
#define JITLAB_REGISTERS 1
#else
#define JITLAB_REGISTERS 0
#endif
inline unsigned bits_of(float x) { unsigned u; __builtin_memcpy(&u, &x, 4); return u; }
inline float float_of(unsigned u) { float x; __builtin_memcpy(&x, &u, 4); return x; }
inline unsigned long long bits_of(double x) { unsigned long long u; __builtin_memcpy(&u, &x, 8); return u; }
inline double float_of(unsigned long long u) { double x; __builtin_memcpy(&x, &u, 8); return x; }
// 1 / x where its last bits do not matter; the exact quotient is no slower here.
inline float rough_reciprocal(float x) { return 1.0f / x; }
// The number of zero bits below the lowest one bit of a number that is not 0.
inline int trailing_zeros(unsigned x) { return __builtin_ctz(x); }
inline int trailing_zeros(unsigned long long x) { return __builtin_ctzll(x); }
namespace jl {
// A value by itself. GCC would take float(int(x)) for trunc(x), which gives -0 where +0 is due, and would contract the
// products of alternating sums and differences, although contraction is off.
template <typename V> inline V apart(V x) {
#if !defined(__clang__) && __GNUC__ >= 12
  return __builtin_assoc_barrier(x);
#else
#if !defined(__clang__)
  if constexpr (V(0.5) == V(0)) asm("" : "+r"(x));
#endif
  return x;
#endif
}
}  // namespace jl
