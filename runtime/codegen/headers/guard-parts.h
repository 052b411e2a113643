// A functor that computes with parts of complex numbers may hold alternating sums and differences of products. Where GCC
// computes them in vector registers, it contracts them, although contraction is off.
#if !defined(__clang__)
#pragma GCC optimize("no-tree-vectorize")
#endif
