// The derivative of digamma of a float in double arithmetic, without branches, so that a processor's loops run in vector
// registers. The polynomials are fits of our own (scripts/fit.py).
namespace jl {
// <fit trigamma_middle wide>
// trigamma(x) in t = x - 1.5, x from 1 to 2
inline double trigamma_middle(double t) {
  const double c[] = {
    0.93480220054467931, -0.82879664571647242, 0.70454551804770199, -0.57904141717969616,
    0.46306436934364693, -0.36215881705185154, 0.27808748744907666, -0.2101324441264137,
    0.15692790768920395, -0.11773331973147552, 0.086164218472395412, -0.053257111861347724,
    0.038573556054163595, -0.05263233876261414, 0.0374364612215244
  };
  return wide::polynomial(t, c);
}
// </fit>
// <fit trigamma_rest wide>
// x^3 (trigamma(x) - 1 / x - 1 / (2 x^2)) in t = 1 / x^2, x from 2 up
inline double trigamma_rest(double t) {
  const double c[] = {
    0.16666666665327058, -0.03333332252973207, 0.023808039134090992, -0.033251209571652677,
    0.073330736581198093, -0.20854351288767073, 0.59678928472784185, -1.3607431497880681,
    1.9976455792145608, -1.3565802507461574
  };
  return wide::polynomial(t, c);
}
// </fit>
// <fit cosecant_square wide>
// (pi x / sin(pi x))^2 in t = x^2, x up to 0.5
inline double cosecant_square(double t) {
  const double c[] = {
    1.0000000000255073, 3.2898681090329823, 6.493943326152803, 10.173188349854902, 14.064709335199701,
    17.878903326124632, 23.568451187724557, 14.889607374309284, 79.427348146278447, -95.629081379749904,
    205.97667090719118
  };
  return wide::polynomial(t, c);
}
// </fit>
// Below zero trigamma(-a) is (pi / sin(pi a))^2 - trigamma(a) + 1 / a^2.
inline float trigamma(float x) {
  const double a = fabs(x), r = a - __builtin_rint(a), over = 1.0 / a, square = over * over;
  const bool small = a < 1.0;
  const double near = (small ? square : 0.0) + trigamma_middle(small ? a - 0.5 : a - 1.5);
  const double positive = a < 2.0 ? near : over + square * wide::step(over, trigamma_rest(square), 0.5);
  const double turned = cosecant_square(r * r) / (r * r) - positive + square;
  return float(x < 0.0f ? turned : positive);
}
}  // namespace jl
