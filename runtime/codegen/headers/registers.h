// Functions of a whole vector register, whose tables lie in registers too: a table costs one instruction there, and a memory
// access for every element elsewhere. A function is a struct F with
//   value(x)    what it is for ordinary numbers: one text for a number and for a register of them, so that both have equal bits;
//   key(x)      above F::limit() where a number is not ordinary;
//   other(x)    what it is for any number.
// JITLAB_LANES(NAME, T, F) makes it a function of a number, which GCC calls once for the 16 floats or 8 doubles of a register in
// a loop, by the names of the vector function ABI.
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__GNUC__) && !defined(__clang__)
#define JITLAB_REGISTERS 1
namespace jitlab {
namespace registers {
typedef float float_vector __attribute__((vector_size(64)));
typedef unsigned float_bits __attribute__((vector_size(64)));
typedef double double_vector __attribute__((vector_size(64)));
typedef unsigned long long double_bits __attribute__((vector_size(64)));
using jitlab::fma;
// A register of numbers; a single number fills one.
#define JITLAB_REGISTER(NAME, T, VECTOR, BITS) \
  struct NAME { \
    typedef T lane; \
    typedef VECTOR vector; \
    VECTOR of; \
    NAME(VECTOR x) : of(x) {} \
    NAME(T x) : of(VECTOR{} + x) {} \
  }; \
  inline NAME operator+(NAME x, NAME y) { return x.of + y.of; } \
  inline NAME operator-(NAME x, NAME y) { return x.of - y.of; } \
  inline NAME operator*(NAME x, NAME y) { return x.of * y.of; } \
  inline NAME operator/(NAME x, NAME y) { return x.of / y.of; } \
  inline NAME operator-(NAME x) { return -x.of; } \
  inline BITS bits_of(NAME x) { return (BITS)x.of; } \
  inline NAME float_of(BITS x) { return (VECTOR)x; }
JITLAB_REGISTER(floats, float, float_vector, float_bits)
JITLAB_REGISTER(doubles, double, double_vector, double_bits)
#undef JITLAB_REGISTER
inline floats fma(floats x, floats y, floats z) { return __builtin_ia32_vfmaddps512_mask(x.of, y.of, z.of, (unsigned short)-1, 4); }
inline doubles fma(doubles x, doubles y, doubles z) { return __builtin_ia32_vfmaddpd512_mask(x.of, y.of, z.of, (unsigned char)-1, 4); }
// table[k % N].
template <typename B, int N> inline B pick(const B (&table)[N], B k) { return table[k & B(N - 1)]; }
inline float_bits pick(const unsigned (&table)[16], float_bits k) { return __builtin_shuffle(*(const float_bits*)table, k); }
inline float_bits pick(const unsigned (&table)[32], float_bits k) {
  return __builtin_shuffle(*(const float_bits*)table, *(const float_bits*)(table + 16), k);
}
inline double_bits pick(const unsigned long long (&table)[16], double_bits k) {
  return __builtin_shuffle(*(const double_bits*)table, *(const double_bits*)(table + 8), k);
}
template <typename V, typename T, int N> inline V polynomial(V x, const T (&c)[N]) {
  V sum = c[N - 1];
  JITLAB_UNROLL
  for (int i = N - 2; i >= 0; --i) sum = fma(sum, x, V(c[i]));
  return sum;
}
// One bit for each lane whose key is above a limit.
inline unsigned above(float_bits key, unsigned limit) {
  typedef int vector __attribute__((vector_size(64)));
  return (unsigned short)__builtin_ia32_ucmpd512_mask((vector)key, (vector)(float_bits{} + limit), 6, (unsigned short)-1);
}
inline unsigned above(double_bits key, unsigned long long limit) {
  typedef long long vector __attribute__((vector_size(64)));
  return (unsigned char)__builtin_ia32_ucmpq512_mask((vector)key, (vector)(double_bits{} + limit), 6, (unsigned char)-1);
}
template <typename F, typename V> __attribute__((noinline, cold)) typename V::vector mended(V x, V value, unsigned odd) {
  constexpr unsigned count = sizeof(V) / sizeof(typename V::lane);
  typename V::lane other[count];
  for (unsigned i = 0; i < count; ++i) other[i] = F::other(x.of[i]);
  for (unsigned i = 0; i < count; ++i) value.of[i] = (odd >> i) & 1 ? other[i] : value.of[i];
  return value.of;
}
template <typename F, typename V> inline V of_register(V x) {
  const V value = F::value(x);
  const unsigned odd = above(F::key(x), F::limit());
  return __builtin_expect(odd != 0, 0) ? V(mended<F>(x, value, odd)) : value;
}
template <typename F, typename T> inline T of_number(T x) { return F::key(x) > F::limit() ? F::other(x) : F::value(x); }
// Shorter registers, which the last elements of a loop fill, are a part of a whole one.
template <typename F, typename V, typename S> inline S of_part(S x) {
  constexpr unsigned count = sizeof(S) / sizeof(x[0]);
  V whole = typename V::lane(0);
  for (unsigned i = 0; i < count; ++i) whole.of[i] = x[i];
  whole = of_register<F>(whole);
  for (unsigned i = 0; i < count; ++i) x[i] = whole.of[i];
  return x;
}
}  // namespace registers
}  // namespace jitlab
#define JITLAB_LANES(NAME, T, F) JITLAB_LANES_OF_##T(NAME, F)
#define JITLAB_LANES_OF_float(NAME, F) JITLAB_LANES_BY(NAME, float, F, "4", "8", "16")
#define JITLAB_LANES_OF_double(NAME, F) JITLAB_LANES_BY(NAME, double, F, "2", "4", "8")
#define JITLAB_HIDDEN __attribute__((const, visibility("hidden")))
#define JITLAB_LANES_BY(NAME, T, F, FEW, HALF, ALL) \
  __attribute__((simd("notinbranch"))) JITLAB_HIDDEN T NAME(T x) __asm__("jitlab_" #NAME "_" #T); \
  namespace NAME##_##T##_lanes { \
  typedef T whole __attribute__((vector_size(64))); \
  typedef T half __attribute__((vector_size(32))); \
  typedef T few __attribute__((vector_size(16))); \
  using namespace jitlab::registers; \
  JITLAB_HIDDEN T one(T x) __asm__("jitlab_" #NAME "_" #T); \
  JITLAB_HIDDEN whole of(whole x) __asm__("_ZGVeN" ALL "v_jitlab_" #NAME "_" #T); \
  JITLAB_HIDDEN half of(half x) __asm__("_ZGVdN" HALF "v_jitlab_" #NAME "_" #T); \
  JITLAB_HIDDEN few of(few x) __asm__("_ZGVbN" FEW "v_jitlab_" #NAME "_" #T); \
  T one(T x) { return of_number<F>(x); } \
  whole of(whole x) { return of_register<F>(T##s(x)).of; } \
  half of(half x) { return of_part<F, T##s>(x); } \
  few of(few x) { return of_part<F, T##s>(x); } \
  }
#endif
