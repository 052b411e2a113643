// Bessel functions of doubles on a processor: up to 32 in pieces, whose tables have files of their own, and beyond by modulus
// and phase in two words. The polynomials are fits of our own (scripts/fit.py).
namespace jl {
// Where the pieces end.
constexpr double bessel_end() { return 32.0; }
// The number of the nearest multiple of pi/4.
inline unsigned long long quarter_of(double x) {
  return bits_of(fma(x, 1.2732395447351628, 6755399441055744.0)) & 0xff;
}
// One piece of a function: the rows of a table are where its t counts from, the value there, the slope in two words, and the
// coefficients that follow. Beside a zero, from which its piece counts, nothing is lost.
template <int N, int M> inline double piece_of(double x, const double (&table)[N][M], long long k) {
  const double t = x - table[0][k], value = table[1][k], slope = table[2][k];
  double rest = table[N - 1][k];
  JITLAB_UNROLL
  for (int i = N - 2; i >= 3; --i) rest = fma(rest, t, table[i][k]);
  const double step = slope * t;
  const two<double> sum = two_sum(value, step);
  return sum.hi + fma(rest, t, sum.lo + fma(slope, t, -step));
}
// <fit sine_gap double>
// (x - sin(x)) / x^3 in t = x^2, x up to pi/4
inline double sine_gap(double t) {
  const double c[] = {
    0.16666666666666667, -0.0083333333333333315, 0.00019841269841265059, -2.755731921933466e-6,
    2.5052106230882412e-8, -1.6058531370931903e-10, 7.5866824971577858e-13
  };
  return polynomial(t, c);
}
// </fit>
// <fit cosine_short double>
// (cos(x) - 1 + x^2 / 2) / x^4 in t = x^2, x up to pi/4
inline double cosine_short(double t) {
  const double c[] = {
    0.041666666666666665, -0.0013888888888887395, 2.4801587298762951e-5, -2.7557317270310507e-7,
    2.0876145972635081e-9, -1.138261111902563e-11
  };
  return polynomial(t, c);
}
// </fit>
// <fit modulus_rest_0 double>
// (sqrt(x (J0(x)^2 + Y0(x)^2)) - sqrt(2 / pi)) / t in t = 1 / x^2, x from 32 up
inline double modulus_rest_0(double t) {
  const double c[] = {
    -0.04986778505017534, 0.082593518797487304, -0.43312740665387939, 4.662023569033212,
    -79.838609632685004
  };
  return polynomial(t, c);
}
// </fit>
// <fit modulus_rest_1 double>
// (sqrt(x (J1(x)^2 + Y1(x)^2)) - sqrt(2 / pi)) / t in t = 1 / x^2, x from 32 up
inline double modulus_rest_1(double t) {
  const double c[] = {
    0.14960335515053277, -0.15427845976938131, 0.64253283449435037, -6.1701305297440562, 99.418548483707333
  };
  return polynomial(t, c);
}
// </fit>
inline two<double> sine_parts(two<double> u) {
  const double t = u.hi * u.hi;
  return {u.hi, fma(-u.hi * t, sine_gap(t), fma(-0.5 * t, u.lo, u.lo))};
}
inline two<double> cosine_parts(two<double> u) {
  const two<double> t = two_product(u.hi, u.hi);
  const double first = fma(-0.5, t.hi, 1.0), lost = fma(-0.5, t.hi, 1.0 - first);
  return {first, fma(t.hi * t.hi, cosine_short(t.hi), fma(-u.hi, u.lo, fma(-0.5, t.lo, lost)))};
}
// The length of J and Y from 32 up, sqrt(2 / pi) and a rest over sqrt(x).
inline two<double> far_length(double x, double t, int n) {
  const double root = 1.0 / sqrt(x);
  const two<double> square = two_product(root, root);
  const double lost = 0.5 * root * fma(-square.lo, x, fma(-square.hi, x, 1.0));
  const double rest = fma(t, n == 0 ? modulus_rest_0(t) : modulus_rest_1(t), -4.9846544045554602e-17);
  return multiply(two<double>{root, lost}, two<double>{0.79788456080286541, rest});
}
// cos or, `behind` by a quarter of a turn, sin of the angle of J and Y, times their length.
inline double far_bessel(double x, int n, int behind) {
  if (!(x <= quarter_pi<double>::limit())) {
    const direction<double> whole = bessel_direction(x, n);
    return bessel_modulus(x, n) * (behind ? whole.sine : whole.cosine);
  }
  const double q = 1.0 / x, t = q * q, c = n == 0 ? -0.125 : 0.375;
  const two<double> over = multiply(two<double>{q, fma(-q, x, 1.0) * q}, c);
  const double rest = q * t * (n == 0 ? phase_0(t - 0.02) : phase_1(t - 0.02));
  // The angle less an odd multiple of pi/4.
  const double half = floor(x * 0.63661977236758134), m = 2.0 * half + 1.0;
  const two<double> a = two_product(m, quarter_pi<double>::p1()), b = two_product(m, quarter_pi<double>::p2());
  const two<double> r = add(add(two_sum(x - a.hi, -a.lo), negate(b)), -m * quarter_pi<double>::p3());
  const two<double> u = add(r, add(over, rest));
  const int quarter = (int(half - 4.0 * floor(half * 0.25)) - n - behind) & 3;
  const two<double> wave = quarter & 1 ? sine_parts(u) : cosine_parts(u);
  const double value = rounded(multiply(quick_sum(wave.hi, wave.lo), far_length(x, t, n)));
  return (quarter + 1) & 2 ? -value : value;
}
}  // namespace jl
