// Element types and the conversions between them, the same on every device: a cast from a floating type to an integer
// saturates and gives 0 for NaN, a cast to bool asks for "not zero".
typedef signed char int8;
typedef unsigned char uint8;
typedef short int16;
typedef unsigned short uint16;
typedef int int32;
typedef unsigned int uint32;
typedef long long int64;
typedef unsigned long long uint64;
typedef int8 int8_t;
typedef uint8 uint8_t;
typedef int16 int16_t;
typedef uint16 uint16_t;
typedef int32 int32_t;
typedef uint32 uint32_t;
template <typename I> struct integer_limits;
template <> struct integer_limits<uint8> { static constexpr uint8 lowest = 0, highest = 255; };
template <> struct integer_limits<int8> { static constexpr int8 lowest = -128, highest = 127; };
template <> struct integer_limits<int16> { static constexpr int16 lowest = -32768, highest = 32767; };
template <> struct integer_limits<int32> { static constexpr int32 lowest = -2147483647 - 1, highest = 2147483647; };
template <> struct integer_limits<int64> {
  static constexpr int64 lowest = -9223372036854775807LL - 1, highest = 9223372036854775807LL;
};
template <typename To, typename From> struct converter {
  static __device__ To convert(From x) { return To(x); }
};
template <typename I, typename F> __device__ inline I saturate(F x) {
  if (!(x == x)) return 0;
  if (x <= F(integer_limits<I>::lowest)) return integer_limits<I>::lowest;
  if (x >= F(integer_limits<I>::highest)) return integer_limits<I>::highest;
  return I(x);
}
#define JITLAB_SATURATING(I) \
  template <> struct converter<I, float> { static __device__ I convert(float x) { return saturate<I>(x); } }; \
  template <> struct converter<I, double> { static __device__ I convert(double x) { return saturate<I>(x); } };
JITLAB_SATURATING(uint8) JITLAB_SATURATING(int8) JITLAB_SATURATING(int16) JITLAB_SATURATING(int32)
JITLAB_SATURATING(int64)
#undef JITLAB_SATURATING
template <typename From> struct converter<bool, From> {
  static __device__ bool convert(From x) { return x != From(0); }
};
template <typename To, typename From> __device__ inline To cast(From x) { return converter<To, From>::convert(x); }
