// The error function and the normal distribution. Everything small goes through the scaled complement
// erfcx(x) = exp(x^2) erfc(x), with x^2 in two words, so that the tails keep their digits. The polynomials are fits of our
// own (scripts/fit.py).
namespace jl {
// <fit erf_near double>
// erf(x) / x - 1 in t = x^2, x up to 0.5
inline double erf_near(double t) {
  const double c[] = {
    0.12837916709551257, -0.37612638903183751, 0.11283791670954869, -0.02686617064499972,
    0.0052239776220169364, -0.00085483265107247964, 0.00012055286202005713, -1.4923003368152099e-5,
    1.6371234425770001e-6, -1.4620913409451749e-7
  };
  return polynomial(t, c);
}
// </fit>
// <fit erfcx_near>
// erfcx(x) in t = x - 1, x from 0 to 2
inline two<float> erfcx_near(two<float> t) {
  const float c[] = {
    0.427583575f, -0.273212016f, 0.154371545f, -0.079226962f, 0.0375726704f, -0.0166619796f, 0.00696791722f,
    -0.00276840752f, 0.00105652845f, -0.000383804645f, 0.000124738867f, -4.2502579e-5f, 2.08686937e-5f,
    -6.49059929e-6f
  };
  const float low[] = {
    1.14698981e-9f, 7.74101281e-10f, -6.83673458e-9f
  };
  return polynomial(t, c, low);
}
inline two<double> erfcx_near(two<double> t) {
  const double c[] = {
    0.427583576155807, -0.27321201478389856, 0.15437156137190858, -0.079226968941326786,
    0.037572296215283757, -0.016661869090412657, 0.0069701423750908825, -0.0027690647758762072,
    0.0010502693985088381, -0.0003819545277091378, 0.00013366298154676151, -4.5143920578634099e-5,
    1.4753150124744093e-5, -4.6754927049128988e-6, 1.4397288687615181e-6, -4.3145872052142828e-7,
    1.2593299235414572e-7, -3.590842539856099e-8, 1.0108303180958756e-8, -2.7519864789888905e-9,
    6.655075760047144e-10, -1.7537424078575672e-10, 7.1310423594856536e-11, -1.7733587450660755e-11
  };
  const double low[] = {
    4.7188368327649593e-18, -4.7396455544600554e-18, 1.0431763560121492e-17
  };
  return polynomial(t, c, low);
}
// </fit>
// <fit erfcx_middle>
// x erfcx(x) in t = 1 / x - 1 / 3, x from 2 to 6
inline two<float> erfcx_middle(two<float> t) {
  const float c[] = {
    0.537003458f, -0.142959343f, -0.115373023f, 0.195683039f, -0.102594644f, -0.0971634405f, 0.275038262f,
    -0.25615964f
  };
  const float low[] = {
    -3.84558667e-9f
  };
  return polynomial(t, c, low);
}
inline two<double> erfcx_middle(two<double> t) {
  const double c[] = {
    0.5370034535441699, -0.14295934043884202, -0.11537284741572568, 0.19568021007862872,
    -0.10262206225931678, -0.096657673669459075, 0.27599998409021483, -0.28477073813950338,
    0.018878297978589349, 0.48312436321333644, -0.95771905208495685, 0.91969740931636416,
    0.15323061608692621, -2.427631789722802, 5.3119445952377395, -6.011871045734421, -3.8292526461617534,
    18.974054506149327
  };
  const double low[] = {
    -4.6798843366747323e-17
  };
  return polynomial(t, c, low);
}
// </fit>
// <fit erfcx_far>
// x erfcx(x) in t = 1 / x^2, x from 6 up
inline two<float> erfcx_far(two<float> t) {
  const float c[] = {
    0.564189613f, -0.282094106f, 0.422941768f, -1.03696979f, 2.77685562f
  };
  const float low[] = {
    -2.96974498e-8f
  };
  return polynomial(t, c, low);
}
inline two<double> erfcx_far(two<double> t) {
  const double c[] = {
    0.56418958354775628, -0.28209479177385103, 0.42314218762154371, -1.0578554468499727, 3.7024876063761935,
    -16.660096988181705, 91.514177363275352, -586.91151912099447, 4054.3906595796223, -25006.230668664841,
    92075.120022926617
  };
  const double low[] = {
    4.5592858230606371e-18
  };
  return polynomial(t, c, low);
}
// </fit>

// erfcx of x from 0 up; also the incomplete gamma functions' of a float.
template <typename T> inline two<T> erfcx_positive(two<T> x) {
  if (x.hi < T(2)) return erfcx_near(two<T>{x.hi - T(1), x.lo});
  const T q = T(1) / x.hi;
  const two<T> reciprocal = {q, q == T(0) ? T(0) : q * fma(-q, x.lo, fma(-q, x.hi, T(1)))};
  if (x.hi < T(6)) return multiply(reciprocal, erfcx_middle(two<T>{q - T(1) / T(3), reciprocal.lo}));
  return multiply(reciprocal, erfcx_far(two<T>{q * q, T(0)}));
}
// From here on erfc rounds to 0, and below the negative of the other erfcx is infinite.
constexpr double erfc_vanishes() { return 27.3; }
constexpr double erfcx_overflows() { return 26.7; }
inline two<double> root_half() {
  return {0.5 * two_facts<double>::root_two_hi(), 0.5 * two_facts<double>::root_two_lo()};
}
// x up to a limit; NaN stays.
inline double at_most(double x, double limit) { return x > limit ? limit : x; }

// exp(factor x^2) for a factor that is a power of two or its negative.
inline exponential<double> exp_square(double x, double factor) {
  const two<double> square = two_product(x, x);
  return exp_two(two<double>{factor * square.hi, factor * square.lo});
}
inline double erfcx(double x) {
  if (!(x < 0.0)) return rounded(erfcx_positive(two<double>{x, 0.0}));
  if (x < -erfcx_overflows()) return inf<double>();
  const two<double> positive = erfcx_positive(two<double>{-x, 0.0});
  const exponential<double> e = exp_square(x, 1.0);
  const two<double> half = {-0.5 * positive.hi, -0.5 * positive.lo};
  return 2.0 * rounded(add(two<double>{scale(e.value.hi, e.k), scale(e.value.lo, e.k)}, half));
}
// erfc of x from 0.5 up, or of NaN.
inline exponential<double> erfc_tail(double x) {
  const double a = at_most(x, erfc_vanishes());
  return multiply(exp_square(a, -1.0), erfcx_positive(two<double>{a, 0.0}));
}
inline double erfc(double x) {
  if (fabs(x) < 0.5) {
    const two<double> first = two_sum(1.0, -x);
    return first.hi + fma(-x, erf_near(x * x), first.lo);
  }
  return x < 0.0 ? subtract(2.0, erfc_tail(-x)) : rounded(erfc_tail(x));
}
inline double erf(double x) {
  return fabs(x) < 0.5 ? fma(x, erf_near(x * x), x) : copysign(subtract(1.0, erfc_tail(fabs(x))), x);
}
// ndtr of -x for positive x.
inline exponential<double> ndtr_tail(double x) {
  const double a = at_most(x, 1.5 * erfc_vanishes());
  const exponential<double> e = multiply(exp_square(a, -0.5), erfcx_positive(multiply(root_half(), a)));
  return {e.value, e.k - 1.0};
}
// ndtr of x from -0.7 to 0.7.
inline two<double> ndtr_near(double x) {
  const two<double> z = multiply(root_half(), x), first = quick_sum(0.5, 0.5 * z.hi);
  return {first.hi, fma(0.5 * z.hi, erf_near(z.hi * z.hi), fma(0.5, z.lo, first.lo))};
}
inline double ndtr(double x) {
  if (fabs(x) < 0.7) return rounded(ndtr_near(x));
  return x < 0.0 ? rounded(ndtr_tail(-x)) : subtract(1.0, ndtr_tail(x));
}
inline double gelu(double x) {
  if (fabs(x) < 0.7) return copysign(rounded(multiply(ndtr_near(x), x)), x);
  if (isinf(x)) return x > 0.0 ? x : nan<double>();
  const double a = at_most(fabs(x), 1.5 * erfc_vanishes());
  const exponential<double> tail = multiply(ndtr_tail(a), two<double>{a, 0.0});
  return x < 0.0 ? -rounded(tail) : subtract(x, tail);
}

// Those of a float in double arithmetic, without branches.
// <fit erf_over wide>
// erf(x) / x in t = x^2, x up to 0.5
inline double erf_over(double t) {
  const double c[] = {
    1.1283791670824095, -0.37612638525650692, 0.11283774013179538, -0.026863143032249387,
    0.0052004137243354927, -0.00076945342791423072
  };
  return wide::polynomial(t, c);
}
// </fit>
// <fit erfcx_whole wide>
// (1 + 2 x) erfcx(x) in t = (x - 3) / (x + 3), x from 0 up
inline double erfcx_whole(double t) {
  const double c[] = {
    1.2530080582697297, -0.13562110443635379, -0.047562294287159016, 0.12964509537128007,
    -0.11927366592992145, 0.068308719453873933, -0.023770486690952121, 0.0025260256479564505,
    0.0018885464637363091, -0.00077130198855073163, -0.0001047658020783463, 0.00011318911418344701,
    4.3232205758375238e-6, -1.1039710043070329e-5, -1.3169874678591097e-7
  };
  return wide::polynomial(t, c);
}
// </fit>
// erfcx of a finite x from 0 up.
inline double wide_erfcx(double x) {
  const double over = 1.0 / ((x + 3.0) * (1.0 + 2.0 * x));
  return erfcx_whole((x - 3.0) * ((1.0 + 2.0 * x) * over)) * ((x + 3.0) * over);
}
// erfc of any x; beyond 16 it is no float.
inline double wide_erfc(double x) {
  const double a = wide::within(__builtin_fabs(x), 0.0, 16.0), value = wide::exp(-a * a) * wide_erfcx(a);
  return x < 0.0 ? 2.0 - value : value;
}
inline double wide_ndtr(double x) { return 0.5 * wide_erfc(-0.7071067811865476 * x); }
inline float erfc(float x) { return float(wide_erfc(x)); }
inline float erf(float x) {
  const double a = x, near = a * erf_over(a * a), far = 1.0 - wide_erfc(__builtin_fabs(a));
  return fabs(x) < 0.5f ? float(near) : copysign(float(far), x);
}
inline float erfcx(float x) {
  const double a = x, size = __builtin_fabs(a), low = wide::within(size, 0.0, 16.0);
  const double positive = wide_erfcx(wide::within(size, 0.0, 1e39));
  return float(x < 0.0f ? 2.0 * wide::exp(low * low) - positive : isinf(x) ? 0.0 : positive);
}
inline float ndtr(float x) { return float(wide_ndtr(x)); }
inline float gelu(float x) { return isinf(x) ? (x > 0.0f ? x : nan<float>()) : float(x * wide_ndtr(x)); }
}  // namespace jl
