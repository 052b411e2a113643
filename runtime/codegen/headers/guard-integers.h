// A functor that names integers may convert a number to one and back. GCC takes that for trunc(x), which gives -0 where +0 is
// due, unless it must assume that operations trap.
#if !defined(__clang__)
#pragma GCC optimize("trapping-math")
#endif
