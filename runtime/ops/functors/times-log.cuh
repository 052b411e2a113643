// Products with a logarithm on a processor, which round once.
namespace jl {
using jitlab::times_log;
using jitlab::times_log1p;
}  // namespace jl
