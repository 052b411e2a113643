// The value of the first of `width` adjacent threads.
template <typename V> __device__ inline V from_first(V value, int width) {
  union Words {
    V value;
    unsigned word[(sizeof(V) + 3) / 4];
    __device__ Words() {}
  } words;
  words.word[0] = 0;
  words.value = value;
#pragma unroll
  for (int w = 0; w < (sizeof(V) + 3) / 4; ++w) words.word[w] = __shfl_sync(0xffffffffu, words.word[w], 0, width);
  return words.value;
}
