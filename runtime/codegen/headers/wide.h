// Functions of a float in double arithmetic, good to 33 bits: the last rounding, to a float, is all that is lost, also where
// the result is subnormal or beyond the largest float. Without branches, calls and tables, so that loops over them run in
// vector registers. The polynomials are fits of our own (scripts/fit.py).
namespace jitlab {
namespace wide {
#if defined(__FMA__) || defined(__aarch64__)
inline double step(double x, double y, double z) { return __builtin_fma(x, y, z); }
#else
inline double step(double x, double y, double z) { return x * y + z; }
#endif
template <int N> inline double polynomial(double x, const double (&c)[N]) {
  double sum = c[N - 1];
  JITLAB_UNROLL
  for (int i = N - 2; i >= 0; --i) sum = step(sum, x, c[i]);
  return sum;
}
// <fit exp_tail wide>
// (exp(x) - 1 - x) / x^2 in t = x, x up to log(2) / 2
inline double exp_tail(double t) {
  const double c[] = {
    0.5, 0.16666666719567953, 0.041666666719551048, 0.0083332982308920134, 0.0013888853796864278,
    0.00019899484113228376, 2.4859788281460614e-5
  };
  return wide::polynomial(t, c);
}
// </fit>
// <fit exp2_over wide>
// (2^x - 1) / x in t = x, x up to 1/2
inline double exp2_over(double t) {
  const double c[] = {
    0.69314718055683241, 0.24022650695888502, 0.055504109063258666, 0.0096181291352361397,
    0.0013333478473685415, 0.00015403475186530786, 1.5303700711365694e-5, 1.3250805517502249e-6
  };
  return wide::polynomial(t, c);
}
// </fit>
// <fit atanh_over wide>
// 2 atanh(s) / s in t = s^2, s up to 0.2
inline double atanh_over(double t) {
  const double c[] = {
    2.000000000040129, 0.66666661666453408, 0.40000993987892883, 0.28502569630341833, 0.2415036248535917
  };
  return wide::polynomial(t, c);
}
// </fit>
// <fit log_over wide>
// log(1 + x) / x in t = x, x up to 1/3
inline double log_over(double t) {
  const double c[] = {
    1.0, -0.49999999940707672, 0.33333333277841031, -0.25000014889514722, 0.20000013934867872,
    -0.16665603962406001, 0.14284719785670638, -0.12532261558310343, 0.11141298244881222,
    -0.095304226233401227, 0.086516301664746373, -0.11505847281282978, 0.10658611052036999
  };
  return wide::polynomial(t, c);
}
// </fit>
inline double ln2() { return 0.6931471805599453; }
// A number of this size has no fraction: adding it rounds to a whole number, which its last bits then hold.
inline double rounder() { return 6755399441055744.0; }
// x within limits; NaN stays.
inline double within(double x, double lowest, double highest) {
  const double y = x < lowest ? lowest : x;
  return x > highest ? highest : y;
}
// 2^n for the whole number n in the last bits of `rounded`.
inline double power_of_two(double rounded) { return float_of((bits_of(rounded) << 52) + 0x3ff0000000000000ull); }
// exp(r) - 1 for r up to log(2) / 2.
inline double expm1_near(double r) { return step(r * r, exp_tail(r), r); }
// 2^x for x from -1000 to 1000: the whole number is added to the exponent of the rest's power.
inline double exp2(double x) {
  const double rounded = x + rounder(), r = x - (rounded - rounder());
  return float_of(bits_of(step(r, exp2_over(r), 1.0)) + (bits_of(rounded) << 52));
}
// exp(x) and exp(x) - 1 for x up to 700.
inline double exp(double x) { return exp2(1.4426950408889634 * x); }
inline double expm1(double x) {
  const double rounded = step(x, 1.4426950408889634, rounder()), r = step(rounded - rounder(), -ln2(), x);
  const double power = power_of_two(rounded);
  return power * expm1_near(r) + (power - 1.0);
}
// A positive normal double as (1 + f) 2^k with 1 + f from 2/3 to 4/3.
struct split { double f, k; };
inline split split_near_one(double x) {
  const unsigned long long third = 0x3fe5555555555555ull, u = bits_of(x) - third;
  const unsigned long long k = (unsigned long long)((long long)(u) >> 52);
  return {float_of((u & 0xfffffffffffffull) + third) - 1.0, float_of(bits_of(rounder()) + k) - rounder()};
}
// log(1 + f) = 2 atanh(f / (2 + f)).
inline double log1p_near(double f) {
  const double s = f / (2.0 + f);
  return s * atanh_over(s * s);
}
// log(x) for a positive normal double.
inline double log(double x) {
  const split s = split_near_one(x);
  return step(s.k, ln2(), log1p_near(s.f));
}
// The same without a division, for which a longer polynomial is quicker beside other arithmetic.
inline double quick_log(double x) {
  const split s = split_near_one(x);
  return step(s.k, ln2(), s.f * log_over(s.f));
}
// log(1 + x) for x above -1: what a small x would lose beside 1 it keeps by itself.
inline double log1p(double x) {
  const bool small = __builtin_fabs(x) < 0.25;
  const split s = split_near_one(1.0 + x);
  return (small ? 0.0 : s.k * ln2()) + log1p_near(small ? x : s.f);
}
inline double quick_log1p(double x) {
  const bool small = __builtin_fabs(x) < 0.25;
  const split s = split_near_one(1.0 + x);
  const double f = small ? x : s.f;
  return step(small ? 0.0 : s.k, ln2(), f * log_over(f));
}
}  // namespace wide
}  // namespace jitlab
