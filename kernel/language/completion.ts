// Completion in a cell: magics first, TypeScript for the rest. Matches complete the identifier before the cursor.
import { builtinModules } from "node:module";
import type { ExpandedCell } from "../../magics/expand.js";
import type { CellPart, MagicPart } from "../../magics/parse.js";
import { bodyCompletions } from "./body-completion.js";
import type { CellContext } from "./context.js";
import type { Completion, Completions } from "./language.js";
import { magicCompletions, nameCompletions, pathCompletions } from "./magic-completion.js";
import { toText } from "./source-map.js";
import type { ts } from "./typescript.js";

/** Lists the completions at the cursor. */
export function completions(context: CellContext, cursor: number): Completions {
  const { cell } = context.prepared;
  const name = nameCompletions(context, cursor);
  if (name) return name;
  const part = partAt(cell, cursor);
  if (part?.kind === "shell" && cursor > part.start + part.target.length)
    return pathCompletions(context, cursor);
  if (part?.kind === "magic" && isOnMagicLine(part, cursor, cell.code)) {
    const completed = magicCompletions(context, part, cursor);
    if (completed) return completed;
  }
  const offset = toText(cell, cursor);
  if (offset === undefined) {
    if (part?.kind === "magic" && part.body && cursor >= part.body.start)
      return bodyCompletions(context, part, cursor);
    return { start: cursor, end: cursor, matches: [] };
  }
  return typescriptCompletions(context, cursor, offset + context.prepared.shift);
}

// A magic's or a command's part ends with its last word; blanks behind it are for the next one.
function partAt({ code, parts }: ExpandedCell, cursor: number): CellPart | undefined {
  const ended = (one: CellPart) => one.kind !== "code" && one.end < cursor;
  const line = parts.findLast((one) => ended(one) && /^[^\S\n]*$/.test(code.slice(one.end, cursor)));
  if (line) return line;
  return parts.findLast((one) => one.start <= cursor && cursor <= one.end);
}

function isOnMagicLine(part: MagicPart, cursor: number, code: string): boolean {
  return cursor > part.start + part.target.length && !code.slice(part.start, cursor).includes("\n");
}

// TypeScript's kinds of completions by the names that front ends know.
const types: Readonly<Record<string, string>> = {
  keyword: "keyword",
  module: "module",
  "external module name": "module",
  class: "class",
  "local class": "class",
  interface: "interface",
  type: "type",
  enum: "enum",
  "enum member": "property",
  var: "variable",
  "local var": "variable",
  let: "variable",
  const: "constant",
  alias: "module",
  function: "function",
  "local function": "function",
  method: "function",
  getter: "property",
  setter: "property",
  property: "property",
  constructor: "function",
  parameter: "parameter",
  "type parameter": "type",
  "primitive type": "type",
  string: "string",
  directory: "path",
  script: "path",
};

// Of what completes a string: a value, or the name of a module.
const kindsInStrings: ReadonlySet<string> = new Set([
  "string",
  "directory",
  "script",
  "external module name",
]);

// The kernel's own names.
const hidden = /^(?:\$magic|\$last|__cell__|__globals__|__layer\d+__)/;

function typescriptCompletions(context: CellContext, cursor: number, position: number): Completions {
  const { program } = context;
  const { source } = context.open();
  const info = program.service.getCompletionsAtPosition(program.cellFile, position, {
    includeCompletionsForModuleExports: false,
    includeCompletionsWithInsertText: false,
    includeSymbol: true,
  });
  const entries = info?.entries ?? [];
  const before = source.text.slice(0, position);
  const key = /\[\s*["'`]([^"'`\n]*)$/.exec(before)?.[1];
  const literal = key !== undefined || entries.some(({ kind }) => kindsInStrings.has(kind));
  const prefix = key ?? prefixBefore(before, literal);
  const usable = entries
    .filter((entry) => literal || isIdentifier(entry.name))
    .filter((entry) => entry.kind !== "warning" && !hidden.test(entry.name));
  const exact = usable.filter((entry) => entry.name.startsWith(prefix));
  const folded = prefix.toLowerCase();
  const matching =
    exact.length > 0 ? exact : usable.filter((entry) => entry.name.toLowerCase().startsWith(folded));
  const sorted = matching.sort((a, b) => compare(a.sortText, b.sortText) || compare(a.name, b.name));
  const checker = program.service.getProgram()?.getTypeChecker();
  const matches = sorted.map((entry): Completion => {
    const type = checker && isCallable(context.ts, checker, entry) ? "function" : types[entry.kind];
    return { text: entry.name, type: type ?? "property" };
  });
  const modules = matches.length === 0 ? nodeModules(before, cursor) : undefined;
  return modules ?? { start: cursor - prefix.length, end: cursor, matches };
}

/** Node's modules in a text that is no specifier yet, such as the `'node:f` that a user types before the import around it. */
function nodeModules(before: string, cursor: number): Completions | undefined {
  const [, prefix] = /["'`](node:[\w/]*)$/.exec(before) ?? [];
  if (prefix === undefined) return undefined;
  const names = builtinModules.map((name) => (name.startsWith("node:") ? name : `node:${name}`));
  const matching = names
    .filter((name) => name.startsWith(prefix) && !name.startsWith("node:_"))
    .sort(compare);
  return {
    start: cursor - prefix.length,
    end: cursor,
    matches: matching.map((text) => ({ text, type: "module" })),
  };
}

/** True for a variable or an import that holds a function, such as `jl.add`; its kind says only where it is declared. */
function isCallable(
  typescript: typeof ts,
  checker: ts.TypeChecker,
  { kind, symbol }: ts.CompletionEntry,
): boolean {
  if (!["const", "let", "var", "local var", "alias", "property"].includes(kind) || !symbol) return false;
  const isAlias = (symbol.flags & typescript.SymbolFlags.Alias) !== 0;
  const type = checker.getTypeOfSymbol(isAlias ? checker.getAliasedSymbol(symbol) : symbol);
  return type.getCallSignatures().length > 0 && type.getConstructSignatures().length === 0;
}

// In a string, a completion replaces the text after the last slash or the quote.
function prefixBefore(text: string, literal: boolean): string {
  const pattern = literal ? /[^"'`/\n]*$/ : /[\p{ID_Continue}$]*$/u;
  return pattern.exec(text)?.[0] ?? "";
}

function isIdentifier(name: string): boolean {
  return /^[\p{ID_Start}$_#][\p{ID_Continue}$]*$/u.test(name);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
