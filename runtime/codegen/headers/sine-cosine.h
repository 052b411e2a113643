// Sine, cosine and tangent of floats without branches, calls and tables, so that loops over them run in vector registers. They are
// computed in double, which gives every float to within 0.51 units and costs a processor less than two words.
namespace jitlab {
namespace circular {
inline double wide_polynomial(double x, double a, double b, double c, double d, double e) {
  return wide::step(wide::step(wide::step(wide::step(e, x, d), x, c), x, b), x, a);
}
// Sine and cosine of the angle that is left of some turns beside a number of quarters.
struct waves {
  double sine, cosine;
  int quarter;
};
inline waves waves_of(double turn) {
  const double quarter = __builtin_rint(4.0 * turn);
  const double r = 6.283185307179586 * wide::step(-0.25, quarter, turn), t = r * r;
  const double sine = wide_polynomial(t, -1.0 / 6, 1.0 / 120, -1.0 / 5040, 1.0 / 362880, -1.0 / 39916800);
  const double cosine = wide_polynomial(t, -1.0 / 2, 1.0 / 24, -1.0 / 720, 1.0 / 40320, -1.0 / 3628800);
  return {wide::step(r * t, sine, r), wide::step(t, cosine, 1.0), int(quarter)};
}
inline float sin(float a) {
  const waves w = waves_of(turn_of(a));
  const float value = float(w.quarter & 1 ? w.cosine : w.sine);
  return a == 0.0f ? a : w.quarter & 2 ? -value : value;
}
inline float cos(float a) {
  const waves w = waves_of(turn_of(a));
  const float value = float(w.quarter & 1 ? w.sine : w.cosine);
  return (w.quarter + 1) & 2 ? -value : value;
}
inline float tan(float a) {
  const waves w = waves_of(turn_of(a));
  const bool odd = w.quarter & 1;
  const double above = odd ? -w.cosine : w.sine, below = odd ? w.sine : w.cosine;
  return a == 0.0f ? a : float(above / below);
}
}  // namespace circular
using circular::cos;
using circular::sin;
using circular::tan;
}  // namespace jitlab
