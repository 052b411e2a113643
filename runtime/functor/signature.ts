// The one reader of declarations in C++ texts: functions, their template, what they return, and their parameters. Functors and raw
// CUDA kernels use it. It parses only enough to split the text: strings and comments are blanked, brackets are matched.
import { nearest } from "../base/errors.js";

/** Stands in a pattern before the name of a function that is called: neither a method's, nor a declaration's. */
export const callStart = "(?<!(?:\\.|::|->)\\s*)(?<!\\b(?!(?:return|else|do|case)\\b)[A-Za-z_]\\w*\\s+)\\b";

/** One parameter of a C++ function. */
export interface CppParameter {
  readonly name: string;
  /** Its type as written; an array `T x[4]` has the type `T*`. */
  readonly type: string;
  /** True for a non-const reference, which the function writes. */
  readonly output: boolean;
  /** The text after `=`, if the parameter has a default. */
  readonly default: string | undefined;
}

/** What stands before a function's body. */
export interface CppHeader {
  readonly name: string;
  /** The text between the angle brackets of its template; undefined for a plain function. */
  readonly template: string | undefined;
  /** The text between template and name. */
  readonly before: string;
  readonly parameters: readonly CppParameter[];
  /** The offset of its first parameter, after the opening bracket. */
  readonly open: number;
  /** The text behind the closing bracket. */
  readonly after: string;
}

/** One function that the text defines. */
export interface CppFunction {
  readonly name: string;
  /** Line of its first character, counted from 1. */
  readonly line: number;
  /** The name of its type parameter; undefined for a plain function. */
  readonly template: string | undefined;
  readonly returns: string;
  readonly parameters: readonly CppParameter[];
  /** The offset of its first parameter, after the opening bracket. */
  readonly open: number;
  /** The offset of its body, after the opening brace. */
  readonly body: number;
  /** True if the body has a return statement. */
  readonly hasReturn: boolean;
  /** A word at the start of a statement that is nearly `return`, and its line. */
  readonly nearReturn: { readonly word: string; readonly line: number } | undefined;
}

type Header = Omit<CppFunction, "body" | "hasReturn" | "nearReturn">;

/** Every function defined at the outermost level of a C++ text, in order. */
export function functionsOf(source: string): CppFunction[] {
  const text = codeOf(source);
  const found: CppFunction[] = [];
  let header: Header | undefined;
  // A macro may contain the word.
  const byMacro = /^[ \t]*#(?:\\\n|.)*\breturn\b/m.test(source);
  const add = (from: number, to: number) => {
    const body = text.slice(from, to);
    const hasReturn = byMacro || /\breturn\b/.test(body);
    if (header) {
      const near = hasReturn ? undefined : nearReturn(text, from, to);
      found.push({ ...header, body: from + 1, hasReturn, nearReturn: near });
    }
    header = undefined;
  };
  let depth = 0;
  let start = 0;
  let body = 0;
  for (let i = 0; i < text.length; i++) {
    const char = text.charAt(i);
    if (char === "{") {
      if (depth === 0) {
        header = functionOf(text, start, i);
        body = i;
      }
      depth++;
    } else if (char === "}") {
      depth = Math.max(0, depth - 1);
      if (depth > 0) continue;
      add(body, i);
      start = i + 1;
    } else if (char === ";" && depth === 0) {
      start = i + 1;
    }
  }
  add(body, text.length);
  return found;
}

function nearReturn(text: string, from: number, to: number): CppFunction["nearReturn"] {
  const starts = [...text.slice(from, to).matchAll(/(?:[;{})]\s*|\belse\s+)([a-z]\w*)/gi)];
  const word = nearest(
    "return",
    starts.map(([, one]) => one as string),
  );
  const found = starts.find(([, one]) => one === word);
  if (word === undefined || found === undefined) return undefined;
  const end = from + found.index + found[0].length;
  return { word, line: text.slice(0, end).split("\n").length };
}

function functionOf(text: string, start: number, end: number): Header | undefined {
  const header = headerOf(text, start, end);
  if (!header || !/^[\w:<>,*&\s]*[\s*&>]$/.test(header.before)) return undefined;
  if (!/^(?:const|noexcept|\s)*$/.test(header.after)) return undefined;
  if (/\b(?:struct|class|namespace|enum|union|if|for|while|switch)\b/.test(header.before)) return undefined;
  const { name, template, parameters, open } = header;
  const first = start + text.slice(start).search(/\S/);
  return {
    name,
    line: text.slice(0, first).split("\n").length,
    template:
      template === undefined ? undefined : (/\b(?:typename|class)\s+(\w+)/.exec(template)?.[1] ?? "T"),
    open,
    returns: header.before
      .replace(/\b(?:static|inline|constexpr|__device__|__host__|__forceinline__)\b/g, "")
      .trim(),
    parameters,
  };
}

// Their parentheses do not enclose parameters.
const attributes = /\b(?:__(?:launch_bounds|cluster_dims|maxnreg|block_size)__|noexcept)\s*\(/g;

/** Reads `template<...> type name(parameters)` between two offsets of a {@link codeOf}; undefined for other text. */
export function headerOf(text: string, start: number, end: number): CppHeader | undefined {
  let header = text.slice(start, end);
  for (const match of header.matchAll(attributes)) {
    const close = partnerOf(header, match.index + match[0].length - 1);
    const length = (close < 0 ? header.length : close + 1) - match.index;
    header = header.slice(0, match.index) + " ".repeat(length) + header.slice(match.index + length);
  }
  const close = header.lastIndexOf(")");
  const open = partnerOf(header, close, -1);
  const name = /([A-Za-z_]\w*)\s*$/.exec(header.slice(0, Math.max(open, 0)));
  if (!name) return undefined;
  const template = /^\s*template\s*</.exec(header)?.[0].length;
  const angle = template === undefined ? -1 : partnerOf(header, template - 1);
  if ((template !== undefined && angle < 0) || angle > name.index) return undefined;
  const list = header.slice(open + 1, close);
  return {
    name: name[1] as string,
    template: template === undefined ? undefined : header.slice(template, angle),
    before: header.slice(angle + 1, name.index),
    parameters: /^\s*(?:void)?\s*$/.test(list) ? [] : splitOutside(list, ",", "([{<").map(parameterOf),
    open: start + open + 1,
    after: header.slice(close + 1),
  };
}

/** The offset of the bracket that belongs to the one at `at`, going forwards or, with -1, backwards; -1 if there is none. */
function partnerOf(text: string, at: number, step: 1 | -1 = 1): number {
  const pair = ["()", "<>"].find((both) => both.includes(text.charAt(at)));
  if (at < 0 || pair === undefined) return -1;
  const [own, other] = step === 1 ? [pair[0], pair[1]] : [pair[1], pair[0]];
  let depth = 0;
  // Parentheses between angle brackets, in which `>` compares.
  let inner = 0;
  for (let i = at; i >= 0 && i < text.length; i += step) {
    if (pair === "<>") inner += text[i] === "(" ? 1 : text[i] === ")" ? -1 : 0;
    if (inner > 0) continue;
    if (text[i] === own) depth++;
    else if (text[i] === other && --depth === 0) return i;
  }
  return -1;
}

/** Describes the first unmatched brace; empty if there is none. `firstLine` is the number of the text's first line. */
export function braceProblem(source: string, firstLine = 1): string {
  // Preprocessor branches may each have one half of a pair.
  if (/^[ \t]*#[ \t]*(?:if|define)/m.test(source)) return "";
  const open: number[] = [];
  for (const [i, line] of blanked(source).split("\n").entries()) {
    for (const brace of line.match(/[{}]/g) ?? []) {
      if (brace === "{") open.push(i + firstLine);
      else if (open.pop() === undefined) return `The } of line ${i + firstLine} closes nothing`;
    }
  }
  return open.length === 0 ? "" : `The { of line ${open.at(-1)} is never closed`;
}

function parameterOf(text: string): CppParameter {
  const equals = text.indexOf("=");
  const declared = (equals < 0 ? text : text.slice(0, equals)).trim();
  const plain = declared.replace(/\s*\[[^\]]*\]$/, "");
  const name = /([A-Za-z_]\w*)$/.exec(plain)?.[1] ?? "";
  const type = plain.slice(0, plain.length - name.length).trim();
  return {
    name,
    type: plain === declared ? type : `${type}*`,
    output: type.endsWith("&") && !/\bconst\b/.test(type),
    default: equals < 0 ? undefined : text.slice(equals + 1).trim(),
  };
}

/** A C++ text whose strings, comments and preprocessor lines are blanked. */
export function codeOf(source: string): string {
  return blanked(source).replace(/^[ \t]*#(?:\\\n|.)*$/gm, (line) => line.replace(/[^\n]/g, " "));
}

/**
 * `text` with the characters of strings and comments replaced by spaces, so that offsets and line numbers stay. Backquotes
 * delimit strings in TypeScript only.
 */
export function blanked(text: string): string {
  const pattern = /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|(["'`])(?:\\[\s\S]|(?!\1)[\s\S])*(?:\1|$)/g;
  return text.replace(pattern, (match) => match.replace(/[^\n]/g, " "));
}

/** The pieces of `text` between separators outside of brackets and strings. */
export function splitOutside(text: string, separator: "," | ";", brackets = "([{"): string[] {
  const scanned = blanked(text);
  const closing = [...brackets].map((open) => ({ "(": ")", "[": "]", "{": "}", "<": ">" })[open] ?? "");
  const pieces: string[] = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    const char = scanned.charAt(i);
    if (brackets.includes(char)) depth++;
    else if (closing.includes(char)) depth--;
    else if (char === separator && depth === 0) {
      pieces.push(text.slice(start, i));
      start = i + 1;
    }
  }
  pieces.push(text.slice(start));
  return pieces;
}
