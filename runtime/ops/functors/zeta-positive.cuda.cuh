// Hurwitz's zeta function of positive arguments, summed in one word: at one and a half times the speed of two, to four ULP.
namespace jl {
// Sum of (q + k)^-s over k from 0, for s above 1 and positive q: some terms, then the integral and its corrections.
template <typename T> __noinline__ T zeta_positive(T s, T q) {
  T a = q, term = pow(q, -s), sum = T(0);
  if (isinf(term)) return term;
  for (int k = 1; k <= 9 || a <= T(9); ++k) {
    sum += term;
    a = q + T(k);
    term = pow(a, -s);
    if (term <= sum * T(0.0625) * float_facts<T>::epsilon()) return sum;
  }
  return sum + rounded(zeta_tail(s, two<T>{a, T(0)}, two<T>{term, T(0)}, zeta_facts<T>::terms()));
}
}  // namespace jl
