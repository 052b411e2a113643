// Complex numbers: the type, its arithmetic and comparison. A real number converts to one, so that `2 * z + 1` works.
template <typename R> struct complex {
  R re, im;
  complex() = default;
  __device__ complex(R real, R imaginary = R(0)) : re(real), im(imaginary) {}
  template <typename S> __device__ complex(complex<S> z) : re(R(z.re)), im(R(z.im)) {}
  // A cast to a real type takes the real part.
  template <typename To> __device__ explicit operator To() const { return cast<To>(re); }
  __device__ R real() const { return re; }
  __device__ R imag() const { return im; }

  friend __device__ complex operator-(complex a) { return {-a.re, -a.im}; }
  friend __device__ complex operator+(complex a, complex b) { return {a.re + b.re, a.im + b.im}; }
  friend __device__ complex operator-(complex a, complex b) { return {a.re - b.re, a.im - b.im}; }
  friend __device__ complex operator*(complex a, complex b) {
    const R x = jl::apart(a.re * b.re), y = jl::apart(a.im * b.im);
    return {x - y, jl::apart(a.re * b.im) + jl::apart(a.im * b.re)};
  }
  // Scaled by the larger part of the divisor, so that its square cannot overflow (Smith 1962).
  friend __device__ complex operator/(complex a, complex b) {
    const bool wide = fabs(b.re) >= fabs(b.im);
    const R large = wide ? b.re : b.im, small = wide ? b.im : b.re;
    if (large == R(0)) return {a.re / fabs(large), a.im / fabs(large)};
    const R ratio = small / large, norm = large + small * ratio;
    const R re = jl::apart(a.re * ratio), im = jl::apart(a.im * ratio);
    const R x = wide ? a.re + im : re + a.im;
    const R y = wide ? a.im - re : im - a.re;
    return {x / norm, y / norm};
  }
  friend __device__ bool operator==(complex a, complex b) { return a.re == b.re && a.im == b.im; }
  friend __device__ bool operator!=(complex a, complex b) { return a.re != b.re || a.im != b.im; }
  __device__ complex& operator+=(complex b) { return *this = *this + b; }
  __device__ complex& operator-=(complex b) { return *this = *this - b; }
  __device__ complex& operator*=(complex b) { return *this = *this * b; }
  __device__ complex& operator/=(complex b) { return *this = *this / b; }
};
template <typename R> struct converter<bool, complex<R>> {
  static __device__ bool convert(complex<R> z) { return z != complex<R>(R(0)); }
};
template <typename R> __device__ inline R real(complex<R> z) { return z.re; }
template <typename R> __device__ inline R imag(complex<R> z) { return z.im; }
template <typename R> __device__ inline complex<R> conj(complex<R> z) { return {z.re, -z.im}; }
template <typename R> __device__ inline R abs(complex<R> z) { return hypot(z.re, z.im); }
template <typename R> __device__ inline R arg(complex<R> z) { return atan2(z.im, z.re); }
