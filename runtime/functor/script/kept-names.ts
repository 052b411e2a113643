// Bundlers that keep functions' names, as tsx does, wrap every function: `__name((v) => v * v, "square")`, and call it after a
// declaration. The wrappers, whatever minifiers call them, are left out of a functor's tree: a text is no argument there.
import type { AnyNode, CallExpression, Expression } from "acorn";

/** The wrapped function or its name; undefined for other nodes. */
function wrapped(node: AnyNode): Expression | undefined {
  if (node.type !== "CallExpression" || node.callee.type !== "Identifier") return undefined;
  const [inner, name, ...rest] = (node as CallExpression).arguments;
  if (inner === undefined || rest.length > 0 || name?.type !== "Literal" || typeof name.value !== "string")
    return undefined;
  const isFunction = inner.type === "ArrowFunctionExpression" || inner.type === "FunctionExpression";
  return isFunction || inner.type === "Identifier" ? inner : undefined;
}

/** Leaves the wrappers out of a tree. */
export function withoutNames<N extends object>(node: N): N {
  const own = node as Record<string, unknown>;
  for (const [key, value] of Object.entries(own)) own[key] = replaced(value);
  return node;
}

function replaced(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(replaced);
  if (typeof value !== "object" || value === null || !("type" in value)) return value;
  const node = value as AnyNode;
  if (node.type === "ExpressionStatement" && wrapped(node.expression)?.type === "Identifier") {
    return { type: "EmptyStatement", start: node.start, end: node.end };
  }
  if (node.type === "SequenceExpression") {
    const left = node.expressions.filter((one) => wrapped(one)?.type !== "Identifier");
    if (left.length === 1) return replaced(left[0]);
    node.expressions = left;
  }
  return withoutNames(wrapped(node) ?? node);
}
