// Integer arithmetic that wraps around, which C++ leaves undefined for signed types.
namespace jl {
// The unsigned type in which T's arithmetic wraps; at least 32 bits wide, so that it is not promoted to int.
template <int Bytes> struct wrapping_type { typedef unsigned int type; };
template <> struct wrapping_type<8> { typedef unsigned long long type; };
template <typename T> using wrapping = typename wrapping_type<sizeof(T)>::type;

template <typename T> inline T wrapping_add(T a, T b) { return T(wrapping<T>(a) + wrapping<T>(b)); }
template <typename T> inline T wrapping_subtract(T a, T b) { return T(wrapping<T>(a) - wrapping<T>(b)); }
template <typename T> inline T wrapping_multiply(T a, T b) { return T(wrapping<T>(a) * wrapping<T>(b)); }
template <typename T> inline T wrapping_negate(T a) { return T(wrapping<T>(0) - wrapping<T>(a)); }
template <typename T> inline T wrapping_abs(T a) { return a < T(0) ? wrapping_negate(a) : a; }
}  // namespace jl
