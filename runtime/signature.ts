// The signature of a functor: which function of the C++ text is the entry, and which of its parameters are inputs,
// captured parameters and outputs. Reads the text just far enough to cut it: strings and comments are blanked, brackets
// are counted.

/** One parameter of a C++ function. */
export interface CppParameter {
  readonly name: string;
  /** Its type without `&`. */
  readonly type: string;
  /** A non-const reference: the function writes to it. */
  readonly output: boolean;
  /** The text after `=`, where the signature gives a default. */
  readonly default: string | undefined;
}

/** One function that the text defines. */
export interface CppFunction {
  readonly name: string;
  /** Line of its first character, counted from 1. */
  readonly line: number;
  readonly template: boolean;
  readonly returns: string;
  readonly parameters: readonly CppParameter[];
  /** True where the body has a return statement. */
  readonly hasReturn: boolean;
}

/** Every function defined at the outermost level of a C++ text, in order. */
export function functionsOf(source: string): CppFunction[] {
  const text = blanked(source).replace(/^[ \t]*#.*$/gm, (line) => " ".repeat(line.length));
  const found: CppFunction[] = [];
  let header: Omit<CppFunction, "hasReturn"> | undefined;
  // A macro may hold the word.
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
  // A body that is never closed is the compiler's to complain of.
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
    template: template !== undefined,
    returns: returns
      .replace(/\b(?:static|inline|constexpr|__device__|__host__|__forceinline__)\b/g, "")
      .trim(),
    parameters: /^\s*(?:void)?\s*$/.test(list) ? [] : splitOutside(list, ",", "([{<").map(parameterOf),
  };
}

/**
 * What keeps the last function of a text from being the entry, in words: an earlier function of its name, no result, or a
 * result that is never returned; `firstLine` is the number of the text's first line.
 */
export function entryProblem(functions: readonly CppFunction[], firstLine = 1): string {
  const entry = functions.at(-1);
  if (!entry) return "";
  const { name, returns } = entry;
  const earlier = functions.find((one) => one !== entry && one.name === name);
  if (earlier) {
    const [first, last] = [earlier, entry].map(({ line }) => line + firstLine - 1);
    return `${name} is defined twice, at lines ${first} and ${last}; the last function is the entry and needs a name of its own`;
  }
  if (returns === "void") {
    return entry.parameters.some((parameter) => parameter.output)
      ? ""
      : `${name} returns void and has no reference parameter; return a value, or write results to parameters such as T& out`;
  }
  return entry.hasReturn ? "" : `${name} is to return ${returns}, but its body has no return statement`;
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
 * `text` with the characters of strings and comments replaced by spaces, so that offsets and line numbers stay.
 * Backquotes delimit strings in TypeScript and mean nothing in C++.
 */
export function blanked(text: string): string {
  const pattern = /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|(["'`])(?:\\[\s\S]|(?!\1)[\s\S])*(?:\1|$)/g;
  return text.replace(pattern, (match) => match.replace(/[^\n]/g, " "));
}

/** The pieces of `text` between the separators that stand outside brackets and strings. */
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
