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
#if defined(__CUDACC__) && !defined(__SPIRV__)
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
    // The sign, and the bits in a float's places.
    const uint32 bits = uint32(int16(x.bits)) << 13, body = bits & 0x0fffe000u;
    const float normal = float_of(body + 0x38000000u);
    // The difference of two normal numbers: processors are slow where they read a subnormal float.
    const float subnormal = float_of(body + 0x38800000u) - 6.103515625e-05f;
    const float finite = body < 0x00800000u ? subnormal : normal;
    return float_of((body >= 0x0f800000u ? body | 0x7f800000u : bits_of(finite)) | (bits & 0x80000000u));
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
// The half nearest to a number, as a value between the steps of a fused functor.
#ifdef __CUDACC__
template <typename Half> using nearest = Half;
#else
// It keeps the number, and is a float for steps that read it: its bits as a half are computed where it is stored.
template <typename Half> struct nearest {
  float x;
  operator Half() const { return cast<Half>(x); }
  operator float() const { return cast<float>(cast<Half>(x)); }
};
template <> inline nearest<float16>::operator float() const {
  const uint32 u = bits_of(x), own = u & 0x7f800000u, least = own < 0x38800000u ? 0x38800000u : own;
  // A number whose last bit is worth a half's: adding it rounds. It is 1.5 of a power of two, so that the sum of a negative x has
  // the same exponent.
  const float step = float_of((least < 0x47800000u ? least : 0x47800000u) + (13u << 23) + 0x400000u);
  // All above the largest half round to 2^16 or more: its multiple is infinity. NaN stays.
  const float number = ((x + step) - step) * 0x1p112f * 0x1p-112f;
  return float_of(bits_of(number) | (u & 0x80000000u));
}
template <> inline nearest<bfloat16>::operator float() const {
  const uint32 u = bits_of(x);
  const uint32 number = (u + 0x7fffu + ((u >> 16) & 1u)) & 0xffff0000u;
  return float_of((u & 0x7fffffffu) > 0x7f800000u ? (u | 0x400000u) & 0xffff0000u : number);
}
template <typename Half, typename From> struct converter<nearest<Half>, From> {
  static nearest<Half> convert(From x) { return {cast<float>(x)}; }
};
template <typename Half> struct converter<nearest<Half>, float16> {
  static nearest<Half> convert(float16 x) { return {cast<float>(x)}; }
};
template <typename Half> struct converter<nearest<Half>, bfloat16> {
  static nearest<Half> convert(bfloat16 x) { return {cast<float>(x)}; }
};
template <typename Half, typename From> struct converter<nearest<Half>, nearest<From>> {
  static nearest<Half> convert(nearest<From> x) { return {float(x)}; }
};
template <typename To, typename Half> struct converter<To, nearest<Half>> {
  static To convert(nearest<Half> x) { return cast<To>(float(x)); }
};
template <typename Half> struct converter<bool, nearest<Half>> {
  static bool convert(nearest<Half> x) { return float(x) != 0.0f; }
};
template <typename Half> struct converter<float16, nearest<Half>> {
  static float16 convert(nearest<Half> x) { return cast<float16>(float(x)); }
};
template <typename Half> struct converter<bfloat16, nearest<Half>> {
  static bfloat16 convert(nearest<Half> x) { return cast<bfloat16>(float(x)); }
};
template <> struct converter<float16, nearest<float16>> { static float16 convert(nearest<float16> x) { return x; } };
template <> struct converter<bfloat16, nearest<bfloat16>> { static bfloat16 convert(nearest<bfloat16> x) { return x; } };
#endif
