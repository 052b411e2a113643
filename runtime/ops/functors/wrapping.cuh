// Integer arithmetic that wraps around, which C++ leaves undefined for signed types.
namespace jl {
// The unsigned type in which T's arithmetic wraps; at least 32 bits wide, so that it is not promoted to int.
template <int Bytes> struct wrapping_type { typedef unsigned int type; };
template <> struct wrapping_type<8> { typedef unsigned long long type; };
template <typename T> using wrapping = typename wrapping_type<sizeof(T)>::type;

#ifdef __CUDACC__
// Not inlined on a GPU: NVRTC would make a copy of a loop for each case of each divisor, which takes it minutes from three divisors on.
#define JITLAB_QUOTIENT __noinline__
#else
#define JITLAB_QUOTIENT inline
#endif
template <typename T> inline T wrapping_add(T a, T b) { return T(wrapping<T>(a) + wrapping<T>(b)); }
template <typename T> inline T wrapping_subtract(T a, T b) { return T(wrapping<T>(a) - wrapping<T>(b)); }
template <typename T> inline T wrapping_multiply(T a, T b) { return T(wrapping<T>(a) * wrapping<T>(b)); }
template <typename T> inline T wrapping_negate(T a) { return T(wrapping<T>(0) - wrapping<T>(a)); }
#ifdef __CUDA_ARCH__
// Assemblers up to CUDA 13.0 take neg.s16 for a number above -32768 and widen -(-32768) to 32768, so this is a negation of 32 bits.
inline short wrapping_negate(short a) {
  int negative;
  asm("neg.s32 %0, %1;" : "=r"(negative) : "r"(int(a)));
  return short(negative);
}
#endif
template <typename T> inline T wrapping_abs(T a) { return a < T(0) ? wrapping_negate(a) : a; }
}  // namespace jl
