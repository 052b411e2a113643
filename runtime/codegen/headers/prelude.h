// Element types, and conversions that mean the same on every device: a cast to bool asks for "not zero".
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
typedef uint64 uint64_t;
template <typename To, typename From> struct converter {
  static __device__ To convert(From x) { return To(x); }
};
template <typename From> struct converter<bool, From> {
  static __device__ bool convert(From x) { return x != From(0); }
};
// GCC has no vector form of a bool that becomes a floating number at once.
template <> struct converter<float, bool> {
  static __device__ float convert(bool x) { return float(int(x)); }
};
template <> struct converter<double, bool> {
  static __device__ double convert(bool x) { return double(int(x)); }
};
template <typename To, typename From> __device__ inline To cast(From x) { return converter<To, From>::convert(x); }
