// Whether statements set a variable before anything else happens to it. One that may be read first begins as undefined, NaN.
import type { AnyNode } from "acorn";

/** True if the first statement that names a variable sets it, on all of its paths. */
export function isSetBy(statements: readonly AnyNode[], name: string): boolean {
  const first = statements.find((node) => names(node, name));
  if (first === undefined) return false;
  switch (first.type) {
    case "ExpressionStatement":
      return isAssignment(first.expression, name);
    case "ForStatement":
      return first.init !== null && first.init !== undefined && isAssignment(first.init, name);
    case "BlockStatement":
      return isSetBy(first.body, name);
    case "IfStatement":
      return (
        !names(first.test, name) &&
        isSetBy([first.consequent], name) &&
        first.alternate !== null &&
        first.alternate !== undefined &&
        isSetBy([first.alternate], name)
      );
    default:
      return false;
  }
}

function isAssignment(node: AnyNode, name: string): boolean {
  if (node.type === "SequenceExpression") {
    const first = node.expressions.find((one) => names(one, name));
    return first !== undefined && isAssignment(first, name);
  }
  if (node.type === "AssignmentExpression" && node.operator === "=") {
    if (node.left.type === "Identifier" && node.left.name === name) return !names(node.right, name);
    return isAssignment(node.right, name);
  }
  return false;
}

/** True if a tree has an identifier. */
function names(node: unknown, name: string): boolean {
  if (typeof node !== "object" || node === null) return false;
  const { type, name: own } = node as { readonly type?: unknown; readonly name?: unknown };
  if (type === "Identifier") return own === name;
  return Object.values(node).some((child) => names(child, name));
}
