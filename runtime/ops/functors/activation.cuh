// Activation functions of neural networks, in forms that neither overflow nor cancel.
template <typename T> struct complex;
namespace jl {
// <fit tanhshrink_tail>
// (x - tanh(x)) / x^3 in t = x^2, x up to 1.25
inline float tanhshrink_tail(float t) {
  const float c[] = {
    0.333333333f, -0.133333272f, 0.053966928f, -0.021858294f, 0.00881436467f, -0.00346639303f,
    0.00125079824f, -0.000368225659f, 7.37813913e-5f, -7.17724719e-6f
  };
  return polynomial(t, c);
}
inline double tanhshrink_tail(double t) {
  const double c[] = {
    0.33333333333333333, -0.13333333333333315, 0.053968253968238534, -0.02186948853562987,
    0.0088632355204111527, -0.0035921279313839341, 0.001455833607387484, -0.00059002335135322335,
    0.00023911332841141451, -9.6869267205531231e-5, 3.9174286465576322e-5, -1.5734861799614972e-5,
    6.19352085593154e-6, -2.3250472081440948e-6, 7.9752287106584387e-7, -2.3631394317179295e-7,
    5.652480059872008e-8, -1.0012930466083929e-8, 1.1497985946032149e-9, -6.3551464962044608e-11
  };
  return polynomial(t, c);
}
// </fit>
template <typename T> inline T tanhshrink(T a) {
  return fabs(a) < T(1.25) ? a * (a * a) * tanhshrink_tail(a * a) + T(0) : a - tanh(a);
}
template <typename T> inline complex<T> tanhshrink(complex<T> a) { return a - tanh(a); }
template <typename T> inline T softsign(T a) { return a / (T(1) + fabs(a)); }
template <typename T> inline complex<T> softsign(complex<T> a) { return a / complex<T>(T(1) + abs(a)); }
// Far below zero the exponential is taken this much further up, where it neither overflows nor is subnormal.
template <typename T> struct far_below;
template <> struct far_below<float> {
  static constexpr float start() { return -80.0f; }
  static constexpr float shift() { return 40.0f; }
  static constexpr float factor() { return 4.24835426e-18f; }
};
template <> struct far_below<double> {
  static constexpr double start() { return -700.0; }
  static constexpr double shift() { return 100.0; }
  static constexpr double factor() { return 3.7200759760208361e-44; }
};
// a exp(a), which silu and mish are there; NaN at minus infinity, as in PyTorch.
template <typename T> inline T silu_far_below(T a) {
  return isinf(a) ? nan<T>() : (a * exp(a + far_below<T>::shift())) * far_below<T>::factor();
}
// tanh(log(1 + e)) = e (e + 2) / (e (e + 2) + 2).
template <typename T> inline T mish(T a) {
  if (a > T(20)) return a;
  if (a < far_below<T>::start()) return silu_far_below(a);
  const T e = exp(a), n = e * (e + T(2));
  return a * (n / (n + T(2)));
}
template <typename T> inline T elu(T a) { return a > T(0) ? a : expm1(a); }
template <typename T> inline T relu6(T a) { return a < T(0) ? T(0) : a > T(6) ? T(6) : a; }
template <typename T> inline complex<T> silu(complex<T> a) { return a / (complex<T>(T(1)) + exp(-a)); }
}  // namespace jl
