// The place of an error in its cell: what an advice needs to know of the text and the types around it.
import { join } from "node:path";
import type { CellProgram } from "./cell-program.js";
import { functionsOfModule, libraryPath, type NameMatch } from "./library-names.js";
import type { OpenCell } from "./open-cell.js";
import type { TypeScript, ts } from "./typescript.js";

/** A line under an error of TypeScript. */
export interface Advice {
  /** The codes of TypeScript's errors that it applies to. */
  readonly codes: readonly number[];
  /** Matches the message; `say` receives its first group. */
  readonly message: RegExp;
  /** The type that the error points at, if the message does not name it. */
  readonly type?: string;
  readonly say: (subject: string, place: Place) => string | undefined;
}

/** A call, as its text and what its function declares. */
export interface Call {
  /** What is called, such as `jl.stack`. */
  readonly path: string;
  readonly args: readonly string[];
  /** True if the first parameter may be a list. */
  readonly takesList: boolean;
  readonly returnsFunction: boolean;
}

/** The position of an error in its cell. */
export interface Place {
  /** The marked text, and the rest of its line before and after it. */
  readonly text: string;
  readonly before: string;
  readonly after: string;
  /** The type of the marked expression. */
  readonly type: () => string;
  /** The texts that may stand in its place. */
  readonly choices: () => readonly string[];
  /** The advice for a name that an earlier cell declared and that is unknown now. */
  readonly unbound: (name: string) => string | undefined;
  /** The cells whose type of a name is in use; "this cell" last, if it declares one. */
  readonly cellsWithType: (name: string) => readonly string[];
  /** Where the library has a name, or a similar one: `jl.linalg.svd(...)`, `x.softmax(...)`. */
  readonly inLibrary: (name: string, match: NameMatch) => string | undefined;
  /** The functions of the marked module; none for any other value. */
  readonly functions: () => readonly string[];
  /** The call whose name or argument is marked. */
  readonly call: () => Call | undefined;
}

interface Span {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly unbound: Place["unbound"];
  readonly cellsWithType: Place["cellsWithType"];
}

/** The place of a span of a cell's text; without `cell`, of a text that was not checked, whose types are unknown. */
export function placeOf(
  { ts, packageRoot }: CellProgram,
  { text, start, end, unbound, cellsWithType }: Span,
  cell: OpenCell | undefined,
): Place {
  const node = () => cell && covering(ts, cell, start, end);
  const type = () => {
    const marked = node();
    return marked && cell?.checker.getTypeAtLocation(marked);
  };
  const index = join(packageRoot, "dist", "runtime", "index.d.ts");
  return {
    text: text.slice(start, end),
    before: text.slice(text.lastIndexOf("\n", start - 1) + 1, start),
    after: /^.*/.exec(text.slice(end))?.[0] ?? "",
    type: () => {
      const marked = type();
      return marked && cell ? cell.checker.typeToString(marked) : "";
    },
    choices: () => (cell ? choicesAt(ts, cell, node()) : []),
    unbound,
    cellsWithType,
    inLibrary: (name, match) => cell && libraryPath(ts, cell, index, { name, match }),
    functions: () => {
      const marked = type();
      return marked && cell ? functionsOfModule(ts, cell.checker, marked) : [];
    },
    call: () => cell && callAround(ts, cell, start, end),
  };
}

/** The texts that may stand where an expression or a property stands. */
function choicesAt(ts: TypeScript, { checker }: OpenCell, node: ts.Node | undefined): string[] {
  const parent = node?.parent;
  const value = parent && ts.isPropertyAssignment(parent) && parent.name === node ? parent.initializer : node;
  if (value === undefined || !ts.isExpression(value)) return [];
  const expected = checker.getContextualType(value);
  const type = expected && (checker.getBaseConstraintOfType(expected) ?? expected);
  const types = type?.isUnion() ? type.types : [];
  return types.flatMap((one) => (one.isStringLiteral() ? [one.value] : []));
}

/** The node that begins and ends with a span. */
function covering(ts: TypeScript, { source }: OpenCell, start: number, end: number): ts.Node | undefined {
  const find = (node: ts.Node): ts.Node | undefined =>
    node.getStart(source) === start && node.end === end ? node : ts.forEachChild(node, find);
  return find(source);
}

/** The call of which a span is the name, or an argument or several. */
function callAround(
  ts: TypeScript,
  { source, checker }: OpenCell,
  start: number,
  end: number,
): Call | undefined {
  const find = (node: ts.Node): ts.CallExpression | undefined => {
    if (node.getStart(source) > start || node.end < end) return undefined;
    const inner = ts.forEachChild(node, find);
    if (inner || !ts.isCallExpression(node)) return inner;
    return node.getStart(source) === start && node.end === end ? undefined : node;
  };
  const call = find(source);
  const signature = call && checker.getResolvedSignature(call);
  if (call === undefined || signature === undefined) return undefined;
  const [first] = signature.parameters;
  const declaration = first?.valueDeclaration;
  const isRest =
    declaration !== undefined && ts.isParameter(declaration) && declaration.dotDotDotToken !== undefined;
  // As it is declared: in the call a type parameter may be that of its first argument.
  const own = declaration && checker.getTypeAtLocation(declaration);
  const type = own && (checker.getBaseConstraintOfType(own) ?? own);
  const types = type?.isUnion() ? type.types : [type];
  return {
    path: call.expression.getText(source),
    args: call.arguments.map((one) => one.getText(source)),
    takesList: !isRest && types.some((one) => one !== undefined && checker.isArrayType(one)),
    returnsFunction: checker.getReturnTypeOfSignature(signature).getCallSignatures().length > 0,
  };
}
