// Habits from PyTorch that TypeScript accepts and that mean something else here: a tensor as a condition, which is always
// true, `==` between tensors, which compares the objects, `x[0] = 5`, which does not write an element, JAX's `x.at[0]`, and `x.shape[-1]`. Among conditions, only calls of the library count: a variable,
// or the result of a user's function, may be null, which the checker does not know without strict null checks.
import type { OpenCell } from "./open-cell.js";
import type { TypeScript, ts } from "./typescript.js";

/** A habit found in a cell, in the form of the checker's messages. */
export interface Habit {
  readonly start: number;
  readonly length: number;
  readonly code: number;
  readonly messageText: string;
}

// TypeScript's own codes for a condition that is always true and for a comparison that makes no sense.
const alwaysTrue = 2774;
const unintended = 2367;
// Its code for a negative index, which it reports for tuples.
const negative = 2514;
// Its code for an index of what has none.
const noElement = 7053;
// Its code for a write where an index only reads.
const onlyReading = 2542;

/** The habits of a cell, in the order of its text. */
export function tensorHabits(ts: TypeScript, { checker, source }: OpenCell): Habit[] {
  const habits: Habit[] = [];
  const isTensor = (node: ts.Node) => checker.getTypeAtLocation(node).symbol?.name === "Tensor";
  const isOfLibrary = (call: ts.CallExpression) =>
    checker.getResolvedSignature(call)?.declaration?.getSourceFile().fileName.includes("/runtime/") ?? false;
  const add = (node: ts.Node, code: number, messageText: string) => {
    const start = node.getStart(source);
    habits.push({ start, length: node.end - start, code, messageText });
  };
  const checkCondition = (condition: ts.Expression | undefined): void => {
    if (condition === undefined) return;
    if (ts.isParenthesizedExpression(condition)) checkCondition(condition.expression);
    else if (ts.isCallExpression(condition) && isTensor(condition) && isOfLibrary(condition)) {
      add(condition, alwaysTrue, "A tensor as a condition is always true, whatever its elements are.");
    }
  };
  const checkTarget = (target: ts.Expression): void => {
    if (!ts.isElementAccessExpression(target) || !isTensor(target.expression)) return;
    // The checker itself refuses a tensor as an index.
    if (isTensor(target.argumentExpression)) return;
    add(target, onlyReading, "An index of a tensor does not write its elements.");
  };
  const checkIndex = (node: ts.ElementAccessExpression): void => {
    const { expression, argumentExpression: index } = node;
    if (ts.isPropertyAccessExpression(expression) && isTensor(expression.expression)) {
      if (checker.getTypeAtLocation(expression).getCallSignatures().length > 0)
        add(node, noElement, "A method of a tensor has no elements.");
    }
    if (!ts.isPrefixUnaryExpression(index) || index.operator !== ts.SyntaxKind.MinusToken) return;
    if (!ts.isNumericLiteral(index.operand) || Number(index.operand.text) === 0) return;
    const type = checker.getTypeAtLocation(expression);
    if (
      checker.isArrayType(type) ||
      /^(?:Big)?(?:Int|Uint|Float)\d+(?:Clamped)?Array$/.test(type.symbol?.name ?? "")
    )
      add(index, negative, "An array has no element at a negative index.");
  };
  const visit = (node: ts.Node): void => {
    if (ts.isIfStatement(node) || ts.isWhileStatement(node) || ts.isDoStatement(node))
      checkCondition(node.expression);
    else if (ts.isForStatement(node) || ts.isConditionalExpression(node)) checkCondition(node.condition);
    else if (ts.isPrefixUnaryExpression(node)) {
      if (node.operator === ts.SyntaxKind.ExclamationToken) checkCondition(node.operand);
    } else if (ts.isElementAccessExpression(node)) checkIndex(node);
    else if (ts.isBinaryExpression(node)) {
      const { kind } = node.operatorToken;
      if (kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment) {
        checkTarget(node.left);
      } else if (kind === ts.SyntaxKind.AmpersandAmpersandToken || kind === ts.SyntaxKind.BarBarToken) {
        checkCondition(node.left);
      } else if (kind === ts.SyntaxKind.EqualsEqualsToken || kind === ts.SyntaxKind.ExclamationEqualsToken) {
        const text = `\`${node.operatorToken.getText(source)}\` between tensors compares the objects, not their elements.`;
        if (isTensor(node.left) && isTensor(node.right)) add(node, unintended, text);
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return habits;
}
