// The logarithm of a normal positive number in two words on a GPU, without an exact quotient: about a third of the instructions
// of log_two, for functions that add it to other terms. The polynomial is a fit of our own (scripts/fit.py).
namespace jl {
// <fit lgamma_log_tail float>
// (log(1 + x) - x + x^2 / 2) / x^3 in t = x, x up to 1/3
inline float lgamma_log_tail(float t) {
  const float c[] = {
    0.333333333f, -0.249999442f, 0.199999483f, -0.166733163f, 0.142918674f, -0.122887216f, 0.109156518f,
    -0.124222006f, 0.113306293f
  };
  return polynomial(t, c);
}
// </fit>

// x is (1 + f) 2^k.
inline two<float> log_sum(float x) {
  // 1 + f is from 2/3 to 4/3; `exponent` is -2^23 k.
  const unsigned exponent = (0x3faaaaaau - bits_of(x)) & 0xff800000u;
  const float f = float_of(bits_of(x) + exponent) - 1.0f, k = float(int(exponent)) * -1.1920929e-7f;
  const float rest = f * f * fma(-f, lgamma_log_tail(f), 0.5f);
  const two<float> sum = quick_sum(k * two_facts<float>::ln2_hi(), f);
  return {sum.hi, sum.lo + fma(k, two_facts<float>::ln2_lo(), -rest)};
}
inline two<double> log_sum(double x) {
  // 1 + f is from sqrt(1/2) to sqrt(2); the exponent moves in the upper half of the bits.
  const unsigned high = unsigned(bits_of(x) >> 32) - 0x3fe6a09eu, whole = high & 0xfff00000u;
  const double k = float_of(0x4330000000000000ull | ((high >> 20) ^ 0x800u)) - (4503599627370496.0 + 2048.0);
  const double f = float_of(bits_of(x) - ((unsigned long long)(whole) << 32)) - 1.0, sum = f + 2.0;
  // s = f / (2 + f) in two words: f - 2 s is exact.
  const double over = fine_reciprocal(sum);
  const double s = f * over, low = fma(-s, f, fma(-2.0, s, f)) * over, square = s * s;
  const two<double> head = quick_sum(k * two_facts<double>::ln2_hi(), s + s);
  const double rest = fma(s * square, log_tail(square), low + low);
  return {head.hi, head.lo + fma(k, two_facts<double>::ln2_lo(), rest)};
}
}  // namespace jl
