// The derivative of digamma: a polynomial from 1 to 2, the asymptotic series with a fitted tail beyond, recurrence and
// reflection below. The polynomials are fits of our own (scripts/fit.py).
namespace jl {
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

// trigamma of positive x.
template <typename T> inline T trigamma_positive(T x) {
  if (x < T(1)) {
    const T q = T(1) / x, lost = q * fma(-q, x, T(1));
    return isinf(q * q) ? inf<T>() : fma(q, q, fma(T(2) * q, lost, trigamma_near(x - T(0.5))));
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
  if (fabs(r) < float_facts<T>::smallest()) return inf<T>();
  const two<T> ratio = divide(two<T>{two_facts<T>::pi_hi(), two_facts<T>::pi_lo()}, sinpi_two(r));
  const T square = ratio.hi * ratio.hi;
  if (isinf(square)) return square;
  // trigamma(1 - x), from -x: 1 - x would be rounded.
  const T mirrored = x > T(-1) ? trigamma_near(T(-0.5) - x) : trigamma_positive(-x) - T(1) / (x * x);
  return rounded(add(multiply(ratio, ratio), -mirrored));
}
}  // namespace jl
