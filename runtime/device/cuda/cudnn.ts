// libcudnn: convolutions on a GPU and their gradients, opened at the first one. Prototypes: cudnn_ops.h, cudnn_cnn.h. Only algorithms that add up the
// products of each element by themselves are chosen: transforms (FFT, Winograd) would spread an infinite element to its neighbours.
import { addressIn } from "../argument-blocks.js";
import {
  type ConvolutionForm,
  type ConvolutionLibrary,
  type ConvolutionPart,
  convolutionFactors,
  type WorkingCode,
} from "../convolution-library.js";
import type { ArgumentBlock } from "../loaded-code.js";
import { CheckedLibrary, type LibraryHost, type Parameter } from "./checked-library.js";
import { attentionCode } from "./cudnn-attention.js";
import { dataTypes } from "./cudnn-graph.js";

const int = "int";
const at = "uintptr_t";
const out = "_Out_ uintptr_t *";

// cudnn_ops.h, cudnn_cnn.h: enumerations.
const CUDNN_TENSOR_NCHW = 0;
const CUDNN_CROSS_CORRELATION = 1;
// Products of halves are exact in float32, where they are added up.
const CUDNN_TENSOR_OP_MATH = 1;
// Not rounded to TF32.
const CUDNN_FMA_MATH = 3;
const CUDNN_DETERMINISTIC = 1;

/** A function of the library, which takes a part's factors in their order, and its algorithms that add up products in one order. */
interface Pass {
  readonly name: string;
  readonly sums: readonly number[];
}

const passes: Readonly<Record<ConvolutionPart, Pass>> = {
  // IMPLICIT_GEMM, IMPLICIT_PRECOMP_GEMM, GEMM.
  output: { name: "Forward", sums: [0, 1, 2] },
  // ALGO_1; ALGO_0 adds up in any order.
  input: { name: "BackwardData", sums: [1] },
  weight: { name: "BackwardFilter", sums: [1] },
};

// library_types.h: libraryPropertyType.
const MAJOR_VERSION = 0;
const MINOR_VERSION = 1;

// cudnnConvolutionFwdAlgoPerf_t and its twins, in words: algorithm, status, time, -, bytes (two), determinism, mathematics, three reserved, -.
const perfWords = 12;
const mostAlgorithms = 10;
const mostWorkBytes = 2 ** 30;
// Its strides are integers.
const mostElements = 2 ** 31 - 1;

/** Opens the library after those that it needs, which its own search may not find; throws DeviceError `library-damaged`. */
export function openCudnn(path: string, needed: readonly string[], host: LibraryHost): ConvolutionLibrary {
  host.stream();
  const names = {
    title: "cuDNN",
    wheel: "nvidia-cudnn-cu13",
    // CUDNN_STATUS_INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED
    noMemory: 4004,
    otherwise: "convolutions are then products of copied windows",
  };
  for (const one of needed) new CheckedLibrary(one, { ...names, title: "cuBLAS", wheel: "nvidia-cublas" });
  const library = new CheckedLibrary(path, names);
  const handle: [number] = [0];
  library.call("cudnnCreate", [out])(handle);
  const property = (which: number): number => {
    const value: [number] = [0];
    library.call("cudnnGetProperty", [int, "_Out_ int *"])(which, value);
    return value[0];
  };
  return {
    name: `cuDNN ${property(MAJOR_VERSION)}.${property(MINOR_VERSION)}`,
    path,
    load: (form) => codeOf(library, handle[0], form, host),
    loadAttention: (form) => attentionCode(library, handle[0], form, host),
  };
}

/** The descriptions of a convolution's tensors and of itself. */
class Description {
  readonly input: number;
  readonly output: number;
  readonly weight: number;
  readonly convolution: number;

  constructor(
    readonly library: CheckedLibrary,
    form: ConvolutionForm,
    host: LibraryHost,
  ) {
    this.input = this.#made("TensorDescriptor");
    this.output = this.#made("TensorDescriptor");
    this.weight = this.#made("FilterDescriptor");
    this.convolution = this.#made("ConvolutionDescriptor");
    const block = host.createBlock(4 * 8);
    const type = dataTypes[form.dtype as keyof typeof dataTypes];
    try {
      this.#describe(this.input, form.input, type, block);
      this.#describe(this.output, form.output, type, block);
      block.i32.set(form.weight);
      const shape = [4, block.address] as const;
      const filter = library.call("cudnnSetFilterNdDescriptor", [at, int, int, int, at]);
      filter(this.weight, type, CUDNN_TENSOR_NCHW, ...shape);
      block.i32.set([...form.padding, ...form.stride, ...form.dilation]);
      const [padding, stride, dilation] = [0, 8, 16].map((offset) => block.address + offset) as [
        number,
        number,
        number,
      ];
      const set = library.call("cudnnSetConvolutionNdDescriptor", [at, int, at, at, at, int, int]);
      const sums = isHalf(form) ? dataTypes.float32 : type;
      set(this.convolution, 2, padding, stride, dilation, CUDNN_CROSS_CORRELATION, sums);
      library.call("cudnnSetConvolutionGroupCount", [at, int])(this.convolution, form.groups);
      library.call("cudnnSetConvolutionMathType", [at, int])(this.convolution, mathematicsOf(form));
    } catch (error) {
      this.destroy();
      throw error;
    } finally {
      block.release();
    }
  }

  /** In the order of the library's arguments. */
  of(result: ConvolutionPart): readonly [number, number, number, number] {
    const [one, other] = convolutionFactors[result];
    return [this[one], this[other], this.convolution, this[result]];
  }

  destroy(): void {
    const free = (kind: string, one: number) => this.library.call(`cudnnDestroy${kind}`, [at])(one);
    free("TensorDescriptor", this.input);
    free("TensorDescriptor", this.output);
    free("FilterDescriptor", this.weight);
    free("ConvolutionDescriptor", this.convolution);
  }

  #made(kind: string): number {
    const result: [number] = [0];
    this.library.call(`cudnnCreate${kind}`, [out])(result);
    return result[0];
  }

  #describe(descriptor: number, shape: readonly number[], type: number, block: ArgumentBlock): void {
    const [, channels, rows, columns] = shape as [number, number, number, number];
    block.i32.set([...shape, channels * rows * columns, rows * columns, columns, 1]);
    const set = this.library.call("cudnnSetTensorNdDescriptor", [at, int, int, at, at]);
    set(descriptor, type, 4, block.address, block.address + 16);
  }
}

const isHalf = ({ dtype }: ConvolutionForm) => dtype === "float16" || dtype === "bfloat16";

const mathematicsOf = (form: ConvolutionForm) => (isHalf(form) ? CUDNN_TENSOR_OP_MATH : CUDNN_FMA_MATH);

function codeOf(
  library: CheckedLibrary,
  handle: number,
  form: ConvolutionForm,
  host: LibraryHost,
): WorkingCode | undefined {
  if (!(form.dtype in dataTypes)) return undefined;
  const sizes = [form.input, form.weight, form.output].map((shape) => shape.reduce((a, b) => a * b));
  if (Math.max(...sizes) > mostElements) return undefined;
  host.stream();
  const description = new Description(library, form, host);
  const chosen = algorithmOf(library, handle, description, form, host);
  if (chosen === undefined) {
    description.destroy();
    return undefined;
  }
  const [algorithm, workBytes] = chosen;
  // 1 and 0 in the dtype.
  const factors = host.createBlock(16);
  if (form.dtype === "float64") factors.f64[0] = 1;
  else factors.f32[0] = 1;
  const { address: unit } = factors;
  const zero = unit + 8;
  const setStream = library.call("cudnnSetStream", [at, at]);
  const convolve = library.call(`cudnnConvolution${passes[form.result].name}`, [
    ...[at, at, at, at, at, at, at, int, at],
    ...["size_t", at, at, at],
  ] as Parameter[]);
  const [one, other, convolution, output] = description.of(form.result);
  return {
    workBytes,
    code: {
      launch: ({ u32 }) => {
        setStream(handle, host.stream());
        const [result, first, second, work] = [0, 2, 4, 6].map((word) => addressIn(u32, word)) as [
          number,
          number,
          number,
          number,
        ];
        const given = [unit, one, first, other, second, convolution, algorithm, work, workBytes] as const;
        convolve(handle, ...given, zero, output, result);
      },
      unload: () => {
        factors.release();
        description.destroy();
      },
    },
  };
}

/** The first algorithm, in the order of expected time, whose sums have one order, and the bytes that it works in. */
function algorithmOf(
  library: CheckedLibrary,
  handle: number,
  description: Description,
  form: ConvolutionForm,
  host: LibraryHost,
): readonly [number, number] | undefined {
  const { name, sums } = passes[form.result];
  const results = host.createBlock(4 * perfWords * mostAlgorithms);
  try {
    const count: [number] = [0];
    const ask = library.call(`cudnnGetConvolution${name}Algorithm_v7`, [
      ...[at, at, at, at, at, int],
      ...["_Out_ int *", at],
    ] as Parameter[]);
    ask(handle, ...description.of(form.result), mostAlgorithms, count, results.address);
    for (let i = 0; i < count[0]; i++) {
      const found = results.u32.subarray(i * perfWords, (i + 1) * perfWords);
      const [algorithm, status, , , low, high, determinism, mathematics] = found as unknown as number[];
      const bytes = (high as number) * 2 ** 32 + (low as number);
      const isSum = sums.includes(algorithm as number) && determinism === CUDNN_DETERMINISTIC;
      const isExact = isHalf(form) || mathematics === CUDNN_FMA_MATH;
      if (status === 0 && isSum && isExact && bytes <= mostWorkBytes) {
        return [algorithm as number, bytes];
      }
    }
    return undefined;
  } finally {
    results.release();
  }
}
