// What differs between the languages that one template renders to. A device names its dialect; nothing else asks.

/** The words and shapes of one target language. */
export interface Dialect {
  readonly name: "cuda" | "c++";
  /** What the language is called where code is shown. */
  readonly title: string;
  /** Files of codegen/ (without .h) that come before every kernel. */
  readonly preludes: readonly string[];
  /** Files of functors/ that it has a form of its own of: NAME.cuda.cuh in the place of NAME.cuh. */
  readonly ownFunctors: readonly string[];
  /** True where a kernel is run by a grid of threads, one group of elements each; false where it loops over a range. */
  readonly grid: boolean;
  /** How the argument block declares a pointer, which takes eight bytes there. */
  readonly pointer: (type: string) => string;
}

const plainPointer = (type: string): string => `${type}*`;

/** CUDA C++ as NVRTC compiles it, without headers. */
export const cudaDialect: Dialect = {
  name: "cuda",
  title: "CUDA C++",
  preludes: ["cuda", "prelude"],
  ownFunctors: ["bessel-i-terms", "error-function", "hyperbolic", "log10", "sinc", "zeta-positive"],
  grid: true,
  pointer: plainPointer,
};

/** C++17 as g++ and clang++ compile it, without headers. */
export const cppDialect: Dialect = {
  name: "c++",
  title: "C++",
  preludes: ["cpp", "elementary", "prelude"],
  ownFunctors: [],
  grid: false,
  pointer: plainPointer,
};

/** The same C++ for WebAssembly, whose pointers have four bytes and whose math functions are those of its C library. */
export const wasmDialect: Dialect = {
  name: "c++",
  title: "C++ for WebAssembly",
  preludes: ["cpp", "wasm", "prelude"],
  ownFunctors: [],
  grid: false,
  pointer: (type) => `pointer<${type}>`,
};
