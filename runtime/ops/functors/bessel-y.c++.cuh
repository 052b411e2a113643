// What both Bessel functions of the second kind need of doubles on a processor.
namespace jl {
// 34 pieces by quarters of octaves from 1/128 on, then those by multiples of pi/4, from the fourth one on.
inline long long place_of_y(double x) {
  const unsigned long long quarter = quarter_of(x), octave = (bits_of(x) >> 50) - (bits_of(0.0078125) >> 50);
  return (long long)(quarter < 4 ? octave : quarter + 30);
}
inline two<double> two_over_pi() { return {0.63661977236758138, -3.9357353350364972e-17}; }
// log(x / 2) and Euler's constant, of x up to 1/128: beside its exponent the logarithm of what is left loses little.
inline two<double> log_half_euler(double x) {
  const bool tiny = x < 1e-300;
  const unsigned long long u = bits_of(tiny ? x * 18014398509481984.0 : x) - 0x3fe6a09e667f3bcdull;
  const double k = double((long long)(u) >> 52) - (tiny ? 54.0 : 0.0), m = float_of((u & 0xfffffffffffffull) + 0x3fe6a09e667f3bcdull);
  const two<double> sum = quick_sum(k * two_facts<double>::ln2_hi(), fma(k, two_facts<double>::ln2_lo(), log(m)));
  return add(sum, two<double>{-0.11593151565841245, -3.7780767526472774e-19});
}
}  // namespace jl
