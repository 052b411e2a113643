// Functions of half types on a GPU, in float arithmetic of which the result keeps 11 or 8 bits: approximate instructions and
// short polynomials, with errors below 2^-17 of the result. They take any float, so that results that are not rounded to
// the half type between two operations may come here too. Numbers below 2^-126, which only bfloat16 has, are computed 2^16
// times larger, because the instructions take them for 0.
namespace halves {
using jl::polynomial;
// <fit half_sine half>
// sin(x) / x in t = x^2, x up to pi/2
inline float half_sine(float t) {
  const float c[] = {
    0.999999237f, -0.166656764f, 0.00831318983f, -0.000185224881f
  };
  return polynomial(t, c);
}
// </fit>
// <fit half_tangent half>
// tan(x) / x in t = x^2, x up to pi/4
inline float half_tangent(float t) {
  const float c[] = {
    0.999999778f, 0.333359199f, 0.132853034f, 0.0571674446f, 0.0125578388f, 0.0203722517f
  };
  return polynomial(t, c);
}
// </fit>
// <fit half_sinpi half>
// sin(pi x) / (pi x (1 - x^2)) in t = x^2, x up to 1
inline float half_sinpi(float t) {
  const float c[] = {
    0.999999754f, -0.644921766f, 0.166709449f, -0.0236633788f, 0.00187617595f
  };
  return polynomial(t, c);
}
// </fit>
// <fit half_log1p half>
// log(1 + x) / x in t = x, x up to 1/8
inline float half_log1p(float t) {
  const float c[] = {
    1.0f, -0.499987096f, 0.333322266f, -0.253293808f, 0.202824498f
  };
  return polynomial(t, c);
}
// </fit>
// <fit half_log1p_unit half>
// log(1 + x) / x in t = x, x from 0 to 1
inline float half_log1p_unit(float t) {
  const float c[] = {
    0.999998574f, -0.499858994f, 0.330975258f, -0.234545201f, 0.148294134f, -0.0655903064f, 0.0138744845f
  };
  return polynomial(t, c);
}
// </fit>
// <fit half_sinh half>
// sinh(x) / x in t = x^2, x up to 1
inline float half_sinh(float t) {
  const float c[] = {
    0.999999978f, 0.166667368f, 0.00832983183f, 0.00020399358f
  };
  return polynomial(t, c);
}
// </fit>
// <fit half_lgamma half>
// lgamma(x) / ((x - 1) (x - 2)) in t = x - 1.75, x from 1 to 2.5
inline float half_lgamma(float t) {
  const float c[] = {
    0.450139312f, -0.119480135f, 0.0445196823f, -0.0190879501f, 0.00879428495f, -0.00401554994f,
    0.00198456493f, -0.00152354832f, 0.000788567833f
  };
  return polynomial(t, c);
}
// </fit>
// <fit half_stirling half>
// x (lgamma(x) - ((x - 1/2) log x - x + log(2 pi) / 2)) in t = 1 / x^2, x from 2.5 up
inline float half_stirling(float t) {
  const float c[] = {
    0.0833332759f, -0.00277124728f, 0.000677974721f
  };
  return polynomial(t, c);
}
// </fit>
// <fit half_erfcx half>
// (x + 3) erfcx(x) in t = 1 / (x + 3), x from 0 to 9.7
inline float half_erfcx(float t) {
  const float c[] = {
    0.564537087f, 1.67261566f, 5.28317026f, 6.09123234f, 84.808027f, -201.218822f, 893.205581f, -828.64459f
  };
  return polynomial(t, c);
}
// </fit>
// <fit half_normal half>
// (x + 3.5) erfcx(x / sqrt(2)) / 2 in t = 1 / (x + 3.5), x from 0 to 13.6
inline float half_normal(float t) {
  const float c[] = {
    0.39844893f, 1.42703342f, 3.69183697f, 24.0819093f, -60.1605394f, 502.947563f, -1081.94918f,
    724.801238f
  };
  return polynomial(t, c);
}
// </fit>
constexpr float down() { return 1.52587890625e-5f; }
constexpr float log2_e() { return 1.44269504f; }

// x less k pi. The first word is below pi, so that -0 stays.
inline float less_turns(float x, float k) { return fma(-k, 1.50995799e-7f, fma(-k, 3.1415925f, x)); }
inline float sine_at(float x, float k, unsigned turns) {
  const float rest = less_turns(x, k);
  return float_of(bits_of(rest * half_sine(rest * rest)) ^ (turns << 31));
}
// Of small angles, as those of floats.
inline float small_sin(float x) {
  // The sum's last bits are the whole number k.
  const float rounded = fma(x, 0.318309886f, 12582912.0f);
  return sine_at(x, rounded - 12582912.0f, bits_of(rounded));
}
inline float small_cos(float x) {
  const float rounded = fma(x, 0.318309886f, 0.5f) + 12582912.0f;
  return sine_at(x, (rounded - 12582912.0f) - 0.5f, bits_of(rounded));
}
inline float small_tan(float x) {
  const float rounded = fma(x, 0.636619772f, 12582912.0f), k = rounded - 12582912.0f;
  const float rest = fma(-k, 7.54978995e-8f, fma(-k, 1.57079625f, x));
  const float near = rest * half_tangent(rest * rest), over = rough_reciprocal(-near);
  return bits_of(rounded) & 1 ? over : near;
}
// x less the nearest even number; the distance of 1 to that is exact, too. Of it sin(pi x) / (pi rest) is even.
inline float less_even(float x) { return fma(-2.0f, rint(0.5f * x), x); }
inline float sine_over(float rest) { return fma(-rest, rest, 1.0f) * half_sinpi(rest * rest); }
inline float sinc(float a) {
  const float rest = less_even(a), over = fabs(a) <= 1.0f ? 1.0f : rest * rough_reciprocal(a);
  return fma(over, sine_over(rest), 0.0f);
}
inline float sinh(float x) {
  const float near = x * half_sinh(x * x);
  const float far = rough_exp2(fma(x, log2_e(), -1.0f)) - rough_exp2(fma(x, -log2_e(), -1.0f));
  return fabs(x) < 1.0f ? near : far;
}

// log(x) times one factor beside 1, and its logarithm to base 2 times another one elsewhere.
inline float log_of(float x, float beside, float factor) {
  const float f = x - 1.0f, near = (beside * f) * half_log1p(f), far = factor * rough_log2(x);
  return fabs(f) < 0.125f ? near : far;
}
inline float log(float x) { return log_of(x, 1.0f, 0.693147181f); }
inline float log2(float x) { return log_of(x, log2_e(), 1.0f); }
inline float log10(float x) { return log_of(x, 0.434294482f, 0.301029996f); }
inline float log1p(float x) {
  const float near = x * half_log1p(x), far = 0.693147181f * rough_log2(1.0f + x);
  return fabs(x) < 0.125f ? near : far;
}
// 2 atanh(2 a - 1) beside a half, where the logarithms cancel.
inline float logit(float a) {
  const float g = fma(2.0f, a, -1.0f), t = g * g;
  const float near = g * fma(fma(t, 0.4f, 0.666666667f), t, 2.0f);
  const float far = 0.693147181f * (rough_log2(a) - rough_log2(1.0f - a));
  return fabs(g) < 0.125f ? near : far;
}

// Up to 2.5 from the numbers from 1 to 2.5, whose zeros are factors, beyond it by Stirling's series, and reflected below 0.
inline float lgamma(float x) {
  const float a = fabs(x), power = log(a), over = rough_reciprocal(a), t = a - (a < 1.5f ? 0.75f : 1.75f);
  const float near = ((t + 0.75f) * (t - 0.25f)) * half_lgamma(t) - (a < 1.5f ? power : 0.0f);
  const float far = fma(a - 0.5f, power - 1.0f, fma(over, half_stirling(over * over), 0.418938533f));
  const float right = a < 2.5f ? near : far, rest = less_even(a);
  const float left = -fma(rough_log2(fabs(rest * sine_over(rest))), 0.693147181f, power + right);
  return (x < 0.0f) & (right < jl::inf<float>()) ? left : right;
}

// 1 / (1 + exp(-a)), 2^16 times as large.
inline float logistic_up(float a) { return rough_reciprocal(down() + rough_exp2(fma(a, -log2_e(), -16.0f))); }
inline float sigmoid(float a) { return down() * logistic_up(a); }
inline float silu(float a) { return (down() * a) * logistic_up(a); }
inline float logsigmoid(float a) {
  const float e = 5.9604644775390625e-8f * rough_exp2(fma(fabs(a), -log2_e(), 24.0f));
  return fma(-e, half_log1p_unit(e), a < 0.0f ? a : 0.0f);
}
inline float erfc(float x) {
  const float t = rough_reciprocal(fabs(x) + 3.0f), e = rough_exp2(fma(x * x, -log2_e(), 16.0f));
  const float tail = e * (t * half_erfcx(t));
  return x < 0.0f ? fma(-down(), tail, 2.0f) : down() * tail;
}
inline float gelu(float x) {
  const float t = rough_reciprocal(fabs(x) + 3.5f), e = rough_exp2(fma(x * x, -0.72134752f, 16.0f));
  // At infinity the second factor is 0.
  const float size = fabs(x < 64.0f ? x : 64.0f) * down();
  return fma(-size, e * (t * half_normal(t)), x < 0.0f ? -0.0f : x);
}
}  // namespace halves
