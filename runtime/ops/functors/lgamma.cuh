// The logarithm of the gamma function. Near its zeros at 1 and 2 factors times a polynomial; far out, Stirling's formula with
// a fitted tail; below zero the reflection formula in two words. The polynomials are fits of our own (scripts/fit.py).
namespace jl {
// <fit lgamma_near_one>
// lgamma(1 + t) / t, t from -0.5 to 0.5
inline two<float> lgamma_near_one(two<float> t) {
  const float c[] = {
    -0.577215672f, 0.822467029f, -0.400685179f, 0.270580379f, -0.207414359f, 0.169584351f, -0.143374466f,
    0.124872636f, -0.118744583f, 0.107086707f, -0.0505540164f, 0.0452779781f, -0.177682882f, 0.166292782f
  };
  const float low[] = {
    5.47329171e-9f, 5.42795678e-9f
  };
  return polynomial(t, c, low);
}
inline two<double> lgamma_near_one(two<double> t) {
  const double c[] = {
    -0.57721566490153287, 0.8224670334241132, -0.40068563438653072, 0.27058080842778386,
    -0.20738555102888458, 0.16955717699761295, -0.14404989674414408, 0.12550966950072632,
    -0.11133426738296036, 0.10009945898417442, -0.090953961478170553, 0.08335378642428555,
    -0.07693384797749431, 0.071434240859130119, -0.066646966007038499, 0.062479819941508536,
    -0.059073275414740398, 0.055798122160668524, -0.050595705849986626, 0.048020858519722872,
    -0.059467630506988923, 0.056971969494995921, 0.0049453383282442175, -0.0053997122962356961,
    -0.17396451715070047, 0.16865561268171082, 0.19472176853583203, -0.18947756655876552,
    -0.24025245552681862, 0.23319212668660541
  };
  const double low[] = {
    4.5499343810755871e-18, 1.5585444561467809e-17
  };
  return polynomial(t, c, low);
}
// </fit>
// <fit lgamma_near_two>
// lgamma(x) / (x - 2) in t = x - 2.25, x from 1.5 to 3
inline two<float> lgamma_near_two(two<float> t) {
  const float c[] = {
    0.499486864f, 0.292238444f, -0.0542954057f, 0.0146881669f, -0.00466256232f, 0.00161642747f,
    -0.000590798407f, 0.00021740728f, -8.42983926e-5f, 4.46326232e-5f, -1.7992513e-5f
  };
  const float low[] = {
    -4.04354228e-9f, -1.14418157e-8f
  };
  return polynomial(t, c, low);
}
inline two<double> lgamma_near_two(two<double> t) {
  const double c[] = {
    0.49948685956958638, 0.29223842821659285, -0.054295403852149703, 0.014688323717319496,
    -0.0046626266712304464, 0.0016148854203995672, -0.00059016567389135729, 0.00022352008495941192,
    -8.680583901980938e-5, 3.4336183113437618e-5, -1.3771720989854269e-5, 5.5837731699761649e-6,
    -2.2839125695395904e-6, 9.4067027657101366e-7, -3.8869308072374269e-7, 1.6182005044262837e-7,
    -6.9823380150735249e-8, 2.9316110955647892e-8, -9.4767085808626443e-9, 3.9902750386195193e-9,
    -3.8341649264112259e-9, 1.6305432352127332e-9
  };
  const double low[] = {
    -6.7039812482242866e-18, 9.7592314559984416e-18
  };
  return polynomial(t, c, low);
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
template <typename T> struct lgamma_facts;
template <> struct lgamma_facts<float> {
  static constexpr float half_log_2pi_hi() { return 0.918938518f; }
  static constexpr float half_log_2pi_lo() { return 1.4979966e-8f; }
  static constexpr float log_pi_hi() { return 1.14472985f; }
  static constexpr float log_pi_lo() { return 3.68963893e-8f; }
};
template <> struct lgamma_facts<double> {
  static constexpr double half_log_2pi_hi() { return 0.91893853320467278; }
  static constexpr double half_log_2pi_lo() { return -3.8782941580672416e-17; }
  static constexpr double log_pi_hi() { return 1.1447298858494002; }
  static constexpr double log_pi_lo() { return 1.0265951162707826e-17; }
};

// lgamma of positive x in two words.
template <typename T> inline two<T> lgamma_positive(T x) {
  if (x < T(0.5)) return add(negate(log_two(x)), multiply(lgamma_near_one(two<T>{x, T(0)}), x));
  // The added zero makes the value at 1 and 2 a positive zero.
  if (x < T(1.5)) return add(multiply(lgamma_near_one(two<T>{x - T(1), T(0)}), x - T(1)), T(0));
  if (x < T(3)) return add(multiply(lgamma_near_two(two<T>{x - T(2.25), T(0)}), x - T(2)), T(0));
  const two<T> l = log_two(x);
  if (x > T(1e18)) {
    const two<T> factor = add(l, T(-1));
    return {fma(x, factor.hi, x * factor.lo), T(0)};
  }
  const T q = T(1) / x;
  const two<T> constant = {lgamma_facts<T>::half_log_2pi_hi(), lgamma_facts<T>::half_log_2pi_lo()};
  const two<T> body = add(multiply(l, two_sum(x, T(-0.5))), -x);
  return add(add(body, constant), q * stirling_tail(q * q));
}
// lgamma of negative x. With a distance of r from x to the nearest whole number gamma(x) gamma(-x) is -pi / (x sin(pi r)).
template <typename T> inline T lgamma_negative(T x) {
  if (isinf(x)) return -x;
  if (x > T(-0.5)) return rounded(add(negate(log_two(-x)), multiply(lgamma_near_one(two<T>{x, T(0)}), x)));
  const T r = fraction(x);
  if (r == T(0)) return inf<T>();
  const two<T> log_pi = {lgamma_facts<T>::log_pi_hi(), lgamma_facts<T>::log_pi_lo()};
  const two<T> reflected = add(log_pi, negate(log_two(multiply(sinpi_two(fabs(r)), -x))));
  return rounded(add(reflected, negate(lgamma_positive(-x))));
}
template <typename T> inline T lgamma_anywhere(T x) {
  if (x > T(0)) return isinf(x) ? x : rounded(lgamma_positive(x));
  return x == T(0) ? inf<T>() : x < T(0) ? lgamma_negative(x) : x;
}
}  // namespace jl
