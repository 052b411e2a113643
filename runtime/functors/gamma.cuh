// The gamma function's logarithm and its derivatives. Near their zeros on the positive axis the functions are a factor
// times a polynomial; far out, Stirling's series with a fitted tail; below zero, the reflection formulas, in two words
// where their terms nearly cancel. The polynomials are fits of our own (scripts/fit.py).
namespace jl {
// <fit digamma_near>
// psi(x) / (x - x0) in t = x - 1.5, x from 1 to 2
inline float digamma_near(float t) {
  const float c[] = {
    0.951055876f, -0.423627497f, 0.240542535f, -0.148398861f, 0.0949846851f, -0.0620559804f, 0.0408500267f,
    -0.0257868836f, 0.017114989f, -0.0163736203f, 0.0109025887f
  };
  return polynomial(t, c);
}
inline double digamma_near(double t) {
  const double c[] = {
    0.95105587603183288, -0.4236274212814606, 0.24054248424078698, -0.14840492305388091,
    0.094988724452890382, -0.061922133275488312, 0.040760833940846083, -0.026975796659787055,
    0.017907248317313296, -0.011908220105959716, 0.007927021796868154, -0.0052799372555327083,
    0.0035181065638024723, -0.0023454947397380835, 0.0015633696313653505, -0.0010364584817312838,
    0.00069092557612829864, -0.00048595039220036256, 0.00032395945401345198, -0.00014480643368061613,
    9.6536462614100617e-5, -0.00017821885488559232, 0.00011881232908510335
  };
  return polynomial(t, c);
}
// </fit>
// <fit digamma_tail>
// x^2 (log x - 1 / (2 x) - psi(x)) in t = 1 / x^2, x from 2 up
inline float digamma_tail(float t) {
  const float c[] = {
    0.0833333332f, -0.00833327328f, 0.00396421113f, -0.00405913889f, 0.00609012456f, -0.00856992846f,
    0.00658405765f
  };
  return polynomial(t, c);
}
inline double digamma_tail(double t) {
  const double c[] = {
    0.083333333333333333, -0.0083333333333309572, 0.00396825396683351, -0.0041666663240125775,
    0.0075757130300471372, -0.021089176833392919, 0.083131912265922638, -0.4350692464990813,
    2.7977340024514731, -19.992013881796514, 143.17449169911444, -946.73510340308742, 5465.4190589925791,
    -26528.587903155929, 105254.08341608084, -332607.8181127517, 812734.35001536946, -1475230.0740133707,
    1868173.4441409597, -1470573.7807954232, 541068.27695737946
  };
  return polynomial(t, c);
}
// </fit>
// <fit lgamma_near_one>
// lgamma(1 + t) / t, t from -0.5 to 0.5
inline float lgamma_near_one(float t) {
  const float c[] = {
    -0.577215666f, 0.822467035f, -0.400685179f, 0.270580379f, -0.207414359f, 0.169584351f, -0.143374466f,
    0.124872636f, -0.118744583f, 0.107086707f, -0.0505540164f, 0.0452779781f, -0.177682882f, 0.166292782f
  };
  return polynomial(t, c);
}
inline double lgamma_near_one(double t) {
  const double c[] = {
    -0.57721566490153286, 0.82246703342411322, -0.40068563438653072, 0.27058080842778386,
    -0.20738555102888458, 0.16955717699761295, -0.14404989674414408, 0.12550966950072632,
    -0.11133426738296036, 0.10009945898417442, -0.090953961478170553, 0.08335378642428555,
    -0.07693384797749431, 0.071434240859130119, -0.066646966007038499, 0.062479819941508536,
    -0.059073275414740398, 0.055798122160668524, -0.050595705849986626, 0.048020858519722872,
    -0.059467630506988923, 0.056971969494995921, 0.0049453383282442175, -0.0053997122962356961,
    -0.17396451715070047, 0.16865561268171082, 0.19472176853583203, -0.18947756655876552,
    -0.24025245552681862, 0.23319212668660541
  };
  return polynomial(t, c);
}
// </fit>
// <fit lgamma_near_two>
// lgamma(x) / (x - 2) in t = x - 2.25, x from 1.5 to 3
inline float lgamma_near_two(float t) {
  const float c[] = {
    0.49948686f, 0.292238433f, -0.0542954057f, 0.0146881669f, -0.00466256232f, 0.00161642747f,
    -0.000590798407f, 0.00021740728f, -8.42983926e-5f, 4.46326232e-5f, -1.7992513e-5f
  };
  return polynomial(t, c);
}
inline double lgamma_near_two(double t) {
  const double c[] = {
    0.49948685956958638, 0.29223842821659286, -0.054295403852149703, 0.014688323717319496,
    -0.0046626266712304464, 0.0016148854203995672, -0.00059016567389135729, 0.00022352008495941192,
    -8.680583901980938e-5, 3.4336183113437618e-5, -1.3771720989854269e-5, 5.5837731699761649e-6,
    -2.2839125695395904e-6, 9.4067027657101366e-7, -3.8869308072374269e-7, 1.6182005044262837e-7,
    -6.9823380150735249e-8, 2.9316110955647892e-8, -9.4767085808626443e-9, 3.9902750386195193e-9,
    -3.8341649264112259e-9, 1.6305432352127332e-9
  };
  return polynomial(t, c);
}
// </fit>
// <fit stirling_tail>
// x (lgamma(x) - Stirling's formula) in t = 1 / x^2, x from 3 up
inline float stirling_tail(float t) {
  const float c[] = {
    0.0833333333f, -0.00277776378f, 0.00079261128f, -0.000567181404f, 0.000504531872f
  };
  return polynomial(t, c);
}
inline double stirling_tail(double t) {
  const double c[] = {
    0.083333333333333333, -0.0027777777777757697, 0.00079365079262240405, -0.00059523788545031386,
    0.00084172823940323582, -0.0019160464198791072, 0.0063461105782926715, -0.027601910018978466,
    0.13605466944124706, -0.63461908657061155, 2.3482971113720579, -5.7242315051337284, 6.6533964225147482
  };
  return polynomial(t, c);
}
// </fit>
// <fit trigamma_near>
// trigamma(x) in t = x - 1.5, x from 1 to 2
inline float trigamma_near(float t) {
  const float c[] = {
    0.934802201f, -0.828796606f, 0.70454549f, -0.579045894f, 0.463067554f, -0.362014707f, 0.277984973f,
    -0.212118117f, 0.158340386f, -0.10444544f, 0.0767123657f, -0.0959103002f, 0.0689126311f
  };
  return polynomial(t, c);
}
inline double trigamma_near(double t) {
  const double c[] = {
    0.93480220054467931, -0.82879664423431991, 0.70454551700121856, -0.57904163777790778,
    0.46306452510150452, -0.3621493650206583, 0.27808081332751204, -0.21030987328212137,
    0.15705320199938591, -0.11604071812233813, 0.084968788093358486, -0.061740520979583856,
    0.044566667766407415, -0.031984295171159553, 0.022841637462877777, -0.016259614773567461,
    0.011516140812509243, -0.0080197684403099737, 0.0056446741534207498, -0.0043892906873441108,
    0.0030690965464267113, -0.0010668064559446604, 0.00074868901482355933, -0.0020870720089157143,
    0.0014459090369969416
  };
  return polynomial(t, c);
}
// </fit>
// <fit trigamma_tail>
// x^3 (trigamma(x) - 1 / x - 1 / (2 x^2)) in t = 1 / x^2, x from 2 up
inline float trigamma_tail(float t) {
  const float c[] = {
    0.166666666f, -0.0333331655f, 0.0237947062f, -0.0328100641f, 0.0659776224f, -0.13966493f, 0.219497774f,
    -0.168330791f
  };
  return polynomial(t, c);
}
inline double trigamma_tail(double t) {
  const double c[] = {
    0.16666666666666667, -0.033333333333330062, 0.023809523806971547, -0.03333333252964689,
    0.075757439230832926, -0.25309903695502855, 1.1656078819107145, -7.0356836955112765, 52.656503935823269,
    -453.00299558244525, 4095.8133931139617, -35884.544942966569, 287041.70550502318, -2015685.2314601987,
    12110498.431296075, -61109732.224237367, 254919906.55421434, -864907786.12418419, 2340442127.7326354,
    -4919924456.4436687, 7730506387.7216173, -8532577731.7059644, 5895264737.5703389, -1916915673.7121618
  };
  return polynomial(t, c);
}
// </fit>

template <typename T> struct gamma_facts;
template <> struct gamma_facts<float> {
  // The positive zero of digamma, and half of log(2 pi).
  static constexpr float root_hi() { return 1.46163213f; }
  static constexpr float root_lo() { return 1.24381499e-8f; }
  static constexpr float half_log_2pi_hi() { return 0.918938518f; }
  static constexpr float half_log_2pi_lo() { return 1.56341771e-8f; }
  static constexpr float log_pi_hi() { return 1.14472985f; }
  static constexpr float log_pi_lo() { return 3.31730086e-8f; }
};
template <> struct gamma_facts<double> {
  static constexpr double root_hi() { return 1.4616321449683622; }
  static constexpr double root_lo() { return 9.5499954299656977e-17; }
  static constexpr double half_log_2pi_hi() { return 0.91893853320467278; }
  static constexpr double half_log_2pi_lo() { return -3.8782941580672416e-17; }
  static constexpr double log_pi_hi() { return 1.1447298858494002; }
  static constexpr double log_pi_lo() { return 1.0265951162707826e-17; }
};

// digamma(1 + x), x from 0 to 1; the distance of 1 from the root is exact.
template <typename T> inline T digamma_next(T x) {
  return (x - (gamma_facts<T>::root_hi() - T(1)) - gamma_facts<T>::root_lo()) * digamma_near(x - T(0.5));
}
// digamma of positive x.
template <typename T> inline two<T> digamma_positive(T x) {
  const T root_hi = gamma_facts<T>::root_hi(), root_lo = gamma_facts<T>::root_lo();
  if (x < T(1)) {
    const T q = T(1) / x;
    if (isinf(q)) return {-q, T(0)};
    return add(two<T>{-q, -fma(-q, x, T(1)) / x}, digamma_next(x));
  }
  if (x <= T(2)) return {((x - root_hi) - root_lo) * digamma_near(x - T(1.5)), T(0)};
  if (x > T(1e15)) return {log(x), T(0)};
  const T q = T(1) / x, square = q * q;
  return add(log_two(x), -fma(square, digamma_tail(square), T(0.5) * q));
}
template <typename T> inline T digamma(T x) {
  if (x == T(0)) return copysign(inf<T>(), -x);
  if (x > T(0)) return isinf(x) ? x : digamma_positive(x).hi;
  const T r = fraction(x);
  if (isnan(x) || isinf(x) || r == T(0)) return nan<T>();
  // digamma(1 - x), from -x: 1 - x would be rounded.
  const two<T> mirrored = x > T(-1) ? two<T>{digamma_next(-x), T(0)} : add(digamma_positive(-x), T(-1) / x);
  return add(mirrored, negate(cotpi_two(r))).hi;
}

// lgamma of x from 0.5 up.
template <typename T> inline two<T> lgamma_upper(T x) {
  // The added zero makes the value at 1 and 2 a positive zero.
  if (x < T(1.5)) return {(x - T(1)) * lgamma_near_one(x - T(1)) + T(0), T(0)};
  if (x < T(3)) return {(x - T(2)) * lgamma_near_two(x - T(2.25)) + T(0), T(0)};
  const two<T> l = log_two(x);
  if (x > T(1e18)) return {fma(x, l.lo, x * (l.hi - T(1))), T(0)};
  const T q = T(1) / x;
  const two<T> constant = {gamma_facts<T>::half_log_2pi_hi(), gamma_facts<T>::half_log_2pi_lo()};
  const two<T> body = add(multiply(l, two_sum(x, T(-0.5))), -x);
  return add(add(body, constant), q * stirling_tail(q * q));
}
template <typename T> inline T lgamma(T x) {
  if (isnan(x)) return x;
  if (isinf(x)) return inf<T>();
  const T a = fabs(x);
  if (a < T(0.5)) return a == T(0) ? inf<T>() : add(negate(log_two(a)), x * lgamma_near_one(x)).hi;
  if (x > T(0)) return lgamma_upper(x).hi;
  const T r = fraction(x);
  if (r == T(0)) return inf<T>();
  const two<T> log_pi = {gamma_facts<T>::log_pi_hi(), gamma_facts<T>::log_pi_lo()};
  const two<T> sine = log_two(multiply(sinpi_two(fabs(r)), a));
  return add(add(log_pi, negate(sine)), negate(lgamma_upper(a))).hi;
}

// trigamma of positive x.
template <typename T> inline T trigamma_positive(T x) {
  if (x < T(1)) {
    const T q = T(1) / x;
    return fma(q, q, trigamma_near(x - T(0.5)));
  }
  if (x <= T(2)) return trigamma_near(x - T(1.5));
  const T q = T(1) / x, square = q * q;
  return q + fma(square * q, trigamma_tail(square), T(0.5) * square);
}
template <typename T> inline T trigamma(T x) {
  if (x > T(0)) return trigamma_positive(x);
  if (isnan(x)) return x;
  if (isinf(x)) return nan<T>();
  const T r = fraction(x);
  if (r == T(0)) return inf<T>();
  const T sine = T(float_facts<T>::pi()) / sinpi_two(r).hi;
  // trigamma(1 - x), from -x: 1 - x would be rounded.
  const T mirrored = x > T(-1) ? trigamma_near(T(-0.5) - x) : trigamma_positive(-x) - T(1) / (x * x);
  return sine * sine - mirrored;
}
}  // namespace jl
