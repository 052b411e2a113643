// float16 and bfloat16 as stored bits; arithmetic happens in float. Conversions round to nearest, ties to even.
struct bfloat16 { uint16 bits; };
struct float16 { uint16 bits; };
template <> struct converter<float, bfloat16> {
  static __device__ float convert(bfloat16 x) { return float_of(uint32(x.bits) << 16); }
};
template <> struct converter<bfloat16, float> {
  static __device__ bfloat16 convert(float x) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    bfloat16 y;
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(y.bits) : "f"(x));
    return y;
#else
    const uint32 u = bits_of(x);
    if ((u & 0x7fffffffu) > 0x7f800000u) return bfloat16{uint16((u >> 16) | 0x40u)};
    return bfloat16{uint16((u + 0x7fffu + ((u >> 16) & 1u)) >> 16)};
#endif
  }
};
#ifdef __CUDACC__
template <> struct converter<float, float16> {
  static __device__ float convert(float16 x) {
    float y;
    asm("cvt.f32.f16 %0, %1;" : "=f"(y) : "h"(x.bits));
    return y;
  }
};
template <> struct converter<float16, float> {
  static __device__ float16 convert(float x) {
    float16 y;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(y.bits) : "f"(x));
    return y;
  }
};
#else
template <> struct converter<float, float16> {
  static float convert(float16 x) {
    const uint32 sign = uint32(x.bits & 0x8000u) << 16;
    const uint32 body = x.bits & 0x7fffu;
    // The bits in a float's places are the number over 2^112, subnormal or not; the product is exact.
    const float finite = float_of(body << 13) * 5.192296858534828e+33f;
    const uint32 special = body >= 0x7c00u ? 0x7f800000u : 0u;
    return float_of(sign | bits_of(finite) | special);
  }
};
template <> struct converter<float16, float> {
  static float16 convert(float x) {
    const uint32 u = bits_of(x), sign = (u >> 16) & 0x8000u, body = u & 0x7fffffffu;
    // 65520 is half way between the largest half and the next step: it and all above round to infinity.
    const float size = float_of(body < 0x477ff000u ? body : 0x477ff000u);
    // A power of two whose last bit is worth a half's: adding it rounds. Below 2^-14 a half is a multiple of 2^-24.
    const uint32 place = bits_of(size) & 0x7f800000u;
    const uint32 step = (place < 0x38800000u ? 0x38800000u : place) + (13u << 23);
    const uint32 units = bits_of(size + float_of(step)) - step;
    const uint32 finite = units + (((step - (13u << 23)) - 0x38800000u) >> 13);
    return float16{uint16(sign | (body > 0x7f800000u ? 0x7e00u : finite))};
  }
};
#endif
template <typename To> struct converter<To, float16> {
  static __device__ To convert(float16 x) { return cast<To>(cast<float>(x)); }
};
template <typename To> struct converter<To, bfloat16> {
  static __device__ To convert(bfloat16 x) { return cast<To>(cast<float>(x)); }
};
template <typename From> struct converter<float16, From> {
  static __device__ float16 convert(From x) { return cast<float16>(float(x)); }
};
template <typename From> struct converter<bfloat16, From> {
  static __device__ bfloat16 convert(From x) { return cast<bfloat16>(float(x)); }
};
template <> struct converter<bool, float16> { static __device__ bool convert(float16 x) { return (x.bits & 0x7fffu) != 0; } };
template <> struct converter<bool, bfloat16> { static __device__ bool convert(bfloat16 x) { return (x.bits & 0x7fffu) != 0; } };
template <> struct converter<float16, bfloat16> {
  static __device__ float16 convert(bfloat16 x) { return cast<float16>(cast<float>(x)); }
};
template <> struct converter<bfloat16, float16> {
  static __device__ bfloat16 convert(float16 x) { return cast<bfloat16>(cast<float>(x)); }
};
template <> struct converter<float16, float16> { static __device__ float16 convert(float16 x) { return x; } };
template <> struct converter<bfloat16, bfloat16> { static __device__ bfloat16 convert(bfloat16 x) { return x; } };
