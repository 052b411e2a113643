// Hurwitz's zeta function of positive arguments, summed in two words.
namespace jl {
// Sum of (q + k)^-s over k from 0, for s above 1 and positive q: some terms, then the integral and its corrections.
template <typename T> __noinline__ T zeta_positive(T s, T q) {
  two<T> a = {q, T(0)}, term = {pow(q, -s), T(0)}, sum = {T(0), T(0)};
  if (isinf(term.hi)) return term.hi;
  for (int k = 1; k <= 9 || a.hi <= T(9); ++k) {
    sum = add(sum, term);
    a = two_sum(q, T(k));
    const T power = pow(a.hi, -s);
    term = {power, -power * (s * (a.lo / a.hi))};
    if (power <= sum.hi * T(0.0625) * float_facts<T>::epsilon()) return rounded(sum);
  }
  return rounded(add(sum, zeta_tail(s, a, term, zeta_facts<T>::terms())));
}
}  // namespace jl
