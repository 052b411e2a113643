// The logistic function of real numbers, and its product with a number, without branches, so that a processor's loops run in
// vector registers.
namespace jl {
// Far below zero the exponential is taken this much further up, where it neither overflows nor is subnormal; beyond the ends
// the function is 0 or 1.
template <typename T> struct logistic_facts;
template <> struct logistic_facts<float> {
  static constexpr float start() { return -80.0f; }
  static constexpr float shift() { return 40.0f; }
  static constexpr float factor() { return 4.24835426e-18f; }
  static constexpr float end() { return 120.0f; }
};
template <> struct logistic_facts<double> {
  static constexpr double start() { return -700.0; }
  static constexpr double shift() { return 100.0; }
  static constexpr double factor() { return 3.7200759760208361e-44; }
  static constexpr double end() { return 800.0; }
};
// Where the logistic function is computed for a; and what y times that value means for a.
template <typename T> inline T within_logistic(T a) {
  return a < logistic_facts<T>::start() ? a + logistic_facts<T>::shift() : a;
}
template <typename T> inline T beyond_logistic(T a, T value, T y) {
  const T inner = a < logistic_facts<T>::start() ? value * logistic_facts<T>::factor() : value;
  const T lower = a < -logistic_facts<T>::end() ? y * T(0) : inner;
  return a > -logistic_facts<T>::start() ? y : lower;
}
template <typename T> inline T sigmoid(T a) { return beyond_logistic(a, logistic(within_logistic(a)), T(1)); }
}  // namespace jl
