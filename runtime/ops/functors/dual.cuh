// A number with its derivatives by N inputs. A user's text that computes with it computes the derivatives of its results. A derivative
// of exactly 0 stays 0 beside an infinity or NaN, so that constants and branches that were not taken change nothing. The functions
// of C that a text calls follow from the operations' records: functor/dual-functions.ts.
namespace duals {
template <typename F, int N> struct dual;
template <typename A> constexpr bool is_scalar = false;
template <> constexpr bool is_scalar<bool> = true;
template <> constexpr bool is_scalar<char> = true;
template <> constexpr bool is_scalar<signed char> = true;
template <> constexpr bool is_scalar<unsigned char> = true;
template <> constexpr bool is_scalar<short> = true;
template <> constexpr bool is_scalar<unsigned short> = true;
template <> constexpr bool is_scalar<int> = true;
template <> constexpr bool is_scalar<unsigned> = true;
template <> constexpr bool is_scalar<long> = true;
template <> constexpr bool is_scalar<unsigned long> = true;
template <> constexpr bool is_scalar<long long> = true;
template <> constexpr bool is_scalar<unsigned long long> = true;
template <> constexpr bool is_scalar<float> = true;
template <> constexpr bool is_scalar<double> = true;
template <typename A> constexpr bool is_floating = false;
template <> constexpr bool is_floating<float> = true;
template <> constexpr bool is_floating<double> = true;
template <bool, typename R> struct only {};
template <typename R> struct only<true, R> { typedef R type; };
// S is a type of plain numbers.
#define JITLAB_PLAIN(S) typename S, typename duals::only<duals::is_scalar<S>, int>::type = 0

template <typename F, int N> struct dual {
  F v;
  F d[N];
  constexpr dual() : v(), d() {}
  template <JITLAB_PLAIN(S)> constexpr dual(S s) : v(F(s)), d() {}
  // Whole numbers and truth have no derivative; a floating number would lose it.
  template <JITLAB_PLAIN(S)> constexpr explicit operator S() const {
    static_assert(!is_floating<S>, "a conversion to a plain floating number drops the derivative: write T(x)");
    return S(v);
  }
  static constexpr dual constant(F value) {
    dual x;
    x.v = value;
    return x;
  }
  static constexpr dual input(F value, int at) {
    dual x = constant(value);
    x.d[at] = F(1);
    return x;
  }
};

}  // namespace duals

// Not beside the type, where a user's functions of the same names would meet them.
namespace dual_math {
template <typename F> constexpr bool is_zero(F x) { return x == F(0); }
template <typename F, int N> constexpr bool is_zero(const duals::dual<F, N>& x) {
  bool zero = is_zero(x.v);
  for (int i = 0; i < N; ++i) zero = zero && is_zero(x.d[i]);
  return zero;
}
template <typename F> constexpr F times(F factor, F derivative) { return is_zero(derivative) ? F(0) : factor * derivative; }
// A value that has the derivative s by a, and one that has s by a and t by b.
template <typename F, int N> constexpr duals::dual<F, N> chain(F v, F s, const duals::dual<F, N>& a) {
  duals::dual<F, N> r = duals::dual<F, N>::constant(v);
  for (int i = 0; i < N; ++i) r.d[i] = times(s, a.d[i]);
  return r;
}
template <typename F, int N> constexpr duals::dual<F, N> chain(F v, F s, const duals::dual<F, N>& a, F t, const duals::dual<F, N>& b) {
  duals::dual<F, N> r = duals::dual<F, N>::constant(v);
  for (int i = 0; i < N; ++i) r.d[i] = times(s, a.d[i]) + times(t, b.d[i]);
  return r;
}
// The same derivatives beside another value.
template <typename F, int N> constexpr duals::dual<F, N> beside(F v, const duals::dual<F, N>& a) {
  duals::dual<F, N> r = a;
  r.v = v;
  return r;
}
// Functions of plain numbers and of dual ones that derivatives name.
template <typename F> constexpr F sign(F a) { return a > F(0) ? F(1) : a < F(0) ? F(-1) : F(0); }
template <typename F> constexpr F square(F a) { return a * a; }
}  // namespace dual_math

namespace duals {
#define JITLAB_DUAL template <typename F, int N> constexpr
#define JITLAB_DUAL_PLAIN template <typename F, int N, JITLAB_PLAIN(S)> constexpr
JITLAB_DUAL dual<F, N> operator+(const dual<F, N>& a) { return a; }
JITLAB_DUAL dual<F, N> operator-(const dual<F, N>& a) { return dual_math::chain(-a.v, F(-1), a); }
JITLAB_DUAL dual<F, N> operator+(const dual<F, N>& a, const dual<F, N>& b) { return dual_math::chain(a.v + b.v, F(1), a, F(1), b); }
JITLAB_DUAL dual<F, N> operator-(const dual<F, N>& a, const dual<F, N>& b) { return dual_math::chain(a.v - b.v, F(1), a, F(-1), b); }
JITLAB_DUAL dual<F, N> operator*(const dual<F, N>& a, const dual<F, N>& b) { return dual_math::chain(a.v * b.v, b.v, a, a.v, b); }
JITLAB_DUAL dual<F, N> operator/(const dual<F, N>& a, const dual<F, N>& b) {
  const F q = a.v / b.v;
  return dual_math::chain(q, F(1) / b.v, a, -q / b.v, b);
}
JITLAB_DUAL_PLAIN dual<F, N> operator+(const dual<F, N>& a, S s) { return dual_math::beside(F(a.v + s), a); }
JITLAB_DUAL_PLAIN dual<F, N> operator+(S s, const dual<F, N>& a) { return dual_math::beside(F(s + a.v), a); }
JITLAB_DUAL_PLAIN dual<F, N> operator-(const dual<F, N>& a, S s) { return dual_math::beside(F(a.v - s), a); }
JITLAB_DUAL_PLAIN dual<F, N> operator-(S s, const dual<F, N>& a) { return dual_math::chain(F(s - a.v), F(-1), a); }
JITLAB_DUAL_PLAIN dual<F, N> operator*(const dual<F, N>& a, S s) { return dual_math::chain(F(a.v * s), F(s), a); }
JITLAB_DUAL_PLAIN dual<F, N> operator*(S s, const dual<F, N>& a) { return dual_math::chain(F(s * a.v), F(s), a); }
JITLAB_DUAL_PLAIN dual<F, N> operator/(const dual<F, N>& a, S s) { return dual_math::chain(F(a.v / s), F(1) / F(s), a); }
JITLAB_DUAL_PLAIN dual<F, N> operator/(S s, const dual<F, N>& a) {
  const F q = F(s / a.v);
  return dual_math::chain(q, -q / a.v, a);
}
template <typename F, int N, typename S> constexpr dual<F, N>& operator+=(dual<F, N>& a, const S& b) { return a = a + b; }
template <typename F, int N, typename S> constexpr dual<F, N>& operator-=(dual<F, N>& a, const S& b) { return a = a - b; }
template <typename F, int N, typename S> constexpr dual<F, N>& operator*=(dual<F, N>& a, const S& b) { return a = a * b; }
template <typename F, int N, typename S> constexpr dual<F, N>& operator/=(dual<F, N>& a, const S& b) { return a = a / b; }
JITLAB_DUAL dual<F, N>& operator++(dual<F, N>& a) { return a = a + 1; }
JITLAB_DUAL dual<F, N>& operator--(dual<F, N>& a) { return a = a - 1; }
JITLAB_DUAL dual<F, N> operator++(dual<F, N>& a, int) {
  const dual<F, N> before = a;
  a = a + 1;
  return before;
}
JITLAB_DUAL dual<F, N> operator--(dual<F, N>& a, int) {
  const dual<F, N> before = a;
  a = a - 1;
  return before;
}
#define JITLAB_COMPARE(OP) \
  JITLAB_DUAL bool operator OP(const dual<F, N>& a, const dual<F, N>& b) { return a.v OP b.v; } \
  JITLAB_DUAL_PLAIN bool operator OP(const dual<F, N>& a, S s) { return a.v OP s; } \
  JITLAB_DUAL_PLAIN bool operator OP(S s, const dual<F, N>& a) { return s OP a.v; }
JITLAB_COMPARE(<) JITLAB_COMPARE(<=) JITLAB_COMPARE(>) JITLAB_COMPARE(>=) JITLAB_COMPARE(==) JITLAB_COMPARE(!=)
}  // namespace duals
