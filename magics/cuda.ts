// %%cuda: the body is an unchanged CUDA kernel, bound in the notebook as a typed function.
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
      { name: "--flags", value: "LIST", doc: 'NVRTC flags: --flags "-DTILE=32 --use_fast_math".' },
    ],
    doc: `Defines an unchanged CUDA kernel, for NVIDIA's GPUs.

The body has a function with \`__global__\`, and its helpers. It is bound as \`name\`, which is optional if there is one
kernel. A call takes the launch, then the arguments: a tensor on the GPU for a pointer (only read if the elements are
\`const\`), numbers in range, a typed array for a struct.

    %%cuda
    __global__ void scale(float* x, float by, int n) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      if (i < n) x[i] *= by;
    }

    scale({ elements: x.size }, x, 2, x.size)
    scale({ grid: 4, block: 256, shared: 0 }, x, 2, x.size)

It is compiled here if NVRTC is found, and an error is shown at its line. \`%%kernel\` makes functions for every device.`,
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

/** The type names that the runtime maps to argument types. */
function kindOf({ pointer, type }: RawParameter): string {
  if (pointer) return '"tensor"';
  const scalar = scalarType(type);
  if (scalar === undefined) return '"value"';
  return scalar.kind === "bool" ? '"boolean"' : scalar.kind === "float" ? '"number"' : '"integer"';
}
