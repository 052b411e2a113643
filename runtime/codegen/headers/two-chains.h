// A long polynomial whose terms are summed in two chains, of even and of odd powers: half as many operations wait for each
// other, so that a processor begins more elements at a time. The first coefficient comes last, so that its sum is rounded once.
namespace jitlab {
template <typename T, int N> __forceinline__ T two_chains(T x, const T (&c)[N]) {
  const T square = x * x;
  // The chain of c[N - 1] and the other one; of an odd number of terms the last one has no partner.
  T last = c[N - 1], other = c[N - 2];
  JITLAB_UNROLL
  for (int i = N - 3; i > 1; i -= 2) {
    last = fma(last, square, c[i]);
    other = fma(other, square, c[i - 1]);
  }
  if (N % 2 == 0) last = fma(last, square, c[1]);
  return fma(N % 2 == 0 ? fma(other, x, last) : fma(last, x, other), x, c[0]);
}
}  // namespace jitlab
