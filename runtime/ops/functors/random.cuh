// Philox4x32-10, the counter-based generator of Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as
// 1, 2, 3" (2011): the bits of element i depend on the seed, the stream and i alone, so every device gives the same.
// Outside jl, so that the call means the function of the device, beside that of complex numbers, and not jl's own.
template <typename F> __device__ inline F cosine(F angle) { return cos(angle); }
namespace jl {
struct words { uint32 w[4]; };
__device__ inline words philox(uint64 index, uint64 stream, uint64 seed) {
  words c = {{uint32(index), uint32(index >> 32), uint32(stream), uint32(stream >> 32)}};
  uint32 k0 = uint32(seed), k1 = uint32(seed >> 32);
  for (int round = 0; round < 10; ++round) {
    const uint64 p0 = uint64(0xD2511F53u) * c.w[0];
    const uint64 p1 = uint64(0xCD9E8D57u) * c.w[2];
    c = words{{uint32(p1 >> 32) ^ c.w[1] ^ k0, uint32(p1), uint32(p0 >> 32) ^ c.w[3] ^ k1, uint32(p0)}};
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
  return c;
}
// 64 bits for element i: two elements share one block of four words.
__device__ inline uint64 random_bits(int64 i, int64 stream, int64 seed) {
  const words block = philox(uint64(i) >> 1, uint64(stream), uint64(seed));
  const bool second = i & 1;
  return uint64(second ? block.w[3] : block.w[1]) << 32 | (second ? block.w[2] : block.w[0]);
}
// Uniform in [0, 1): 24 bits for float, 53 for double, so that every value is exact and 1 never comes out.
template <typename F> struct uniform;
template <> struct uniform<float> {
  static __device__ float of(uint64 bits) { return float(uint32(bits >> 40)) * 5.9604644775390625e-8f; }
};
template <> struct uniform<double> {
  static __device__ double of(uint64 bits) { return double(bits >> 11) * 1.1102230246251565e-16; }
};
template <typename F> __device__ inline F at_most(F x, F most) { return x < most ? x : most; }
// Box and Muller (1958). The radius takes 1 - u, which is never 0; both uniforms come from one block of four words.
template <typename F> __device__ inline F normal(int64 i, int64 stream, int64 seed) {
  const uint64 a = random_bits(2 * i, stream, seed), b = random_bits(2 * i + 1, stream, seed);
  const F radius = sqrt(F(-2) * log(F(1) - uniform<F>::of(a)));
  return radius * cosine(F(6.283185307179586) * uniform<F>::of(b));
}
}  // namespace jl
