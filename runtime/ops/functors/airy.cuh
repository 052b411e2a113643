// The Airy function Ai, and the spherical Bessel function of order 0. The polynomials are fits of our own (scripts/fit.py).
namespace jl {
// <fit airy_near>
// Ai(x) in t = x, x from -1 to 1
inline float airy_near(float t) {
  const float c[] = {
    0.355028054f, -0.258819405f, 2.22170058e-9f, 0.0591713625f, -0.0215683281f, -1.08013043e-7f,
    0.00197262699f, -0.000513307975f, -5.69210022e-7f, 2.72249064e-5f, -5.13620336e-6f
  };
  return polynomial(t, c);
}
inline double airy_near(double t) {
  const double c[] = {
    0.35502805388781724, -0.2588194037928068, -1.7616634442846878e-18, 0.059171342314636209,
    -0.021568283649400509, -9.6518157012254202e-17, 0.0019723780771538066, -0.00051353056307973038,
    4.6971284602780536e-15, 2.739413995244843e-5, -5.7058951624794538e-6, 2.998678534925109e-14,
    2.07531400902476e-7, -3.6576319094307496e-8, -4.9774557503934953e-14, 9.8834048696744807e-10,
    -1.5236324123236129e-10, -8.1544597094421546e-14, 3.2161273463755021e-12, -4.0721908254239149e-13
  };
  return polynomial(t, c);
}
// </fit>
// <fit airy_zero>
// Ai(x) / (x - r) in t = x + 2.2, x from -3.4 to -1
inline float airy_zero(float t) {
  const float c[] = {
    0.696163789f, -0.0718206434f, -0.245745549f, 0.0734690195f, 0.0225002638f, -0.0135539454f,
    0.000613343913f, 0.000926569615f, -0.000205651191f, -1.59634341e-5f, 1.13224959e-5f, -9.79025723e-7f
  };
  return polynomial(t, c);
}
inline double airy_zero(double t) {
  const double c[] = {
    0.69616378793575116, -0.071820643032323037, -0.24574548652477934, 0.073469002802322349,
    0.022499761801066991, -0.013553809874500893, 0.00061482890232911874, 0.00092616599508549884,
    -0.00020763356826510425, -1.5417445041635809e-5, 1.2537004997380863e-5, -1.3232172400607305e-6,
    -2.7367056257351464e-7, 8.481292738671423e-8, -3.4727684611731919e-9, -1.9123688588920477e-9,
    3.4001320188965669e-10, 2.7555488844625435e-12, -7.7949173509078634e-12, 7.291799305212057e-13,
    5.6168136477217627e-14
  };
  return polynomial(t, c);
}
// </fit>
// <fit airy_middle>
// Ai(x) x^(1/4) exp(z) in t = 1 / z - 0.9, z = 2/3 x^(3/2), x from 1 to 3
inline float airy_middle(float t) {
  const float c[] = {
    0.269308887f, -0.0108815012f, 0.00243562366f, -0.000824693855f, 0.000344559073f, -0.000157795001f,
    7.99434607e-5f, -6.6558194e-5f, 4.27206692e-5f
  };
  return polynomial(t, c);
}
inline double airy_middle(double t) {
  const double c[] = {
    0.2693088866500711, -0.010881519138395898, 0.0024356547476378138, -0.00082406847617436577,
    0.00034383809700409169, -0.00016357816658136853, 8.5279095780880021e-5, -4.7600542676306594e-5,
    2.8024785829295342e-5, -1.722581077697156e-5, 1.0974396210167772e-5, -7.2069468763751059e-6,
    4.8421256395211803e-6, -3.3223991400747685e-6, 2.4238853253751132e-6, -1.8056206288618916e-6,
    9.3426873679745256e-7, -4.6361120567984492e-7, 1.4200289888644073e-6, -1.5204307266734748e-6,
    -7.7243533945242192e-7, 1.1002499815771507e-6, 1.1476341137682075e-6, -1.148735132576576e-6
  };
  return polynomial(t, c);
}
// </fit>
// <fit airy_far>
// Ai(x) x^(1/4) exp(z) in t = 1 / z - 0.145, z = 2/3 x^(3/2), x from 3 up
inline float airy_far(float t) {
  const float c[] = {
    0.27944745f, -0.0170809414f, 0.00720977561f, -0.00528930279f, 0.00529137053f, -0.0071458634f,
    0.0104724273f
  };
  return polynomial(t, c);
}
inline double airy_far(double t) {
  const double c[] = {
    0.27944744972956693, -0.01708092380934762, 0.0072097438200406029, -0.0052959172700058318,
    0.0053033351874095028, -0.0065341392173915544, 0.0093707820647440017, -0.015116460429316891,
    0.026807037718504952, -0.051428677107044753, 0.10541376241965706, -0.22711624384218379,
    0.51674508559146663, -1.3480800493762205, 3.4006931091170611, -3.6756771774304157, 8.088435335016401,
    -141.56318623986436, 414.94584386208774
  };
  return polynomial(t, c);
}
// </fit>
// <fit airy_modulus>
// sqrt(sqrt(x) (Ai(-x)^2 + Bi(-x)^2)) in t = 1 / z^2, z = 2/3 x^(3/2), x from 3.4 up
inline float airy_modulus(float t) {
  const float c[] = {
    0.564189583f, -0.0195889731f, 0.0308777625f, -0.141415866f, 0.838063668f, -3.03300625f
  };
  return polynomial(t, c);
}
inline double airy_modulus(double t) {
  const double c[] = {
    0.56418958354775628, -0.019589916095355674, 0.031085387541607192, -0.15968513044798263,
    1.701052477070608, -30.836414757014888, 841.19193796196289, -30781.365294579649, 1321427.0240995338,
    -58424631.021014014, 2416017204.7364477, -88026266998.239899, 2.7279402023561188e+12,
    -7.0323200879056607e+13, 1.4828293675968914e+15, -2.5165426858745567e+16, 3.3728735604124137e+17,
    -3.4801017605063865e+18, 2.6618786183352982e+19, -1.4195697360879616e+20, 4.7068613997548616e+20,
    -7.2998490078525054e+20
  };
  return polynomial(t, c);
}
// </fit>
// <fit airy_phase>
// z (arg(Ai(-x) - i Bi(-x)) - (z - pi / 4)) in t = 1 / z^2 - 0.028, z = 2/3 x^(3/2), x from 3.4 up
inline float airy_phase(float t) {
  const float c[] = {
    -0.068522808f, 0.0306857342f, -0.0688912608f, 0.305381787f, -2.25274042f, 19.2452233f
  };
  return polynomial(t, c);
}
inline double airy_phase(double t) {
  const double c[] = {
    -0.068522804449468343, 0.03068579193868913, -0.06896886767622616, 0.30567537393994258,
    -2.0068246958402653, 17.062806813035798, -174.31294389251771, 2042.9271622682013, -26630.673171173554,
    378798.99651703769, -5859634.9199048988, 92403129.77488717, -1191503086.5612444, 28799928296.618645,
    -1.6245708047195811e+12, 1.4267599894056495e+13, 1.8300937811634711e+15, -1.3213200495320144e+16,
    -2.416584944256005e+18, 2.9855794496674072e+19, 1.5341422883829966e+21, -2.2867636448649747e+22,
    -5.0374171680354343e+23, 9.0122724942580149e+24
  };
  return polynomial(t, c);
}
// </fit>

template <typename T> struct airy_zeros;
template <> struct airy_zeros<float> {
  static constexpr float ai_hi() { return -2.33810735f; }
  static constexpr float ai_lo() { return -6.29713668e-8f; }
};
template <> struct airy_zeros<double> {
  static constexpr double ai_hi() { return -2.338107410459767; }
  static constexpr double ai_lo() { return -3.9122604098183052e-17; }
};

// 2/3 x^(3/2) in two words.
template <typename T> inline two<T> airy_exponent(T x) {
  const T root = sqrt(x);
  const two<T> exact = {root, fma(-root, root, x) / (T(2) * root)};
  return divide(multiply(multiply(exact, x), T(2)), two<T>{T(3), T(0)});
}
template <typename T> inline T airy_ai(T x) {
  if (fabs(x) <= T(1)) return airy_near(x);
  if (!isfinite(x)) return nan<T>();
  if (x > T(200)) return T(0);
  const two<T> z = airy_exponent(fabs(x));
  const T q = T(1) / z.hi, root = sqrt(sqrt(fabs(x)));
  if (x > T(0)) {
    const T scaled = x < T(3) ? airy_middle(q - T(0.9)) : airy_far(q - T(0.145));
    if (z.hi < float_facts<T>::exp_limit()) return exp(-z.hi) * fma(-z.lo, scaled, scaled) / root;
    const T e = exp(T(-0.5) * z.hi);
    return e * (scaled / root * fma(-z.lo, e, e));
  }
  if (x > T(-3.4)) return ((x - airy_zeros<T>::ai_hi()) - airy_zeros<T>::ai_lo()) * airy_zero(x + T(2.2));
  const T t = q * q;
  return airy_modulus(t) / root * oscillation(z, 0, two<T>{q * airy_phase(t - T(0.028)), T(0)}).cosine;
}
}  // namespace jl
