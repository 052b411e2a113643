// Builds the JavaScript nodes that a cell's transformation inserts.
import { ownNames } from "./cell-helpers.js";
import type { TypeScript, ts } from "./typescript.js";

/** Makes nodes that read and write `exports`. */
export class CellNodes {
  constructor(
    readonly ts: TypeScript,
    readonly factory: ts.NodeFactory,
  ) {}

  /** `exports.name` instead of a name. */
  reference(name: ts.Identifier): ts.Expression {
    return this.ts.setTextRange(this.exported(name.text), name);
  }

  /** `exports.name`. */
  exported(name: string): ts.PropertyAccessExpression {
    const factory = this.factory;
    return factory.createPropertyAccessExpression(factory.createIdentifier(ownNames.exports), name);
  }

  /** `exports, "name"`. */
  property(name: string): [ts.Expression, ts.Expression] {
    return [this.factory.createIdentifier(ownNames.exports), this.factory.createStringLiteral(name)];
  }

  /** `() => name`. */
  getter(name: string): ts.Expression {
    return this.#arrow([], this.factory.createIdentifier(name));
  }

  /** `(name_) => name = name_`. */
  setter(name: string): ts.Expression {
    const { factory } = this;
    const value = `${name}_`;
    const parameter = factory.createParameterDeclaration(undefined, undefined, value);
    const assignment = this.assign(factory.createIdentifier(name), factory.createIdentifier(value));
    return this.#arrow([parameter], assignment);
  }

  #arrow(parameters: readonly ts.ParameterDeclaration[], body: ts.Expression): ts.Expression {
    return this.factory.createArrowFunction(undefined, undefined, parameters, undefined, undefined, body);
  }

  /** `target = value`. */
  assign(target: ts.Expression, value: ts.Expression): ts.Expression {
    return this.factory.createAssignment(target, value);
  }

  /** A statement that replaces another. */
  expressionStatement(expression: ts.Expression, original: ts.Statement): ts.Statement {
    const { ts } = this;
    // Parentheses keep an object pattern from reading as a block.
    const needsParentheses = ts.isBinaryExpression(expression) && startsWithBrace(ts, expression);
    const inner = needsParentheses ? this.factory.createParenthesizedExpression(expression) : expression;
    return ts.setTextRange(this.factory.createExpressionStatement(inner), original);
  }

  /** `(0, exports.f)(x)`: called as `exports.f(x)`, a function would see `exports` as its `this`. */
  withoutThis(callee: ts.Expression): ts.Expression {
    const factory = this.factory;
    return factory.createParenthesizedExpression(
      factory.createComma(factory.createNumericLiteral(0), callee),
    );
  }
}

function startsWithBrace(ts: TypeScript, expression: ts.Expression): boolean {
  if (ts.isBinaryExpression(expression)) return startsWithBrace(ts, expression.left);
  return ts.isObjectLiteralExpression(expression);
}
