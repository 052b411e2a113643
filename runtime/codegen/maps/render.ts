// The one template of all elementwise kernels. Users read its text: `element` computes one element, and the kernel below it
// loops over elements.
import { readdirSync, readFileSync } from "node:fs";
import { parse } from "node:path";
import type { DType, Kind } from "../../base/dtype.js";
import { libraryFile } from "../../base/files.js";
import type { Dialect } from "../../device/dialect.js";
import { calledAs, enclosedText } from "../../functor/enclosed.js";
import {
  type Argument,
  type ComposedText,
  type Functor,
  isAddressed,
  userTexts,
} from "../../functor/functor.js";
import { isRegisterFile } from "../../ops/registers.js";
import { addressesIn, declarations } from "../argument-fields.js";
import type { Division } from "../division.js";
import { initial, plainComposition, plainForm, plainFunctions, positioned, stagesOf } from "./element.js";
import { gpuKernel } from "./map-gpu.js";
import { hostKernel } from "./map-host.js";
import {
  argumentDType,
  argumentLayout,
  dtypeNames,
  type KernelSpec,
  type MemoryOperand,
  memoryOperands,
  usesDivider,
  variantName,
} from "./map-spec.js";
import { tableKernel } from "./table-kernel.js";

/** A rendered kernel: its text, its function's name, and how a launch divides its elements. */
export interface Rendered {
  readonly source: string;
  readonly symbol: string;
  readonly division: Division;
}

/** The text of a kernel in pieces: the parts that other kernels may share, and its own part. */
export interface Pieces {
  readonly title: string;
  readonly headers: readonly string[];
  /** Files of ops/functors/, dependencies first. */
  readonly helpers: readonly string[];
  readonly own: string;
  readonly symbol: string;
  readonly division: Division;
}

/** Renders a kernel. Equal specs give equal text. */
export function render(spec: KernelSpec): Rendered {
  const { title, headers, helpers, own, symbol, division } = piecesOf(spec);
  return { source: `${[title, ...headers, ...helpers, own].join("\n")}\n`, symbol, division };
}

/** The pieces of a kernel's text. */
export function piecesOf(spec: KernelSpec): Pieces {
  const symbol = symbolOf(spec);
  const kernel = kernelOf(spec, symbol);
  const { functor, compute } = spec;
  const helpers = helpersOf(functor, compute, spec.dialect);
  const own = [...functorText(spec), argumentsText(spec), elementText(spec), kernel.text].join("\n");
  return {
    title: `// ${functor.name}: ${dtypeNames(spec).join(", ")}; ${variantName(spec)}; ${spec.dialect.title}`,
    headers: [
      ...guardTexts(userTexts(functor, compute), spec.dialect),
      ...preludes(spec.dialect, typesOf(spec), [...helpers, own]),
    ],
    helpers,
    own,
    symbol,
    division: kernel.division,
  };
}

function kernelOf(spec: KernelSpec, symbol: string): { text: string; division: Division } {
  if (spec.groups !== undefined) return tableKernel(spec, symbol);
  const { gpu } = spec.dialect;
  return gpu ? gpuKernel(spec, symbol, gpu) : hostKernel(spec, symbol);
}

/** The text that lets a compiler parse a functor, with a call for a compiler that otherwise skips a template. */
export function renderCheck(functor: Functor, compute: DType, dialect: Dialect): string {
  const calls = functor.template && !dialect.parsesTemplates ? [useText(functor, compute)] : [];
  const body = [...helpersOf(functor, compute, dialect), enclosedText(functor, compute), ...calls];
  return `${[...preludes(dialect, [compute], body), ...body].join("\n")}\n`;
}

/** A function that calls a template for a dtype. */
function useText(functor: Functor, compute: DType): string {
  const typeOf = (argument: Argument): string => {
    if (argument.role === "position") return "int64";
    const types = {
      input: functor.inputs,
      parameter: functor.parameters.map(({ type }) => type),
      output: functor.results,
    };
    const { ctype } = argumentDType(types[argument.role][argument.index] ?? "T", compute);
    return argument.role === "output" ? `${ctype}&` : ctype;
  };
  const list = functor.signature.map((argument, i) => `${typeOf(argument)} value${i}`).join(", ");
  const values = functor.signature.map((_, i) => `value${i}`).join(", ");
  return `static __device__ void use(${list}) { ${calledAs(functor)}<${compute.ctype}>(${values}); }`;
}

/** Pragmas that prevent inexact optimizations of users' texts. */
export function guardTexts(texts: readonly ComposedText[], { guards }: Dialect): string[] {
  if (texts.length === 0) return [];
  const all = texts.map(({ text, compute }) => `${compute.ctype}\n${text}`).join("\n");
  return guards.filter(({ when }) => when.test(all)).map(({ file }) => header(file));
}

function helpersOf(functor: Functor, compute: DType, dialect: Dialect): string[] {
  return helperTexts(functor.needs(compute), dialect);
}

/** The texts of functor files for a dialect; a name that ends in another dialect's name has none. */
export function helperTexts(
  names: readonly string[],
  { name: language, ownFunctors, hasRegisters }: Dialect,
): string[] {
  return names
    .filter((name) => name !== "complex" && (parse(name).ext || `.${language}`) === `.${language}`)
    .filter((name) => hasRegisters || !isRegisterFile(name))
    .map((name) => functorFile(ownFunctors.includes(name) ? `${name}.${language}` : name));
}

/** The functor, and its forms for loops over blocks. */
export function functorText(spec: KernelSpec): string[] {
  return [enclosedText(spec.functor, spec.compute), ...plainText(spec)];
}

/** The functor's form for ordinary arguments. */
function plainText(spec: KernelSpec): string[] {
  const text = stagesOf(spec)?.text ?? plainComposition(spec);
  if (text !== undefined) return [text];
  const plain = plainForm(spec);
  if (plain === undefined) return [];
  const reason = spec.dialect.gpu
    ? `// Threads whose arguments all pass \`is_plain\` compute them by the plain form, without branches between them.`
    : `// Blocks of which all arguments pass \`is_plain\` are computed by the plain form, in vector registers.`;
  const head = spec.dialect.gpu ? "inline" : "__forceinline__";
  return [reason, ...plainFunctions(spec.functor, spec.compute, plain, "plain", head)];
}

function symbolOf(spec: KernelSpec): string {
  const types = [...spec.outputs, ...spec.inputs].map((o) => (o.scalar ? `${o.dtype.name}s` : o.dtype.name));
  return [spec.functor.name, ...types, variantName(spec).replace(/\W/g, "_")].join("_");
}

/** All dtypes that a kernel's text names: stored, compute, or declared by the functor. */
export function typesOf(spec: KernelSpec): DType[] {
  const { functor, compute } = spec;
  const declared = [
    ...functor.inputs,
    ...functor.results,
    ...functor.parameters.map((parameter) => parameter.type),
  ];
  const stored = [...spec.outputs, ...spec.inputs].map((operand) => operand.dtype);
  return [
    compute,
    ...stored,
    ...(functor.uses ?? []),
    ...declared.map((type) => argumentDType(type, compute)),
  ];
}

/** The headers of a kernel: those of its types, and those whose names its text uses. */
export function preludes(dialect: Dialect, used: readonly DType[], body: readonly string[]): string[] {
  const has = (kinds: readonly Kind[]) => used.some((type) => kinds.includes(type.kind));
  const types: string[] = [];
  if (has(["float", "complex"]) && has(["signed", "unsigned"])) types.push(header("saturate"));
  if (used.some((type) => type.bytes === 2 && type.kind === "float")) types.push(header("half"));
  if (has(["complex"])) types.push(functorFile("complex"));
  const code = [...types, ...body].map((content) => content.replace(/\/\/.*/g, "")).join("\n");
  // All words in one search: one for each name takes longer than the rest of a first call's text.
  const words = new Set(code.match(/\w+/g));
  const named = dialect.named.filter(({ functions }) => functions.some((name) => words.has(name)));
  return [...dialect.preludes.map(header), ...named.map(({ file }) => header(file)), ...types];
}

function header(name: string): string {
  return text(`codegen/headers/${name}.h`);
}

/** The text of a functor file. */
export function functorFile(name: string): string {
  return text(`ops/functors/${name}.cuh`);
}

/** Reads all functor files at once; otherwise first calls read them one by one. */
export function readFunctors(): void {
  for (const file of readdirSync(libraryFile("ops/functors/"), { recursive: true, encoding: "utf8" })) {
    if (file.endsWith(".cuh")) functorFile(file.slice(0, -".cuh".length));
  }
}

const texts = new Map<string, string>();

function text(path: string): string {
  let content = texts.get(path);
  if (content === undefined) {
    content = readFileSync(libraryFile(path), "utf8").trimEnd();
    texts.set(path, content);
  }
  return content;
}

function argumentsText(spec: KernelSpec): string {
  const layout = argumentLayout(spec);
  const lines = declarations(layout);
  if (spec.layout.kind === "contiguous") return `struct Arguments {\n${lines.join("\n")}\n};`;
  const wide = spec.index === 64 ? "int64" : "int32";
  const divider = usesDivider(spec) ? "uint32 size, magic, shift;" : `${wide} size;`;
  const names = addressesIn(layout);
  return [
    `struct alignas(8) Arguments {`,
    ...lines,
    `  struct alignas(${spec.index / 8}) Dim { ${divider} ${wide} stride[${names.length}]; };`,
    `  alignas(8) Dim dim[${spec.layout.rank}];  // innermost first; strides in elements: ${names.join(", ")}`,
    `};`,
  ].join("\n");
}

/** The declaration of an operand as a parameter: its element, or its address. */
export function declaredOperand({ name, dtype, ctype, isAddressed }: MemoryOperand): string {
  return `${isAddressed ? `const ${ctype}*` : dtype.ctype} ${name}`;
}

/** The function of one element: converts arguments to the compute type, calls the functor, converts results back. */
export function elementText(spec: KernelSpec): string {
  const { functor, compute } = spec;
  const inputs = memoryOperands(spec).filter((o) => o.name.startsWith("in"));
  const outputs = memoryOperands(spec).filter((o) => o.name.startsWith("out"));
  const position = positioned(spec) ? ["int64 position"] : [];
  const given = inputs.map(declaredOperand);
  const parameters = ["const Arguments& args", ...position];
  const taken = outputs.map((o) => `${o.dtype.ctype}& ${o.name}`);
  const list = [...parameters, ...taken, ...given].join(", ");
  const call = (argument: Argument): string => {
    if (argument.role === "position") return "position";
    if (argument.role === "output") return `result${argument.index}`;
    if (argument.role === "parameter") return `args.param_${functor.parameters[argument.index]?.name}`;
    if (isAddressed(functor, argument.index)) return `in${argument.index}`;
    const ctype = argumentDType(functor.inputs[argument.index] ?? "T", compute).ctype;
    const scalar = spec.inputs[argument.index]?.scalar;
    return scalar ? `${ctype}(args.in${argument.index})` : `cast<${ctype}>(in${argument.index})`;
  };
  const name = calledAs(functor);
  const callee = functor.template ? `${name}<${argumentDType("T", compute).ctype}>` : name;
  const values = functor.signature.map(call).join(", ");
  const byReference = functor.signature.some((argument) => argument.role === "output");
  const store = (value: string) => `  out0 = cast<${spec.outputs[0]?.dtype.ctype}>(${value});`;
  const body = (value: string) =>
    byReference
      ? [
          ...functor.results.map(
            (type, i) => `  ${argumentDType(type, compute).ctype} result${i}${initial(functor)};`,
          ),
          `  ${value};`,
          ...spec.outputs.map((out, i) => `  out${i} = cast<${out.dtype.ctype}>(result${i});`),
        ]
      : [store(value)];
  const define = (head: string, lines: readonly string[]) => `${head} {\n${lines.join("\n")}\n}`;
  const element = define(`__device__ inline void element(${list})`, body(`${callee}(${values})`));
  const tried = `__device__ inline bool plain_element(${list})`;
  if (plainComposition(spec) !== undefined) {
    const lines = [...body(`const bool holds = plain_fused(${values})`), `  return holds;`];
    return [element, define(tried, lines)].join("\n");
  }
  if (plainForm(spec) === undefined) return element;
  const plain = body(`plain(${values})`);
  const holds = `  return is_plain(${values});`;
  if (spec.dialect.gpu) return [element, define(tried, [...plain, holds])].join("\n");
  const condition = `inline bool is_plain_element(${[...parameters, ...given].join(", ")})`;
  return [element, define(`inline void plain_element(${list})`, plain), define(condition, [holds])].join(
    "\n",
  );
}
