// The signature of a functor: which function of the C++ text is the entry, and which of its parameters are inputs, captured
// parameters and outputs. Parses only enough to split the text: strings and comments are blanked, brackets are counted.

/** One parameter of a C++ function. */
export interface CppParameter {
  readonly name: string;
  /** Its type without `&`. */
  readonly type: string;
  /** True for a non-const reference, which the function writes. */
  readonly output: boolean;
  /** The text after `=`, if the parameter has a default. */
  readonly default: string | undefined;
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
  /** True if the body has a return statement. */
  readonly hasReturn: boolean;
}

/** Every function defined at the outermost level of a C++ text, in order. */
export function functionsOf(source: string): CppFunction[] {
  const text = blanked(source).replace(/^[ \t]*#.*$/gm, (line) => " ".repeat(line.length));
  const found: CppFunction[] = [];
  let header: Omit<CppFunction, "hasReturn"> | undefined;
  // A macro may contain the word.
  const byMacro = /^[ \t]*#.*\breturn\b/m.test(source);
  const add = (body: string) => {
    if (header) found.push({ ...header, hasReturn: byMacro || /\breturn\b/.test(body) });
    header = undefined;
  };
  let depth = 0;
  let start = 0;
  let body = 0;
  for (let i = 0; i < text.length; i++) {
    const char = text.charAt(i);
    if (char === "{") {
      if (depth === 0) {
        header = functionOf(text.slice(start, i), start, text);
        body = i;
      }
      depth++;
    } else if (char === "}") {
      depth = Math.max(0, depth - 1);
      if (depth > 0) continue;
      add(text.slice(body, i));
      start = i + 1;
    } else if (char === ";" && depth === 0) {
      start = i + 1;
    }
  }
  add(text.slice(body));
  return found;
}

function functionOf(
  header: string,
  offset: number,
  text: string,
): Omit<CppFunction, "hasReturn"> | undefined {
  const match =
    /^\s*(template\s*<[^{}]*?>\s*)?([\w:<>,*&\s]*?[\s*&>])([A-Za-z_]\w*)\s*\(([\s\S]*)\)\s*(?:const|noexcept|\s)*$/.exec(
      header,
    );
  if (!match) return undefined;
  const [, template, returns = "", name = "", list = ""] = match;
  if (/\b(?:struct|class|namespace|enum|union|if|for|while|switch)\b/.test(returns)) return undefined;
  const first = offset + (header.length - header.trimStart().length);
  return {
    name,
    line: text.slice(0, first).split("\n").length,
    template: template && (/\b(?:typename|class)\s+(\w+)/.exec(template)?.[1] ?? "T"),
    open: offset + header.indexOf("(", template?.length ?? 0) + 1,
    returns: returns
      .replace(/\b(?:static|inline|constexpr|__device__|__host__|__forceinline__)\b/g, "")
      .trim(),
    parameters: /^\s*(?:void)?\s*$/.test(list) ? [] : splitOutside(list, ",", "([{<").map(parameterOf),
  };
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
  const name = /([A-Za-z_]\w*)$/.exec(declared)?.[1] ?? "";
  const type = declared.slice(0, declared.length - name.length).trim();
  return {
    name,
    type: type.replace(/\s*&$/, ""),
    output: type.endsWith("&") && !/\bconst\b/.test(type),
    default: equals < 0 ? undefined : text.slice(equals + 1).trim(),
  };
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
