// The home of a notebook's function: its cell's lines for errors, and the notebook's variables for captures. The kernel
// supplies both through a symbol, so that the library does not depend on notebooks.
import type * as Acorn from "acorn";
import type { AnyNode } from "acorn";

/** A source position of a function's text. */
interface Occurrence {
  readonly isCell: boolean;
  readonly js: string;
  readonly start: number;
  place(offset: number): { file: string; line: number; column: number; text: string | undefined };
}

/** The object by whose properties a converted cell reads the variables of its notebook. */
export const cellNames = "__exports";

interface Notebook {
  readonly variables: Readonly<Record<string, unknown>>;
  homes(text: string): readonly Occurrence[];
}

/** The notebook's cell or file with a function. */
export interface Home {
  /** The notebook's variables, which the function reads as `__exports.name`. */
  readonly variables: Readonly<Record<string, unknown>> | undefined;
  /** True if undeclared plain names also mean those variables: the function is outside of functions and blocks. */
  readonly outermost: boolean;
  /** The user's source position for a position in the function's text. */
  place(offset: number): { file: string; line: number; column: number; text: string | undefined };
}

const notebookKey = Symbol.for("jitlab.functions");

/** The home of a function's text; undefined outside of notebooks. */
export function homeOf(text: string, acorn: typeof Acorn): Home | undefined {
  const notebook = (globalThis as { [notebookKey]?: Notebook })[notebookKey];
  const occurrences = notebook?.homes(text) ?? [];
  const last = occurrences.at(-1);
  if (!notebook || !last) return undefined;
  // A text at several source positions must mean the same at each.
  const cells = occurrences.every(({ isCell }) => isCell);
  return {
    variables: cells ? notebook.variables : undefined,
    outermost: cells && occurrences.every((one) => isOutermost(one, acorn)),
    place: (offset) => last.place(offset),
  };
}

const scopes =
  /Function|BlockStatement|^For|^Class|CatchClause|SwitchStatement|StaticBlock|MethodDefinition|PropertyDefinition/;

function isOutermost({ js, start }: Occurrence, acorn: typeof Acorn): boolean {
  let node: AnyNode;
  try {
    const options = {
      ecmaVersion: "latest",
      allowAwaitOutsideFunction: true,
      allowReturnOutsideFunction: true,
    } as const;
    node = acorn.parse(js, options) as AnyNode;
  } catch {
    return false;
  }
  for (;;) {
    const inner = children(node).find((child) => child.start <= start && start < child.end);
    if (inner === undefined) return true;
    if (scopes.test(inner.type)) return inner.start >= start;
    node = inner;
  }
}

function children(node: AnyNode): AnyNode[] {
  return Object.values(node)
    .flatMap((value) => (Array.isArray(value) ? value : [value]))
    .filter(isNode);
}

function isNode(value: unknown): value is AnyNode {
  return typeof (value as AnyNode | null)?.start === "number" && typeof (value as AnyNode).type === "string";
}
