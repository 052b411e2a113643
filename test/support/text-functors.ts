// Functors in C++ that may share a kernel with other operations.
export const textFunctors = {
  swish: "template <typename T> T swish(T x, T y) { return x / (T(1) + exp(-y)); }",
  // A helper of a common name, a conversion there and back, and a division by zero.
  bits: `template <typename T> T helper(T x) { return x * T(3) - T(1); }
template <typename T> T bits(T x, T y) { int k = int(y); return helper(x) + T(7 / k) + T(int(x)); }`,
  library: "template <typename T> T library(T x, T y) { return jl::maximum(x, y) + T(M_PI) * jl::floor(y); }",
  wide: "template <typename T> double wide(T x, T y) { return double(x) * 0.1 + y; }",
  flag: "template <typename T> bool flag(T x, T y) { return x < y || x != x; }",
  loop: `template <typename T> T loop(T x, T y) {
  T sum = T(0), table[4] = {x, y, x * y, T(1)};
  for (int i = 0; i < 4; i++) { if (table[i] < T(0)) continue; sum += table[i]; }
  return sum;
}`,
} as const;
