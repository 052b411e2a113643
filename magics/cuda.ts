// %%cuda: the body is a CUDA kernel as it is, bound in the notebook as a typed function.
import { JitlabError } from "../runtime/base/errors.js";
import { type RawParameter, rawDeclarationOf, rawKernelNames } from "../runtime/raw/declaration.js";
import { scalarType } from "../runtime/raw/element-types.js";
import { atMost, call, textOption } from "./expansion.js";
import { bindable, cppWords, hover, safeLabel } from "./kernel.js";
import { type Expansion, type Magic, type MagicArguments, UsageError } from "./magic.js";

const example = "__global__ void scale(float* x, float by, int n) { ... }";

const cudaWords = [
  ...cppWords,
  ...(
    "__global__ __device__ __shared__ __constant__ __launch_bounds__ __restrict__ __syncthreads __syncwarp __threadfence " +
    "__shfl_sync __shfl_down_sync __shfl_xor_sync __ballot_sync __ldg threadIdx blockIdx blockDim gridDim warpSize " +
    "atomicAdd atomicMax atomicMin atomicCAS atomicExch extern size_t unsigned struct"
  ).split(" "),
].filter((word) => word !== "jl");

/** `%%cuda`. */
export const cudaMagics: readonly Magic[] = [
  {
    name: "cuda",
    kinds: ["cell"],
    usage: "[name] [--templates LIST] [--flags LIST]",
    bodyWords: cudaWords,
    options: [
      {
        name: "--templates",
        value: "LIST",
        doc: 'The template\'s arguments as C++ writes them: --templates "float, 16".',
      },
      { name: "--flags", value: "LIST", doc: 'Flags of NVRTC: --flags "-DTILE=32 --use_fast_math".' },
    ],
    doc: `Defines a CUDA kernel as it is, for NVIDIA's GPUs.

The body holds a function with \`__global__\`, and what it needs. It is bound as \`name\`, which may be left out where
there is one. A call takes how the kernel is launched, and its arguments: a tensor on the GPU for a pointer, which is
read where the pointer is to \`const\` elements; numbers, which must fit; a typed array for a struct.

    %%cuda
    __global__ void scale(float* x, float by, int n) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      if (i < n) x[i] *= by;
    }

    scale({ elements: x.size }, x, 2, x.size)
    scale({ grid: 4, block: 256, shared: 0 }, x, 2, x.size)

It is compiled here where NVRTC is, and an error is shown at its own line. \`%%kernel\` makes functions for every device.`,
    expand: expandCuda,
  },
];

function expandCuda(args: MagicArguments, body = ""): Expansion {
  if (body.trim() === "") {
    throw new UsageError(`%%cuda is a cell magic, but the cell body is empty. Write for example: ${example}`);
  }
  atMost("%cuda", args, 1);
  const name = args.positional[0] ?? onlyName(rawKernelNames(body));
  const { parameters } = declared(body, name);
  const bound = bindable("%%cuda", name.split("::").at(-1) ?? name);
  const list = parameters.map((one, i) => `${safeLabel(labelOf(one, i))}: ${kindOf(one)}`);
  const templates = textOption(args, "templates");
  const flags = textOption(args, "flags");
  const options = {
    templates: templates?.split(",").map((one) => one.trim()),
    flags: flags?.split(/\s+/).filter((one) => one !== ""),
  };
  const definition = call("cuda", body, name, options).replace("(", `<[${list.join(", ")}]>(`);
  return { prologue: `${hover(body)}\nconst ${bound} = ${definition};`, keepBody: false };
}

function onlyName(names: readonly string[]): string {
  const [name, ...others] = names;
  if (name === undefined) {
    throw new UsageError(`%%cuda: the body defines no kernel. Write for example: ${example}`);
  }
  if (others.length === 0) return name;
  throw new UsageError(`%%cuda: the body defines ${names.join(", ")}. Name one: %%cuda ${names.at(-1)}`);
}

/** Reads the body's declaration; throws UsageError with one line. */
function declared(body: string, name: string): ReturnType<typeof rawDeclarationOf> {
  try {
    return rawDeclarationOf(body, name);
  } catch (error) {
    if (!(error instanceof JitlabError)) throw error;
    throw new UsageError(`%%cuda: ${error.what} ${error.help}`);
  }
}

function labelOf({ name }: RawParameter, place: number): string {
  return /^\w+$/.test(name) ? name : `argument${place + 1}`;
}

/** What the runtime's type maps to what a parameter takes. */
function kindOf({ pointer, type }: RawParameter): string {
  if (pointer) return '"tensor"';
  const scalar = scalarType(type);
  if (scalar === undefined) return '"value"';
  return scalar.kind === "bool" ? '"boolean"' : scalar.kind === "float" ? '"number"' : '"integer"';
}
