// The error function and the normal distribution. Everything small goes through the scaled complement
// erfcx(x) = exp(x^2) erfc(x), with x^2 in two words, so that the tails keep their digits. The polynomials are fits of our
// own (scripts/fit.py).
namespace jl {
// <fit erf_near double>
// erf(x) / x - 1 in t = x^2 - 1/2, x up to 1
inline double erf_near(double t) {
  const double c[] = {
    -0.034531261330132692, -0.28107217804543424, 0.079409986755934829, -0.018283884489152539,
    0.0034802744966656171, -0.00056118942212774417, 7.8296495254553771e-5, -9.6148085257095981e-6,
    1.0536449530013862e-6, -1.0420476859445043e-7, 9.3876293109741197e-9, -7.7641674155891769e-10,
    5.9589303432611371e-11, -4.2309458242953378e-12
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
// The rest has no branches, so that a processor's loops run in vector registers.
// <fit erfcx_slope double>
// ((1 + 2 x) erfcx(x) - 7 erfcx(3)) / t in t = (x - 3) / (x + 3), x from 0.8 to 28
inline double erfcx_slope(double t) {
  const double c[] = {
    -0.13562110612458119, -0.047562294353451199, 0.12964515870276266, -0.11927366341527227,
    0.068308027343916135, -0.023770514919752711, 0.0025293918170847029, 0.0018886903757454201,
    -0.00077983228440536975, -0.00010515993986740952, 0.00012509947006282067, 4.9502014487493865e-6,
    -2.0101370354475554e-5, -7.3370849660460702e-7, 3.4759532116997719e-6, 3.6027744907339233e-7,
    -6.2606437282361016e-7, -1.4179640598570678e-7, 1.1540339993030528e-7, 3.4159437654412536e-8,
    -2.0905997852872548e-8
  };
  return two_chains(t, c);
}
// </fit>
// <fit erfcx_beyond double>
// erfcx(x) in t = (x - 3/2) / (x + 3/2), x from 1 to 6
inline double erfcx_beyond(double t) {
  const double c[] = {
    0.32158541645431751, -0.49086875319767944, 0.19449060550160524, -0.0092844788875645388,
    -0.018629389163184223, -0.00044719226923729616, 0.0028836856778702846, 0.00086073040646914002,
    -0.00029588791395786506, -0.00031016483139888371, -7.0400326454902858e-5, 4.4306942468643046e-5,
    4.2651475392462551e-5, 4.6844405949201792e-6, 1.6615507350592161e-5, -3.2585998780202247e-5,
    1.0122018711637283e-5
  };
  return polynomial(t, c);
}
// </fit>
// erfc of x from 0.8 up, for what x^2 is: erfcx times 1 + 2 x in two words, over the latter; one division makes both quotients.
inline exponential<double> erfc_tail(two<double> x, two<double> square) {
  const two<double> last = quick_sum(2.0 * x.hi, 1.0);
  const double below = x.hi + 3.0, over = 1.0 / (below * last.hi), over_last = below * over;
  const double over_below = last.hi * over, t = (x.hi - 3.0) * over_below;
  const double slope = erfcx_slope(t), step = slope * t;
  const two<double> sum = quick_sum(1.2530080582697296, step);
  const double sum_low = sum.lo + (4.5276203702746546e-17 + fma(slope, t, -step));
  const double q = sum.hi * over_last, rest = fma(-q, last.hi, sum.hi) + fma(-q, fma(2.0, x.lo, last.lo), sum_low);
  const double k = rint(-1.4426950408889634 * square.hi), exact = fma(-k, two_facts<double>::ln2_hi(), -square.hi);
  const two<double> r = quick_sum(exact, fma(-k, two_facts<double>::ln2_lo(), -square.lo)), first = quick_sum(1.0, r.hi);
  const double low = first.lo + fma(r.hi * r.hi, exp_tail(r.hi), fma(r.hi, r.lo, r.lo)), p = first.hi * q;
  return {{p, fma(first.hi, q, -p) + fma(first.hi, rest * over_last, low * q)}, k};
}
inline double erfc(double x) {
  const double a = at_most(fabs(x), erfc_vanishes());
  const exponential<double> tail = erfc_tail(two<double>{a, 0.0}, two_product(a, a));
  const two<double> first = quick_sum(1.0, -x);
  const double near = first.hi + fma(-x, erf_near(fma(x, x, -0.5)), first.lo);
  const double positive = rounded(tail), far = x < 0.0 ? 2.0 - positive : positive;
  return fabs(x) < 0.8 ? near : far;
}
// exp of x from -37 to 0 in one word, for terms that count less than a unit.
inline double small_exp(double x) {
  const double rounded = fma(x, 1.4426950408889634, 6755399441055744.0), k = rounded - 6755399441055744.0;
  const double r = fma(-k, two_facts<double>::ln2_lo(), fma(-k, two_facts<double>::ln2_hi(), x));
  const double power = float_of((bits_of(rounded) << 52) + 0x3ff0000000000000ull);
  return fma(power, fma(r * r, exp_tail(r), r), power);
}
inline float small_exp(float x) {
  const float rounded = fma(x, 1.44269504f, 12582912.0f), r = fma(12582912.0f - rounded, 0.693147182f, x);
  const float power = float_of((bits_of(rounded) << 23) + 0x3f800000u);
  return fma(power, fma(r * r, exp_tail(r), r), power);
}
// Beyond 1 the complement is small enough for one word.
inline double erf(double x) {
  const double size = fabs(x), a = at_most(size, 6.0);
  const double far = fma(-small_exp(-a * a), erfcx_beyond((a - 1.5) / (a + 1.5)), 1.0);
  return size < 1.0 ? fma(x, erf_near(fma(x, x, -0.5)), x) : copysign(far, x);
}
// ndtr of -x for x from 0 up: half of erfc(x / sqrt(2)).
inline exponential<double> ndtr_tail(double x) {
  const double a = at_most(x, 1.5 * erfc_vanishes());
  const two<double> square = two_product(a, a), z = multiply(root_half(), a);
  const exponential<double> tail = erfc_tail(z, two<double>{0.5 * square.hi, 0.5 * square.lo});
  const two<double> first = quick_sum(0.5, -0.5 * z.hi);
  // The slope of erf, for the second word, is nearly a line in x^2.
  const double slope = fma(square.hi, -0.41, 1.12), rest = fma(z.hi, erf_near(fma(z.hi, z.hi, -0.5)), slope * z.lo);
  const two<double> near = {first.hi, fma(-0.5, rest, first.lo)};
  const bool small = z.hi < 0.8;
  return {{small ? near.hi : tail.value.hi, small ? near.lo : tail.value.lo}, small ? 0.0 : tail.k - 1.0};
}
inline double ndtr(double x) {
  const exponential<double> tail = ndtr_tail(fabs(x));
  const double below = rounded(tail);
  return x < 0.0 ? below : 1.0 - below;
}
inline double gelu(double x) {
  const double a = at_most(fabs(x), 1.5 * erfc_vanishes());
  const exponential<double> tail = multiply(ndtr_tail(a), two<double>{a, 0.0});
  const double value = x < 0.0 ? -rounded(tail) : subtract(x, tail);
  return isinf(x) ? (x > 0.0 ? x : nan<double>()) : x == 0.0 ? x : value;
}

// Those of a float in double arithmetic, without branches.
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
// <fit erfcx_over wide>
// (x + 3) erfcx(x) in t = 1 / (x + 3), x from 0 to 10.3
inline double erfcx_over(double t) {
  const double c[] = {
    0.56420335265267977, 1.6914635678860667, 4.8354029547354568, 11.844914629782319, 42.847225579315137,
    -49.453375626021275, 931.41369512832348, -3772.4978364795454, 13383.511024755183, -29437.116655518027,
    32858.610107978193, -14688.037561176107
  };
  return wide::polynomial(t, c);
}
// </fit>
// |x| up to a limit, and the limit for NaN: of bits, which GCC makes one instruction.
inline float size_within(float x, float limit) {
  const unsigned size = bits_of(x) & 0x7fffffffu, most = bits_of(limit);
  return float_of(size < most ? size : most);
}
// 2^power erfc(x) for x from 0 to 10.3, beyond which it is no float. `rough` is a float's 1 / (x + 3): with a step to twice its
// digits it is quicker than a double's.
inline double wide_erfc(double x, float rough, double power) {
  const double first = rough, over = wide::step(wide::step(-first, x + 3.0, 1.0), first, first);
  return wide::exp2(wide::step(x * x, -1.4426950408889634, power)) * (over * erfcx_over(over));
}
// ndtr of -x for x from 0 to 14.5, beyond which it is no float.
inline double wide_ndtr_tail(float x) {
  return wide_erfc(0.7071067811865476 * x, 1.0f / (0.707106781f * x + 3.0f), -1.0);
}
// <fit erf_short float>
// erf(x) / x - 1 in t = x^2 - 1/2, x up to 1
inline float erf_short(float t) {
  const float c[] = {
    -0.0345312613f, -0.281072178f, 0.0794099868f, -0.0182838853f, 0.00348027457f, -0.000561178391f,
    7.82955021e-5f, -9.67358777e-6f, 1.05893806e-6f
  };
  return polynomial(t, c);
}
// </fit>
// <fit erfcx_exponent float>
// log(erfcx(x)) in t = x - 2.5, x from 1 to 4
inline float erfcx_exponent(float t) {
  const float c[] = {
    -1.55681527f, -0.352680674f, 0.0561062964f, -0.0108585416f, 0.00216530355f, -0.000420122524f,
    7.72913762e-5f, -1.33150144e-5f, 1.63715141e-6f
  };
  return polynomial(t, c);
}
// </fit>
// In single words: up to 1 the polynomial, and beyond it a complement that is small.
inline float erf(float x) {
  const float size = fabs(x), a = size > 4.0f ? 4.0f : size;
  const float far = 1.0f - small_exp(fma(-a, a, erfcx_exponent(a - 2.5f)));
  return size < 1.0f ? fma(x, erf_short(fma(x, x, -0.5f)), x) : copysign(far, x);
}
#if JITLAB_WITHOUT_DOUBLES
// The same without double arithmetic, in two words: a GPU may have none.
inline exponential<float> complement(two<float> x, two<float> square) {
  return multiply(exp_two(two<float>{-square.hi, -square.lo}), erfcx_positive(x));
}
// x over the root of 2.
inline two<float> less_root(float x) {
  return multiply(two<float>{0.5f * two_facts<float>::root_two_hi(), 0.5f * two_facts<float>::root_two_lo()}, x);
}
// ndtr of -x for x from 0 up.
inline exponential<float> ndtr_tail(float x) {
  const exponential<float> twice = complement(less_root(x), two_product(0.5f * x, x));
  return {twice.value, twice.k - 1.0f};
}
inline float erfc(float x) {
  const float a = size_within(x, 10.3f);
  const exponential<float> tail = complement(two<float>{a, 0.0f}, two_product(a, a));
  return x == x ? x < 0.0f ? subtract(2.0f, tail) : rounded(tail) : x;
}
inline float erfcx(float x) {
  if (!(x < 0.0f)) return rounded(erfcx_positive(two<float>{x, 0.0f}));
  if (x < -9.4f) return inf<float>();
  const two<float> positive = erfcx_positive(two<float>{-x, 0.0f});
  const exponential<float> e = exp_two(two_product(x, x));
  const two<float> half = {-0.5f * positive.hi, -0.5f * positive.lo};
  return 2.0f * rounded(add(two<float>{scale(e.value.hi, e.k), scale(e.value.lo, e.k)}, half));
}
inline float ndtr(float x) {
  const exponential<float> tail = ndtr_tail(size_within(x, 14.5f));
  return x == x ? x < 0.0f ? rounded(tail) : subtract(1.0f, tail) : x;
}
inline float gelu(float x) {
  const float a = size_within(x, 14.5f);
  const exponential<float> tail = multiply(ndtr_tail(a), two<float>{a, 0.0f});
  const float value = x < 0.0f ? -rounded(tail) : subtract(x, tail);
  return isinf(x) ? (x > 0.0f ? x : nan<float>()) : x == 0.0f ? x : value;
}
#else
inline float erfc(float x) {
  const float a = size_within(x, 10.3f);
  const double value = wide_erfc(a, 1.0f / (a + 3.0f), 0.0);
  return x == x ? float(x < 0.0f ? 2.0 - value : value) : x;
}
inline float erfcx(float x) {
  const double a = x, size = __builtin_fabs(a), low = wide::within(size, 0.0, 16.0);
  const double positive = wide_erfcx(wide::within(size, 0.0, 1e39));
  return float(x < 0.0f ? 2.0 * wide::exp(low * low) - positive : isinf(x) ? 0.0 : positive);
}
inline float ndtr(float x) {
  const double below = wide_ndtr_tail(size_within(x, 14.5f));
  return x == x ? float(x < 0.0f ? below : 1.0 - below) : x;
}
inline float gelu(float x) {
  const float a = size_within(x, 14.5f);
  const float value = float(double(x < 0.0f ? 0.0f : x) - a * wide_ndtr_tail(a));
  return x == -inf<float>() ? nan<float>() : value;
}
#endif
}  // namespace jl
