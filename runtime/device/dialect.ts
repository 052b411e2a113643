// The differences between the languages that one template renders to. Only a device selects its dialect.

/** A file of codegen/headers/ for texts that match a pattern. */
export interface Guard {
  readonly file: string;
  readonly when: RegExp;
}

/** A file of codegen/headers/ for texts that name one of its functions. */
export interface Header {
  readonly file: string;
  readonly functions: readonly string[];
}

/** The words of kernels of a GPU. */
export interface GpuWords {
  /**
   * The head of a kernel's definition, for blocks of a number of threads; its parameter defaults to `Arguments args`. `resident`
   * blocks have registers on a multiprocessor at once.
   */
  readonly kernel: (symbol: string, threads: number, parameter?: string, resident?: number) => string;
  /** The thread's number in its block, and the block's in the grid. */
  readonly thread: string;
  readonly block: string;
  /** Declares shared memory of a block. */
  readonly shared: string;
  /** Waits for all threads of the block. */
  readonly barrier: string;
  /** The upper half of the product of two 32-bit numbers. */
  readonly highProduct: (a: string, b: string) => string;
  /** How many adjacent threads of a block must reach its barriers and exchanges together; infinite for all. */
  readonly together: number;
  /** True if a block may wait for blocks of lower numbers. */
  readonly startsInOrder: boolean;
}

/** The words and shapes of one target language. */
export interface Dialect {
  readonly name: "cuda" | "c++";
  /** The language's name where code is shown. */
  readonly title: string;
  /** Files of codegen/headers/ (without .h) that precede every kernel. */
  readonly preludes: readonly string[];
  /** Files that precede all others if a user's functor, after its type's name, matches. */
  readonly guards: readonly Guard[];
  /** Files that are included if a kernel's text names one of their functions. */
  readonly named: readonly Header[];
  /** Functor files with a dialect-specific version: NAME.cuda.cuh instead of NAME.cuh. */
  readonly ownFunctors: readonly string[];
  /** True if functions may compute whole vector registers: ops/functors/registers/. */
  readonly hasRegisters: boolean;
  /** The words of kernels of a GPU; undefined on a host, where a kernel loops over a range of elements. */
  readonly gpu: GpuWords | undefined;
  /** False if the compiler reads a template's body only where it is called. */
  readonly parsesTemplates: boolean;
  /** The declaration of an 8-byte pointer in the argument block. */
  readonly pointer: (type: string) => string;
}

const elementary =
  "exp exp2 expm1 log log2 log10 log1p less_log1p_exp log1p_exp log_plus log_of_normal tanh logistic times_log times_log1p times_logistic".split(
    " ",
  );
const circular = "sin cos tan short_sin short_cos short_tan is_short_angle".split(" ");
const angles = "asin acos atan atan2 hypot".split(" ");
const inverseHyperbolic = ["asinh", "acosh", "atanh"];
const power = ["pow", "power_of_normal"];
const cubeRoot = ["cbrt"];
const others =
  "sinh cosh sqrt cbrt floor ceil trunc rint nearbyint round fabs erf erfc lgamma tgamma " +
  "fmod is_short_quotient short_fmod short_floor_divide remainder copysign neighbour nextafter fmin fmax fma ldexp frexp rsqrt " +
  "isnan isinf isfinite signbit abs min max";
const math = headerOf("math", [
  ...elementary,
  ...circular,
  ...angles,
  ...inverseHyperbolic,
  ...power,
  ...others.split(" "),
]);

const plainPointer = (type: string): string => `${type}*`;

const cudaWords: GpuWords = {
  kernel: (symbol, threads, parameter = "Arguments args", resident = undefined) =>
    `extern "C" __global__ void __launch_bounds__(${resident ? `${threads}, ${resident}` : threads}) ${symbol}(const __grid_constant__ ${parameter})`,
  thread: "threadIdx.x",
  block: "blockIdx.x",
  shared: "__shared__",
  barrier: "__syncthreads()",
  highProduct: (a, b) => `__umulhi(${a}, ${b})`,
  together: 32,
  startsInOrder: true,
};

/** CUDA C++ for NVRTC, without headers. */
export const cudaDialect: Dialect = {
  name: "cuda",
  title: "CUDA C++",
  preludes: ["cuda", "prelude"],
  guards: [],
  named: [headerOf("exchange", ["from_thread"]), headerOf("broadcast", ["from_first"])],
  ownFunctors:
    "bessel-i-terms error-function error-inverse hyperbolic lgamma-quick log-ndtr log-steps log1p-rest logistic logit polygamma short-gamma silu sinc zeta-positive".split(
      " ",
    ),
  hasRegisters: false,
  gpu: cudaWords,
  parsesTemplates: false,
  pointer: plainPointer,
};

/**
 * CUDA C++ for a clang that writes SPIR-V: the prelude defines CUDA's words by OpenCL's functions. Where those of a driver may be
 * less accurate than documented, functions are the processor's.
 */
export const openclDialect: Dialect = {
  ...cudaDialect,
  title: "CUDA C++ for OpenCL",
  preludes: ["opencl", "prelude"],
  named: [
    ...cudaDialect.named,
    headerOf("two-chains", ["two_chains", ...elementary]),
    headerOf("wide", ["wide"]),
    headerOf("elementary", [...elementary, ...angles]),
    headerOf("one-word", elementary),
    headerOf("circular", circular),
    headerOf("angles", angles),
    headerOf("cube-root", cubeRoot),
  ],
  ownFunctors: cudaDialect.ownFunctors.filter(
    (name) =>
      !["error-function", "error-inverse", "hyperbolic", "log-ndtr", "log-steps", "sinc"].includes(name),
  ),
  gpu: {
    ...cudaWords,
    kernel: (symbol, threads, parameter = "Arguments args") =>
      `extern "C" JITLAB_KERNEL(${threads}) void ${symbol}(const ${parameter})`,
    together: Number.POSITIVE_INFINITY,
    startsInOrder: false,
  },
};

/** C++17 for g++ and clang++, without headers. */
export const cppDialect: Dialect = {
  name: "c++",
  title: "C++",
  preludes: ["cpp", "prelude"],
  guards: [
    { file: "guard-integers", when: /(?:\b|to_)(u?int\d*(_t)?|long|short|char|unsigned|signed|auto)\b/ },
    { file: "guard-parts", when: /\bcomplex\b[\s\S]*(\.\s*(re|im)\b|\b(real|imag)\b)/ },
  ],
  named: [
    math,
    headerOf("two-chains", ["two_chains", ...elementary]),
    // Included by its namespace, whose functions functors call for floats.
    headerOf("wide", ["wide", ...circular, ...inverseHyperbolic]),
    headerOf("elementary", [...elementary, ...angles, ...power, ...inverseHyperbolic]),
    headerOf("one-word", elementary),
    headerOf("range-reduction", circular),
    headerOf("sine-cosine", circular),
    headerOf("circular", circular),
    headerOf("angles", angles),
    headerOf("inverse-hyperbolic", inverseHyperbolic),
    headerOf("power", power),
    headerOf("cube-root", cubeRoot),
  ],
  ownFunctors: [],
  hasRegisters: true,
  gpu: undefined,
  parsesTemplates: true,
  pointer: plainPointer,
};

/** The same C++ for WebAssembly, whose pointers have four bytes and which has no fused multiply-add. */
export const wasmDialect: Dialect = {
  name: "c++",
  title: "C++ for WebAssembly",
  preludes: ["cpp", "wasm", "prelude"],
  guards: [],
  named: [
    math,
    headerOf("wasm-fma", ["fma"]),
    headerOf("two-chains", ["two_chains"]),
    headerOf("wide", ["wide", ...elementary, ...circular, ...angles, ...inverseHyperbolic]),
    headerOf("wasm-elementary", elementary),
    headerOf("wasm-range-reduction", circular),
    headerOf("sine-cosine", circular),
    headerOf("wasm-library", [...circular, ...power, ...cubeRoot]),
    headerOf("wasm-angles", angles),
    headerOf("inverse-hyperbolic", inverseHyperbolic),
  ],
  ownFunctors: [],
  hasRegisters: false,
  gpu: undefined,
  parsesTemplates: true,
  pointer: (type) => `pointer<${type}>`,
};

function headerOf(file: string, functions: readonly string[]): Header {
  return { file, functions };
}
