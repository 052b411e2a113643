// The random numbers that a user's functor draws for one element: the element has a key, a random number of its own, and the bits
// of its draws are those of Philox for the key and the number of the call, so every device gives the same.
namespace drawn {
template <typename F> struct state { uint64 key; int64 calls; bool held; F second; };
// Two words of 64 bits for each call. The seed, digits of pi, is not that of the keys.
__device__ inline uint64 bits(uint64 key, int64 word) { return jl::random_bits(word, key, 5368393942626419ll); }
template <typename F> __device__ inline F uniform(state<F>& draws) {
  return jl::uniform<F>::of(bits(draws.key, 2 * draws.calls++));
}
// The functions of a whole turn, which a GPU has without the long reduction of an angle.
#ifdef __CUDACC__
template <typename F> __device__ inline F sine(F turns) { return sinpi(F(2) * turns); }
template <typename F> __device__ inline F cosine(F turns) { return cospi(F(2) * turns); }
#else
template <typename F> __device__ inline F sine(F turns) { return sin(F(6.283185307179586) * turns); }
template <typename F> __device__ inline F cosine(F turns) { return cos(F(6.283185307179586) * turns); }
#endif
// Box and Muller (1958) make two numbers: the second one is that of the next call.
template <typename F> __device__ inline F normal(state<F>& draws) {
  draws.held = !draws.held;
  if (!draws.held) return draws.second;
  const int64 word = 2 * draws.calls++;
  const F radius = sqrt(F(-2) * log(F(1) - jl::uniform<F>::of(bits(draws.key, word))));
  const F turns = jl::uniform<F>::of(bits(draws.key, word + 1));
  draws.second = radius * sine(turns);
  return radius * cosine(turns);
}
}  // namespace drawn
