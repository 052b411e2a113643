// The custom functors of the benchmarks; peers.py has the same two.

/** What PyTorch's documentation shows for its jiterator. */
export const axpy = "template <typename T> T axpy(T x, T y, T alpha = 1) { return -x + alpha * y; }";

/** A chain that eager libraries run as four kernels. */
export const chain = "template <typename T> T chain(T x) { return sin(sin(x)) * T(2) + x; }";
