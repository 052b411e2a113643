// The derivative of lgamma. Near its positive zero a factor times a polynomial; far out, the asymptotic series with a
// fitted tail; below zero the reflection formula, in two words because its terms nearly cancel. The polynomials are fits of
// our own (scripts/fit.py).
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

// The positive zero.
template <typename T> struct digamma_facts;
template <> struct digamma_facts<float> {
  static constexpr float root_hi() { return 1.46163213f; }
  static constexpr float root_lo() { return 1.24381499e-8f; }
};
template <> struct digamma_facts<double> {
  static constexpr double root_hi() { return 1.4616321449683622; }
  static constexpr double root_lo() { return 9.5499954299656977e-17; }
};

// digamma(1 + x), x from 0 to 1; the distance of 1 from the root is exact.
template <typename T> inline T digamma_next(T x) {
  return (x - (digamma_facts<T>::root_hi() - T(1)) - digamma_facts<T>::root_lo()) * digamma_near(x - T(0.5));
}
// digamma of positive x.
template <typename T> inline two<T> digamma_positive(T x) {
  const T root_hi = digamma_facts<T>::root_hi(), root_lo = digamma_facts<T>::root_lo();
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
template <typename T> inline T digamma_anywhere(T x) {
  if (x == T(0)) return copysign(inf<T>(), -x);
  if (x > T(0)) return isinf(x) ? x : digamma_positive(x).hi;
  const T r = fraction(x);
  if (isnan(x) || isinf(x) || r == T(0)) return nan<T>();
  const two<T> cotangent = cotpi_two(r);
  if (isinf(cotangent.hi)) return -cotangent.hi;
  // digamma(1 - x), from -x: 1 - x would be rounded.
  const two<T> mirrored = x > T(-1) ? two<T>{digamma_next(-x), T(0)} : add(digamma_positive(-x), T(-1) / x);
  return add(mirrored, negate(cotangent)).hi;
}
template <typename T> inline T digamma(T x) { return digamma_anywhere(x); }
}  // namespace jl
