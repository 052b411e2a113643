// How a block of a GPU passes an accumulator on to other blocks of its launch. Each 32 bits travel with a mark in one access, so
// that no fence is needed. The memory is zero before.

/** The 64-bit words in which an accumulator is passed. */
export function wordsOfPassed(accumulatorBytes: number): number {
  return Math.ceil(accumulatorBytes / 4);
}

/** C++ functions that pass an Accumulator on, and take it. */
export function passedText(accumulatorBytes: number): string[] {
  return [
    `const int words = ${wordsOfPassed(accumulatorBytes)};`,
    "__device__ inline void pass(int64* at, Accumulator a) {",
    "  uint32 word[words] = {};",
    "  memcpy(word, &a, sizeof(a));",
    "  for (int w = 0; w < words; ++w) reinterpret_cast<volatile uint64*>(at)[w] = uint64(1) << 32 | word[w];",
    "}",
    "// False if it is not there yet.",
    "__device__ inline bool take(const int64* at, Accumulator& a) {",
    "  uint32 word[words];",
    "  bool there = true;",
    "  for (int w = 0; w < words; ++w) {",
    "    const uint64 read = reinterpret_cast<const volatile uint64*>(at)[w];",
    "    word[w] = uint32(read);",
    "    there = there && read >> 32 != 0;",
    "  }",
    "  memcpy(&a, word, sizeof(a));",
    "  return there;",
    "}",
  ];
}
