// The spherical Bessel function of order 0, sin(x) / x.
namespace jl {
template <typename T> inline T spherical_bessel_j0(T x) {
  if (isinf(x)) return T(0);
  return x == T(0) ? T(1) : sin(x) / x;
}
}  // namespace jl
