// Rewrites a cell so that it can run as a function body: imports become `require`, what it declares is written to
// `exports`, and what earlier cells declared is read from there. Works on TypeScript's own tree before types are
// removed, where every name still has its symbol.
import type { TypeScript, ts } from "./typescript.js";

/** What a cell's transformation needs to know. */
export interface CellScope {
  readonly checker: ts.TypeChecker;
  /** True for a file of earlier cells' declarations. */
  isOuterScope(file: ts.SourceFile): boolean;
}

/** What a transformation found out. */
export interface TransformedCell {
  /** The key of `exports` that holds the last expression's value. */
  lastExpression: string | undefined;
  /** What the cell needs beside its own code, by name. */
  readonly helpers: Set<Helper>;
}

export type Helper = keyof typeof helperText;

/** The JavaScript of what a cell may need beside its own code, each one expression. */
export const helperText = {
  // A module as `import * as name` gives it: an ES module as it is, else its own properties with itself as the default.
  __importStar:
    '(m) => m?.__esModule || m?.[Symbol.toStringTag] === "Module" ? m : Object.create(null, { ...Object.getOwnPropertyDescriptors(Object(m)), default: { value: m, enumerable: true } })',
  __importMeta:
    '((filename) => ({ filename, dirname: process.cwd(), url: require("node:url").pathToFileURL(filename).href }))(process.cwd() + "/cell.ts")',
  __importDefault: '(m) => m?.__esModule || m?.[Symbol.toStringTag] === "Module" ? m.default : m',
} as const;

/** The key of `exports` that holds a cell's value. */
const lastExpressionKey = "$last";

/** The transformer of one cell; `result` is filled while it runs. */
export function cellTransformer(
  ts: TypeScript,
  scope: CellScope,
  result: TransformedCell,
): ts.TransformerFactory<ts.SourceFile> {
  return (context) => (source) => new CellTransformation(ts, context, scope, result).transform(source);
}

class CellTransformation {
  readonly #factory: ts.NodeFactory;
  /** The cell's own variables that live in `exports`: whoever assigns them, every cell sees it. */
  readonly #shared = new Set<ts.Symbol>();

  constructor(
    readonly ts: TypeScript,
    readonly context: ts.TransformationContext,
    readonly scope: CellScope,
    readonly result: TransformedCell,
  ) {
    this.#factory = context.factory;
  }

  transform(source: ts.SourceFile): ts.SourceFile {
    this.#findShared(source);
    const last = source.statements.filter((statement) => !this.ts.isExportDeclaration(statement)).at(-1);
    const hoisted: ts.Statement[] = [];
    const statements = source.statements.flatMap((statement) => {
      if (statement === last && this.ts.isExpressionStatement(statement) && !isSilent(statement, source)) {
        return [this.#lastExpression(statement)];
      }
      if (this.ts.isFunctionDeclaration(statement) && statement.body && statement.name) {
        hoisted.push(this.#exportLocal(statement.name));
      }
      return this.#topLevel(statement);
    });
    return this.#factory.updateSourceFile(source, [...hoisted, ...statements]);
  }

  // `let` and `var` variables and imports; constants, functions and classes stay local, which is faster.
  #findShared(source: ts.SourceFile): void {
    const { ts } = this;
    const { locals } = source as unknown as { locals?: Map<string, ts.Symbol> };
    for (const symbol of locals?.values() ?? []) {
      const [declaration] = symbol.declarations ?? [];
      if (declaration === undefined) continue;
      if (ts.isVariableDeclaration(declaration) || ts.isBindingElement(declaration)) {
        if (!(ts.getCombinedNodeFlags(declaration) & ts.NodeFlags.Const)) this.#shared.add(symbol);
      } else if (symbol.flags & ts.SymbolFlags.Alias) this.#shared.add(symbol);
    }
  }

  #lastExpression(statement: ts.ExpressionStatement): ts.Statement {
    this.result.lastExpression = lastExpressionKey;
    const value = this.#visitExpression(statement.expression);
    return this.#expressionStatement(this.#assign(this.#exported(lastExpressionKey), value), statement);
  }

  #topLevel(statement: ts.Statement): ts.Statement[] {
    const { ts } = this;
    if (ts.isImportDeclaration(statement)) return this.#import(statement);
    if (ts.isExportDeclaration(statement)) return [];
    if (ts.isExportAssignment(statement)) {
      const value = this.#visitExpression(statement.expression);
      return [this.#expressionStatement(this.#assign(this.#exported("default"), value), statement)];
    }
    if (isAmbient(ts, statement)) return [];
    const unnamed = this.#unnamedDefault(statement);
    if (unnamed) return [unnamed];
    const plain = this.#visitStatement(this.#withoutExport(statement));
    if (ts.isVariableStatement(statement)) {
      if (!(statement.declarationList.flags & ts.NodeFlags.Const)) return [plain];
      const names = statement.declarationList.declarations.flatMap(({ name }) => boundNames(ts, name));
      return [plain, ...names.map((name) => this.#exportLocal(name))];
    }
    if (
      ts.isClassDeclaration(statement) ||
      ts.isEnumDeclaration(statement) ||
      ts.isModuleDeclaration(statement)
    ) {
      const { name } = statement;
      return name && ts.isIdentifier(name) && this.#hasValue(name)
        ? [plain, this.#exportLocal(name)]
        : [plain];
    }
    return [plain];
  }

  // `export default class {}` and `export default function () {}`.
  #unnamedDefault(statement: ts.Statement): ts.Statement | undefined {
    const { ts } = this;
    const factory = this.#factory;
    let value: ts.Expression;
    if (ts.isClassDeclaration(statement) && !statement.name) {
      const { typeParameters, heritageClauses, members } = statement;
      value = factory.createClassExpression(undefined, undefined, typeParameters, heritageClauses, members);
    } else if (ts.isFunctionDeclaration(statement) && !statement.name && statement.body) {
      const { asteriskToken, typeParameters, parameters, type, body } = statement;
      const isAsync = ts.getModifiers(statement)?.filter(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword);
      value = factory.createFunctionExpression(
        isAsync,
        asteriskToken,
        undefined,
        typeParameters,
        parameters,
        type,
        body,
      );
    } else return undefined;
    const assigned = this.#assign(this.#exported("default"), this.#visitExpression(value));
    return this.#expressionStatement(assigned, statement);
  }

  #hasValue(name: ts.Identifier): boolean {
    const symbol = this.scope.checker.getSymbolAtLocation(name);
    return symbol !== undefined && (symbol.flags & this.ts.SymbolFlags.Value) !== 0;
  }

  // `export` and `default` mean nothing in a cell: everything is exported.
  #withoutExport(statement: ts.Statement): ts.Statement {
    const { ts } = this;
    const unwanted = [ts.SyntaxKind.ExportKeyword, ts.SyntaxKind.DefaultKeyword];
    if (!ts.canHaveModifiers(statement)) return statement;
    if (!ts.getModifiers(statement)?.some(({ kind }) => unwanted.includes(kind))) return statement;
    const visitor = (node: ts.Node): ts.Node | undefined => (unwanted.includes(node.kind) ? undefined : node);
    return ts.visitEachChild(statement, visitor, this.context);
  }

  #import(statement: ts.ImportDeclaration): ts.Statement[] {
    const { ts } = this;
    const factory = this.#factory;
    const clause = statement.importClause;
    if (clause?.isTypeOnly) return [];
    const required = factory.createCallExpression(factory.createIdentifier("require"), undefined, [
      statement.moduleSpecifier,
    ]);
    if (clause === undefined) return [this.#expressionStatement(required, statement)];
    const assign = (name: ts.Identifier, value: ts.Expression): ts.Statement =>
      this.#expressionStatement(this.#assign(this.#exported(name.text), value), statement);
    const helped = (helper: Helper): ts.Expression => {
      this.result.helpers.add(helper);
      return factory.createCallExpression(factory.createIdentifier(helper), undefined, [required]);
    };
    const statements: ts.Statement[] = [];
    if (clause.name && this.#importsValue(clause.name)) {
      statements.push(assign(clause.name, helped("__importDefault")));
    }
    const bindings = clause.namedBindings;
    if (bindings === undefined) return statements;
    if (ts.isNamespaceImport(bindings)) return [...statements, assign(bindings.name, helped("__importStar"))];
    for (const { name, propertyName = name, isTypeOnly } of bindings.elements) {
      if (isTypeOnly || !this.#importsValue(name)) continue;
      const value =
        propertyName.text === "default"
          ? helped("__importDefault")
          : factory.createPropertyAccessExpression(required, propertyName.text);
      statements.push(assign(name, value));
    }
    return statements;
  }

  // An unresolved import counts as a value: the cell runs where type errors are only warnings.
  #importsValue(name: ts.Identifier): boolean {
    const { checker } = this.scope;
    const symbol = checker.getSymbolAtLocation(name);
    if (symbol === undefined || !(symbol.flags & this.ts.SymbolFlags.Alias)) return true;
    const target = checker.getAliasedSymbol(symbol);
    return (target.flags & this.ts.SymbolFlags.Value) !== 0 || target.declarations === undefined;
  }

  #visitStatement(statement: ts.Statement): ts.Statement {
    return this.ts.visitNode(statement, this.#visit) as ts.Statement;
  }

  #visitExpression(expression: ts.Expression): ts.Expression {
    return this.ts.visitNode(expression, this.#visit) as ts.Expression;
  }

  readonly #visit = (node: ts.Node): ts.Node | undefined => {
    const { ts } = this;
    if (ts.isExpressionWithTypeArguments(node)) return this.#heritage(node);
    if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node))
      return node;
    if (ts.isIdentifier(node))
      return this.#isReference(node) && this.#isExported(node) ? this.#reference(node) : node;
    if (ts.isMetaProperty(node) && node.keywordToken === ts.SyntaxKind.ImportKeyword) {
      this.result.helpers.add("__importMeta");
      return this.#factory.createIdentifier("__importMeta");
    }
    if (ts.isShorthandPropertyAssignment(node)) return this.#shorthand(node);
    if (ts.isVariableStatement(node) && this.#isShared(node.declarationList)) {
      const assignments = this.#assignments(node.declarationList);
      return assignments
        ? this.#expressionStatement(assignments, node)
        : this.#factory.createEmptyStatement();
    }
    if (ts.isForStatement(node) && this.#isSharedHead(node.initializer)) {
      const { condition, incrementor, statement } = node;
      return this.#factory.updateForStatement(
        node,
        this.#assignments(node.initializer),
        condition && this.#visitExpression(condition),
        incrementor && this.#visitExpression(incrementor),
        this.#visitStatement(statement),
      );
    }
    if ((ts.isForOfStatement(node) || ts.isForInStatement(node)) && this.#isSharedHead(node.initializer)) {
      return this.#sharedLoop(node, node.initializer);
    }
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && this.#isExported(node.expression)) {
      const visited = ts.visitEachChild(node, this.#visit, this.context);
      return this.#factory.updateCallExpression(
        visited,
        this.#withoutThis(visited.expression),
        visited.typeArguments,
        visited.arguments,
      );
    }
    if (ts.isTaggedTemplateExpression(node) && ts.isIdentifier(node.tag) && this.#isExported(node.tag)) {
      const visited = ts.visitEachChild(node, this.#visit, this.context);
      return this.#factory.updateTaggedTemplateExpression(
        visited,
        this.#withoutThis(visited.tag),
        visited.typeArguments,
        visited.template,
      );
    }
    return ts.visitEachChild(node, this.#visit, this.context);
  };

  // `(0, exports.f)(x)`: called as `exports.f(x)`, a function would see `exports` as its `this`.
  #withoutThis(callee: ts.Expression): ts.Expression {
    const factory = this.#factory;
    return factory.createParenthesizedExpression(
      factory.createComma(factory.createNumericLiteral(0), callee),
    );
  }

  // `extends Base` is an expression; `implements Shape` is a type.
  #heritage(node: ts.ExpressionWithTypeArguments): ts.Node {
    const { ts } = this;
    const clause = node.parent;
    const isBase =
      ts.isHeritageClause(clause) &&
      clause.token === ts.SyntaxKind.ExtendsKeyword &&
      ts.isClassLike(clause.parent);
    if (!isBase && ts.isHeritageClause(clause)) return node;
    const expression = this.#visitExpression(node.expression);
    return this.#factory.updateExpressionWithTypeArguments(node, expression, node.typeArguments);
  }

  #shorthand(node: ts.ShorthandPropertyAssignment): ts.Node {
    const factory = this.#factory;
    const initial = node.objectAssignmentInitializer;
    const symbol = this.scope.checker.getShorthandAssignmentValueSymbol(node);
    if (!this.#isExportedSymbol(symbol)) return this.ts.visitEachChild(node, this.#visit, this.context);
    const target = this.#reference(node.name);
    const value = initial ? this.#assign(target, this.#visitExpression(initial)) : target;
    return factory.createPropertyAssignment(node.name.text, value);
  }

  // An identifier that reads or writes a variable, as opposed to one that names a member, a label or a declaration.
  #isReference(node: ts.Identifier): boolean {
    const { parent } = node;
    if (parent === undefined || this.ts.isMetaProperty(parent)) return false;
    const roles = parent as { name?: ts.Node; propertyName?: ts.Node; label?: ts.Node };
    return roles.name !== node && roles.propertyName !== node && roles.label !== node;
  }

  #isExported(node: ts.Identifier): boolean {
    return this.#isExportedSymbol(this.scope.checker.getSymbolAtLocation(node));
  }

  #isExportedSymbol(symbol: ts.Symbol | undefined): boolean {
    if (symbol === undefined) return false;
    if (this.#shared.has(symbol)) return true;
    return symbol.declarations?.some((one) => this.scope.isOuterScope(one.getSourceFile())) ?? false;
  }

  #isShared(list: ts.VariableDeclarationList): boolean {
    const names = list.declarations.flatMap(({ name }) => boundNames(this.ts, name));
    return names.some((name) => this.#isExported(name));
  }

  #isSharedHead(head: ts.Node | undefined): head is ts.VariableDeclarationList {
    return head !== undefined && this.ts.isVariableDeclarationList(head) && this.#isShared(head);
  }

  #sharedLoop(node: ts.ForOfStatement | ts.ForInStatement, list: ts.VariableDeclarationList): ts.Node {
    const factory = this.#factory;
    const [variable] = list.declarations;
    if (variable === undefined) return node;
    const target = this.#target(variable.name);
    const expression = this.#visitExpression(node.expression);
    const statement = this.#visitStatement(node.statement);
    return this.ts.isForOfStatement(node)
      ? factory.updateForOfStatement(node, node.awaitModifier, target, expression, statement)
      : factory.updateForInStatement(node, target, expression, statement);
  }

  // `let a = 1, b` as `exports.a = 1, exports.b = void 0`; a `var` without a value keeps what the variable had.
  #assignments(list: ts.VariableDeclarationList): ts.Expression | undefined {
    const factory = this.#factory;
    const isLet = (list.flags & this.ts.NodeFlags.Let) !== 0;
    const assignments = list.declarations.flatMap(({ name, initializer }) => {
      if (initializer) return [this.#assign(this.#target(name), this.#visitExpression(initializer))];
      return isLet ? [this.#assign(this.#target(name), factory.createVoidZero())] : [];
    });
    const [first, ...rest] = assignments;
    return first && rest.reduce((list, one): ts.Expression => factory.createComma(list, one), first);
  }

  // A binding name as the target of an assignment: `{ a, b: [c] = d }` as `{ a: exports.a, b: [exports.c] = d }`.
  #target(name: ts.BindingName): ts.Expression {
    const { ts } = this;
    const factory = this.#factory;
    if (ts.isIdentifier(name)) return this.#reference(name);
    const value = (element: ts.BindingElement): ts.Expression => {
      const target = this.#target(element.name);
      return element.initializer ? this.#assign(target, this.#visitExpression(element.initializer)) : target;
    };
    if (ts.isArrayBindingPattern(name)) {
      return factory.createArrayLiteralExpression(
        name.elements.map((element) => {
          if (ts.isOmittedExpression(element)) return element;
          return element.dotDotDotToken
            ? factory.createSpreadElement(this.#target(element.name))
            : value(element);
        }),
      );
    }
    return factory.createObjectLiteralExpression(
      name.elements.map((element) => {
        if (element.dotDotDotToken) return factory.createSpreadAssignment(this.#target(element.name));
        const key = element.propertyName ?? (element.name as ts.Identifier);
        const property = this.ts.visitNode(key, this.#visit) as ts.PropertyName;
        return factory.createPropertyAssignment(
          ts.isIdentifier(property) ? property.text : property,
          value(element),
        );
      }),
    );
  }

  #reference(name: ts.Identifier): ts.Expression {
    return this.ts.setTextRange(this.#exported(name.text), name);
  }

  #exported(name: string): ts.PropertyAccessExpression {
    const factory = this.#factory;
    return factory.createPropertyAccessExpression(factory.createIdentifier("exports"), name);
  }

  #exportLocal(name: ts.Identifier): ts.Statement {
    const factory = this.#factory;
    const local = factory.createIdentifier(name.text);
    return factory.createExpressionStatement(this.#assign(this.#exported(name.text), local));
  }

  #assign(target: ts.Expression, value: ts.Expression): ts.Expression {
    return this.#factory.createAssignment(target, value);
  }

  #expressionStatement(expression: ts.Expression, original: ts.Statement): ts.Statement {
    const { ts } = this;
    // Parentheses keep an object pattern from reading as a block.
    const needsParentheses = ts.isBinaryExpression(expression) && startsWithBrace(ts, expression);
    const inner = needsParentheses ? this.#factory.createParenthesizedExpression(expression) : expression;
    return ts.setTextRange(this.#factory.createExpressionStatement(inner), original);
  }
}

function startsWithBrace(ts: TypeScript, expression: ts.Expression): boolean {
  if (ts.isBinaryExpression(expression)) return startsWithBrace(ts, expression.left);
  return ts.isObjectLiteralExpression(expression);
}

function isSilent(statement: ts.Statement, source: ts.SourceFile): boolean {
  return statement.getText(source).endsWith(";");
}

function isAmbient(ts: TypeScript, statement: ts.Statement): boolean {
  if (!ts.canHaveModifiers(statement)) return false;
  return ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.DeclareKeyword) ?? false;
}

/** The identifiers that a binding declares. */
export function boundNames(ts: TypeScript, name: ts.BindingName): ts.Identifier[] {
  if (ts.isIdentifier(name)) return [name];
  return name.elements.flatMap((element) =>
    ts.isOmittedExpression(element) ? [] : boundNames(ts, element.name),
  );
}
