// The one template of all elementwise kernels. Its text is shown to people: what one element computes stands in
// `element`, how elements are walked stands in the kernel below it.
import { readFileSync } from "node:fs";
import type { LaunchShape } from "../device/device.js";
import type { DType, Kind } from "../dtype.js";
import type { Argument, Functor } from "../functor.js";
import type { Dialect } from "./dialect.js";
import {
  argumentDType,
  argumentLayout,
  dtypeNames,
  type KernelSpec,
  memoryOperands,
  usesDivider,
  variantName,
} from "./spec.js";

/** A rendered kernel: its text, the name of its function, and how a launch divides its elements. */
export interface Rendered {
  readonly source: string;
  readonly symbol: string;
  readonly shape: LaunchShape;
}

const threads = 256;

/** Renders a kernel. Equal specs give equal text. */
export function render(spec: KernelSpec): Rendered {
  const symbol = symbolOf(spec);
  const lanes = lanesOf(spec);
  const parts = [
    `// ${spec.functor.name}: ${dtypeNames(spec).join(", ")}; ${variantName(spec)}; ${spec.dialect.title}`,
    ...preludes(spec.dialect, typesOf(spec)),
    functorText(spec.functor, spec.compute),
    argumentsText(spec),
    elementText(spec),
    spec.dialect.grid ? gridKernel(spec, symbol, lanes) : rangeKernel(spec, symbol),
  ];
  const shape = spec.dialect.grid ? { threads, perThread: lanes } : { threads: 1, perThread: 1 };
  return { source: `${parts.join("\n")}\n`, symbol, shape };
}

/** The text that lets a compiler parse a functor without instantiating it. */
export function renderCheck(functor: Functor, compute: DType, dialect: Dialect): string {
  return `${[...preludes(dialect, [compute]), functorText(functor, compute)].join("\n")}\n`;
}

/** Marks the user's text in a rendered kernel; the line after it belongs to the kernel again. */
export function functorText(functor: Functor, compute: DType): string {
  const helpers = functor
    .needs(compute)
    .filter((name) => name !== "complex")
    .map(functorFile);
  const text = functor.text(compute);
  if (!functor.user) return [...helpers, text].join("\n");
  return [...helpers, `#line 1 "${functor.name}"`, text, `#line 1 "kernel"`].join("\n");
}

function symbolOf(spec: KernelSpec): string {
  const types = [...spec.outputs, ...spec.inputs].map((o) => (o.scalar ? `${o.dtype.name}s` : o.dtype.name));
  return [spec.functor.name, ...types, variantName(spec).replace(" ", "_")].join("_");
}

/**
 * Elements that one thread of a grid handles: enough for 16-byte words of the narrowest operand, at most 8. A long functor
 * is compiled once per thread instead, because copies of it cost compile time and registers, not memory time.
 */
function lanesOf(spec: KernelSpec): number {
  if (spec.layout.kind !== "contiguous" || !spec.layout.aligned) return 1;
  if (spec.functor.needs(spec.compute).length > 0 || spec.functor.text(spec.compute).length > 1000) return 1;
  const widths = memoryOperands(spec).map((operand) => operand.dtype.bytes);
  return Math.max(1, Math.min(8, 16 / Math.min(...widths)));
}

/** Every dtype that a kernel's text names: stored, computed in, or declared by the functor. */
function typesOf(spec: KernelSpec): DType[] {
  const { functor, compute } = spec;
  const declared = [
    ...functor.inputs,
    ...functor.results,
    ...functor.parameters.map((parameter) => parameter.type),
  ];
  const stored = [...spec.outputs, ...spec.inputs].map((operand) => operand.dtype);
  return [compute, ...stored, ...declared.map((type) => argumentDType(type, compute))];
}

/** The headers that a kernel needs, by what its types ask for. */
function preludes(dialect: Dialect, used: readonly DType[]): string[] {
  const has = (kinds: readonly Kind[]) => used.some((type) => kinds.includes(type.kind));
  const names = [...dialect.preludes];
  if (has(["float", "complex"]) && has(["signed", "unsigned"])) names.push("saturate");
  if (used.some((type) => type.bytes === 2 && type.kind === "float")) names.push("half");
  const texts = names.map((name) => text(new URL(`./${name}.h`, import.meta.url)));
  if (has(["complex"])) texts.push(functorFile("complex"));
  return texts;
}

function functorFile(name: string): string {
  return text(new URL(`../functors/${name}.cuh`, import.meta.url));
}

const texts = new Map<string, string>();

function text(url: URL): string {
  let content = texts.get(url.href);
  if (content === undefined) {
    content = readFileSync(url, "utf8").trimEnd();
    texts.set(url.href, content);
  }
  return content;
}

function argumentsText(spec: KernelSpec): string {
  const layout = argumentLayout(spec);
  const fields = [
    ...layout.pointers,
    ...layout.scalars,
    ...layout.parameters,
    ...(layout.count ? [layout.count] : []),
  ];
  const lines = fields.map((field) => `  ${field.ctype} ${field.name};`);
  if (spec.layout.kind !== "strided") return `struct Arguments {\n${lines.join("\n")}\n};`;
  const wide = spec.index === 64 ? "int64" : "int32";
  const divider = usesDivider(spec) ? "uint32 size, magic, shift;" : `${wide} size;`;
  const operands = layout.pointers.length;
  return [
    `struct alignas(8) Arguments {`,
    ...lines,
    `  struct alignas(${spec.index / 8}) Dim { ${divider} ${wide} stride[${operands}]; };`,
    `  alignas(8) Dim dim[${spec.layout.rank}];  // innermost first; strides in elements: ${layout.pointers.map((p) => p.name).join(", ")}`,
    `};`,
  ].join("\n");
}

/** What one element computes: arguments converted to the compute type, the functor's call, results converted back. */
function elementText(spec: KernelSpec): string {
  const { functor, compute } = spec;
  const list = [
    ...(positioned(spec) ? ["int64 position"] : []),
    ...memoryOperands(spec).map((o) => `${o.dtype.ctype}${o.name.startsWith("out") ? "&" : ""} ${o.name}`),
  ];
  const call = (argument: Argument): string => {
    if (argument.role === "position") return "position";
    if (argument.role === "output") return `result${argument.index}`;
    if (argument.role === "parameter") return `args.${functor.parameters[argument.index]?.name}`;
    const ctype = argumentDType(functor.inputs[argument.index] ?? "T", compute).ctype;
    const scalar = spec.inputs[argument.index]?.scalar;
    return scalar ? `${ctype}(args.in${argument.index})` : `cast<${ctype}>(in${argument.index})`;
  };
  const callee = functor.template ? `${functor.entry}<${compute.ctype}>` : functor.entry;
  const invocation = `${callee}(${functor.signature.map(call).join(", ")})`;
  const byReference = functor.signature.some((argument) => argument.role === "output");
  const body = byReference
    ? [
        ...functor.results.map((type, i) => `  ${argumentDType(type, compute).ctype} result${i};`),
        `  ${invocation};`,
        ...spec.outputs.map((out, i) => `  out${i} = cast<${out.dtype.ctype}>(result${i});`),
      ]
    : [`  out0 = cast<${spec.outputs[0]?.dtype.ctype}>(${invocation});`];
  return `__device__ inline void element(const Arguments& args, ${list.join(", ")}) {\n${body.join("\n")}\n}`;
}

function positioned(spec: KernelSpec): boolean {
  return spec.functor.signature.some((argument) => argument.role === "position");
}

function elementCall(spec: KernelSpec, access: (name: string, k: number) => string, position = "i"): string {
  const operands = memoryOperands(spec).map((o, k) => access(o.name, k));
  return `element(args, ${[...(positioned(spec) ? [position] : []), ...operands].join(", ")});`;
}

/** The CPU's kernel: elements [begin, end), so that the caller divides the work among cores. */
function rangeKernel(spec: KernelSpec, symbol: string): string {
  const head = [
    `extern "C" void ${symbol}(const void* block, int64 begin, int64 end) {`,
    `  const Arguments args = *static_cast<const Arguments*>(block);`,
  ];
  if (spec.layout.kind === "contiguous") {
    return [
      ...head,
      `  JITLAB_INDEPENDENT`,
      `  for (int64 i = begin; i < end; ++i) ${elementCall(spec, (name) => `args.${name}[i]`)}`,
      `}`,
    ].join("\n");
  }
  const { rank, inner } = spec.layout;
  const operands = memoryOperands(spec);
  const access = (name: string, k: number): string => {
    if (inner[k] === "unit") return `${name}[j]`;
    return inner[k] === "broadcast" ? `${name}[0]` : `${name}[j * args.dim[0].stride[${k}]]`;
  };
  return [
    ...head,
    `  int64 index[${rank}];`,
    `  int64 rest = begin;`,
    `  for (int d = 0; d < ${rank}; ++d) {`,
    `    index[d] = rest % args.dim[d].size;`,
    `    rest /= args.dim[d].size;`,
    `  }`,
    `  for (int64 i = begin; i < end;) {`,
    ...operands.map((o) => `    ${o.dtype.ctype}* ${o.name} = args.${o.name};`),
    `    for (int d = 0; d < ${rank}; ++d) {`,
    ...operands.map((o, k) => `      ${o.name} += index[d] * args.dim[d].stride[${k}];`),
    `    }`,
    `    const int64 left = args.dim[0].size - index[0];`,
    `    const int64 run = left < end - i ? left : end - i;`,
    `    JITLAB_INDEPENDENT`,
    `    for (int64 j = 0; j < run; ++j) ${elementCall(spec, access)}`,
    `    i += run;`,
    `    index[0] = 0;`,
    `    for (int d = 1; d < ${rank} && ++index[d] == args.dim[d].size; ++d) index[d] = 0;`,
    `  }`,
    `}`,
  ].join("\n");
}

/** The GPU's kernel: each thread finds its elements from its place in the grid. */
function gridKernel(spec: KernelSpec, symbol: string, lanes: number): string {
  const type = spec.index === 32 ? "uint32" : "int64";
  const thread = `${type}(blockIdx.x) * ${threads} + threadIdx.x`;
  const head = `extern "C" __global__ void __launch_bounds__(${threads}) ${symbol}(const __grid_constant__ Arguments args) {`;
  if (spec.layout.kind === "contiguous") {
    const one = elementCall(spec, (name) => `args.${name}[i]`);
    if (lanes === 1) {
      return [head, `  const ${type} i = ${thread};`, `  if (i < args.count) ${one}`, `}`].join("\n");
    }
    return vectorKernel(spec, head, type, thread, lanes, one);
  }
  const { rank } = spec.layout;
  const operands = memoryOperands(spec);
  const offset = spec.index === 32 ? "int32" : "int64";
  const divide = usesDivider(spec) ? "(__umulhi(rest, dim.magic) + rest) >> dim.shift" : "rest / dim.size";
  return [
    head,
    `  const ${type} i = ${thread};`,
    `  if (i >= args.count) return;`,
    `  ${type} rest = i;`,
    `  ${offset} ${operands.map((o) => `at_${o.name} = 0`).join(", ")};`,
    `#pragma unroll`,
    `  for (int d = 0; d < ${rank}; ++d) {`,
    `    const Arguments::Dim& dim = args.dim[d];`,
    `    const ${type} quotient = d == ${rank - 1} ? 0 : ${divide};`,
    `    const ${offset} index = rest - quotient * dim.size;`,
    ...operands.map((o, k) => `    at_${o.name} += index * dim.stride[${k}];`),
    `    rest = quotient;`,
    `  }`,
    `  ${elementCall(spec, (name) => `args.${name}[at_${name}]`)}`,
    `}`,
  ].join("\n");
}

/** Whole groups of `lanes` elements go through 16-byte words; the last, incomplete group element by element. */
function vectorKernel(
  spec: KernelSpec,
  head: string,
  type: string,
  thread: string,
  lanes: number,
  one: string,
): string {
  const operands = memoryOperands(spec);
  const inputs = operands.filter((o) => o.name.startsWith("in"));
  const outputs = operands.filter((o) => o.name.startsWith("out"));
  const pack = (o: { readonly dtype: DType }) => `Pack<${o.dtype.ctype}>`;
  return [
    `template <typename E> struct alignas(sizeof(E) * ${lanes} < 16 ? sizeof(E) * ${lanes} : 16) Pack { E lane[${lanes}]; };`,
    head,
    `  const ${type} start = (${thread}) * ${lanes};`,
    `  if (start + ${lanes} <= args.count) {`,
    ...inputs.map(
      (o) => `    const ${pack(o)} ${o.name} = *reinterpret_cast<const ${pack(o)}*>(args.${o.name} + start);`,
    ),
    ...outputs.map((o) => `    ${pack(o)} ${o.name};`),
    `#pragma unroll`,
    `    for (int k = 0; k < ${lanes}; ++k) ${elementCall(spec, (name) => `${name}.lane[k]`, "start + k")}`,
    ...outputs.map((o) => `    *reinterpret_cast<${pack(o)}*>(args.${o.name} + start) = ${o.name};`),
    `  } else {`,
    `#pragma unroll 1`,
    `    for (${type} i = start; i < args.count; ++i) ${one}`,
    `  }`,
    `}`,
  ].join("\n");
}
