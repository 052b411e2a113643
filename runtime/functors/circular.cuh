// Sine, cosine and tangent. CUDA's own ones of a float reduce a large angle in double, which a workstation GPU runs at a
// sixty-fourth of its rate; these reduce it with integers. The polynomials are fits of our own (scripts/fit.py).
template <typename T> struct complex;
namespace jl {
// <fit sine_tail float>
// (sin(x) - x) / x^3 in t = x^2, x up to pi/4
inline float sine_tail(float t) {
  const float c[] = {
    -0.166666667f, 0.00833333187f, -0.000198400862f, 2.72498516e-6f
  };
  return polynomial(t, c);
}
// </fit>
// <fit cosine_tail float>
// (cos(x) - 1 + x^2 / 2) / x^4 in t = x^2, x up to pi/4
inline float cosine_tail(float t) {
  const float c[] = {
    0.0416666647f, -0.00138883028f, 2.45478808e-5f
  };
  return polynomial(t, c);
}
// </fit>

// x less the nearest multiple of pi/2, in two words, and how many quarters of a turn that multiple is.
struct reduced_angle {
  two<float> rest;
  int quarter;
};
// Payne and Hanek: the 24 bits of x times the first 192 bits of 2/pi, of which those around the point are kept.
__noinline__ inline reduced_angle reduce_large(float x) {
  const unsigned two_over_pi[] = {0x3c439041u, 0xdb629599u, 0xf534ddc0u, 0xfc2757d1u, 0x4e441529u, 0xa2f9836eu};
  const unsigned bits = bits_of(fabs(x));
  const unsigned long long m = (bits << 8) | 0x80000000u;
  unsigned product[7];
  unsigned long long carry = 0;
  JITLAB_UNROLL
  for (int i = 0; i < 6; ++i) {
    carry += m * two_over_pi[i];
    product[i] = unsigned(carry);
    carry >>= 32;
  }
  product[6] = unsigned(carry);
  // The point lies 223 - e bits up, for an exponent e; the two bits above it count quarters.
  const int top = 225 - (int(bits >> 23) - 127), word = top >> 5, shift = top & 31;
  const unsigned long long upper = (unsigned long long)(product[word]) << 32 | product[word - 1];
  const unsigned long long lower = (unsigned long long)(product[word - 1]) << 32 | product[word - 2];
  const unsigned long long field = (upper >> shift) << 32 | ((lower >> shift) & 0xffffffffu);
  const long long fraction = (long long)(field << 2);
  const int quarter = int(field >> 62) + (fraction < 0 ? 1 : 0);
  // fraction / 2^64 of a quarter, in two words.
  const long long leading = fraction & ~0xffffffffffll;
  const two<float> turn = quick_sum(float(leading) * 5.42101086e-20f, float(fraction - leading) * 5.42101086e-20f);
  const two<float> rest = multiply(two<float>{1.57079637f, -4.37113883e-8f}, turn);
  return x < 0.0f ? reduced_angle{negate(rest), -quarter} : reduced_angle{rest, quarter};
}
inline reduced_angle reduce_angle(float x) {
  if (!(fabs(x) < 70000.0f)) return reduce_large(x);
  const float k = rint(x * 0.636619772f);
  const two<float> b = two_product(k, -4.37113883e-8f);
  const two<float> r = two_sum(fma(-k, 1.57079637f, x), -b.hi);
  return {quick_sum(r.hi, r.lo - fma(k, -1.71512451e-15f, b.lo)), int(k)};
}
inline float sine_of(two<float> r) {
  const float t = r.hi * r.hi;
  return r.hi + fma(r.hi * t, sine_tail(t), r.lo);
}
inline float cosine_of(two<float> r) {
  const float t = r.hi * r.hi, h = 0.5f * t, w = 1.0f - h;
  return w + (((1.0f - w) - h) + fma(t * t, cosine_tail(t), -r.hi * r.lo));
}
// The sine a number of quarters of a turn further on.
inline float sine_at(two<float> r, int quarter) {
  const float value = quarter & 1 ? cosine_of(r) : sine_of(r);
  return quarter & 2 ? -value : value;
}
inline float reduced_sine(float x, int ahead) {
  if (!isfinite(x)) return nan<float>();
  const reduced_angle angle = reduce_angle(x);
  return sine_at(angle.rest, angle.quarter + ahead);
}
inline float reduced_tangent(float x) {
  if (!isfinite(x)) return nan<float>();
  const reduced_angle angle = reduce_angle(x);
  return sine_at(angle.rest, angle.quarter) / sine_at(angle.rest, angle.quarter + 1);
}
#ifdef __CUDACC__
inline float sin(float x) { return x == 0.0f ? x : reduced_sine(x, 0); }
inline float cos(float x) { return reduced_sine(x, 1); }
inline float tan(float x) { return x == 0.0f ? x : reduced_tangent(x); }
#else
inline float sin(float x) { return ::sin(x); }
inline float cos(float x) { return ::cos(x); }
inline float tan(float x) { return ::tan(x); }
#endif
inline double sin(double x) { return ::sin(x); }
inline double cos(double x) { return ::cos(x); }
inline double tan(double x) { return ::tan(x); }
}  // namespace jl
