// Circular functions of pi x in two words, for functions whose terms nearly cancel. The polynomials are fits of our own
// (scripts/fit.py).
namespace jl {
// <fit sinpi_tail>
// (pi x - sin(pi x)) / x^3 in t = x^2, x up to 0.5
inline two<float> sinpi_tail(two<float> t) {
  const float c[] = {
    5.16771269f, -2.55016387f, 0.599258994f, -0.0820837178f, 0.00708448878f
  };
  const float low[] = {
    9.07402668e-8f
  };
  return polynomial(t, c, low);
}
inline two<double> sinpi_tail(two<double> t) {
  const double c[] = {
    5.1677127800499703, -2.5501640398773401, 0.59926452932034303, -0.082145886596752322,
    0.0073704307196345865, -0.00046630087411496363, 2.1906201655131958e-5, -7.7257430307898759e-7
  };
  const double low[] = {
    -2.3709419403499854e-16
  };
  return polynomial(t, c, low);
}
// </fit>
// <fit cotpi_tail>
// (1 / x - pi cot(pi x)) / x in t = x^2, x up to 0.25
inline float cotpi_tail(float t) {
  const float c[] = {
    3.28986814f, 2.16464297f, 2.03513041f, 1.98853853f, 2.34919476f
  };
  return polynomial(t, c);
}
inline double cotpi_tail(double t) {
  const double c[] = {
    3.2898681336964529, 2.1646464674222917, 2.0346861239608401, 2.0081547140412661, 2.0019889799437164,
    2.0005022743772563, 1.9997590854471102, 2.0080732280868983, 1.8937276859767057, 2.7545039873927942
  };
  return polynomial(t, c);
}
// </fit>
// <fit tanpi_tail>
// (pi tan(pi x) - pi^2 x) / x^3 in t = x^2, x up to 0.25
inline float tanpi_tail(float t) {
  const float c[] = {
    32.469697f, 128.185318f, 512.048726f, 2051.89214f, 7957.26414f, 40368.488f, 0.00302905039f, 1589897.11f
  };
  return polynomial(t, c);
}
inline double tanpi_tail(double t) {
  const double c[] = {
    32.469697011334146, 128.18522581004085, 512.0794516605972, 2048.0349009011919, 8192.0153956872516,
    32768.0158499358, 131071.00791656942, 524363.78971059578, 2093051.9121928943, 8549028.0247269552,
    28984564.112029601, 228561838.89683604, -848556543.61677494, 16045432824.754017, -78992900060.327411,
    315971600241.30966
  };
  return polynomial(t, c);
}
// </fit>

// sin(pi r) for |r| up to 0.5.
template <typename T> inline two<T> sinpi_two(T r) {
  const two<T> pi = {two_facts<T>::pi_hi(), two_facts<T>::pi_lo()};
  const two<T> square = two_product(r, r);
  return add(multiply(pi, r), negate(multiply(multiply(sinpi_tail(square), square), r)));
}
// pi cot(pi r) for |r| up to 0.5; infinite where r is 0.
template <typename T> inline two<T> cotpi_two(T r) {
  const T a = fabs(r);
  if (a <= T(0.25)) {
    const T q = T(1) / r;
    if (isinf(q)) return {q, T(0)};
    const two<T> reciprocal = {q, fma(-q, r, T(1)) / r};
    return add(reciprocal, -r * cotpi_tail(r * r));
  }
  const T u = T(0.5) - a, square = u * u;
  const two<T> pi2 = {two_facts<T>::pi2_hi(), two_facts<T>::pi2_lo()};
  const two<T> value = add(multiply(pi2, u), u * square * tanpi_tail(square));
  return r < T(0) ? negate(value) : value;
}
// x less the nearest integer, exact.
template <typename T> inline T fraction(T x) { return x - rint(x); }
}  // namespace jl
