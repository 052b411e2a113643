// What differs between the languages that one template renders to. A device names its dialect; nothing else asks.

/** A file of codegen/ that defines math functions, and their names. */
export interface MathHeader {
  readonly file: string;
  readonly functions: readonly string[];
}

/** The words and shapes of one target language. */
export interface Dialect {
  readonly name: "cuda" | "c++";
  /** What the language is called where code is shown. */
  readonly title: string;
  /** Files of codegen/ (without .h) that come before every kernel. */
  readonly preludes: readonly string[];
  /** Those that come where a kernel's text names a function of theirs. */
  readonly math: readonly MathHeader[];
  /** Files of functors/ that it has a form of its own of: NAME.cuda.cuh in the place of NAME.cuh. */
  readonly ownFunctors: readonly string[];
  /** True where a kernel is run by a grid of threads, one group of elements each; false where it loops over a range. */
  readonly grid: boolean;
  /** How the argument block declares a pointer, which takes eight bytes there. */
  readonly pointer: (type: string) => string;
}

const elementary = "exp exp2 expm1 log log2 log10 log1p tanh sin cos tan".split(" ");
// With the name of their namespace, whose functions functors call for their own floats.
const wide = "wide asin acos atan atan2".split(" ");
const others =
  "asin acos atan sinh cosh asinh acosh atanh sqrt cbrt floor ceil trunc rint round fabs erf erfc lgamma tgamma " +
  "pow atan2 fmod remainder hypot copysign nextafter fmin fmax fma ldexp frexp rsqrt " +
  "isnan isinf isfinite signbit abs min max";
const math: MathHeader = { file: "math", functions: [...elementary, ...others.split(" ")] };

const plainPointer = (type: string): string => `${type}*`;

/** CUDA C++ as NVRTC compiles it, without headers. */
export const cudaDialect: Dialect = {
  name: "cuda",
  title: "CUDA C++",
  preludes: ["cuda", "prelude"],
  math: [],
  ownFunctors:
    "bessel-i-terms error-function error-inverse hyperbolic log-ndtr log10 sinc tangent zeta-positive".split(
      " ",
    ),
  grid: true,
  pointer: plainPointer,
};

/** C++17 as g++ and clang++ compile it, without headers. */
export const cppDialect: Dialect = {
  name: "c++",
  title: "C++",
  preludes: ["cpp", "prelude"],
  math: [math, { file: "wide", functions: wide }, { file: "elementary", functions: elementary }],
  ownFunctors: [],
  grid: false,
  pointer: plainPointer,
};

/** The same C++ for WebAssembly, whose pointers have four bytes and which has no fused multiplication and addition. */
export const wasmDialect: Dialect = {
  name: "c++",
  title: "C++ for WebAssembly",
  preludes: ["cpp", "wasm", "prelude"],
  math: [
    math,
    { file: "wasm-fma", functions: ["fma"] },
    { file: "wide", functions: [...wide, ...elementary] },
    { file: "wasm-elementary", functions: elementary },
  ],
  ownFunctors: [],
  grid: false,
  pointer: (type) => `pointer<${type}>`,
};
