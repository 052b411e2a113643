// The inverses of the error function and of the normal distribution. The polynomials are fits of our own (scripts/fit.py).
namespace jl {
// <fit erfinv_near double>
// erfinv(x) / x in t = x^2, x up to 0.5
inline two<double> erfinv_near(two<double> t) {
  const double c[] = {
    0.88622692545275805, 0.23201366653465908, 0.12755617530440841, 0.086552129362683633,
    0.064959611327178616, 0.051731484987004527, 0.042832578482160586, 0.036522988083139018,
    0.031145242581416722, 0.031593320433753254, 0.0084460115842249387, 0.073450205395204018,
    -0.076073607763285731, 0.11314166859159029
  };
  const double low[] = {
    -4.1261329504074517e-17
  };
  return polynomial(t, c, low);
}
// </fit>
// <fit erfcinv_near double>
// erfcinv(exp(-w^2)) / w in t = w - 1.5, w from 0.83 to 2.17
inline two<double> erfcinv_near(two<double> t) {
  const double c[] = {
    0.76330918803646652, 0.18414958179607321, -0.10643766455486474, 0.051462682057565669,
    -0.020671410373936886, 0.0061186655911159, -0.00045838610509720994, -0.0010816013224533665,
    0.0010701121319074679, -0.00067645678975686556, 0.00032670353678581188, -0.00011399819160548281,
    1.4157714963149247e-5, 1.9167130683405218e-5, -2.2076024147950602e-5, 1.5273370496404731e-5,
    -7.9520081949110016e-6, 3.0086709837807083e-6, -6.1474954867228444e-7, -2.5651783029894462e-7,
    6.113567794625971e-7, -5.6448759801253667e-7, 1.9995711258280749e-7
  };
  const double low[] = {
    -5.1504467012604056e-17, 1.1714628279828684e-17
  };
  return polynomial(t, c, low);
}
// </fit>
// <fit erfcinv_middle double>
// erfcinv(exp(-w^2)) / w in t = 1 / w - 0.3, w from 2.17 to 7
inline two<double> erfcinv_middle(two<double> t) {
  const double c[] = {
    0.9184240438767699, -0.39922095021500158, -0.19239073863660864, 0.48694135941433383,
    -0.51487957206352136, 0.56505004177533038, -0.9346698687021639, 1.9187242905120797, -4.135047337550267,
    9.2337759325218405, -21.483483322543642, 51.867101452604699, -129.42653540770444, 334.99694721272496,
    -870.59907698624283, 2079.7636808636209, -5937.5314598390218, 26823.669272310533, -64977.287818074453,
    -107255.49383240703, 138507.69905521272, 4145149.9995469682, -10690666.49390559
  };
  const double low[] = {
    3.299111440724309e-17
  };
  return polynomial(t, c, low);
}
// </fit>
// <fit erfcinv_far double>
// erfcinv(exp(-w^2)) / w in t = 1 / w - 0.09, w from 7 to 28
inline two<double> erfcinv_far(two<double> t) {
  const double c[] = {
    0.9878891178082897, -0.22467439077392633, -0.75729165114287821, 1.787525198001988, -5.096887035087865,
    22.841297138458611, -127.80057788404609, 810.91084636495731, -5623.3303645961036, 41612.688157023448,
    -323630.57012103473, 2616057.0162861273, -21556416.670927227, 182204749.46140085, -1784124179.7673101,
    17086022560.809048, -48190043346.413816, -53907889351.485446, -3.7850189948265195e+13,
    4.7893188539532564e+14, 4.2775141824081706e+15, -5.8651801964157993e+16, -5.9802595205499794e+17,
    6.8944394819902139e+18
  };
  const double low[] = {
    -1.8447238520528818e-17
  };
  return polynomial(t, c, low);
}
// </fit>

// The root of -log(q) in two words, and one over it.
struct log_root {
  two<double> w;
  double over;
};
inline log_root log_root_of(double q) {
  const two<double> square = negate(log_two(q));
  const double root = sqrt(square.hi), over = 1.0 / root;
  return {{root, 0.5 * (fma(-root, root, square.hi) + square.lo) * over}, over};
}
// The y with erfc(y) = q, for q from exp(-49) to 0.5: without branches, so that a processor's loops run in vector registers.
inline two<double> erfc_inverse(double q) {
  const log_root r = log_root_of(q);
  const two<double> near = erfcinv_near(add(r.w, -1.5)), middle = erfcinv_middle(two<double>{r.over - 0.3, 0.0});
  const bool steep = r.w.hi < 2.17;
  return multiply(r.w, two<double>{steep ? near.hi : middle.hi, steep ? near.lo : middle.lo});
}
// The same of a smaller q.
inline two<double> far_erfc_inverse(double q) {
  const log_root r = log_root_of(q);
  return multiply(r.w, erfcinv_far(two<double>{r.over - 0.09, 0.0}));
}
// <fit erfinv_inner double>
// (erfinv(x) / x - 1.12737439368922771378577242772498 - 0.247832870286210925553357751220504 t) / t^2 in t = w - 1, w = -log(1 - x^2) from 0 to 6
inline double erfinv_inner(double t) {
  const double c[] = {
    0.0042507092448247356, -0.0023763699555788842, 0.00010012177623095983, 3.8201872487275288e-5,
    -4.2755857152236303e-6, -5.6522522846929299e-7, 1.2231715006225582e-7, 6.0401357582056346e-9,
    -3.024180461736935e-9, 1.6582667736091904e-11, 6.7591225449323774e-11, -3.7270792630400067e-12,
    -1.3644104808621099e-12, 1.5239675875841009e-13, 2.4125015259241602e-14, -4.5310075280091224e-15,
    -4.7701151205415791e-16, 1.76118982925989e-16, -5.028425940109399e-18, -4.3477505708197532e-18,
    8.8666667483890661e-19, -8.4800156080022941e-20, 4.2932155228176083e-21, -9.3251736955673523e-23
  };
  return two_chains(t, c);
}
// </fit>
// <fit erfinv_beyond double>
// (erfinv(x) / x - 3.15088355679912246494740828525585 - 0.151649272727558233207299375596796 t) / t^2 in t = w - 11, w = -log(1 - x^2) from 6 to 16.7
inline double erfinv_beyond(double t) {
  const double c[] = {
    -0.0033401476010108174, 0.00014100890594322305, -6.8616474381755302e-6, 3.0095531944533961e-7,
    -5.2894579959570428e-9, -1.1002051802538757e-9, 1.9749830245905661e-10, -2.1527801097343806e-11,
    1.7902216850301312e-12, -1.1350697820684931e-13, 4.4553609638292573e-15, 9.023467739695662e-17,
    -3.9082874342278929e-17, 4.6929741582767119e-18, -3.9306203922257556e-19, 2.4538914299746038e-20,
    -9.9949625357480377e-22, -7.0714470309336104e-24, 8.3324696619106618e-24, -1.2164203066519302e-24,
    8.8815901996982092e-26, -2.2069030910969455e-27, -3.9337625027918636e-29
  };
  return two_chains(t, c);
}
// </fit>
// erfinv of x up to 0.99999997, where w = -log(1 - x^2) is at most 16.7: x times a line in w, in two words, and a square more.
__forceinline__ double short_erfinv(double x) {
  double log_lost;
  const double y = fma(-x, x, 1.0), sum = log_of_normal(y, log_lost);
  const bool inner = sum > -6.0;
  const two<double> value = {inner ? 1.1273743936892278 : 3.1508835567991227, inner ? -4.6831882466579015e-17 : -2.2175054765652556e-16};
  const two<double> slope = {inner ? 0.24783287028621093 : 0.15164927272755824, inner ? -1.1823904655221454e-18 : -4.298418977025557e-18};
  const two<double> t = two_sum(-sum, inner ? -1.0 : -11.0);
  // What the rounding of 1 - x^2 adds to w counts where that is more than a half.
  const double rest = sum > -0.7 ? fma(fma(-1.9, y, 2.9), fma(x, x, y - 1.0), t.lo - log_lost) : t.lo - log_lost;
  const two<double> step = two_product(slope.hi, t.hi), line = quick_sum(value.hi, step.hi);
  const double curve = inner ? erfinv_inner(t.hi) : erfinv_beyond(t.hi), more = fma(t.hi, t.hi * curve, step.lo + line.lo);
  const two<double> ratio = quick_sum(line.hi, more + fma(slope.hi, rest, fma(slope.lo, t.hi, value.lo)));
  const double a = fabs(x);
  return copysign(fma(a, ratio.hi, a * ratio.lo), x);
}
inline double erfinv(double x) {
  const double a = fabs(x);
  if (a < 0.99999997) return short_erfinv(x);
  const two<double> ratio = erfinv_near(two<double>{x * x, 0.0});
  // The nearest numbers to 1 are 2^-53 away.
  const double central = fma(a, ratio.hi, a * ratio.lo), outer = rounded(erfc_inverse(((a > 0.5) & (a < 1.0)) ? 1.0 - a : 0.5));
  const double beyond = a == 1.0 ? inf<double>() : nan<double>();
  return copysign(a <= 0.5 ? central : a < 1.0 ? outer : beyond, x);
}

// ndtri of p that is neither very small nor 1, without branches; two loops call it, and one of them runs in vector registers.
__forceinline__ double short_ndtri(double p) {
  const two<double> root_two = {two_facts<double>::root_two_hi(), two_facts<double>::root_two_lo()};
  const double x = 2.0 * (p - 0.5), central = rounded(multiply(multiply(erfinv_near(two<double>{x * x, 0.0}), root_two), x));
  const double q = p < 0.5 ? p : 1.0 - p, far = rounded(multiply(erfc_inverse(q > 0.25 ? 0.5 : 2.0 * q), root_two));
  const double outer = p < 0.5 ? -far : far;
  return q > 0.25 ? central : outer;
}
inline double ndtri(double p) {
  if ((p >= 2.5e-22) & (p < 1.0)) return short_ndtri(p);
  if (!(p >= 0.0 && p <= 1.0)) return nan<double>();
  const two<double> root_two = {two_facts<double>::root_two_hi(), two_facts<double>::root_two_lo()};
  return p == 1.0 ? inf<double>() : p == 0.0 ? -inf<double>() : -rounded(multiply(far_erfc_inverse(2.0 * p), root_two));
}

#if JITLAB_WITHOUT_DOUBLES
// Those of a float without double arithmetic, with the logarithm in two words: a GPU may have none.
// <fit erfinv_inner float>
// (erfinv(x) / x - 1.12737439368922771378577242772498 - 0.247832870286210925553357751220504 t) / t^2 in t = w - 1, w = -log(1 - x^2) from 0 to 6
inline float erfinv_inner(float t) {
  const float c[] = {
    0.00425070928f, -0.00237637f, 0.000100121292f, 3.82028475e-5f, -4.27493294e-6f, -5.67483644e-7f,
    1.2323237e-7f, 6.9832593e-9f, -4.10332929e-9f, 4.65205801e-10f, -1.87818403e-11f
  };
  return two_chains(t, c);
}
// </fit>
// <fit erfinv_beyond float>
// (erfinv(x) / x - 3.15088355679912246494740828525585 - 0.151649272727558233207299375596796 t) / t^2 in t = w - 11, w = -log(1 - x^2) from 6 to 16.7
inline float erfinv_beyond(float t) {
  const float c[] = {
    -0.00334014755f, 0.000141008994f, -6.86173502e-6f, 3.00893566e-7f, -5.26521204e-9f, -1.08835066e-9f,
    1.94768667e-10f, -2.24210186e-11f, 1.94663086e-12f, -8.7488642e-14f
  };
  return two_chains(t, c);
}
// </fit>
// <fit erfinv_outer float>
// erfinv(x) / x in t = sqrt(w) - 7.2, w from 16.7 to 106
inline float erfinv_outer(float t) {
  const float c[] = {
    7.07071833f, 1.00839146f, -0.00050754791f, 1.05998378e-5f, 4.59913139e-6f, -1.32406477e-6f,
    2.53521453e-7f, -3.29060213e-8f, 5.28345609e-9f, -1.80123172e-9f, 2.6058315e-10f
  };
  return polynomial(t, c);
}
// </fit>
// erfinv(x) over x for w = -log(1 - x^2) up to 16.7: a line in w, in two words, and a square more.
inline two<float> erfinv_over(two<float> w) {
  const bool inner = w.hi < 6.0f;
  const two<float> value = inner ? two<float>{1.12737441f, -1.69400447e-08f} : two<float>{3.15088367f, -1.17822459e-07f};
  const two<float> slope = inner ? two<float>{0.247832865f, 5.76327697e-09f} : two<float>{0.151649266f, 6.2461587e-09f};
  const two<float> start = two_sum(w.hi, inner ? -1.0f : -11.0f), t = {start.hi, start.lo + w.lo};
  const two<float> step = multiply(slope, t), line = two_sum(value.hi, step.hi);
  const float curve = inner ? erfinv_inner(t.hi) : erfinv_beyond(t.hi);
  return quick_sum(line.hi, fma(t.hi, t.hi * curve, line.lo + step.lo + value.lo));
}
inline float erfinv(float x) {
  const two<float> square = two_product(x, x), rest = two_sum(1.0f, -square.hi);
  const two<float> over = erfinv_over(negate(log_two(two<float>{rest.hi, rest.lo - square.lo})));
  const float a = fabs(x), value = copysign(fma(a, over.hi, a * over.lo), x);
  return a < 1.0f ? value : a == 1.0f ? x * inf<float>() : nan<float>();
}
inline float ndtri(float p) {
  // A small p times 2^100: its product with 4 (1 - p) needs no second word, which would be too small for a float.
  const bool small = p < 1e-18f;
  const two<float> product = multiply(two_sum(1.0f, -p), 4.0f * p), logarithm = log_two(small ? two<float>{0x1p102f * p, 0.0f} : product);
  const two<float> moved = add(negate(logarithm), small ? 69.3147202f : 0.0f), w = {moved.hi, moved.lo - (small ? 2.0978e-6f : 0.0f)};
  const float root = sqrt(w.hi), step = (root - 7.2f) + 0.5f * (fma(-root, root, w.hi) + w.lo) / root;
  const two<float> over = w.hi < 16.7f ? erfinv_over(w) : two<float>{erfinv_outer(step), 0.0f};
  const two<float> twice = two_sum(2.0f * p, -1.0f), root_two = {two_facts<float>::root_two_hi(), two_facts<float>::root_two_lo()};
  const float value = rounded(multiply(multiply(twice, root_two), over));
  return p > 0.0f && p < 1.0f ? value : p == 0.0f ? -inf<float>() : p == 1.0f ? inf<float>() : nan<float>();
}
#else
// Those of a float in double arithmetic, without branches.
// <fit erfinv_central wide>
// erfinv(x) / x in t = w - 2.5 with w = -log(1 - x^2), w up to 5
inline double erfinv_central(double t) {
  const double c[] = {
    1.5014093511107919, 0.24664027678526775, -0.0041773178101400348, -0.0012527080836222809,
    0.00021825064939995002, -4.9958814487600595e-6, -3.4171152327450104e-6, 4.7864482434002713e-7,
    1.3691496015199152e-8, -1.0854397093112377e-8, 8.327000821030813e-10, 1.2302888973120804e-10,
    -2.1203565131819004e-11
  };
  return wide::polynomial(t, c);
}
// </fit>
// <fit erfinv_middle wide>
// erfinv(x) / x in t = w - 10.85, w from 5 to 16.7
inline double erfinv_middle(double t) {
  const double c[] = {
    3.1280605331672873, 0.15266092890077472, -0.0034045381467533878, 0.0001451935149889887,
    -7.0889899696208427e-6, 3.0529303144983993e-7, -4.0105187114240698e-9, -1.374207778317499e-9,
    2.2942578841378775e-10, -2.3022781741060449e-11, 1.9118847524031213e-12, -1.7145010229838923e-13,
    7.0378946071451802e-15, 1.1132062201070281e-15, -1.0851265145685202e-16
  };
  return wide::polynomial(t, c);
}
// </fit>
// <fit erfinv_outer wide>
// erfinv(x) / x in t = sqrt(w) - 7.2, w from 16.7 to 106
inline double erfinv_outer(double t) {
  const double c[] = {
    7.0707183293948706, 1.0083914942828088, -0.00050755301304994246, 1.05302028305613e-5,
    4.6092089166184063e-6, -1.2863133314149426e-6, 2.4821407053386169e-7, -4.0713425051988911e-8,
    6.3066635839042679e-9, -1.233562657342202e-9, 2.0485879344407172e-10, 6.021994191910679e-12,
    -3.6552808715895693e-12, -1.5991705868161439e-12, 3.369756167469949e-13
  };
  return wide::polynomial(t, c);
}
// </fit>
// erfinv(x) over x for w = -log(1 - x^2), up to the w of the float next to 1.
inline double wide_erfinv_over(double w) { return w < 5.0 ? erfinv_central(w - 2.5) : erfinv_middle(w - 10.85); }
inline float erfinv(float x) {
  const double a = x;
  const float value = float(a * wide_erfinv_over(-wide::quick_log((1.0 - a) * (1.0 + a))));
  return fabs(x) < 1.0f ? value : fabs(x) == 1.0f ? x * inf<float>() : nan<float>();
}
inline float ndtri(float p) {
  const double a = p, x = a - (1.0 - a), w = -wide::quick_log(4.0 * a * (1.0 - a));
  const double over = w < 16.7 ? wide_erfinv_over(w) : erfinv_outer(__builtin_sqrt(w) - 7.2);
  const float value = float(1.4142135623730951 * x * over);
  return p > 0.0f && p < 1.0f ? value : p == 0.0f ? -inf<float>() : p == 1.0f ? inf<float>() : nan<float>();
}
#endif
}  // namespace jl
