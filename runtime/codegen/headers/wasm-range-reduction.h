// A float's turns, where no product is fused: each of a float and a number of 29 bits is exact.
namespace jitlab {
namespace circular {
inline double part_of_turn(double x) { return x - __builtin_rint(x); }
// x / (2 pi) less a whole number. 1 / (2 pi) stands in four numbers; of a large x, those of its bits are left out whose product with
// x is whole.
inline double turn_of(float a) {
  const double x = a, size = __builtin_fabs(x);
  const bool b = size >= 0x1p52, c = size >= 0x1p78, d = size >= 0x1p104;
  const double first = d ? 0x1.57d1f53p-82 : c ? 0x1.4a7f09dp-56 : b ? 0x1.c9c882ap-31 : 0x1.45f306dp-3;
  const double second = d ? 0x1.377036cp-112 : c ? 0x1.7d1f534p-86 : b ? 0x1.4fe13a8p-61 : 0x1.9391054p-32;
  const double third = d ? 0x1.8a5664fp-140 : c ? 0x1.bb81b6cp-115 : b ? 0x1.f47d4d3p-88 : 0x1.4fe13abp-61;
  const double last = d ? 0x1.0e4107f9458ebp-172 : c ? 0x1.4acc9e21c8210p-145 : b ? 0x1.dc0db6295993cp-118 : 0x1.d1f534ddc0db6p-90;
  const double turn = part_of_turn(x * first) + part_of_turn(x * second);
  return (part_of_turn(turn) + x * third) + x * last;
}
}  // namespace circular
}  // namespace jitlab
