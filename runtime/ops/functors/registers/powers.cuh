// exp and the logistic function of registers of ordinary numbers, by a table of 16 powers of two.
#if JITLAB_REGISTERS
namespace lanes {
// <table powers float>
alignas(64) static const unsigned powers_float[16] = {
    0x3f80cdcau, 0x3f7e81aau, 0x3f7c762cu, 0x3f7aae2du, 0x3f792caau, 0x3f77f4c2u, 0x3f7709b7u, 0x3f766ef0u,
    0x3f7627fbu, 0x3f76388eu, 0x3f76a489u, 0x3f776ff8u, 0x3f789f15u, 0x3f7a364au, 0x3f7c3a32u, 0x3f7eaf9eu
};
constexpr float powers_rest_float[] = {
  -0.00624099471f, 0.993759006f, 0.49689897f, 0.165630394f
};
// </table>
// <table powers double>
alignas(64) static const unsigned long long powers_double[16] = {
    0x3ff01a1323b73433ull, 0x3fefd093194fa20bull, 0x3fef8f27870d2100ull, 0x3fef562c0126715full,
    0x3fef260029c91dbdull, 0x3feeff07df0ddb34ull, 0x3feee1ab6af5c417ull, 0x3feece57b5877c87ull,
    0x3feec57e792455abull, 0x3feec796792e953full, 0x3feed51bbb1b2433ull, 0x3feeee8fc20a10b9ull,
    0x3fef1479cd0286ecull, 0x3fef476717f027d9ull, 0x3fef87eb1f80f999ull, 0x3fefd69fe8048d2eull
};
constexpr double powers_rest_double[] = {
  -0.0063256406596183377, 0.9936743593403839, 0.49683717967019111, 0.16561239318526715,
  0.041403098301083022, 0.008280781869913595, 0.001380123552921511
};
// </table>
// x as n log(2) / 16 + r, with log(2) / 16 in two words, of which the first has zeros at the end; n is the last bits of k.
template <typename V, typename B> struct power_parts { B k; V r; };
inline power_parts<floats, float_bits> power_parts_of(floats x) {
  const floats rounded = fma(x, 23.0831203f, 12582912.0f), n = rounded - 12582912.0f;
  return {bits_of(rounded), fma(n, -1.99663646e-6f, fma(n, -0.0433197021f, x))};
}
inline power_parts<doubles, double_bits> power_parts_of(doubles x) {
  const doubles rounded = fma(x, 23.083120654223414, 6755399441055744.0), n = rounded - 6755399441055744.0;
  return {bits_of(rounded), fma(n, -1.0291218489310676e-13, fma(n, -0.04332169878489367, x))};
}
// The powers of the table by k.
inline floats power_of(float_bits k) { return float_of(pick(powers_float, k) + (k << 19)); }
inline doubles power_of(double_bits k) { return float_of(pick(powers_double, k) + (k << 48)); }
// exp(x) as s + s p.
template <typename V> struct exp_parts { V s, p; };
inline exp_parts<floats> exp_parts_of(floats x) {
  const auto y = power_parts_of(x);
  return {power_of(y.k), jitlab::registers::polynomial(y.r, powers_rest_float)};
}
inline exp_parts<doubles> exp_parts_of(doubles x) {
  const auto y = power_parts_of(x);
  return {power_of(y.k), jitlab::registers::polynomial(y.r, powers_rest_double)};
}
// Numbers whose exponential is normal are ordinary.
struct ordinary_powers {
  static unsigned odd(floats x) { return above(fabs(x), 87.0f); }
  static unsigned odd(doubles x) { return above(fabs(x), 708.0); }
};
// 1 / (1 + exp(-x)) is `over` times 1 + left: what the sum and the division lose is known from 1 - over in two words.
template <typename V> struct logistic_parts { V over, left; };
template <typename V> inline logistic_parts<V> logistic_of(V x) {
  const exp_parts<V> e = exp_parts_of(-x);
  const V one = 1, over = one / fma(e.s, e.p, one + e.s), rest = one - over, lost = (one - rest) - over;
  return {over, fma(-over * e.s, e.p, fma(-over, e.s, rest)) + lost};
}
}  // namespace lanes
#endif
