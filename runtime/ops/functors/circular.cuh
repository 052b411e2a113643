// Sine and cosine. CUDA's own ones of a float reduce a large angle in double, which a workstation GPU runs at a
// sixty-fourth of its rate; these reduce it with integers, and small angles without a branch, so that a processor's loops
// run in vector registers. The polynomials are fits of our own (scripts/fit.py).
template <typename T> struct complex;
namespace jl {
// <fit sine_tail float>
// (sin(x) - x) / x^3 in t = x^2, x up to pi/4
inline float sine_tail(float t) {
  const float c[] = {
    -0.166666647f, 0.00833274799f, -0.000195878298f
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

// x less the nearest multiple of pi/2, in two words, and how many quarters of a turn that multiple is,
// or another number of quarters with the same two lowest bits, which is not negative.
struct reduced_angle {
  two<float> rest;
  int quarter;
};
// Where the nearest multiple of pi/2 is known well enough by its number, in three words of pi/2.
inline bool is_small_angle(float x) { return fabs(x) < 70000.0f; }
inline reduced_angle reduce_small(float x) {
  // The sum's last bits are the whole number k. The difference from the first word of k pi/2 is exact, and so is the next one.
  // All three words are positive, so that no difference of zeros loses their sign.
  const float rounded = fma(x, 0.636619772f, 12582912.0f), k = rounded - 12582912.0f;
  const float first = fma(-k, 1.57079625f, x), hi = first - k * 7.54978942e-8f;
  const float lost = fma(k, 7.54978942e-8f, hi - first);
  return {{hi, fma(-k, 5.39030295e-15f, -lost)}, int(bits_of(rounded))};
}
// The square of an angle in two words, in one.
inline float square_of(two<float> r) { return fma(r.hi, r.hi, (r.hi + r.hi) * r.lo); }
// The sum of the first product and +0 keeps the sign of a zero.
inline float sine_of(two<float> r) {
  const float t = square_of(r);
  return r.hi + fma(fma(r.hi, t, 0.0f), sine_tail(t), r.lo);
}
inline float cosine_of(two<float> r) {
  const float t = square_of(r);
  return fma(t, fma(t, cosine_tail(t), -0.5f), 1.0f);
}
// The sine a number of quarters of a turn further on. A GPU chooses between two numbers without a branch; it tests two bits with
// one instruction and the lowest one with two, so the highest one, which is never set, is tested too.
inline float sine_at(two<float> r, int quarter) {
  const bool isOdd = (quarter & 0x80000001u) != 0;
  const float sine = sine_of(r), cosine = cosine_of(r), value = isOdd ? cosine : sine;
  return quarter & 2 ? -value : value;
}
#if defined(__CUDACC__) || defined(__wasm__)
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
  return x < 0.0f ? reduced_angle{negate(rest), -quarter & 3} : reduced_angle{rest, quarter};
}
inline reduced_angle reduce_angle(float x) { return is_small_angle(x) ? reduce_small(x) : reduce_large(x); }
__noinline__ inline float large_sine(float x, int ahead) {
  if (!isfinite(x)) return nan<float>();
  const reduced_angle angle = reduce_large(x);
  return sine_at(angle.rest, angle.quarter + ahead);
}
inline float reduced_sine(float x, int ahead) {
  if (!is_small_angle(x)) return large_sine(x, ahead);
  const reduced_angle angle = reduce_small(x);
  return sine_at(angle.rest, angle.quarter + ahead);
}
#else
// In double and without a branch, so that the loop over a user's functor runs in vector registers.
inline reduced_angle reduce_large(float x) {
  const double turn = circular::turn_of(x), quarter = __builtin_rint(4.0 * turn);
  const double rest = 6.283185307179586 * __builtin_fma(-0.25, quarter, turn);
  const float hi = float(rest);
  return {{hi, float(rest - hi)}, int(quarter) & 3};
}
// Number by number: of a struct a compiler would make a branch.
inline reduced_angle reduce_angle(float x) {
  const bool small = is_small_angle(x);
  const reduced_angle a = reduce_small(x), b = reduce_large(x);
  return {{small ? a.rest.hi : b.rest.hi, small ? a.rest.lo : b.rest.lo}, small ? a.quarter : b.quarter};
}
inline float reduced_sine(float x, int ahead) {
  const reduced_angle angle = reduce_angle(x);
  return sine_at(angle.rest, angle.quarter + ahead);
}
#endif
// Sine and cosine in two words, whose quotients are as good as one rounding.
inline two<float> precise_sine_of(two<float> r) {
  const float t = r.hi * r.hi;
  return quick_sum(r.hi, fma(r.hi * t, sine_tail(t), r.lo));
}
inline two<float> precise_cosine_of(two<float> r) {
  const two<float> t = two_product(r.hi, r.hi), first = quick_sum(1.0f, -0.5f * t.hi);
  const float low = fma(-0.5f, t.lo, fma(-r.hi, r.lo, first.lo));
  return quick_sum(first.hi, fma(t.hi * t.hi, cosine_tail(t.hi), low));
}
inline float sin(float x) { return reduced_sine(x, 0); }
inline float cos(float x) { return reduced_sine(x, 1); }
// The same of small angles, without a branch or a call.
inline float small_sin(float x) {
  const reduced_angle angle = reduce_small(x);
  return sine_at(angle.rest, angle.quarter);
}
inline float small_cos(float x) {
  const reduced_angle angle = reduce_small(x);
  return sine_at(angle.rest, angle.quarter + 1);
}
inline double sin(double x) { return ::sin(x); }
inline double cos(double x) { return ::cos(x); }
}  // namespace jl
