// The inverses of the error function and of the normal distribution by the GPU's own functions.
namespace jl {
template <typename T> inline T erfinv(T x) { return ::erfinv(x); }
template <typename T> inline T ndtri(T p) { return ::normcdfinv(p); }
}  // namespace jl
