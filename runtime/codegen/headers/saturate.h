// A cast from a floating type to an integer saturates and gives 0 for NaN, on every device.
template <typename I, typename F> __device__ inline I saturate(F x, I lowest, I highest) {
  if (!(x == x)) return 0;
  if (x <= F(lowest)) return lowest;
  if (x >= F(highest)) return highest;
  return jl::apart(I(x));
}
#define JITLAB_SATURATING(I, LOWEST, HIGHEST) \
  template <> struct converter<I, float> { \
    static __device__ I convert(float x) { return saturate<I>(x, LOWEST, HIGHEST); } \
  }; \
  template <> struct converter<I, double> { \
    static __device__ I convert(double x) { return saturate<I>(x, LOWEST, HIGHEST); } \
  };
JITLAB_SATURATING(uint8, 0, 255)
JITLAB_SATURATING(uint16, 0, 65535)
JITLAB_SATURATING(uint32, 0, 4294967295u)
JITLAB_SATURATING(uint64, 0, 18446744073709551615ull)
JITLAB_SATURATING(int8, -128, 127)
JITLAB_SATURATING(int16, -32768, 32767)
JITLAB_SATURATING(int32, -2147483647 - 1, 2147483647)
JITLAB_SATURATING(int64, -9223372036854775807LL - 1, 9223372036854775807LL)
#undef JITLAB_SATURATING
