// Bessel functions of the first and second kind of orders 0 and 1. Up to 5 the zeros are factors; beyond, modulus and
// phase (J. Harrison, "Fast and accurate Bessel function computation", 2009). At infinity they are NaN, as in PyTorch.
// The polynomials are fits of our own (scripts/fit.py).
namespace jl {
// <fit j0_near>
// J0(x) / ((x^2 - r1^2) (x^2 - r2^2)) in t = x^2 - 12.5, x up to 5
inline float j0_near(float t) {
  const float c[] = {
    0.00318735563f, -0.000153686963f, 3.12116944e-6f, -3.64631309e-8f, 2.80777329e-10f, -1.54215421e-12f,
    6.38308745e-15f, -2.05484343e-17f
  };
  return polynomial(t, c);
}
inline double j0_near(double t) {
  const double c[] = {
    0.0031873556303932385, -0.00015368696349731235, 3.1211693936997383e-6, -3.6463130831748366e-8,
    2.8077895054128632e-10, -1.5421576526465769e-12, 6.3664869553613293e-15, -2.0513164248843697e-17,
    5.3078480731388612e-20, -1.1279906530572862e-22, 2.0066809494492284e-25, -3.0273418461562146e-28
  };
  return polynomial(t, c);
}
// </fit>
// <fit j1_near>
// J1(x) / (x (x^2 - r1^2) (x^2 - r2^2)) in t = x^2 - 12.5, x up to 5
inline float j1_near(float t) {
  const float c[] = {
    0.000432369873f, -1.67461382e-5f, 2.82999605e-7f, -2.82391189e-9f, 1.89479606e-11f, -9.23878944e-14f,
    3.41506963e-16f
  };
  return polynomial(t, c);
}
inline double j1_near(double t) {
  const double c[] = {
    0.0004323698734106474, -1.6746137771888141e-5, 2.8299960365449473e-7, -2.8239331633162081e-9,
    1.8948010865315693e-11, -9.2115673185395517e-14, 3.4086371274484714e-16, -9.9465356547600419e-19,
    2.3509811457657963e-21, -4.5970687027175297e-24, 7.5708307588159995e-27, -1.0631969736944809e-29
  };
  return polynomial(t, c);
}
// </fit>
// <fit y0_near>
// (Y0(x) - 2 / pi log(x / r) J0(x)) / (x^2 - r^2) in t = x^2, x up to 2.5
inline float y0_near(float t) {
  const float c[] = {
    0.182144295f, -0.0167446713f, 0.00056179068f, -9.89301374e-6f, 1.072719e-7f, -7.22697231e-10f
  };
  return polynomial(t, c);
}
inline double y0_near(double t) {
  const double c[] = {
    0.18214429522164178, -0.016744672591055658, 0.00056179317959027721, -9.8947264633294604e-6,
    1.0780429650494151e-7, -7.9960935188828e-10, 4.3016636387237701e-12, -1.7559242536280431e-14,
    5.6146828846200826e-17, -1.3597494773358833e-19
  };
  return polynomial(t, c);
}
// </fit>
// <fit y0_middle>
// Y0(x) / (x - r) in t = x - 3.75, x from 2.5 to 5
inline float y0_middle(float t) {
  const float c[] = {
    -0.410522948f, 0.0257409081f, 0.0622121052f, -0.00496389764f, -0.00235173389f, 0.000127499917f,
    5.75149737e-5f, -4.42057383e-6f, -7.52289769e-8f, -1.00860794e-7f
  };
  return polynomial(t, c);
}
inline double y0_middle(double t) {
  const double c[] = {
    -0.41052294821305587, 0.025740908226321177, 0.06221212670176827, -0.004963902362176601,
    -0.0023518429752840884, 0.00012752385982477846, 5.770676579427866e-5, -4.4625448737136457e-6,
    -2.0968970521727603e-7, -7.1635297571676043e-8, 3.0038964347349709e-8, -6.3722455295796858e-9,
    1.4983236823260172e-9, -3.791919680424038e-10, 9.5309696748061138e-11, -2.4534681873503109e-11,
    6.181017758084004e-12, -1.2414716705461151e-12, 3.1373169842018103e-13, -1.7068130646670759e-13,
    4.3520610938160253e-14
  };
  return polynomial(t, c);
}
// </fit>
// <fit y1_near>
// x (Y1(x) - 2 / pi log(x / r) J1(x)) / (x^2 - r^2) in t = x^2, x up to 2.8
inline float y1_near(float t) {
  const float c[] = {
    0.131875506f, 0.016027721f, -0.00145024899f, 4.14407667e-5f, -6.24017261e-7f, 5.86209617e-9f,
    -3.39120372e-11f
  };
  return polynomial(t, c);
}
inline double y1_near(double t) {
  const double c[] = {
    0.13187550549740894, 0.016027721447913088, -0.0014502499501658102, 4.144150087152367e-5,
    -6.2428626992540885e-7, 5.9129158769932964e-9, -3.8723231938683006e-11, 1.8636987731183802e-13,
    -6.8805241259096537e-16, 2.005546112514275e-18, -4.3916139569482891e-21
  };
  return polynomial(t, c);
}
// </fit>
// <fit y1_middle>
// Y1(x) / (x - r) in t = x - 3.9, x from 2.8 to 5
inline float y1_middle(float t) {
  const float c[] = {
    -0.266604611f, -0.121209114f, 0.0384950627f, 0.00891770333f, -0.00151641559f, -0.000307876185f,
    4.18006487e-5f, 2.63885356e-6f, 2.03213511e-7f, -2.09909335e-7f
  };
  return polynomial(t, c);
}
inline double y1_middle(double t) {
  const double c[] = {
    -0.26660461145208271, -0.12120911414219391, 0.038495072371476237, 0.0089177010914454129,
    -0.0015164790318539769, -0.00030786151470392091, 4.1944950767245958e-5, 2.6055593969072775e-6,
    7.2057338999806567e-8, -1.7980204759680928e-7, 3.8300407161976669e-8, -8.6339125986321949e-9,
    2.2939971542759422e-9, -5.9895184448237274e-10, 1.5404391024123697e-10, -4.0100447896841137e-11,
    1.0320088115829903e-11, -2.3494376298960802e-12, 6.0404116249254545e-13, -2.671804019650156e-13,
    6.8623582407992622e-14
  };
  return polynomial(t, c);
}
// </fit>
// <fit modulus_0>
// sqrt(x (J0(x)^2 + Y0(x)^2)) in t = 1 / x^2, x from 5 up
inline float modulus_0(float t) {
  const float c[] = {
    0.797884557f, -0.0498634007f, 0.0816529203f, -0.35592958f, 1.48680305f
  };
  return polynomial(t, c);
}
inline double modulus_0(double t) {
  const double c[] = {
    0.79788456080286535, -0.049867785050072164, 0.082593518660778237, -0.43312857586867395,
    4.6663121957604531, -85.167284901096201, 2334.4539502867517, -85712.014792916613, 3675412.8211185909,
    -160553911.83199293, 6440762522.4242618, -221841392036.97534, 6.2793292603297904e+12,
    -1.4126091053456459e+14, 2.4437475867318336e+15, -3.1189652308394175e+16, 2.7573481161708218e+17,
    -1.5046279886976829e+18, 3.8121083683016945e+18
  };
  return polynomial(t, c);
}
// </fit>
// <fit modulus_1>
// sqrt(x (J1(x)^2 + Y1(x)^2)) in t = 1 / x^2, x from 5 up
inline float modulus_1(float t) {
  const float c[] = {
    0.797884565f, 0.149597595f, -0.153046627f, 0.542139968f, -2.10254553f
  };
  return polynomial(t, c);
}
inline double modulus_1(double t) {
  const double c[] = {
    0.79788456080286536, 0.14960335515041796, -0.15427845963242728, 0.64253426675242021,
    -6.1752833472885935, 105.79933604098665, -2789.5478947262625, 99945.92408077765, -4222935.1550653991,
    182902506.42655908, -7301120822.7372733, 250729618831.66666, -7.0837112468504646e+12,
    1.591571705264324e+14, -2.7509408403339624e+15, 3.5088111650020848e+16, -3.1005184346657201e+17,
    1.6912676128587705e+18, -4.2837337258816865e+18
  };
  return polynomial(t, c);
}
// </fit>
// <fit phase_0>
// x^3 (arg(J0 + i Y0) - (x - pi / 4) + 1 / (8 x)) in t = 1 / x^2 - 0.02, x from 5 up
inline float phase_0(float t) {
  const float c[] = {
    0.0614342666f, -0.162335269f, 0.871403217f, -7.09479986f, 87.4477051f, -1194.59043f
  };
  return polynomial(t, c);
}
inline double phase_0(double t) {
  const double c[] = {
    0.061434228781387034, -0.16233459709958313, 0.87309341378466733, -7.1247815344540135,
    76.675059178751577, -1005.0759926988631, 15272.387846555769, -260313.09608581061, 4862504.765291783,
    -97947495.520915956, 2125787565.733596, -48395722083.281102, 932098097246.27961,
    -2.1024011396165507e+13, 1.8017827729590621e+15, -5.6574093630769916e+16, -3.4287225478303744e+18,
    1.2220572227884071e+20, 9.3907084287876195e+21, -3.2228551602689732e+23, -1.16223350318531e+25,
    4.0180646145179255e+26, 7.700169078979834e+27, -2.6258148022412107e+29
  };
  return polynomial(t, c);
}
// </fit>
// <fit phase_1>
// x^3 (arg(J1 + i Y1) - (x - 3 pi / 4) - 3 / (8 x)) in t = 1 / x^2 - 0.02, x from 5 up
inline float phase_1(float t) {
  const float c[] = {
    -0.15741481f, 0.300503323f, -1.33844367f, 9.88413067f, -114.238625f, 1506.6679f
  };
  return polynomial(t, c);
}
inline double phase_1(double t) {
  const double c[] = {
    -0.15741476298788947, 0.30050251002320729, -1.3405249830266461, 9.9204013898617072, -100.95434855967353,
    1277.0987417510538, -18934.30628471639, 316914.77671219357, -5839437.4569104282, 116748244.95010517,
    -2487273472.9085874, 51869167456.674202, -1.1818300673002232e+12, 5.4920475626379659e+13,
    -1.5958512209481752e+15, -6.8240548137173755e+16, 2.4798897215135049e+18, 2.3634775502605719e+20,
    -7.9525076545805371e+21, -3.0043352797223399e+23, 1.0246657363089828e+25, 2.1858764019496101e+26,
    -7.3265946431258794e+27
  };
  return polynomial(t, c);
}
// </fit>

// The first positive zeros, and the squares of the second ones of J.
template <typename T> struct bessel_zeros;
template <> struct bessel_zeros<float> {
  static constexpr float j0_hi() { return 2.40482545f; }
  static constexpr float j0_lo() { return 1.08705905e-7f; }
  static constexpr float j1_hi() { return 3.83170605f; }
  static constexpr float j1_lo() { return -7.68505899e-8f; }
  static constexpr float y0_hi() { return 0.89357698f; }
  static constexpr float y0_lo() { return -1.33579787e-8f; }
  static constexpr float y02_hi() { return 3.95767832f; }
  static constexpr float y02_lo() { return 1.01291178e-7f; }
  static constexpr float y1_hi() { return 2.19714141f; }
  static constexpr float y1_lo() { return -8.28892723e-8f; }
  static constexpr float y12_hi() { return 5.42968082f; }
  static constexpr float y12_lo() { return 2.16514351e-7f; }
  static constexpr float j02_square() { return 30.4712623f; }
  static constexpr float j12_square() { return 49.2184563f; }
};
template <> struct bessel_zeros<double> {
  static constexpr double j0_hi() { return 2.4048255576957729; }
  static constexpr double j0_lo() { return -1.176691651530894e-16; }
  static constexpr double j1_hi() { return 3.8317059702075125; }
  static constexpr double j1_lo() { return -1.5269184090088067e-16; }
  static constexpr double y0_hi() { return 0.89357696627916749; }
  static constexpr double y0_lo() { return 2.6596231539720385e-17; }
  static constexpr double y02_hi() { return 3.957678419314858; }
  static constexpr double y02_lo() { return -1.0764340697562706e-16; }
  static constexpr double y1_hi() { return 2.1971413260310171; }
  static constexpr double y1_lo() { return -4.8259835876454966e-17; }
  static constexpr double y12_hi() { return 5.4296810407941347; }
  static constexpr double y12_lo() { return 4.162514026670377e-16; }
  static constexpr double j02_square() { return 30.471262343662086; }
  static constexpr double j12_square() { return 49.218456321694603; }
};
template <typename T> inline T from_zero(T x, T hi, T lo) { return (x - hi) - lo; }

template <typename T> inline T j0_small(T x) {
  typedef bessel_zeros<T> zero;
  const T t = x * x;
  const T first = from_zero(x, zero::j0_hi(), zero::j0_lo()) * (x + zero::j0_hi());
  return first * ((t - zero::j02_square()) * j0_near(t - T(12.5)));
}
template <typename T> inline T j1_small(T x) {
  typedef bessel_zeros<T> zero;
  const T t = x * x;
  const T first = from_zero(x, zero::j1_hi(), zero::j1_lo()) * (x + zero::j1_hi());
  return x * first * ((t - zero::j12_square()) * j1_near(t - T(12.5)));
}
// 2 / pi log(x / zero).
template <typename T> inline T log_ratio(T x, T hi, T lo) {
  if (x < T(4) * float_facts<T>::smallest()) return T(0.63661977236758134) * (log(x) - log(hi));
  const T ratio = x > T(0.5) * hi ? log1p(from_zero(x, hi, lo) / hi) : log(x / hi);
  return T(0.63661977236758134) * ratio;
}
// The unit vector of J and Y at x from 5 up, and their common length.
template <typename T> inline direction<T> bessel_direction(T x, int n) {
  const T q = T(1) / x, t = q * q, c = n == 0 ? T(-0.125) : T(0.375);
  const two<T> reciprocal = {q, fma(-q, x, T(1)) * q};
  const T rest = q * t * (n == 0 ? phase_0(t - T(0.02)) : phase_1(t - T(0.02)));
  return oscillation(two<T>{x, T(0)}, n, add(two<T>{c * reciprocal.hi, c * reciprocal.lo}, rest));
}
template <typename T> inline T bessel_modulus(T x, int n) {
  const T q = T(1) / x;
  return (n == 0 ? modulus_0(q * q) : modulus_1(q * q)) / sqrt(x);
}

template <typename T> inline T bessel_j0(T x) {
  const T a = fabs(x);
  if (a <= T(5)) return j0_small(a);
  return bessel_modulus(a, 0) * bessel_direction(a, 0).cosine;
}
template <typename T> inline T bessel_j1(T x) {
  const T a = fabs(x);
  const T value = a <= T(5) ? j1_small(a) : bessel_modulus(a, 1) * bessel_direction(a, 1).cosine;
  return x < T(0) ? -value : value;
}
template <typename T> inline T bessel_y0(T x) {
  typedef bessel_zeros<T> zero;
  if (x == T(0)) return -inf<T>();
  if (!(x > T(0))) return nan<T>();
  if (x <= T(2.5)) {
    const T factor = from_zero(x, zero::y0_hi(), zero::y0_lo()) * (x + zero::y0_hi());
    return fma(log_ratio(x, zero::y0_hi(), zero::y0_lo()), j0_small(x), factor * y0_near(x * x));
  }
  if (x <= T(5)) return from_zero(x, zero::y02_hi(), zero::y02_lo()) * y0_middle(x - T(3.75));
  return bessel_modulus(x, 0) * bessel_direction(x, 0).sine;
}
template <typename T> inline T bessel_y1(T x) {
  typedef bessel_zeros<T> zero;
  if (x == T(0)) return -inf<T>();
  if (!(x > T(0))) return nan<T>();
  if (x <= T(2.8)) {
    const T factor = from_zero(x, zero::y1_hi(), zero::y1_lo()) * (x + zero::y1_hi());
    return fma(log_ratio(x, zero::y1_hi(), zero::y1_lo()), j1_small(x), factor * y1_near(x * x) / x);
  }
  if (x <= T(5)) return from_zero(x, zero::y12_hi(), zero::y12_lo()) * y1_middle(x - T(3.9));
  return bessel_modulus(x, 1) * bessel_direction(x, 1).sine;
}

#if !defined(__CUDACC__) && !defined(__wasm__)
// Those of a float in double arithmetic without branches, so that a processor's loops run in vector registers.
// <fit wide_j0_near wide>
// J0(x) / ((x^2 - r1^2) (x^2 - r2^2)) in t = x^2 - 12.5, x up to 5
inline double wide_j0_near(double t) {
  const double c[] = {
    0.0031873556303932385, -0.00015368696349494645, 3.121169393695533e-6, -3.646313103363278e-8,
    2.8077895090011432e-10, -1.542153001624845e-12, 6.3664786880671707e-15, -2.0552845114741999e-17,
    5.3149028108491578e-20
  };
  return wide::polynomial(t, c);
}
// </fit>
// <fit wide_j1_near wide>
// J1(x) / (x (x^2 - r1^2) (x^2 - r2^2)) in t = x^2 - 12.5, x up to 5
inline double wide_j1_near(double t) {
  const double c[] = {
    0.00043236987339968877, -1.6746137771866718e-5, 2.829996058987861e-7, -2.8239331677034335e-9,
    1.8947939054083915e-11, -9.2115532802737275e-14, 3.4159890264842106e-16, -9.9609086326193095e-19
  };
  return wide::polynomial(t, c);
}
// </fit>
// <fit wide_y0_near wide>
// (Y0(x) - 2 / pi log(x / r) J0(x)) / (x^2 - r^2) in t = x^2, x up to 2.5
inline double wide_y0_near(double t) {
  const double c[] = {
    0.18214429522089733, -0.016744672579380331, 0.00056179314966970875, -9.8946976788300891e-6,
    1.0779108886525498e-7, -7.9648904918385454e-10, 3.9334534720847691e-12
  };
  return wide::polynomial(t, c);
}
// </fit>
// <fit wide_y0_middle wide>
// Y0(x) / (x - r) in t = x - 3.75, x from 2.5 to 5
inline double wide_y0_middle(double t) {
  const double c[] = {
    -0.4105229482275729, 0.025740908229993129, 0.062212127369789051, -0.0049639025311479232,
    -0.002351847927563072, 0.00012752511252067009, 5.7720089765512498e-5, -4.4659154929707806e-6,
    -2.256763805035506e-7, -6.7590495891282716e-8, 3.8598575258439821e-8, -8.5384474606845124e-9
  };
  return wide::polynomial(t, c);
}
// </fit>
// <fit wide_y1_near wide>
// x (Y1(x) - 2 / pi log(x / r) J1(x)) / (x^2 - r^2) in t = x^2, x up to 2.8
inline double wide_y1_near(double t) {
  const double c[] = {
    0.13187550549768237, 0.016027721443448108, -0.0014502499381949351, 4.1441488634289818e-5,
    -6.24280119384123e-7, 5.9112338840671449e-9, -3.8467446834855597e-11, 1.6592660372351769e-13
  };
  return wide::polynomial(t, c);
}
// </fit>
// <fit wide_y1_middle wide>
// Y1(x) / (x - r) in t = x - 3.9, x from 2.8 to 5
inline double wide_y1_middle(double t) {
  const double c[] = {
    -0.26660461145660176, -0.12120911414101717, 0.038495072640075862, 0.0089177010215024098,
    -0.0015164816065853975, -0.00030786084420116048, 4.1953920683414371e-5, 2.6032231511923106e-6,
    5.8086576478917326e-8, -1.7616233902366321e-7, 4.8068857735109463e-8, -1.1180239561620918e-8
  };
  return wide::polynomial(t, c);
}
// </fit>
// <fit wide_modulus_0 wide>
// sqrt(x (J0(x)^2 + Y0(x)^2)) in t = 1 / x^2, x from 5 up
inline double wide_modulus_0(double t) {
  const double c[] = {
    0.79788456074008202, -0.049867629548420945, 0.082527811132767306, -0.42210664626315773,
    3.6970691118374134, -32.158830513309718, 154.76453510766875
  };
  return wide::polynomial(t, c);
}
// </fit>
// <fit wide_modulus_1 wide>
// sqrt(x (J1(x)^2 + Y1(x)^2)) in t = 1 / x^2, x from 5 up
inline double wide_modulus_1(double t) {
  const double c[] = {
    0.79788456088023273, 0.14960316358139191, -0.15419762524641376, 0.6290135399139693, -4.9925679191779729,
    41.738331911181129, -197.57536052050527
  };
  return wide::polynomial(t, c);
}
// </fit>
// <fit wide_phase_0 wide>
// x^3 (arg(J0 + i Y0) - (x - pi / 4) + 1 / (8 x)) in t = 1 / x^2 - 0.02, x from 5 up
inline double wide_phase_0(double t) {
  const double c[] = {
    0.061434228781393064, -0.16233459709977313, 0.87309341134312395, -7.1247814575064536,
    76.675220574042646, -1005.0810794672109, 15268.312411245901, -260184.63906073546, 4913698.6619593656,
    -99561802.906355314, 1765841468.1226232, -37027816465.460254, 2.4322739213997104e+12,
    -6.8626070213061693e+13, -2.0494201175170676e+15, 6.7212255689583897e+16, 3.1971563581016019e+18,
    -9.7091225949400179e+19
  };
  return wide::polynomial(t, c);
}
// </fit>
// <fit wide_phase_1 wide>
// x^3 (arg(J1 + i Y1) - (x - 3 pi / 4) - 3 / (8 x)) in t = 1 / x^2 - 0.02, x from 5 up
inline double wide_phase_1(double t) {
  const double c[] = {
    -0.15741476298788947, 0.30050251000670918, -1.340524982519563, 9.9204033594816516, -100.95440910091143,
    1277.0307670655368, -18932.217009241862, 317959.01493504076, -5871536.3491809082, 108301812.92747567,
    -2227416357.2097584, 90633963852.936745, -2.3783900634335515e+12, -4.9741011492524247e+13,
    1.6691681246791567e+15, 1.0894385824953002e+17, -3.2105319023596025e+18
  };
  return wide::polynomial(t, c);
}
// </fit>
// The length of J and Y at x from 5 up, and their direction in turns.
struct oscillating {
  double length, turn;
};
inline oscillating oscillating_0(float x) {
  const double q = 1.0 / x, t = q * q, phase = q * fma(t, wide_phase_0(t - 0.02), -0.125);
  return {wide_modulus_0(t) * sqrt(q), circular::turn_of(x) + fma(0.15915494309189535, phase, -0.125)};
}
inline oscillating oscillating_1(float x) {
  const double q = 1.0 / x, t = q * q, phase = q * fma(t, wide_phase_1(t - 0.02), 0.375);
  return {wide_modulus_1(t) * sqrt(q), circular::turn_of(x) + fma(0.15915494309189535, phase, -0.375)};
}
// J up to 5.
inline double wide_j0_small(double x) {
  typedef bessel_zeros<double> zero;
  const double t = x * x, first = from_zero(x, zero::j0_hi(), zero::j0_lo()) * (x + zero::j0_hi());
  return first * ((t - zero::j02_square()) * wide_j0_near(t - 12.5));
}
inline double wide_j1_small(double x) {
  typedef bessel_zeros<double> zero;
  const double t = x * x, first = from_zero(x, zero::j1_hi(), zero::j1_lo()) * (x + zero::j1_hi());
  return x * first * ((t - zero::j12_square()) * wide_j1_near(t - 12.5));
}
inline double cosine_of_turn(oscillating x) {
  const circular::waves w = circular::waves_of(x.turn);
  const double size = x.length * (w.quarter & 1 ? w.sine : w.cosine);
  return (w.quarter + 1) & 2 ? -size : size;
}
inline double sine_of_turn(oscillating x) { return cosine_of_turn(oscillating{x.length, x.turn - 0.25}); }
inline float bessel_j0(float x) {
  const float a = fabs(x);
  const double near = wide_j0_small(a), far = cosine_of_turn(oscillating_0(a));
  return float(a <= 5.0f ? near : far);
}
inline float bessel_j1(float x) {
  const float a = fabs(x);
  const double near = wide_j1_small(a), far = cosine_of_turn(oscillating_1(a)), value = a <= 5.0f ? near : far;
  return float(x < 0.0f ? -value : value);
}
// 2 / pi log(x / zero) for the difference of both.
inline double wide_log_ratio(double x, double difference, double zero) {
  const double over = 1.0 / zero, part = difference * over;
  const bool beside = __builtin_fabs(part) < 0.25;
  const wide::split s = wide::split_near_one(x * over);
  const double f = beside ? part : s.f;
  return 0.63661977236758134 * wide::step(beside ? 0.0 : s.k, wide::ln2(), f * wide::log_over(f));
}
// Y of x from the parts of its range; at 0 it is minus infinity, below it is none.
inline float parts_of_y(float x, float end, double near, double middle, double far) {
  const double value = x <= end ? near : x <= 5.0f ? middle : far;
  return x == 0.0f ? -inf<float>() : x < 0.0f ? nan<float>() : float(value);
}
// Static, so that a compiler inlines functions of this length where they are called once.
static float bessel_y0(float x) {
  typedef bessel_zeros<double> zero;
  const double a = x, first = from_zero(a, zero::y0_hi(), zero::y0_lo());
  const double near = fma(wide_log_ratio(a, first, zero::y0_hi()), wide_j0_small(a), first * (a + zero::y0_hi()) * wide_y0_near(a * a));
  const double middle = from_zero(a, zero::y02_hi(), zero::y02_lo()) * wide_y0_middle(a - 3.75);
  return parts_of_y(x, 2.5f, near, middle, sine_of_turn(oscillating_0(x)));
}
static float bessel_y1(float x) {
  typedef bessel_zeros<double> zero;
  const double a = x, first = from_zero(a, zero::y1_hi(), zero::y1_lo());
  const double rest = first * (a + zero::y1_hi()) * wide_y1_near(a * a) / a;
  const double near = fma(wide_log_ratio(a, first, zero::y1_hi()), wide_j1_small(a), rest);
  const double middle = from_zero(a, zero::y12_hi(), zero::y12_lo()) * wide_y1_middle(a - 3.9);
  return parts_of_y(x, 2.8f, near, middle, sine_of_turn(oscillating_1(x)));
}
#endif
}  // namespace jl
