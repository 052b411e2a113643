// %source, %ptx, %sass and their cell forms: the code generated for a device, and its compiler's output.
import { deviceKinds } from "../runtime/device/kinds.js";
import { atMost, observe, statement, textOption } from "./expansion.js";
import { type Expansion, type Magic, type MagicArguments, type MagicOption, UsageError } from "./magic.js";

/** The kind of code that a listing shows. */
export type ListingKind = "source" | "ptx" | "sass";

const device: MagicOption = {
  name: "--device",
  short: "-d",
  value: "D",
  choices: deviceKinds,
  doc: "The target device, which may be absent; default: the current device.",
};
const layout: MagicOption = {
  name: "--layout",
  short: "-l",
  value: "L",
  choices: ["contiguous", "strided1", "strided2", "strided3"],
  doc: "The layout class of the operands; default: contiguous.",
};
const arch: MagicOption = {
  name: "--arch",
  short: "-a",
  value: "A",
  choices: ["sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_100"],
  doc: "The architecture to compile for, such as sm_90; default: the device's own.",
};

const grad: MagicOption = {
  name: "--grad",
  doc: "The kernel of a functor's derivatives, which computes its text with numbers that carry them along.",
};

const needs: Readonly<Record<ListingKind, string>> = {
  source:
    "It only renders: it needs neither a device nor a compiler. Compiled kernels also show registers, memory and occupancy,\nand a warning if your functor computes in double by accident. In a compiled function's kernel each line ends with the\nsource position of its operation.",
  ptx: "It compiles through the cache; it needs NVRTC but not a GPU. It also shows registers, shared memory and spills, and\nthe occupancy on a GPU. On the cpu device it is the host's assembly.",
  sass: "It disassembles the compiled kernel with nvdisasm or cuobjdump from the CUDA toolkit. On the cpu device it is the host's assembly.",
};
const shown: Readonly<Record<ListingKind, string>> = {
  source: "the generated source (CUDA C++, or C++ on the cpu device)",
  ptx: "the PTX",
  sass: "the machine code (SASS)",
};

/** `%source`, `%ptx`, `%sass` and `%%source`, `%%ptx`, `%%sass`. */
export const sourceMagics: readonly Magic[] = (["source", "ptx", "sass"] as const).map((kind) => ({
  name: kind,
  kinds: ["line", "cell"],
  usage:
    kind === "source"
      ? "f [dtypes ...] [--grad] [--device D] [--layout L]"
      : "f [dtypes ...] [--grad] [--arch A] [--layout L]",
  options: kind === "source" ? [grad, device, layout, arch] : [grad, arch, layout, device],
  completes: ["op", "dtype"],
  doc: `Shows ${shown[kind]} of an op or functor; as %%${kind}, of every kernel in the cell.

\`f\` is a functor or function of the notebook, or an op of jl (\`digamma\`, \`jl.digamma\`). One dtype applies to
all inputs; several are in the order of the inputs; default: float32.
${needs[kind]}

    %${kind} jl.digamma
    %${kind} gcd int64${kind === "source" ? " --device cuda" : " --arch sm_90"}`,
  expand: (args: MagicArguments, body?: string): Expansion =>
    body === undefined ? expandLine(kind, args) : expandCell(kind, args),
}));

function request(args: MagicArguments): Record<string, string | undefined> {
  return {
    device: textOption(args, "device"),
    layout: textOption(args, "layout"),
    arch: textOption(args, "arch"),
  };
}

function expandLine(kind: ListingKind, args: MagicArguments): Expansion {
  const [target, ...dtypes] = args.positional;
  if (target === undefined) {
    throw new UsageError(`%${kind} needs an op or a functor: %${kind} jl.digamma float64. See %${kind}?`);
  }
  const derivative = args.options.grad === true ? { derivative: true } : {};
  return statement("show", kind, { target, dtypes, ...request(args), ...derivative });
}

function expandCell(kind: ListingKind, args: MagicArguments): Expansion {
  atMost(`%${kind}`, args, 0);
  if (args.options.grad) throw new UsageError(`%%${kind} has no --grad: write %${kind} f --grad.`);
  return observe(kind, { arch: textOption(args, "arch") });
}
