// Modified Bessel functions of the second kind, plain and scaled by exp(x): a logarithm and a power series up to 1, the
// scaled function beyond. The polynomials are fits of our own (scripts/fit.py).
namespace jl {
// <fit k0_series>
// K0(x) + log(x / 2) I0(x) in t = x^2, x up to 1
inline float k0_series(float t) {
  const float c[] = {
    -0.577215665f, 0.105696072f, 0.0144185973f, 0.00054493269f, 1.05068826e-5f
  };
  return polynomial(t, c);
}
inline double k0_series(double t) {
  const double c[] = {
    -0.57721566490153286, 0.10569608377461686, 0.01441850523591188, 0.0005451899602702101,
    1.0214014083524545e-5, 1.1570362119527243e-7, 8.8185636403559677e-10, 4.9241892075301928e-12
  };
  return polynomial(t, c);
}
// </fit>
// <fit k0_middle>
// sqrt(x) exp(x) K0(x) in t = 1 / x - 0.65, x from 1 to 3.3
inline float k0_middle(float t) {
  const float c[] = {
    1.1751522f, -0.0957987812f, 0.0264478771f, -0.0109541486f, 0.00561308498f, -0.0033164895f,
    0.00249280414f, -0.00178080647f
  };
  return polynomial(t, c);
}
inline double k0_middle(double t) {
  const double c[] = {
    1.1751521986925145, -0.095798783047967349, 0.026447259627411733, -0.010953659453214436,
    0.0056379486493810884, -0.0033361648490645291, 0.0021789779352228935, -0.0015331018281642326,
    0.0011437136912178916, -0.00089483487548629855, 0.00072835847763987406, -0.00061212683877195974,
    0.00053026623352657905, -0.00048346217972265828, 0.00044050663959314345, -0.00031724777926681523,
    0.00029404672350002189, -0.00065326472473734264, 0.00064589160896842749
  };
  return polynomial(t, c);
}
// </fit>
// <fit k0_tail>
// sqrt(x) exp(x) K0(x) in t = 1 / x - 0.15, x from 3.3 up
inline float k0_tail(float t) {
  const float c[] = {
    1.23154273f, -0.135029066f, 0.0595729251f, -0.0441055061f, 0.0440602288f, -0.0594019016f, 0.0862943244f
  };
  return polynomial(t, c);
}
inline double k0_tail(double t) {
  const double c[] = {
    1.2315427260325133, -0.13502889088049886, 0.059572611489327546, -0.044167224172654291,
    0.044170475879706693, -0.054074656440109786, 0.076821274478162478, -0.12250418118137785,
    0.21441756276453074, -0.40539940799858618, 0.8188091532817877, -1.748645884670911, 3.8611259325265855,
    -9.0000857020422449, 25.612584651001202, -66.283563202877543, 32.77888353361508, -45.726768886184473,
    3028.2305551449409, -8930.3607560822558
  };
  return polynomial(t, c);
}
// </fit>
// <fit k1_series>
// (K1(x) - 1 / x - log(x / 2) I1(x)) / x in t = x^2, x up to 1
inline float k1_series(float t) {
  const float c[] = {
    0.0386078325f, -0.0420490209f, -0.00283711196f, -7.4930545e-5f, -1.08899489e-6f, -1.03108806e-8f
  };
  return polynomial(t, c);
}
inline double k1_series(double t) {
  const double c[] = {
    0.03860783245076643, -0.042049020943654196, -0.0028371119837633694, -7.4930429059883868e-5,
    -1.0892182538794239e-6, -1.0112909380707974e-8, -6.54020010031254e-11, -3.1205751324386638e-13,
    -1.1602871991688329e-15
  };
  return polynomial(t, c);
}
// </fit>
// <fit k1_middle>
// sqrt(x) exp(x) K1(x) in t = 1 / x - 0.65, x from 1 to 3.3
inline float k1_middle(float t) {
  const float c[] = {
    1.51660168f, 0.358452226f, -0.0537772442f, 0.0184140339f, -0.00856560146f, 0.00476394738f,
    -0.00340728475f, 0.00236209171f
  };
  return polynomial(t, c);
}
inline double k1_middle(double t) {
  const double c[] = {
    1.5166016774298156, 0.35845222823050673, -0.053776443891490708, 0.018413411642271869,
    -0.0085978413491063338, 0.0047889881753128877, -0.0029998856627043737, 0.0020465114099303078,
    -0.0014906481979117248, 0.0011441235914205522, -0.00091668914429446903, 0.00076033279119837962,
    -0.00065123206512560855, 0.00058728077689365919, -0.00053050796318083488, 0.00038221729730743553,
    -0.00035185109510935265, 0.00076663932431774203, -0.00075407651027416234
  };
  return polynomial(t, c);
}
// </fit>
// <fit k1_tail>
// sqrt(x) exp(x) K1(x) in t = 1 / x - 0.15, x from 3.3 up
inline float k1_tail(float t) {
  const float c[] = {
    1.32087028f, 0.432787618f, -0.105740872f, 0.0656018795f, -0.0600498912f, 0.0763520794f, -0.107107012f
  };
  return polynomial(t, c);
}
inline double k1_tail(double t) {
  const double c[] = {
    1.3208702804401406, 0.43278740557258976, -0.10574049970781751, 0.065676603813592796,
    -0.060180850760658247, 0.069895771352101554, -0.095843898478410442, 0.14898338819712496,
    -0.25575948814378349, 0.47624713011058839, -0.95006144365247842, 2.0082995756812578,
    -4.3995116293517677, 10.180918885466111, -28.651155153231525, 73.710928637296564, -39.001692631858409,
    57.776030566712123, -3313.1907083505102, 9738.8777468333018
  };
  return polynomial(t, c);
}
// </fit>

// What both orders answer below, at and beyond their range: NaN, a pole, and 0.
template <typename T> inline T k_edge(T x) { return x == T(0) ? inf<T>() : x > T(0) ? T(0) : nan<T>(); }
template <typename T> inline bool k_regular(T x) { return x > T(0) && !isinf(x); }

// log(x / 2); half of a subnormal number would be rounded.
template <typename T> inline T log_half(T x) {
  return x < T(4) * float_facts<T>::smallest() ? log(x) - float_facts<T>::ln2() : log(T(0.5) * x);
}
template <typename T> inline T k0_small(T x) {
  return k0_series(x * x) - log_half(x) * i0_near(x).hi;
}
template <typename T> inline T k1_small(T x) {
  const T logarithm = log_half(x) * i1_near(x).hi;
  return T(1) / x + (logarithm + x * k1_series(x * x));
}
// sqrt(x) exp(x) K(x) for x from 1 up.
template <typename T> inline T k0_scaled(T x) {
  const T q = T(1) / x;
  return q > T(0.3) ? k0_middle(q - T(0.65)) : k0_tail(q - T(0.15));
}
template <typename T> inline T k1_scaled(T x) {
  const T q = T(1) / x;
  return q > T(0.3) ? k1_middle(q - T(0.65)) : k1_tail(q - T(0.15));
}
template <typename T> inline T modified_bessel_k0(T x) {
  if (!k_regular(x)) return k_edge(x);
  return x <= T(1) ? k0_small(x) : exp_times(-x, over_root(two<T>{k0_scaled(x), T(0)}, x));
}
template <typename T> inline T modified_bessel_k1(T x) {
  if (!k_regular(x)) return k_edge(x);
  return x <= T(1) ? k1_small(x) : exp_times(-x, over_root(two<T>{k1_scaled(x), T(0)}, x));
}
template <typename T> inline T scaled_modified_bessel_k0(T x) {
  if (!k_regular(x)) return k_edge(x);
  return x <= T(1) ? exp(x) * k0_small(x) : rounded(over_root(two<T>{k0_scaled(x), T(0)}, x));
}
template <typename T> inline T scaled_modified_bessel_k1(T x) {
  if (!k_regular(x)) return k_edge(x);
  return x <= T(1) ? exp(x) * k1_small(x) : rounded(over_root(two<T>{k1_scaled(x), T(0)}, x));
}
}  // namespace jl
