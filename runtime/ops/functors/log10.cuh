// The logarithm to the base 10 from a logarithm in two words.
namespace jl {
inline double precise_log10(double x) {
  if (!(x > 0.0)) return x == 0.0 ? -inf<double>() : nan<double>();
  return isinf(x) ? x : rounded(multiply(log_two(x), two<double>{0.43429448190325182, 1.0983196502167651e-17}));
}
}  // namespace jl
