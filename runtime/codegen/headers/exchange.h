// The value of the thread `step` further among `width` adjacent ones; of the thread itself beyond the last.
template <typename V> __device__ inline V from_thread(V value, int step, int width) {
  union Words {
    V value;
    unsigned word[(sizeof(V) + 3) / 4];
    __device__ Words() {}
  } words;
  words.word[0] = 0;
  words.value = value;
#pragma unroll
  for (int w = 0; w < (sizeof(V) + 3) / 4; ++w) words.word[w] = __shfl_down_sync(0xffffffffu, words.word[w], step, width);
  return words.value;
}
