// A JavaScript function as text and syntax tree. It is parsed, never run; errors show the user's line with a caret.

import type * as Acorn from "acorn";
import type { AnyNode, ArrowFunctionExpression, FunctionDeclaration, FunctionExpression, Node } from "acorn";
import { requireFrom } from "../../base/builtins.js";
import { cut } from "../../base/cut.js";
import { JitlabError } from "../../base/errors.js";
import type { TextPlace } from "../functor.js";
import { type Home, homeOf } from "./home.js";
import { withoutNames } from "./kept-names.js";

/** The tree of a function. */
export type FunctionNode = ArrowFunctionExpression | FunctionDeclaration | FunctionExpression;

/** A function's text and tree; positions in the tree count from the text's start. */
export interface ScriptSource {
  /** Its name in messages. */
  readonly name: string;
  readonly text: string;
  readonly node: FunctionNode;
  /** The text's source position; without it lines count from the function's first one. */
  readonly place: TextPlace | undefined;
  /** The notebook's cell or file with the text. */
  readonly home: Home | undefined;
}

const parsed = new WeakMap<object, ScriptSource>();

/** Parses a function; throws `bad-script` if it has no text, or is not a plain function. */
export function sourceOf(fn: (...args: never[]) => unknown, name: string, place?: TextPlace): ScriptSource {
  const known = parsed.get(fn);
  if (known !== undefined && known.name === name && place === undefined) return known;
  const text = Function.prototype.toString.call(fn);
  if (/\{\s*\[native code\]\s*\}\s*$/.test(text)) {
    throw new JitlabError(
      "bad-script",
      `${name}: the function has no text to translate; it is bound, or a part of JavaScript itself.`,
      "Pass an arrow function that calls it.",
    );
  }
  const node = parse(text, name);
  const source = { name, text, node, place, home: place ? undefined : homeOf(text, acorn()) };
  parsed.set(fn, source);
  return source;
}

let loaded: typeof Acorn | undefined;

function acorn(): typeof Acorn {
  loaded ??= requireFrom(import.meta.url)("acorn") as typeof Acorn;
  return loaded;
}

function parse(text: string, name: string): FunctionNode {
  // A method's text is parsed as a property; its positions are shifted back by the prefix.
  for (const [before, after] of [
    ["(", ")"],
    ["({", "})"],
  ] as const) {
    try {
      const tree = acorn().parseExpressionAt(`${before}${text}${after}`, 0, {
        ecmaVersion: "latest",
      }) as AnyNode;
      const found = tree.type === "ObjectExpression" ? tree.properties[0] : tree;
      const node = found?.type === "Property" && found.kind === "init" ? found.value : found;
      if (node?.type !== "ArrowFunctionExpression" && node?.type !== "FunctionExpression") continue;
      shift(node, before.length);
      return withoutNames(node);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
  }
  throw new JitlabError(
    "bad-script",
    `${name} is not a function that can be translated: ${cut(text, 0, 40)}`,
    "Pass an arrow function, a function or a method.",
  );
}

function shift(node: object, by: number): void {
  for (const value of Object.values(node)) {
    if (typeof value === "object" && value !== null) shift(value as object, by);
  }
  const place = node as Partial<Node>;
  if (typeof place.start !== "number" || typeof place.end !== "number") return;
  place.start -= by;
  place.end -= by;
}

/** The error at a position of a function: its line, and a caret below the position. */
export function scriptError(
  source: ScriptSource,
  at: { readonly start: number },
  what: string,
  help: string,
): JitlabError {
  const { file, line, column, text } = placeOf(source, at.start);
  const [shown, offset] = excerpt(text, column - 1);
  const indent = shown.slice(0, offset).replace(/[^\t]/g, " ");
  const head = `${file}:${line}:${column}: ${what}`;
  return new JitlabError(
    "bad-script",
    `${source.name} cannot be translated.\n${head}\n${`${line}`.padStart(4)} | ${shown}\n     | ${indent}^`,
    help,
  );
}

function placeOf({ name, text, place, home }: ScriptSource, offset: number) {
  const before = text.slice(0, offset).split("\n");
  const own = text.split("\n")[before.length - 1] ?? "";
  const found = home?.place(offset);
  if (found) return { ...found, text: found.text ?? own };
  const line = before.length + (place?.line ?? 1) - 1;
  return { file: place?.file ?? name, line, column: (before.at(-1) ?? "").length + 1, text: own };
}

const widest = 100;

/** The part of a long line, as in minified code, around a position, and the position in it. */
function excerpt(line: string, at: number): [string, number] {
  if (line.length <= widest) return [line, at];
  const from = Math.max(0, Math.min(at - widest / 2, line.length - widest));
  return [cut(line, from, from + widest), at - from];
}
