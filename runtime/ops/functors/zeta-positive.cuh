// Hurwitz's zeta function of positive arguments on a processor, in two words, and that of floats in double. Ordinary arguments
// take a fixed number of terms, so that loops over them run in vector registers.
namespace jl {
// The corrections of Euler and Maclaurin's summation, over s a^-s / a, for w = 1 / a^2; C is how many.
template <int C> __forceinline__ double zeta_corrections(double s, double w) {
  const double steep = s * s * w, slope = s * w;
  double sum = euler_maclaurin(C - 1, 0.0);
  JITLAB_UNROLL
  for (int k = C - 2; k >= 0; --k) {
    // (s + 2 k + 1) (s + 2 k + 2) w
    const double factor = steep + (double(4 * k + 3) * slope + double((2 * k + 1) * (2 * k + 2)) * w);
    sum = fma(sum, factor, euler_maclaurin(k, 0.0));
  }
  return sum;
}
// Where nine terms and twelve corrections are enough, and all powers are normal numbers.
inline bool is_short_zeta(double s, double q) { return (s > 1.0) & (s <= 64.0) & (q >= 0x1p-10) & (q <= 0x1p13); }
// a^-s for a sum in two words.
__forceinline__ two<double> zeta_power(double s, two<double> a) {
  double lost;
  const double power = power_of_normal(a.hi, -s, lost);
  return {power, fma(-power * s, a.lo / a.hi, lost)};
}
__forceinline__ two<double> short_zeta_parts(double s, double q) {
  two<double> a = {q, 0.0}, term = zeta_power(s, a), sum = term;
  JITLAB_UNROLL
  for (int k = 1; k <= 9; ++k) {
    a = two_sum(q, double(k));
    term = zeta_power(s, a);
    if (k < 9) sum = add(sum, term);
  }
  const double over = 1.0 / a.hi, tail = s * term.hi * over * zeta_corrections<12>(s, over * over);
  const two<double> integral = divide(multiply(term, a), two<double>{s - 1.0, 0.0});
  return add(add(sum, integral), add(two<double>{0.5 * term.hi, 0.5 * term.lo}, tail));
}
__forceinline__ double short_zeta(double s, double q) { return rounded(short_zeta_parts(s, q)); }
// Sum of (q + k)^-s over k from 0, for s above 1 and positive q: some terms, then the integral and its corrections.
template <typename T> __noinline__ T zeta_positive(T s, T q) {
  if (is_short_zeta(s, q)) return short_zeta(s, q);
  two<T> a = {q, T(0)}, term = {pow(q, -s), T(0)}, sum = {T(0), T(0)};
  if (isinf(term.hi)) return term.hi;
  for (int k = 1; k <= 9 || a.hi <= T(9); ++k) {
    sum = add(sum, term);
    a = two_sum(q, T(k));
    const T power = pow(a.hi, -s);
    term = {power, -power * (s * (a.lo / a.hi))};
    if (power <= sum.hi * T(0.0625) * float_facts<T>::epsilon()) return rounded(sum);
  }
  return rounded(add(sum, zeta_tail(s, a, term, zeta_facts<T>::terms())));
}
// Of finite floats. Beyond the greatest s only the first term counts, or none.
inline bool is_short_zeta(float s, float q) { return (s > 1.0f) & (q > 0.0f) & (s < inf<float>()) & (q < inf<float>()); }
__forceinline__ double wide_zeta(double s, double q) {
  double sum = 0.0, term = 0.0, a = q;
  JITLAB_UNROLL
  for (int k = 0; k <= 6; ++k) {
    a = q + double(k);
    term = exp(-s * log(a));
    if (k < 6) sum += term;
  }
  const double t = s < 200.0 ? s : 200.0, over = 1.0 / a;
  const double tail = fma(t * over, zeta_corrections<6>(t, over * over), 0.5);
  return sum + term * (tail + a / (s - 1.0));
}
__forceinline__ float short_zeta(float s, float q) { return float(wide_zeta(double(s), double(q))); }
__noinline__ inline float zeta_positive(float s, float q) { return short_zeta(s, q); }
}  // namespace jl
