// A float's turns, with fused products.
namespace jitlab {
namespace circular {
// x / (2 pi) less a whole number. 1 / (2 pi) stands in two words; of a large x, those of its bits are left out whose
// product with x is whole.
inline double turn_of(float a) {
  const double x = a, size = __builtin_fabs(x);
  const bool b = size >= 0x1p52, c = size >= 0x1p78, d = size >= 0x1p104;
  const double high = d ? 0x1.57d1f534ddc0ep-82 : c ? 0x1.4a7f09d5f47d5p-56 : b ? 0x1.c9c882a53f84fp-31 : 0x1.45f306dc9c883p-3;
  const double low = d ? -0x1.275a99b0ef1bfp-136 : c ? -0x1.6447e493ad4cep-111 : b ? -0x1.4170565911f92p-85 : -0x1.6b01ec5417056p-57;
  const double turns = x * high, lost = __builtin_fma(x, high, -turns);
  return __builtin_fma(x, low, (turns - __builtin_rint(turns)) + lost);
}
}  // namespace circular
}  // namespace jitlab
