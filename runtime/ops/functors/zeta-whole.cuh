// Hurwitz's zeta function of a whole s, in two words.
namespace jl {
// a^-n in two words.
template <typename T> inline two<T> reciprocal_power(two<T> a, int n) {
  two<T> base = divide(two<T>{T(1), T(0)}, a), result = {T(1), T(0)};
  for (; n > 0; n >>= 1) {
    if (n & 1) result = multiply(result, base);
    base = multiply(base, base);
  }
  return result;
}
// The same sum for a whole s up to 64, in two words; infinite in the first where a term is.
template <typename T> __noinline__ two<T> zeta_whole(int s, two<T> q) {
  two<T> a = q, term = reciprocal_power(a, s), sum = {T(0), T(0)};
  if (!isfinite(term.hi)) return {inf<T>(), T(0)};
  for (int k = 1; a.hi < T(14); ++k) {
    sum = add(sum, term);
    a = add(q, T(k));
    term = reciprocal_power(a, s);
    if (term.hi <= sum.hi * float_facts<T>::epsilon() * float_facts<T>::epsilon()) return sum;
  }
  return add(sum, zeta_tail(T(s), a, term, 12));
}
}  // namespace jl
