// Reads the declaration of a raw CUDA kernel from its text: its parameters, and those of its template. jl.rawKernel and
// %%cuda use it; %%cuda does so before the text reaches the library.
import { didYouMean, JitlabError } from "../base/errors.js";
import {
  braceProblem,
  type CppHeader,
  type CppParameter,
  codeOf,
  headerOf,
  splitOutside,
} from "../functor/signature.js";

/** One parameter of a kernel. */
export interface RawParameter {
  /** Its name, or for example `argument 2` without one. */
  readonly name: string;
  /** Its type without qualifiers; for a pointer the type that it points to. */
  readonly type: string;
  readonly pointer: boolean;
  /** True for a pointer to constant elements, which the kernel only reads. */
  readonly constant: boolean;
}

/** The declaration of a kernel. */
export interface RawDeclaration {
  readonly name: string;
  readonly parameters: readonly RawParameter[];
  /** The parameters of its template, with the text of their defaults; empty for a plain kernel. */
  readonly template: readonly { readonly name: string; readonly value: string | undefined }[];
  /** The names of the text's constant memory. */
  readonly constants: readonly string[];
}

const qualifiers =
  /\b(?:const|volatile|struct|__restrict__|__restrict|restrict|__grid_constant__|typename|register)\b/g;

/** Reads the declaration of a kernel; throws `bad-raw-kernel` if the text has no such kernel. */
export function rawDeclarationOf(source: string, name: string): RawDeclaration {
  const braces = braceProblem(source);
  if (braces !== "") throw badKernel(`${braces}.`, "Write each brace with its partner.");
  const text = codeOf(source);
  const headers = headersOf(text);
  const last = name.split("::").at(-1) ?? name;
  const header = headers.find((one) => one.name === last);
  if (!header) {
    const names = headers.map((one) => one.name);
    throw badKernel(
      `The text defines no kernel ${JSON.stringify(name)}.`,
      names.length === 0
        ? "A kernel is a function with __global__: __global__ void twice(float* x, int n) { ... }"
        : `${didYouMean(last, names)} Its kernels are ${names.join(", ")}.`.trim(),
    );
  }
  const list = splitOutside(header.template ?? "", ",", "([{<").filter((one) => one.trim() !== "");
  return {
    name,
    parameters: header.parameters.map(rawParameter),
    template: list.map((one) => {
      const [, name = "", value] = /([A-Za-z_]\w*)\s*(?:=([\s\S]*))?$/.exec(one.trimEnd()) ?? [];
      return { name, value: value?.trim() };
    }),
    constants: constantsOf(text),
  };
}

/** The names of the kernels that a text defines, in order. */
export function rawKernelNames(source: string): string[] {
  return headersOf(codeOf(source)).map(({ name }) => name);
}

function headersOf(text: string): CppHeader[] {
  return [...text.matchAll(/\b__global__\b/g)].flatMap((match) => {
    const end = match.index + text.slice(match.index).search(/[{;]/);
    if (end < match.index || text[end] === ";") return [];
    const before = text.slice(0, match.index);
    const start = Math.max(...[";", "}", "{"].map((char) => before.lastIndexOf(char))) + 1;
    return headerOf(text, start, end) ?? [];
  });
}

function rawParameter({ name, type }: CppParameter, place: number): RawParameter {
  const star = type.lastIndexOf("*");
  const pointer = star >= 0;
  const pointed = pointer ? type.slice(0, star) : type;
  // A parameter without a name ends in its type, such as `const int`.
  const isNamed = plain(name) !== "" && plain(pointed) !== "";
  return {
    name: isNamed ? name : `argument ${place + 1}`,
    type: plain(isNamed ? pointed : `${pointed} ${name}`),
    pointer,
    constant: pointer && /\bconst\b/.test(pointed.slice(pointed.lastIndexOf("*") + 1)),
  };
}

/** A type without qualifiers. */
function plain(type: string): string {
  return type.replace(qualifiers, " ").replace(/\s+/g, " ").trim();
}

function constantsOf(text: string): string[] {
  return [...text.matchAll(/\b__constant__\b([^;={]*?)([A-Za-z_]\w*)\s*(?:\[[^;=]*)?(?=[;={])/g)].map(
    (match) => match[2] as string,
  );
}

/** An error in a raw kernel's text. */
export function badKernel(what: string, help: string): JitlabError {
  return new JitlabError("bad-raw-kernel", what, help);
}
