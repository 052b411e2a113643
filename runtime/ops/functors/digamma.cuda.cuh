// The derivative of lgamma on a GPU, where neighbouring threads go through all branches that any of them takes: they share one
// logarithm, one reciprocal and the sum. The polynomials are fits of our own (scripts/fit.py).
namespace jl {
