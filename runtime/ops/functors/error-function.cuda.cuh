// The error function and the normal distribution by the GPU's own functions, which keep up with its memory and stay within
// a few ULP; ours in two words, a processor's, do not.
namespace jl {
template <typename T> inline T erf(T x) { return ::erf(x); }
template <typename T> inline T erfc(T x) { return ::erfc(x); }
template <typename T> inline T erfcx(T x) { return ::erfcx(x); }
// For a positive x of two words; the slope of erfcx is 2 x erfcx(x) - 2 / sqrt(pi).
template <typename T> inline two<T> erfcx_positive(two<T> x) {
  const T value = ::erfcx(x.hi);
  return {value, x.lo * fma(T(2) * x.hi, value, T(-1.1283791670955126))};
}
template <typename T> inline T ndtr(T x) { return ::normcdf(x); }
// <fit normal_whole float>
// (x + 3) erfcx(x / sqrt(2)) / 2 in t = (x - 3) / (x + 3), x from 0 to 14.6
inline float normal_whole(float t) {
  const float c[] = {
    0.729083691f, -0.509331989f, 0.230017677f, -0.0472627487f, -0.0104622919f, 0.0069698359f,
    0.00102413688f, -0.00103427886f, -0.000244606192f, 0.000133173084f, 5.53865754e-5f
  };
  return polynomial(t, c);
}
// </fit>
// <fit normal_far double>
// (x + 4) erfcx(x / sqrt(2)) / 2 in t = (x - 4) / (x + 4), x from 0 to 39
inline double normal_far(double t) {
  const double c[] = {
    0.75528513041575149, -0.60789664197189211, 0.38713740074221454, -0.18652185795965725,
    0.060396574890936561, -0.0075401889667267916, -0.0034796923673935952, 0.0016308184575887012,
    0.00013334431240964574, -0.00023109493516945901, -1.9082584797734331e-6, 3.5144686053003463e-5,
    7.1666632452210312e-7, -5.9201733230161029e-6, -6.2969656058158233e-7, 1.0215540371961015e-6,
    2.7180452962592836e-7, -1.549649174224745e-7, -8.540841815685125e-8, 1.3280797787310328e-8,
    1.961961086135556e-8, 1.9182770203733403e-9, -2.5220994578780735e-9, -7.2624198104095793e-10
  };
  return polynomial(t, c);
}
// </fit>
// normal(-a) exp(a^2 / 2)
inline float normal_share(float a) {
  const float over = fine_reciprocal(a + 3.0f);
  return over * normal_whole((a - 3.0f) * over);
}
inline double normal_share(double a) {
  const double over = fine_reciprocal(a + 4.0);
  return over * normal_far((a - 4.0) * over);
}
template <typename T> struct powers;
template <> struct powers<float> {
  // Added to a number, its last bits are the nearest whole one.
  static constexpr float whole() { return 12582912.0f; }
  // From here on normal(-a) is 0.
  static constexpr float far() { return 15.0f; }
  static float of_two(int k) { return float_of(unsigned(k + 127) << 23); }
};
template <> struct powers<double> {
  static constexpr double whole() { return 6755399441055744.0; }
  static constexpr double far() { return 39.0; }
  static double of_two(int k) { return float_of((unsigned long long)(k + 1023) << 52); }
};
// The GPU's normal distribution takes more instructions than the memory leaves time for: below -x it is exp(-x^2 / 2), with the
// second word of x^2, times what is smooth.
template <typename T> inline T gelu(T x) {
  const T a = fmin(fabs(x), powers<T>::far()), square = a * a, low = fma(a, a, -square);
  const T rounded = fma(square, T(-0.72134752044448170), powers<T>::whole()), k = rounded - powers<T>::whole();
  const T exact = fma(-k, two_facts<T>::ln2_hi(), T(-0.5) * square);
  const T r = fma(T(-0.5), low, fma(-k, two_facts<T>::ln2_lo(), exact)), e = fma(r * r, exp_tail(r), r) + T(1);
  // 2^k in two factors, because it may be subnormal.
  const int n = int(bits_of(rounded)), half = n >> 1;
  const T tail = ((a * normal_share(a)) * e) * powers<T>::of_two(half);
  // Minus infinity is not a number, as in PyTorch.
  return fma(-tail, powers<T>::of_two(n - half), x < T(0) ? x * T(0) : x);
}
}  // namespace jl
