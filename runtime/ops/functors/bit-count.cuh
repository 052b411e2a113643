namespace jl {
// Bits in fields of two, then of four, then of eight, whose sum a product leaves in the top byte.
__device__ inline int set_bits(uint64 x) {
  x -= x >> 1 & 0x5555555555555555ull;
  x = (x & 0x3333333333333333ull) + (x >> 2 & 0x3333333333333333ull);
  x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0full;
  return int(x * 0x0101010101010101ull >> 56);
}
}  // namespace jl
