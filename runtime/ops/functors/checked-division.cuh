// The operators / and % of users' functors where they may divide integers: a %checked::over% b is a / b with the same precedence.
// A divisor of 0 gives 0, and the lowest integer divided by -1 wraps around. Other types use their own operators.
namespace checked {
enum Over { over };
enum Modulo { modulo };
template <typename A, typename Operator> struct Left { A value; };
template <typename B, typename Operator> struct Right { B value; };

// The types of integer quotients.
template <typename T> constexpr bool is_whole = false;
template <> constexpr bool is_whole<int> = true;
template <> constexpr bool is_whole<unsigned> = true;
template <> constexpr bool is_whole<long> = true;
template <> constexpr bool is_whole<unsigned long> = true;
template <> constexpr bool is_whole<long long> = true;
template <> constexpr bool is_whole<unsigned long long> = true;

template <typename T> constexpr bool is_minus_one(T b) { return T(-1) < T(0) && b == T(-1); }
template <typename T> JITLAB_QUOTIENT constexpr T whole_quotient(T a, T b) {
  return b == T(0) ? T(0) : is_minus_one(b) ? T(jl::wrapping<T>(0) - jl::wrapping<T>(a)) : T(a / b);
}
template <typename T> JITLAB_QUOTIENT constexpr T whole_rest(T a, T b) {
  return b == T(0) || is_minus_one(b) ? T(0) : T(a % b);
}
template <typename A, typename B> constexpr auto divided(A a, B b, Over) {
  typedef decltype(a / b) T;
  if constexpr (!is_whole<T>) return a / b;
  else return whole_quotient<T>(T(a), T(b));
}
template <typename A, typename B> constexpr auto divided(A a, B b, Modulo) {
  typedef decltype(a % b) T;
  if constexpr (!is_whole<T>) return a % b;
  else return whole_rest<T>(T(a), T(b));
}

template <typename A> constexpr Left<A, Over> operator%(A a, Over) { return {a}; }
template <typename A> constexpr Left<A, Modulo> operator%(A a, Modulo) { return {a}; }
template <typename A, typename Operator, typename B> constexpr auto operator%(Left<A, Operator> a, B b) {
  return divided(a.value, b, Operator());
}
template <typename B> constexpr Right<B, Over> operator%=(Over, B b) { return {b}; }
template <typename B> constexpr Right<B, Modulo> operator%=(Modulo, B b) { return {b}; }
template <typename A, typename B, typename Operator> constexpr A& operator%=(A& a, Right<B, Operator> b) {
  return a = A(divided(a, b.value, Operator()));
}
}  // namespace checked
