// Sine, cosine and tangent of doubles, powers and cube roots by the C library; a loop over doubles has no form of its own for small angles.
namespace jitlab {
inline double sin(double x) { return __builtin_sin(x); }
inline double cos(double x) { return __builtin_cos(x); }
inline double tan(double x) { return __builtin_tan(x); }
inline bool is_short_angle(double) { return false; }
inline double short_sin(double x) { return sin(x); }
inline double short_cos(double x) { return cos(x); }
inline double short_tan(double x) { return tan(x); }
inline float pow(float x, float y) { return __builtin_powf(x, y); }
inline double pow(double x, double y) { return __builtin_pow(x, y); }
inline double power_of_normal(double x, double y, double& lost) {
  lost = 0.0;
  return pow(x, y);
}
inline float cbrt(float x) { return __builtin_cbrtf(x); }
inline double cbrt(double x) { return __builtin_cbrt(x); }
}  // namespace jitlab
