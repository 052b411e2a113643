// Activation functions of neural networks, in forms that neither overflow nor cancel.
template <typename T> struct complex;
namespace jl {
// <fit tanhshrink_tail>
// (x - tanh(x)) / x^3 in t = x^2, x up to 0.5
inline float tanhshrink_tail(float t) {
  const float c[] = {
    0.333333333f, -0.133333296f, 0.0539664988f, -0.0218390803f, 0.00862182106f, -0.00267974257f
  };
  return polynomial(t, c);
}
inline double tanhshrink_tail(double t) {
  const double c[] = {
    0.33333333333333333, -0.13333333333333231, 0.053968253968089754, -0.021869488525867598,
    0.0088632351986591344, -0.0035921217969498705, 0.0014557608138655874, -0.00058946674191019051,
    0.00023635364294136243, -8.8195803057450644e-5, 2.2953304653337329e-5
  };
  return polynomial(t, c);
}
// </fit>
template <typename T> inline T tanhshrink(T a) {
  return fabs(a) < T(0.5) ? a * (a * a) * tanhshrink_tail(a * a) + T(0) : a - tanh(a);
}
template <typename T> inline complex<T> tanhshrink(complex<T> a) { return a - tanh(a); }
template <typename T> inline T softsign(T a) { return a / (T(1) + fabs(a)); }
template <typename T> inline complex<T> softsign(complex<T> a) { return a / complex<T>(T(1) + abs(a)); }
template <typename T> inline T softplus(T a) { return a > T(20) ? a : log1p(exp(a)); }
template <typename T> inline T logsigmoid(T a) { return (a < T(0) ? a : T(0)) - log1p(exp(-fabs(a))); }
// tanh(log(1 + e)) = e (e + 2) / (e (e + 2) + 2).
template <typename T> inline T mish(T a) {
  if (a > T(20)) return a;
  const T e = exp(a), n = e * (e + T(2));
  return a * (n / (n + T(2)));
}
template <typename T> inline T elu(T a) { return a > T(0) ? a : expm1(a); }
template <typename T> inline T relu6(T a) { return a < T(0) ? T(0) : a > T(6) ? T(6) : a; }
template <typename T> inline T silu(T a) { return a / (T(1) + exp(-a)); }
template <typename T> inline complex<T> silu(complex<T> a) { return a / (complex<T>(T(1)) + exp(-a)); }
}  // namespace jl
