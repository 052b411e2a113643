// The logarithm of the gamma function of a float on a GPU: a positive one takes a short way of few branches, since
// neighbouring threads go through all of those that any of them takes. The polynomials are fits of our own (scripts/fit.py).
namespace jl {
// <fit lgamma_near_tail float>
// (lgamma(x) / ((x - 1) (x - 2)) + euler - 1) / (x - 2) in t = x - 2, x from 1 to 3
inline float lgamma_near_tail(float t) {
  const float c[] = {
    -0.100317298f, 0.0329649988f, -0.012384473f, 0.00499877381f, -0.00210490778f, 0.000913854468f,
    -0.000419005835f, 0.000188833041f, -5.90323996e-5f, 2.68093658e-5f, -3.63155219e-5f, 1.7020651e-5f
  };
  return polynomial(t, c);
}
// </fit>
// <fit lgamma_log_tail float>
// (log(1 + x) - x + x^2 / 2) / x^3 in t = x, x up to 1/3
inline float lgamma_log_tail(float t) {
  const float c[] = {
    0.333333202f, -0.249999879f, 0.200037803f, -0.166701407f, 0.141183099f, -0.123461902f, 0.13425749f,
    -0.121255807f
  };
  return polynomial(t, c);
}
// </fit>

// Constants of the short way; ln 2 is over 2^23, for exponents where a float has them, and the first of two words makes exact products.
struct short_lgamma_facts {
  static constexpr float one_less_euler() { return 0.422784328f; }
  static constexpr float half_log_2pi_less_half() { return 0.418938533f; }
  static constexpr float ln2() { return 0.693147182f / 8388608.0f; }
  static constexpr float ln2_hi() { return 0.693145752f / 8388608.0f; }
  static constexpr float ln2_lo() { return 1.42860682e-6f / 8388608.0f; }
};

// A normal float is (1 + f) / 2^k with 1 + f from 2/3 to 4/3: its logarithm is f - rest - k ln 2. `exponent` is 2^23 k.
struct log_parts {
  float exponent, f, rest;
};
inline log_parts split_log(float x) {
  const unsigned exponent = (0x3faaaaaau - bits_of(x)) & 0xff800000u;
  const float f = float_of(bits_of(x) + exponent) - 1.0f;
  return {float(int(exponent)), f, f * f * fma(-f, lgamma_log_tail(f), 0.5f)};
}
// The logarithm that lgamma of a positive normal float asks for: from 1 to 3 that of 1.
inline log_parts lgamma_log(float x) { return split_log(x < 1.0f || x >= 3.0f ? x : 1.0f); }
// lgamma of a float below 3: the polynomial is for x from 1 up, and lgamma(x) = lgamma(x + 1) - log(x).
inline float lgamma_below_three(float x, log_parts l) {
  const float y = x < 1.0f ? x : x - 1.0f, t = y - 1.0f, product = y * t;
  const float low = fma(product * t, lgamma_near_tail(t), l.rest - l.f);
  return fma(l.exponent, short_lgamma_facts::ln2(), fma(product, short_lgamma_facts::one_less_euler(), low));
}
// lgamma of a float from 3 up is x factor + rest.
struct stirling_parts {
  float factor, rest;
};
inline stirling_parts stirling(float x, log_parts l) {
  // log(x) - 1; its first part is exact and greater than f, so that what the sum loses is exact too.
  const float power = fma(l.exponent, -short_lgamma_facts::ln2_hi(), -1.0f), factor = power + l.f;
  const float low = (l.f - (factor - power)) - fma(l.exponent, short_lgamma_facts::ln2_lo(), l.rest);
  const float q = rough_reciprocal(x), tail = fma(q, stirling_tail(q * q), short_lgamma_facts::half_log_2pi_less_half());
  return {factor, fma(x, low, fma(-0.5f, factor + low, tail))};
}

__noinline__ inline float lgamma_rare(float x) { return lgamma_anywhere(x); }
inline float lgamma(float x) {
  if (!(x >= float_facts<float>::smallest())) return lgamma_rare(x);
  const log_parts l = lgamma_log(x);
  if (x < 3.0f) return lgamma_below_three(x, l);
  const stirling_parts s = stirling(x, l);
  return fma(x, s.factor, s.rest);
}
}  // namespace jl
