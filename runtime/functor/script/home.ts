// Where a function of a notebook stands: its cell's own lines for complaints, and the notebook's variables for what it closes
// over. The kernel tells both through a symbol, so that the library knows nothing of notebooks.
import type * as Acorn from "acorn";
import type { AnyNode } from "acorn";

/** A place where the text of a function stands. */
interface Occurrence {
  readonly isCell: boolean;
  readonly js: string;
  readonly start: number;
  place(offset: number): { file: string; line: number; column: number; text: string | undefined };
}

interface Notebook {
  readonly variables: Readonly<Record<string, unknown>>;
  homes(text: string): readonly Occurrence[];
}

/** The cell or file of a notebook that holds a function. */
export interface Home {
  /** The notebook's variables, where the function can only mean them by `exports.name`. */
  readonly variables: Readonly<Record<string, unknown>> | undefined;
  /** True where plain names that it does not declare mean those variables too: it stands outside of functions and blocks. */
  readonly outermost: boolean;
  /** The user's own place of a position in the function's text. */
  place(offset: number): { file: string; line: number; column: number; text: string | undefined };
}

const notebookKey = Symbol.for("jitlab.functions");

/** The home of a function's text; undefined outside of notebooks. */
export function homeOf(text: string, acorn: typeof Acorn): Home | undefined {
  const notebook = (globalThis as { [notebookKey]?: Notebook })[notebookKey];
  const occurrences = notebook?.homes(text) ?? [];
  const last = occurrences.at(-1);
  if (!notebook || !last) return undefined;
  // A text that stands at several places must mean the same at each.
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
