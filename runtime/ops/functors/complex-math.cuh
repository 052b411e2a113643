// Elementary functions of complex numbers, with the branch cuts of C99 and the formulas of W. Kahan, "Branch cuts for
// complex elementary functions" (1987). They are global, so that a functor's exp(a) works for every T.
template <typename R> __device__ inline complex<R> times_i(complex<R> z) { return {-z.im, z.re}; }
template <typename R> __device__ inline complex<R> over_i(complex<R> z) { return {z.im, -z.re}; }
// r (cos t + i sin t); a zero imaginary part keeps its sign, and an infinite r does not meet a zero sine.
template <typename R> __device__ inline complex<R> polar(R r, R t) {
  if (t == R(0)) return {r, t};
  return {r * jl::cos(t), r * jl::sin(t)};
}
template <typename R> __device__ inline complex<R> exp(complex<R> z) {
  if (isinf(z.re)) {
    if (z.re < R(0)) return isfinite(z.im) ? polar(R(0), z.im) : complex<R>(R(0), R(0));
    if (!isfinite(z.im)) return {z.re, jl::nan<R>()};
  }
  return polar(exp(z.re), z.im);
}
template <typename R> __device__ inline complex<R> exp2(complex<R> z) {
  return polar(exp2(z.re), z.im * jl::float_facts<R>::ln2());
}
template <typename R> __device__ inline complex<R> expm1(complex<R> z) {
  const R half = jl::sin(R(0.5) * z.im);
  return {expm1(z.re) * jl::cos(z.im) - R(2) * half * half, z.im == R(0) ? z.im : exp(z.re) * jl::sin(z.im)};
}
// log |z|; near the unit circle from |z|^2 - 1 in two words.
template <typename R> __device__ inline R log_abs(complex<R> z) {
  const R x = fabs(z.re), y = fabs(z.im);
  const R major = x > y ? x : y, minor = x > y ? y : x;
  if (major > R(0.5) && major < R(1.5)) {
    const jl::two<R> p = jl::two_product(major, major), q = jl::two_product(minor, minor);
    const jl::two<R> s = jl::two_sum(p.hi - R(1), q.hi);
    return R(0.5) * log1p(s.hi + (s.lo + p.lo + q.lo));
  }
  return log(hypot(x, y));
}
template <typename R> __device__ inline complex<R> log(complex<R> z) { return {log_abs(z), arg(z)}; }
template <typename R> __device__ inline complex<R> log2(complex<R> z) {
  const R scale = R(1.4426950408889634);
  return {scale * log_abs(z), scale * arg(z)};
}
template <typename R> __device__ inline complex<R> log10(complex<R> z) {
  const R scale = R(0.43429448190325183);
  return {scale * log_abs(z), scale * arg(z)};
}
template <typename R> __device__ inline complex<R> log1p(complex<R> z) {
  if (fabs(z.re) > R(0.5) || fabs(z.im) > R(0.5)) return log(complex<R>(z.re + R(1), z.im));
  const jl::two<R> x = jl::two_product(z.re, z.re + R(2)), y = jl::two_product(z.im, z.im);
  const jl::two<R> s = jl::two_sum(x.hi, y.hi);
  return {R(0.5) * log1p(s.hi + (s.lo + x.lo + y.lo)), atan2(z.im, z.re + R(1))};
}
template <typename R> __device__ inline complex<R> sqrt(complex<R> z) {
  if (z.re == R(0) && z.im == R(0)) return {R(0), z.im};
  if (isinf(z.im)) return {fabs(z.im), z.im};
  if (isinf(z.re)) {
    const R other = isnan(z.im) ? z.im : R(0);
    if (z.re > R(0)) return {z.re, copysign(other, z.im)};
    return {fabs(other), copysign(z.re, z.im)};
  }
  // A quarter keeps |z| + |x| finite; a large power of four lifts subnormal parts.
  const bool tiny = fabs(z.re) < jl::float_facts<R>::smallest() * R(4) && fabs(z.im) < jl::float_facts<R>::smallest() * R(4);
  const R scale = tiny ? R(16777216) : R(0.25), back = tiny ? R(0.000244140625) : R(2);
  const R x = z.re * scale, y = z.im * scale;
  const R major = sqrt(R(0.5) * (hypot(x, y) + fabs(x)));
  const R minor = R(0.5) * y / major;
  if (x >= R(0)) return {back * major, back * minor};
  return {back * fabs(minor), back * copysign(major, y)};
}
// |a|^b with the two exponents applied apart, which keeps more digits than exp(b log a).
template <typename R> __device__ inline complex<R> pow(complex<R> a, complex<R> b) {
  if (b.re == R(0) && b.im == R(0)) return complex<R>(R(1), R(0));
  if (a.re == R(0) && a.im == R(0)) {
    return b.re > R(0) ? complex<R>(R(0), R(0)) : complex<R>(jl::nan<R>(), jl::nan<R>());
  }
  const R angle = arg(a);
  const R size = b.im == R(0) ? pow(abs(a), b.re) : pow(abs(a), b.re) * exp(-b.im * angle);
  return polar(size, b.im == R(0) ? b.re * angle : fma(b.im, log_abs(a), b.re * angle));
}
template <typename R> __device__ inline complex<R> sinh(complex<R> z) {
  return {z.im == R(0) ? sinh(z.re) : sinh(z.re) * jl::cos(z.im), z.im == R(0) ? z.im : cosh(z.re) * jl::sin(z.im)};
}
template <typename R> __device__ inline complex<R> cosh(complex<R> z) {
  const R im = z.re == R(0) || z.im == R(0) ? copysign(R(1), z.re) * z.im * R(0) : sinh(z.re) * jl::sin(z.im);
  return {z.im == R(0) ? cosh(z.re) : cosh(z.re) * jl::cos(z.im), im};
}
template <typename R> __device__ inline complex<R> tanh(complex<R> z) {
  if (fabs(z.re) > R(20)) {
    const R im = isfinite(z.im) ? R(4) * jl::sin(z.im) * jl::cos(z.im) * exp(R(-2) * fabs(z.re)) : R(0);
    return {copysign(R(1), z.re), im};
  }
  const R t = jl::tan(z.im), s = sinh(z.re);
  const R beta = R(1) + t * t, norm = R(1) + beta * s * s;
  return {beta * sqrt(R(1) + s * s) * s / norm, t / norm};
}
template <typename R> __device__ inline complex<R> sin(complex<R> z) { return over_i(sinh(times_i(z))); }
template <typename R> __device__ inline complex<R> cos(complex<R> z) { return cosh(times_i(z)); }
template <typename R> __device__ inline complex<R> tan(complex<R> z) { return over_i(tanh(times_i(z))); }

template <typename R> __device__ inline complex<R> asin(complex<R> z) {
  const complex<R> p = sqrt(complex<R>(R(1) + z.re, z.im)), m = sqrt(complex<R>(R(1) - z.re, -z.im));
  return {atan2(z.re, (m * p).re), asinh((conj(m) * p).im)};
}
template <typename R> __device__ inline complex<R> acos(complex<R> z) {
  const complex<R> p = sqrt(complex<R>(R(1) + z.re, z.im)), m = sqrt(complex<R>(R(1) - z.re, -z.im));
  return {R(2) * atan2(m.re, p.re), asinh((conj(p) * m).im)};
}
template <typename R> __device__ inline complex<R> acosh(complex<R> z) {
  const complex<R> p = sqrt(complex<R>(z.re + R(1), z.im)), m = sqrt(complex<R>(z.re - R(1), z.im));
  return {asinh((conj(m) * p).re), R(2) * atan2(m.im, p.re)};
}
template <typename R> __device__ inline complex<R> atanh(complex<R> z) {
  const R x = fabs(z.re), y = fabs(z.im);
  // Far out the function is 1 / z and a quarter turn.
  if (x > R(1e8) || y > R(1e8)) {
    const bool infinite = isinf(x) || isinf(y);
    const complex<R> inverse = infinite ? complex<R>(R(0), R(0)) : complex<R>(R(1)) / complex<R>(x, y);
    return {copysign(inverse.re, z.re), copysign(R(0.5) * jl::float_facts<R>::pi() + inverse.im, z.im)};
  }
  const R rest = R(1) - x, square = z.im * z.im;
  const R real = rest == R(0) && y == R(0) ? jl::inf<R>() : R(0.25) * log1p(R(4) * x / (rest * rest + square));
  return {copysign(real, z.re), R(0.5) * atan2(R(2) * z.im, rest * (R(1) + x) - square)};
}
template <typename R> __device__ inline complex<R> asinh(complex<R> z) { return over_i(asin(times_i(z))); }
template <typename R> __device__ inline complex<R> atan(complex<R> z) { return over_i(atanh(times_i(z))); }
