// Orthogonal polynomials of a whole degree n. Chebyshev's ones of a high degree come from their angle instead of the
// recurrence, whose length is the degree.
namespace jl {
template <typename T> inline T signed_power(T x, int n) { return x < T(0) && n % 2 != 0 ? T(-1) : T(1); }
// p(0) = 1, p(1) = first, p(k + 1) = 2 x p(k) - p(k - 1).
template <typename T> inline T chebyshev_recurrence(T x, T first, int n) {
  T previous = T(1), current = first;
  for (int k = 1; k < n; ++k) {
    const T next = T(2) * x * current - previous;
    previous = current;
    current = next;
  }
  return n == 0 ? T(1) : current;
}
template <typename T> inline bool by_recurrence(T x, int n) { return n < 32 || fabs(x) == T(1); }

template <typename T> inline T chebyshev_t(T x, int n) {
  if (n < 0) return T(0);
  if (fabs(x) == T(1)) return signed_power(x, n);
  if (by_recurrence(x, n)) return chebyshev_recurrence(x, x, n);
  if (fabs(x) < T(1)) return cos(T(n) * acos(x));
  return signed_power(x, n) * cosh(T(n) * acosh(fabs(x)));
}
template <typename T> inline T chebyshev_u(T x, int n) {
  if (n < 0) return T(0);
  if (fabs(x) == T(1)) return signed_power(x, n) * (T(n) + T(1));
  if (by_recurrence(x, n)) return chebyshev_recurrence(x, T(2) * x, n);
  if (fabs(x) < T(1)) {
    const T angle = acos(x);
    return sin((T(n) + T(1)) * angle) / sin(angle);
  }
  const T angle = acosh(fabs(x));
  return signed_power(x, n) * (sinh((T(n) + T(1)) * angle) / sinh(angle));
}
// Those of the third and the fourth kind beyond 1; below -1 each is the other one's. No function calls itself, which OpenCL forbids.
template <typename T> inline T far_chebyshev_v(T x, int n) {
  const T angle = acosh(x);
  return cosh((T(n) + T(0.5)) * angle) / cosh(T(0.5) * angle);
}
template <typename T> inline T far_chebyshev_w(T x, int n) {
  const T angle = acosh(x);
  return sinh((T(n) + T(0.5)) * angle) / sinh(T(0.5) * angle);
}
template <typename T> inline T chebyshev_v(T x, int n) {
  if (n < 0) return T(0);
  if (x == T(1)) return T(1);
  if (x == T(-1)) return signed_power(x, n) * (T(2) * T(n) + T(1));
  if (by_recurrence(x, n)) return chebyshev_recurrence(x, T(2) * x - T(1), n);
  if (fabs(x) < T(1)) {
    const T angle = acos(x);
    return cos((T(n) + T(0.5)) * angle) / cos(T(0.5) * angle);
  }
  return x < T(0) ? signed_power(x, n) * far_chebyshev_w(-x, n) : far_chebyshev_v(x, n);
}
template <typename T> inline T chebyshev_w(T x, int n) {
  if (n < 0) return T(0);
  if (x == T(1)) return T(2) * T(n) + T(1);
  if (x == T(-1)) return signed_power(x, n);
  if (by_recurrence(x, n)) return chebyshev_recurrence(x, T(2) * x + T(1), n);
  if (fabs(x) < T(1)) {
    const T angle = acos(x);
    return sin((T(n) + T(0.5)) * angle) / sin(T(0.5) * angle);
  }
  return x < T(0) ? signed_power(x, n) * far_chebyshev_v(-x, n) : far_chebyshev_w(x, n);
}
// The physicists' Hermite polynomial has scale 2, the probabilists' one scale 1.
template <typename T> inline T hermite(T x, int n, T scale) {
  if (n < 0) return T(0);
  T previous = T(1), current = scale * x;
  for (int k = 1; k < n && isfinite(current); ++k) {
    const T next = scale * (x * current - T(k) * previous);
    previous = current;
    current = next;
  }
  return n == 0 ? T(1) : current;
}
// (factor current - k previous) / (k + 1) in two words: near a zero, the rounding errors of one would be all that is left.
template <typename T> inline two<T> next_term(two<T> factor, two<T> current, two<T> previous, T k) {
  const two<T> a = two_product(factor.hi, current.hi), b = two_product(k, previous.hi), sum = two_sum(a.hi, -b.hi);
  const T low = (a.lo - b.lo) + sum.lo + (factor.hi * current.lo + factor.lo * current.hi - k * previous.lo);
  const T value = sum.hi / (k + T(1));
  return {value, (fma(-value, k + T(1), sum.hi) + low) / (k + T(1))};
}
template <typename T> inline T laguerre(T x, int n) {
  if (n < 0) return T(0);
  if (n == 0) return T(1);
  two<T> previous = {T(1), T(0)}, current = two_sum(T(1), -x);
  for (int k = 1; k < n && isfinite(current.hi); ++k) {
    const two<T> next = next_term(two_sum(T(2) * T(k) + T(1), -x), current, previous, T(k));
    previous = current;
    current = next;
  }
  return isfinite(current.hi) ? rounded(current) : current.hi;
}
template <typename T> inline T legendre(T x, int n) {
  if (n < 0) return T(0);
  if (n == 0) return T(1);
  if (fabs(x) == T(1)) return signed_power(x, n);
  two<T> previous = {T(1), T(0)}, current = {x, T(0)};
  for (int k = 1; k < n && isfinite(current.hi); ++k) {
    const two<T> next = next_term(two_product(T(2) * T(k) + T(1), x), current, previous, T(k));
    previous = current;
    current = next;
  }
  return isfinite(current.hi) ? rounded(current) : current.hi;
}
}  // namespace jl
