// The fused multiplication and addition that WebAssembly lacks.
namespace jitlab {
// The product is exact in a double. Where the sum is not, its last bit is made odd, which keeps the second rounding, to a
// float, from falling to the wrong side of a tie (Boldo and Melquiond, 2008). No branches: loops stay in vector registers.
inline float fma(float x, float y, float z) {
  const double product = double(x) * double(y), addend = z, sum = product + addend;
  const double part = sum - product, lost = (product - (sum - part)) + (addend - part);
  const unsigned long long bits = bits_of(sum), even = ~bits & 1u;
  const unsigned long long up = ((lost > 0.0) & (sum > 0.0)) | ((lost < 0.0) & (sum < 0.0));
  const unsigned long long down = ((lost > 0.0) & (sum < 0.0)) | ((lost < 0.0) & (sum > 0.0));
  return float(float_of(bits + (even & up) - (even & down)));
}
// A float's multiplication and addition in double. The product is exact, and so is every difference of it and its rounded
// self; only sums that lie next to the middle of two floats may be rounded to the other one.
inline float near_fma(float x, float y, float z) { return float(double(x) * double(y) + double(z)); }
// What a double's product loses, from factors in halves (Veltkamp and Dekker), joins what the sum loses: exact where the
// result is what a product lost. Near the ends of the range the C library does the same with integers, more slowly.
__noinline__ inline double careful_fma(double x, double y, double z) {
  const double product = x * y, size = __builtin_fabs(product);
  const bool halves = (__builtin_fabs(x) < 1e290) & (__builtin_fabs(y) < 1e290) & (size > 1e-270);
  if (!(halves & (size < 1e300) & (__builtin_fabs(z) < 1e300))) return __builtin_fma(x, y, z);
  const double wide = 134217729.0 * x, high = 134217729.0 * y;
  const double xh = wide - (wide - x), yh = high - (high - y), xl = x - xh, yl = y - yh;
  const double lost = ((xh * yh - product) + xh * yl + xl * yh) + xl * yl;
  const double sum = product + z, part = sum - product;
  return sum + (((product - (sum - part)) + (z - part)) + lost);
}
// What a small addend's product loses is less than an eighth of the sum's own rounding: so it is in most polynomials.
inline double near_fma(double x, double y, double z) {
  const double product = x * y, sum = product + z;
  return __builtin_fabs(product) < 0.125 * __builtin_fabs(sum) ? sum : careful_fma(x, y, z);
}
}  // namespace jitlab
// The library's own functions need no more than that; a user's `fma` is the exact one.
namespace jl {
inline float fma(float x, float y, float z) { return near_fma(x, y, z); }
inline double fma(double x, double y, double z) { return near_fma(x, y, z); }
}  // namespace jl
