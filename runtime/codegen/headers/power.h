// x to the power of y without branches, calls and tables, so that loops over it run in vector registers: of doubles with the
// logarithm in two words, of floats in double. The polynomial is a fit of our own (scripts/fit.py).
namespace jitlab {
namespace power {
using elementary::facts;
using elementary::pair;
using elementary::polynomial;
using elementary::sum_of;
// <fit log_rest double>
// (log((1 + s) / (1 - s)) - 2 s - 2 / 3 s^3) / s^5 in t = s^2, s up to 0.1716
inline double log_rest(double t) {
  const double c[] = {
    0.4, 0.28571428571429378, 0.22222222221648821, 0.1818181833699257, 0.15384594791762351,
    0.13334813971292004, 0.11705988156500908, 0.11725771221811145
  };
  return polynomial(t, c);
}
// </fit>
inline pair<double> product(pair<double> x, pair<double> y) {
  const double hi = x.hi * y.hi;
  return {hi, fma(x.hi, y.hi, -hi) + fma(x.hi, y.lo, x.lo * y.hi)};
}
// The logarithm of a positive finite x, to about 2^-65 of itself.
inline pair<double> log_of(double x) {
  const elementary::split<double> parts = elementary::split_near_one(x);
  const pair<double> s = elementary::quotient(pair<double>{parts.f, 0.0}, sum_of(2.0, parts.f));
  const pair<double> t = product(s, s);
  const double rest = log_rest(t.hi), far = t.hi * rest;
  const pair<double> sum = sum_of(0.66666666666666663, far);
  const double lost = fma(t.hi, rest, -far) + fma(t.lo, rest, 3.7007434154171886e-17);
  const pair<double> tail = product(product(s, t), pair<double>{sum.hi, sum.lo + lost});
  const pair<double> near = sum_of(2.0 * s.hi, tail.hi), all = sum_of(parts.k * facts<double>::ln2_short, near.hi);
  const double low = fma(parts.k, facts<double>::ln2_rest, near.lo + fma(2.0, s.lo, tail.lo));
  return sum_of(all.hi, all.lo + low);
}
// exp of a number in two words.
inline double exp_of(double hi, double lo) {
  const elementary::reduced<double> r = elementary::reduce(elementary::within(hi, -800.0, 800.0));
  const pair<double> rest = elementary::exact_sum(r.hi, r.lo + (fabs(hi) < 800.0 ? lo : 0.0));
  return elementary::exp_of(elementary::reduced<double>{r.rounded, rest.hi, rest.lo});
}
// What the power is where the logarithm of |x| does not tell: `value` is that of |x|, for finite numbers other than 0.
template <typename T> inline T power_of(T x, T y, T value) {
  const T size = fabs(x), steepness = fabs(y), half = T(0.5) * steepness, infinite = float_of(facts<T>::infinity);
  const bool falls = y < T(0), whole = trunc(steepness) == steepness, odd = whole & (trunc(half) != half);
  const bool negative = copysign(T(1), x) < T(0);
  const T beyond = falls ? T(0) : infinite, before = falls ? infinite : T(0);
  const T ended = size == T(0) ? before : size == infinite ? beyond : value;
  const T steep = size == T(1) ? T(1) : (size > T(1)) == falls ? T(0) : infinite;
  const T positive = steepness == infinite ? steep : ended, signed_one = (negative & odd) ? -positive : positive;
  const T none = float_of(facts<T>::infinity | (facts<T>::infinity >> 1));
  const bool defined = !negative | whole | (size == T(0)) | (size == infinite);
  const T real = (defined & (x == x) & (y == y)) ? signed_one : none;
  return ((y == T(0)) | (x == T(1))) ? T(1) : real;
}
}  // namespace power
inline double pow(double x, double y) {
  const elementary::pair<double> l = power::log_of(fabs(x));
  const double hi = y * l.hi;
  return power::power_of(x, y, power::exp_of(hi, fma(y, l.hi, -hi) + y * l.lo));
}
// x^y of a positive normal number, less what its rounding loses, where the power is normal and not near to overflow.
inline double power_of_normal(double x, double y, double& lost) {
  const elementary::pair<double> l = power::log_of(x);
  const double hi = y * l.hi;
  const elementary::reduced<double> r = elementary::reduce(hi);
  const elementary::pair<double> rest = elementary::exact_sum(r.hi, r.lo + fma(y, l.hi, -hi) + y * l.lo);
  const elementary::pair<double> first = power::sum_of(1.0, rest.hi);
  const double low = fma(rest.hi * rest.hi, elementary::exp_tail(rest.hi), first.lo + rest.lo);
  const elementary::pair<double> sum = power::sum_of(first.hi, low);
  lost = elementary::power_of_two(1.0, r.rounded) * sum.lo;
  return elementary::power_of_two(1.0, r.rounded) * sum.hi;
}
inline float pow(float x, float y) {
  // Every float is a normal double, and so is every power that a float holds.
  const elementary::split<double> parts = elementary::split_near_one(double(fabs(x)));
  const double s = parts.f / (2.0 + parts.f), t = s * s;
  const double l = fma(parts.k, 0.6931471805599453, fma(s * t, elementary::log_tail(t), 2.0 * s));
  const double z = elementary::within(y * l, -200.0, 200.0);
  const double rounded = fma(z, 1.4426950408889634, elementary::facts<double>::rounder);
  const double r = fma(rounded - elementary::facts<double>::rounder, -0.6931471805599453, z);
  const double value = elementary::power_of_two(1.0, rounded) * (1.0 + fma(r * r, elementary::exp_tail(r), r));
  return power::power_of(x, y, float(value));
}
}  // namespace jitlab
