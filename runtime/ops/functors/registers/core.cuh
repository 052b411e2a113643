// Functions of a whole vector register, whose tables lie in registers too: a table costs one instruction there, and a memory
// access for every element elsewhere. Such a function is a struct F with
//   value(x)    what it is for ordinary numbers, of a register of floats or doubles;
//   odd(x)      one bit for each number that is not ordinary;
//   other(x)    what it is for any number.
// JITLAB_LANES(NAME, T, F) makes it a function of a number, which GCC calls once for the 16 floats or 8 doubles of a register in
// a loop, by the names of the vector function ABI. A number by itself, or fewer than fill a register, share one with copies of
// the first, so that they have the same bits and no lane is odd without need.
#if JITLAB_REGISTERS
namespace jitlab {
namespace registers {
typedef float float_vector __attribute__((vector_size(64)));
typedef unsigned float_bits __attribute__((vector_size(64)));
typedef double double_vector __attribute__((vector_size(64)));
typedef unsigned long long double_bits __attribute__((vector_size(64)));
// A register of numbers; a single number fills one.
#define JITLAB_REGISTER(NAME, T, VECTOR, BITS) \
  struct NAME { \
    typedef T lane; \
    typedef VECTOR vector; \
    VECTOR of; \
    NAME(VECTOR x) : of(x) {} \
    NAME(T x) : of(x - VECTOR{}) {} \
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
// By operations of numbers, whose constants come from memory: those of whole numbers would take an instruction more.
inline floats both(floats x, floats y) { return __builtin_ia32_andps512_mask(x.of, y.of, x.of, (unsigned short)-1); }
inline doubles both(doubles x, doubles y) { return __builtin_ia32_andpd512_mask(x.of, y.of, x.of, (unsigned char)-1); }
inline floats fabs(floats x) { return both(x, ::float_of(0x7fffffffu)); }
inline doubles fabs(doubles x) { return both(x, ::float_of(0x7fffffffffffffffull)); }
// The sign of a number is given to one without.
inline floats with_sign(floats x, floats sign) { return float_of(bits_of(x) | bits_of(both(sign, -0.0f))); }
inline doubles with_sign(doubles x, doubles sign) { return float_of(bits_of(x) | bits_of(both(sign, -0.0))); }
// NaN stays.
inline floats at_most(floats limit, floats x) { return __builtin_ia32_minps512_mask(limit.of, x.of, x.of, (unsigned short)-1, 4); }
inline doubles at_most(doubles limit, doubles x) { return __builtin_ia32_minpd512_mask(limit.of, x.of, x.of, (unsigned char)-1, 4); }
inline floats at_least(floats limit, floats x) { return __builtin_ia32_maxps512_mask(limit.of, x.of, x.of, (unsigned short)-1, 4); }
inline doubles at_least(doubles limit, doubles x) { return __builtin_ia32_maxpd512_mask(limit.of, x.of, x.of, (unsigned char)-1, 4); }
// A number that the compiler does not know: its bits, too, come from memory.
inline floats kept(floats x) { asm("" : "+v"(x.of)); return x; }
inline doubles kept(doubles x) { asm("" : "+v"(x.of)); return x; }
// table[k % N], of bits.
inline float_bits pick(const unsigned (&table)[16], float_bits k) { return __builtin_shuffle(*(const float_bits*)table, k); }
inline float_bits pick(const unsigned (&table)[32], float_bits k) {
  return __builtin_shuffle(*(const float_bits*)table, *(const float_bits*)(table + 16), k);
}
inline double_bits pick(const unsigned long long (&table)[16], double_bits k) {
  return __builtin_shuffle(*(const double_bits*)table, *(const double_bits*)(table + 8), k);
}
// first + c[1] x + c[2] x^2 + ...
template <typename V, typename T, int N> inline V polynomial_from(V first, V x, const T (&c)[N]) {
  V sum = c[N - 1];
  JITLAB_UNROLL
  for (int i = N - 2; i >= 1; --i) sum = fma(sum, x, V(c[i]));
  return fma(sum, x, first);
}
template <typename V, typename T, int N> inline V polynomial(V x, const T (&c)[N]) { return polynomial_from(V(c[0]), x, c); }
// One piece of a function: its value from where t counts, and the slope from there to x, which t multiplies.
template <typename V> struct piece { V t, value, slope; };
// Of the piece k: the rows of a table are where its t counts from, its value there, and the coefficients of its slope.
template <typename V, typename T, typename B, int N, int M> inline piece<V> piece_of(V x, const T (&table)[N][M], B k) {
  const V t = x - float_of(pick(table[0], k));
  V slope = float_of(pick(table[N - 1], k));
  JITLAB_UNROLL
  for (int i = N - 2; i >= 2; --i) slope = fma(slope, t, float_of(pick(table[i], k)));
  return {t, float_of(pick(table[1], k)), slope};
}
// x + y, and what the sum loses.
template <typename V> struct sum_parts { V sum, lost; };
template <typename V> inline sum_parts<V> exact_sum(V x, V y) {
  const V sum = x + y, part = sum - x;
  return {sum, (x - (sum - part)) + (y - part)};
}
// y where x is below a limit, and z elsewhere.
template <typename V> inline V where_below(V x, V limit, V y, V z) { return x.of < limit.of ? y.of : z.of; }
// One bit for each lane that is above a limit or NaN.
inline unsigned above(floats x, floats limit) {
  return (unsigned short)__builtin_ia32_cmpps512_mask(x.of, limit.of, 6, (unsigned short)-1, 4);
}
inline unsigned above(doubles x, doubles limit) {
  return (unsigned char)__builtin_ia32_cmppd512_mask(x.of, limit.of, 6, (unsigned char)-1, 4);
}
// x where a bit is 1, and y elsewhere.
inline floats chosen(unsigned bits, floats x, floats y) { return __builtin_ia32_blendmps_512_mask(y.of, x.of, (unsigned short)bits); }
inline doubles chosen(unsigned bits, doubles x, doubles y) { return __builtin_ia32_blendmpd_512_mask(y.of, x.of, (unsigned char)bits); }
// Not cold for the compiler, so that the loop runs in vector registers where the form for any number has no branches.
template <typename F, typename V> __attribute__((noinline)) typename V::vector mended(V x, V value, unsigned odd) {
  constexpr unsigned count = sizeof(V) / sizeof(typename V::lane);
  alignas(64) typename V::lane given[count], other[count];
  *(typename V::vector*)given = x.of;
  JITLAB_INDEPENDENT
  for (unsigned i = 0; i < count; ++i) other[i] = F::other(given[i]);
  return chosen(odd, V(*(const typename V::vector*)other), value).of;
}
template <typename F, typename V> inline typename V::vector whole_of(V x) {
  const V value = F::value(x);
  const unsigned odd = F::odd(x);
  return __builtin_expect(odd != 0, 0) ? mended<F>(x, value, odd) : value.of;
}
}  // namespace registers
}  // namespace jitlab
namespace lanes {
using namespace jitlab::registers;
}
#define JITLAB_LANES(NAME, T, F) JITLAB_LANES_OF_##T(NAME, F)
#define JITLAB_LANES_OF_float(NAME, F) JITLAB_LANES_BY(NAME, float, F, "4", "8", "16")
#define JITLAB_LANES_OF_double(NAME, F) JITLAB_LANES_BY(NAME, double, F, "2", "4", "8")
#define JITLAB_HIDDEN __attribute__((const, visibility("hidden"), noinline))
#define JITLAB_LANES_BY(NAME, T, F, FEW, HALF, ALL) \
  __attribute__((simd("notinbranch"))) JITLAB_HIDDEN T NAME(T x) __asm__("jitlab_" #NAME "_" #T); \
  namespace NAME##_##T##_lanes { \
  typedef T whole __attribute__((vector_size(64))); \
  typedef T half __attribute__((vector_size(32))); \
  typedef T few __attribute__((vector_size(16))); \
  JITLAB_HIDDEN whole of(whole x) __asm__("_ZGVeN" ALL "v_jitlab_" #NAME "_" #T); \
  JITLAB_HIDDEN half of(half x) __asm__("_ZGVdN" HALF "v_jitlab_" #NAME "_" #T); \
  JITLAB_HIDDEN few of(few x) __asm__("_ZGVbN" FEW "v_jitlab_" #NAME "_" #T); \
  JITLAB_HIDDEN T of(T x) __asm__("jitlab_" #NAME "_" #T); \
  whole of(whole x) { return jitlab::registers::whole_of<F>(jitlab::registers::T##s(x)); } \
  half of(half x) { \
    union { whole all; half first; } value = {x[0] - whole{}}; \
    value.first = x; \
    value.all = of(value.all); \
    return value.first; \
  } \
  few of(few x) { \
    union { whole all; few first; } value = {x[0] - whole{}}; \
    value.first = x; \
    value.all = of(value.all); \
    return value.first; \
  } \
  T of(T x) { return of(x - whole{})[0]; } \
  }
#endif
