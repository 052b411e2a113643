// NVRTC knows the math functions without headers; only what the C++ dialect spells otherwise needs a name here.
#define JITLAB_INDEPENDENT
__device__ inline unsigned bits_of(float x) { return __float_as_uint(x); }
__device__ inline float float_of(unsigned u) { return __uint_as_float(u); }
__device__ inline unsigned long long bits_of(double x) { return __double_as_longlong(x); }
__device__ inline double float_of(unsigned long long u) { return __longlong_as_double(u); }
