// The error function and the normal distribution. Everything small goes through the scaled complement
// erfcx(x) = exp(x^2) erfc(x), with x^2 in two words, so that the tails keep their digits. The polynomials are fits of our
// own (scripts/fit.py).
namespace jl {
// <fit erf_near>
// erf(x) / x in t = x^2, x up to 1
inline float erf_near(float t) {
  const float c[] = {
    1.12837917f, -0.376126267f, 0.112835947f, -0.026854212f, 0.00518908742f, -0.000801686429f,
    7.87587506e-5f
  };
  return polynomial(t, c);
}
inline double erf_near(double t) {
  const double c[] = {
    1.1283791670955126, -0.37612638903183748, 0.11283791670954879, -0.026866170645076793,
    0.0052239776248180145, -0.00085483269808337899, 0.00012055331111642711, -1.4925595266831182e-5,
    1.6461000484121368e-6, -1.6350312701054695e-7, 1.4659775274047436e-8, -1.1372848856791674e-9,
    5.9571761477489114e-11
  };
  return polynomial(t, c);
}
// </fit>
// <fit erfcx_near>
// erfcx(x) in t = x - 1, x from 0 to 2
inline float erfcx_near(float t) {
  const float c[] = {
    0.427583576f, -0.273212015f, 0.154371538f, -0.079226962f, 0.0375726704f, -0.0166619796f, 0.00696791722f,
    -0.00276840752f, 0.00105652845f, -0.000383804645f, 0.000124738867f, -4.2502579e-5f, 2.08686937e-5f,
    -6.49059929e-6f
  };
  return polynomial(t, c);
}
inline double erfcx_near(double t) {
  const double c[] = {
    0.427583576155807, -0.27321201478389856, 0.15437156137190859, -0.079226968941326786,
    0.037572296215283757, -0.016661869090412657, 0.0069701423750908825, -0.0027690647758762072,
    0.0010502693985088381, -0.0003819545277091378, 0.00013366298154676151, -4.5143920578634099e-5,
    1.4753150124744093e-5, -4.6754927049128988e-6, 1.4397288687615181e-6, -4.3145872052142828e-7,
    1.2593299235414572e-7, -3.590842539856099e-8, 1.0108303180958756e-8, -2.7519864789888905e-9,
    6.655075760047144e-10, -1.7537424078575672e-10, 7.1310423594856536e-11, -1.7733587450660755e-11
  };
  return polynomial(t, c);
}
// </fit>
// <fit erfcx_middle>
// x erfcx(x) in t = 1 / x - 1 / 3, x from 2 to 6
inline float erfcx_middle(float t) {
  const float c[] = {
    0.537003454f, -0.142959343f, -0.115373023f, 0.195683039f, -0.102594644f, -0.0971634405f, 0.275038262f,
    -0.25615964f
  };
  return polynomial(t, c);
}
inline double erfcx_middle(double t) {
  const double c[] = {
    0.53700345354416985, -0.14295934043884202, -0.11537284741572568, 0.19568021007862872,
    -0.10262206225931678, -0.096657673669459075, 0.27599998409021483, -0.28477073813950338,
    0.018878297978589349, 0.48312436321333644, -0.95771905208495685, 0.91969740931636416,
    0.15323061608692621, -2.427631789722802, 5.3119445952377395, -6.011871045734421, -3.8292526461617534,
    18.974054506149327
  };
  return polynomial(t, c);
}
// </fit>
// <fit erfcx_far>
// x erfcx(x) in t = 1 / x^2, x from 6 up
inline float erfcx_far(float t) {
  const float c[] = {
    0.564189583f, -0.282094106f, 0.422941768f, -1.03696979f, 2.77685562f
  };
  return polynomial(t, c);
}
inline double erfcx_far(double t) {
  const double c[] = {
    0.56418958354775628, -0.28209479177385103, 0.42314218762154371, -1.0578554468499727, 3.7024876063761935,
    -16.660096988181705, 91.514177363275352, -586.91151912099447, 4054.3906595796223, -25006.230668664841,
    92075.120022926617
  };
  return polynomial(t, c);
}
// </fit>
// <fit erfinv_near>
// erfinv(x) / x in t = x^2, x up to 0.5
inline float erfinv_near(float t) {
  const float c[] = {
    0.886226926f, 0.232013421f, 0.127571728f, 0.0861873736f, 0.0689636794f, 0.0298798021f, 0.097447091f
  };
  return polynomial(t, c);
}
inline double erfinv_near(double t) {
  const double c[] = {
    0.88622692545275801, 0.23201366653465908, 0.12755617530440841, 0.086552129362683633,
    0.064959611327178616, 0.051731484987004527, 0.042832578482160586, 0.036522988083139018,
    0.031145242581416722, 0.031593320433753254, 0.0084460115842249387, 0.073450205395204018,
    -0.076073607763285731, 0.11314166859159029
  };
  return polynomial(t, c);
}
// </fit>
// <fit erfcinv_near>
// erfcinv(exp(-w^2)) / w in t = w - 1.5, w from 0.83 to 2.17
inline float erfcinv_near(float t) {
  const float c[] = {
    0.763309188f, 0.184149567f, -0.106437669f, 0.0514633343f, -0.020671234f, 0.00611027761f,
    -0.000460386367f, -0.00103641922f, 0.00107829536f, -0.000788130616f, 0.000317743261f
  };
  return polynomial(t, c);
}
inline double erfcinv_near(double t) {
  const double c[] = {
    0.76330918803646647, 0.18414958179607323, -0.10643766455486474, 0.051462682057565669,
    -0.020671410373936886, 0.0061186655911159, -0.00045838610509720994, -0.0010816013224533665,
    0.0010701121319074679, -0.00067645678975686556, 0.00032670353678581188, -0.00011399819160548281,
    1.4157714963149247e-5, 1.9167130683405218e-5, -2.2076024147950602e-5, 1.5273370496404731e-5,
    -7.9520081949110016e-6, 3.0086709837807083e-6, -6.1474954867228444e-7, -2.5651783029894462e-7,
    6.113567794625971e-7, -5.6448759801253667e-7, 1.9995711258280749e-7
  };
  return polynomial(t, c);
}
// </fit>
// <fit erfcinv_middle>
// erfcinv(exp(-w^2)) / w in t = 1 / w - 0.3, w from 2.17 to 7
inline float erfcinv_middle(float t) {
  const float c[] = {
    0.918424044f, -0.39922114f, -0.192390879f, 0.487039925f, -0.514975595f, 0.551462207f, -0.912482531f,
    2.58525554f, -5.48676182f
  };
  return polynomial(t, c);
}
inline double erfcinv_middle(double t) {
  const double c[] = {
    0.91842404387676994, -0.39922095021500158, -0.19239073863660864, 0.48694135941433383,
    -0.51487957206352136, 0.56505004177533038, -0.9346698687021639, 1.9187242905120797, -4.135047337550267,
    9.2337759325218405, -21.483483322543642, 51.867101452604699, -129.42653540770444, 334.99694721272496,
    -870.59907698624283, 2079.7636808636209, -5937.5314598390218, 26823.669272310533, -64977.287818074453,
    -107255.49383240703, 138507.69905521272, 4145149.9995469682, -10690666.49390559
  };
  return polynomial(t, c);
}
// </fit>
// <fit erfcinv_far>
// erfcinv(exp(-w^2)) / w in t = 1 / w - 0.09, w from 7 to 28
inline float erfcinv_far(float t) {
  const float c[] = {
    0.987889123f, -0.22467449f, -0.757342951f, 1.78813433f, -5.01201159f, 22.0140285f, -170.697079f,
    1177.54178f
  };
  return polynomial(t, c);
}
inline double erfcinv_far(double t) {
  const double c[] = {
    0.98788911780828968, -0.22467439077392633, -0.75729165114287821, 1.787525198001988, -5.096887035087865,
    22.841297138458611, -127.80057788404609, 810.91084636495731, -5623.3303645961036, 41612.688157023448,
    -323630.57012103473, 2616057.0162861273, -21556416.670927227, 182204749.46140085, -1784124179.7673101,
    17086022560.809048, -48190043346.413816, -53907889351.485446, -3.7850189948265195e+13,
    4.7893188539532564e+14, 4.2775141824081706e+15, -5.8651801964157993e+16, -5.9802595205499794e+17,
    6.8944394819902139e+18
  };
  return polynomial(t, c);
}
// </fit>

template <typename T> inline T root_half() { return T(0.70710678118654752); }
template <typename T> inline T root_two() { return T(1.41421356237309505); }

// exp(scale x^2) for a scale that is a power of two or its negative.
template <typename T> inline T exp_square(T x, T scale) {
  const two<T> square = two_product(x, x);
  const T e = exp(scale * square.hi);
  return isfinite(square.lo) && isfinite(e) ? fma(e, scale * square.lo, e) : e;
}
// erfcx of x from 0 up.
template <typename T> inline T erfcx_positive(T x) {
  if (x < T(2)) return erfcx_near(x - T(1));
  const T q = T(1) / x;
  if (x < T(6)) return q * erfcx_middle(q - T(1) / T(3));
  return q * erfcx_far(q * q);
}
template <typename T> inline T erfcx(T x) {
  if (x >= T(0)) return erfcx_positive(x);
  return x < T(-30) ? inf<T>() : T(2) * exp_square(x, T(1)) - erfcx_positive(-x);
}
template <typename T> inline T erfc(T x) {
  if (fabs(x) < T(0.5)) return T(1) - x * erf_near(x * x);
  const T tail = exp_square(x, T(-1)) * erfcx_positive(fabs(x));
  return x < T(0) ? T(2) - tail : tail;
}
template <typename T> inline T erf(T x) {
  if (fabs(x) < T(1)) return x * erf_near(x * x);
  return isnan(x) ? x : copysign(T(1) - erfc(fabs(x)), x);
}
// The y with erfc(y) = q, for q from 0 to 0.5.
template <typename T> inline T erfc_inverse(T q) {
  const T w = sqrt(-log(q));
  if (w < T(2.17)) return w * erfcinv_near(w - T(1.5));
  if (w < T(7)) return w * erfcinv_middle(T(1) / w - T(0.3));
  return w * erfcinv_far(T(1) / w - T(0.09));
}
template <typename T> inline T erfinv(T x) {
  const T a = fabs(x);
  if (a <= T(0.5)) return x * erfinv_near(x * x);
  if (a >= T(1)) return a == T(1) ? x * inf<T>() : nan<T>();
  return copysign(erfc_inverse(T(1) - a), x);
}

template <typename T> inline T ndtr(T x) {
  const T z = x * root_half<T>();
  if (fabs(x) < T(0.7)) return T(0.5) + T(0.5) * z * erf_near(z * z);
  const T tail = T(0.5) * exp_square(x, T(-0.5)) * erfcx_positive(fabs(z));
  return x < T(0) ? tail : T(1) - tail;
}
template <typename T> inline T log_ndtr(T x) {
  if (!(x < T(0))) return log1p(T(-0.5) * exp_square(x, T(-0.5)) * erfcx_positive(x * root_half<T>()));
  const two<T> square = two_product(x, x);
  if (isinf(square.hi)) return -square.hi;
  const T tail = log(T(0.5) * erfcx_positive(-x * root_half<T>()));
  return add(two<T>{T(-0.5) * square.hi, T(-0.5) * square.lo}, tail).hi;
}
template <typename T> inline T ndtri(T p) {
  if (p > T(0.25) && p < T(0.75)) {
    const T x = T(2) * (p - T(0.5));
    return root_two<T>() * x * erfinv_near(x * x);
  }
  if (!(p >= T(0) && p <= T(1))) return nan<T>();
  const T q = p < T(0.5) ? p : T(1) - p;
  const T y = q == T(0) ? inf<T>() : root_two<T>() * erfc_inverse(T(2) * q);
  return p < T(0.5) ? -y : y;
}
template <typename T> inline T gelu(T x) { return x * ndtr(x); }
}  // namespace jl
