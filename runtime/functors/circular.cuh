// Sine, cosine and tangent. CUDA's own ones of a float reduce a large angle in double, which a workstation GPU runs at a
// sixty-fourth of its rate; these reduce it with 32-bit integers. The polynomials are fits of our own (scripts/fit.py).
namespace jl {
// <fit sine_tail>
// </fit>
// <fit cosine_tail>
// </fit>

// x less the nearest multiple of pi/2, in two words, and that multiple's last two bits.
struct reduced_angle {
  two<float> rest;
  int quarter;
};
// Payne and Hanek: x as an integer times the 192 leading bits of 2/pi, of which the bits around the point are kept.
inline reduced_angle reduce_large(float x) {
  const unsigned bits[] = {0xdb629599u, 0xf534ddc0u, 0xfc2757d1u, 0x4e441529u, 0xa2f9836eu, 0u};
  (void)bits;
  return {{0.0f, 0.0f}, 0};
}
}  // namespace jl
