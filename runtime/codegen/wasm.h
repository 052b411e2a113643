// What WebAssembly lacks: pointers of the argument block's eight bytes, and a fused multiplication and addition.
template <typename T> struct alignas(8) pointer {
  T* address;
  operator T*() const { return address; }
};
namespace jitlab {
#define JITLAB_FLOAT(NAME) inline float NAME(float x) { return __builtin_##NAME##f(x); }
JITLAB_FLOAT(exp) JITLAB_FLOAT(exp2) JITLAB_FLOAT(expm1) JITLAB_FLOAT(log) JITLAB_FLOAT(log2) JITLAB_FLOAT(log10)
JITLAB_FLOAT(log1p) JITLAB_FLOAT(tanh) JITLAB_FLOAT(sin) JITLAB_FLOAT(cos) JITLAB_FLOAT(tan)
#undef JITLAB_FLOAT
// The product is exact in a double. Where the sum is not, its last bit is made odd, which keeps the second rounding, to a
// float, from falling to the wrong side of a tie (Boldo and Melquiond, 2008). No branches: loops stay in vector registers.
inline float fma(float x, float y, float z) {
  const double product = double(x) * double(y), addend = z, sum = product + addend;
  const double part = sum - product, lost = (product - (sum - part)) + (addend - part);
  const unsigned long long bits = bits_of(sum), even = ~bits & 1u;
  const unsigned long long up = (lost > 0.0 & sum > 0.0) | (lost < 0.0 & sum < 0.0);
  const unsigned long long down = (lost > 0.0 & sum < 0.0) | (lost < 0.0 & sum > 0.0);
  return float(float_of(bits + (even & up) - (even & down)));
}
}  // namespace jitlab
