// Statements in C++: declarations, branches and loops. Each writer returns whether the statement leaves the function, to
// detect paths without a result.
import type {
  AnyNode,
  ForStatement,
  IfStatement,
  ReturnStatement,
  VariableDeclaration,
  WhileStatement,
} from "acorn";
import { indented, returned } from "./returns.js";
import { Scope } from "./scope.js";
import { isSetBy } from "./set-first.js";
import type { FunctionNode } from "./source.js";
import type { StatementVisitor } from "./statement-visitor.js";
import { whole } from "./types.js";
import { floatLiteral } from "./value.js";

/** Writes the body of a function, an expression or a block. */
export function blockOf(node: FunctionNode, visitor: StatementVisitor): void {
  if (node.async)
    visitor.fail(
      node,
      "an async function has no translation",
      "A functor computes one element and cannot wait.",
    );
  if (node.generator) visitor.fail(node, "a generator has no translation", "Return the value.");
  if (node.body.type !== "BlockStatement") {
    returned(node.body, node.body, visitor);
    return;
  }
  const end = { start: node.body.end - 1 };
  if (!statements(node.body.body, visitor)) {
    visitor.fail(end, "the function can end here without a result", "Return a number on every path.");
  }
}

function statements(list: readonly AnyNode[], visitor: StatementVisitor): boolean {
  // Functions are declared before the statements around them.
  for (const node of list) {
    if (node.type === "FunctionDeclaration" && node.id) visitor.local(node as FunctionNode, node.id.name);
  }
  return list.some((node, i) =>
    node.type === "VariableDeclaration"
      ? declaration(node, visitor, list.slice(i + 1))
      : statement(node, visitor),
  );
}

/** Writes a statement; true if the code after it is unreachable. */
function statement(node: AnyNode, visitor: StatementVisitor): boolean {
  switch (node.type) {
    case "VariableDeclaration":
      return declaration(node, visitor);
    case "ExpressionStatement":
      expression(node.expression, visitor);
      return false;
    case "ReturnStatement":
      return returnStatement(node, visitor);
    case "IfStatement":
      return branch(node, visitor);
    case "ForStatement":
      return forLoop(node, visitor);
    case "WhileStatement":
      return whileLoop(node, visitor);
    case "DoWhileStatement":
      return doLoop(node.body, node.test, visitor);
    case "BlockStatement": {
      const { ends, lines } = block(node, visitor);
      visitor.lines.push("{", ...indented(lines), "}");
      return ends;
    }
    case "BreakStatement":
    case "ContinueStatement":
      if (node.label) visitor.fail(node, "a label has no translation", "Leave the loops by a condition.");
      visitor.lines.push(node.type === "BreakStatement" ? "break;" : "continue;");
      return true;
    case "EmptyStatement":
    case "FunctionDeclaration":
      return false;
    default:
      return visitor.unsupported(node);
  }
}

/** The lines of a statement in a new scope. */
function block(
  node: AnyNode,
  visitor: StatementVisitor,
): { readonly ends: boolean; readonly lines: string[] } {
  const outer = visitor.scope;
  visitor.scope = new Scope(outer);
  const { result, lines } = visitor.capture(() =>
    node.type === "BlockStatement" ? statements(node.body, visitor) : statement(node, visitor),
  );
  visitor.scope = outer;
  return { ends: result, lines };
}

/** Writes a declaration, which never leaves; `next` are the statements behind it. */
function declaration(
  node: VariableDeclaration,
  visitor: StatementVisitor,
  next: readonly AnyNode[] = [],
): boolean {
  for (const { id, init } of node.declarations) {
    if (id.type !== "Identifier") {
      visitor.unsupported(id);
      continue;
    }
    if (init?.type === "ArrowFunctionExpression" || init?.type === "FunctionExpression") {
      visitor.local(init, id.name);
      continue;
    }
    const value = init ? visitor.value(init) : undefined;
    const variable = visitor.declare(id, id.name, node.kind === "const");
    if (value) visitor.absorb(variable, value.type, id);
    // As a number, undefined is NaN, which integers do not have.
    const isUnset = !value && !isSetBy(next, id.name);
    if (isUnset && variable.type?.kind === "int") visitor.absorb(variable, whole, id);
    const type = visitor.precision.ctype(variable.type);
    const initial =
      isUnset && variable.type?.kind === "float" ? floatLiteral(Number.NaN, visitor.precision) : "0";
    const text = value ? visitor.stored(value, variable.type) : initial;
    visitor.lines.push(`${node.kind === "const" ? "const " : ""}${type} ${variable.name} = ${text};`);
  }
  return false;
}

/** An expression as a statement; minified code writes branches so. */
function expression(node: AnyNode, visitor: StatementVisitor): void {
  const branches =
    node.type === "ConditionalExpression"
      ? { test: node.test, yes: node.consequent, no: node.alternate }
      : node.type === "LogicalExpression" && node.operator !== "??"
        ? { test: node.left, yes: node.right, no: undefined }
        : undefined;
  if (branches === undefined) {
    // Directives such as "use strict" are skipped.
    if (node.type !== "Literal" || typeof node.value !== "string") visitor.effect(node);
    return;
  }
  const condition = visitor.condition(branches.test);
  const negated = node.type === "LogicalExpression" && node.operator === "||";
  const yes = visitor.capture(() => expression(branches.yes, visitor)).lines;
  const no = branches.no && visitor.capture(() => expression(branches.no as AnyNode, visitor)).lines;
  visitor.lines.push(`if (${negated ? `!(${condition.text})` : condition.text}) {`, ...indented(yes));
  if (no) visitor.lines.push("} else {", ...indented(no));
  visitor.lines.push("}");
}

function branch(node: IfStatement, visitor: StatementVisitor): boolean {
  const condition = visitor.condition(node.test);
  const yes = block(node.consequent, visitor);
  visitor.lines.push(`if (${condition.text}) {`, ...indented(yes.lines));
  if (!node.alternate) {
    visitor.lines.push("}");
    return false;
  }
  const no = block(node.alternate, visitor);
  visitor.lines.push("} else {", ...indented(no.lines), "}");
  return yes.ends && no.ends;
}

/** A loop's head and the lines before each evaluation of the condition; `condition` is empty for a loop without one. */
function conditionOf(
  test: AnyNode | null | undefined,
  visitor: StatementVisitor,
): { text: string; lines: string[] } {
  if (!test) return { text: "", lines: [] };
  const { result, lines } = visitor.capture(() => visitor.condition(test));
  return { text: result.text, lines };
}

function whileLoop(node: WhileStatement, visitor: StatementVisitor): boolean {
  const { text, lines } = conditionOf(node.test, visitor);
  const body = block(node.body, visitor).lines;
  if (lines.length === 0) visitor.lines.push(`while (${text}) {`, ...indented(body), "}");
  else visitor.lines.push("while (true) {", ...indented([...lines, `if (!(${text})) break;`, ...body]), "}");
  return text === "true" && !leaves(node.body);
}

function doLoop(body: AnyNode, test: AnyNode, visitor: StatementVisitor): boolean {
  const { lines } = block(body, visitor);
  const condition = conditionOf(test, visitor);
  if (condition.lines.length > 0) {
    visitor.fail(test, "the condition assigns a variable or draws", "Do it at the end of the loop's body.");
  }
  visitor.lines.push("do {", ...indented(lines), `} while (${condition.text});`);
  return condition.text === "true" && !leaves(body);
}

function forLoop(node: ForStatement, visitor: StatementVisitor): boolean {
  const outer = visitor.scope;
  visitor.scope = new Scope(outer);
  const start = visitor.capture(() => {
    if (node.init?.type === "VariableDeclaration") declaration(node.init, visitor);
    else if (node.init) expression(node.init, visitor);
  }).lines;
  const condition = conditionOf(node.test, visitor);
  const body = block(node.body, visitor).lines;
  const update = node.update;
  const step = update ? visitor.capture(() => expression(update, visitor)).lines : [];
  visitor.scope = outer;
  const steps = step.every((line) => /^\w+ [-+]?= [^{}]*;$/.test(line));
  const head = start.length <= 1 ? (start[0] ?? "").replace(/;$/, "") : "";
  const before = start.length <= 1 ? [] : start;
  const test = condition.lines.length === 0 ? condition.text : "";
  const inside = [
    ...(steps ? [] : ["if (!first) {", ...indented(step), "}", "first = false;"]),
    ...(condition.lines.length === 0 ? [] : [...condition.lines, `if (!(${condition.text})) break;`]),
    ...(steps || condition.lines.length > 0 || condition.text === ""
      ? []
      : [`if (!(${condition.text})) break;`]),
    ...body,
  ];
  const next = steps ? step.map((line) => line.replace(/;$/, "")).join(", ") : "";
  const loop = [`for (${head}; ${steps ? test : ""}; ${next}) {`, ...indented(inside), "}"];
  const guarded = steps ? loop : ["bool first = true;", ...loop];
  visitor.lines.push(
    ...(before.length > 0 || !steps ? ["{", ...indented([...before, ...guarded]), "}"] : guarded),
  );
  return condition.text === "" && !leaves(node.body);
}

/** True if a loop's body can leave the loop with break. */
function leaves(node: AnyNode): boolean {
  switch (node.type) {
    case "BreakStatement":
      return true;
    case "BlockStatement":
      return node.body.some(leaves);
    case "IfStatement":
      return leaves(node.consequent) || (node.alternate ? leaves(node.alternate) : false);
    default:
      return false;
  }
}

function returnStatement(node: ReturnStatement, visitor: StatementVisitor): boolean {
  if (!node.argument) visitor.fail(node, "nothing is returned", "Return a number.");
  returned(node.argument as AnyNode, node, visitor);
  return true;
}
