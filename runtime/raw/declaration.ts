// Reads the declaration of a raw CUDA kernel from its text: its parameters, and those of its template. jl.rawKernel and
// %%cuda use it; %%cuda does so before the text reaches the library.
import { didYouMean, JitlabError } from "../base/errors.js";
import { blanked, braceProblem, splitOutside } from "../functor/signature.js";

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

const attributes = /\b__(?:launch_bounds|cluster_dims|maxnreg|block_size)__\s*\(/;
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
  const list = splitOutside(header.template, ",", "([{<").filter((one) => one.trim() !== "");
  return {
    name,
    parameters: /^\s*(?:void)?\s*$/.test(header.parameters)
      ? []
      : splitOutside(header.parameters, ",", "([{<").map(parameterOf),
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

/** The text without comments, strings and directives. */
function codeOf(source: string): string {
  return blanked(source).replace(/^[ \t]*#(?:\\\n|.)*$/gm, (line) => line.replace(/[^\n]/g, " "));
}

interface Header {
  readonly name: string;
  /** The text between the angle brackets of its template. */
  readonly template: string;
  readonly parameters: string;
}

function headersOf(text: string): Header[] {
  const found: Header[] = [];
  for (const match of text.matchAll(/\b__global__\b/g)) {
    const end = text.slice(match.index).search(/[{;]/);
    if (end < 0 || text[match.index + end] === ";") continue;
    const before = text.slice(0, match.index);
    const start = Math.max(...[";", "}", "{"].map((char) => before.lastIndexOf(char))) + 1;
    const header = withoutAttributes(text.slice(start, match.index + end));
    const to = header.lastIndexOf(")");
    const from = openingOf(header, to);
    const name = /([A-Za-z_]\w*)\s*$/.exec(header.slice(0, Math.max(from, 0)))?.[1];
    if (name === undefined) continue;
    const template = /^\s*template\s*</.exec(header);
    found.push({
      name,
      template: template ? header.slice(template[0].length, closingAngle(header, template[0].length)) : "",
      parameters: header.slice(from + 1, to),
    });
  }
  return found;
}

/** The offset of the parenthesis that `to` closes; -1 if there is none. */
function openingOf(header: string, to: number): number {
  let depth = 0;
  for (let i = to; i >= 0; i--) {
    if (header[i] === ")") depth++;
    else if (header[i] === "(" && --depth === 0) return i;
  }
  return -1;
}

/** The offset where the bracket of a template's parameters, opened before `from`, closes. */
function closingAngle(header: string, from: number): number {
  let depth = 1;
  for (let i = from; i < header.length; i++) {
    if (header[i] === "<") depth++;
    else if (header[i] === ">" && --depth === 0) return i;
  }
  return header.length;
}

/** A declaration without `__launch_bounds__(...)` and the like, whose parentheses do not enclose parameters. */
function withoutAttributes(header: string): string {
  const match = attributes.exec(header);
  if (!match) return header;
  let depth = 0;
  for (let i = match.index + match[0].length - 1; i < header.length; i++) {
    if (header[i] === "(") depth++;
    else if (header[i] === ")" && --depth === 0) {
      return withoutAttributes(header.slice(0, match.index) + header.slice(i + 1));
    }
  }
  return header;
}

function parameterOf(text: string, place: number): RawParameter {
  const declared = text
    .replace(/=[\s\S]*$/, "")
    .replace(/\s+/g, " ")
    .trim();
  const array = /\[[^\]]*\]$/.test(declared);
  const plain = declared.replace(/\s*\[[^\]]*\]$/, "");
  const star = plain.lastIndexOf("*");
  const pointer = star >= 0 || array;
  // The text after the last `*` names the parameter and qualifies the pointer.
  const behind = star >= 0 ? plain.slice(star + 1) : plain;
  const words = behind.replace(qualifiers, " ").trim().split(/\s+/);
  const named = star >= 0 ? words[0] !== "" : words.length > 1 && /^[A-Za-z_]\w*$/.test(words.at(-1) ?? "");
  const name = named ? (words.at(-1) as string) : `argument ${place + 1}`;
  const type = star >= 0 ? plain.slice(0, star) : named ? plain.slice(0, -name.length) : plain;
  return {
    name,
    type: type.replace(qualifiers, " ").replace(/\s+/g, " ").trim(),
    pointer,
    constant: pointer && /\bconst\b/.test(star >= 0 ? type.slice(type.lastIndexOf("*") + 1) : type),
  };
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
