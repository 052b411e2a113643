// Rewrites a cell to run as a function body: imports become `require`, its declarations are written to `exports`, and
// those of earlier cells are read from there. Works on TypeScript's tree before types are removed, while every name still
// has its symbol.
import { type Helper, ownNames } from "./cell-helpers.js";
import { CellNodes } from "./cell-nodes.js";
import { localsOf, nestedVariables } from "./nested-variables.js";
import { isSpecifier } from "./specifier.js";
import type { TypeScript, ts } from "./typescript.js";

/** The input of a cell's transformation. */
export interface CellScope {
  readonly checker: ts.TypeChecker;
  /** True for a file of earlier cells' declarations. */
  isOuterScope(file: ts.SourceFile): boolean;
  /** True for the name of an earlier cell's `let` or `var`. */
  isOuterVariable(name: string): boolean;
  /** The files of specifiers that Node does not know. */
  readonly aliases: ReadonlyMap<string, string>;
}

/** The findings of a transformation. */
export interface TransformedCell {
  /** The key of `exports` that holds the last expression's value. */
  lastExpression: string | undefined;
  /** The helpers that the cell calls. */
  readonly helpers: Set<Helper>;
}

/** The functions of the library that take a name from the function that they are given. */
const namedByFunction: ReadonlySet<string> = new Set(["jit", "reduction", "compile"]);

/** The key of `exports` that holds a cell's value. */
const lastExpressionKey = "$last";

/** Creates the transformer of one cell, which fills `result`. */
export function cellTransformer(
  ts: TypeScript,
  scope: CellScope,
  result: TransformedCell,
): ts.TransformerFactory<ts.SourceFile> {
  return (context) => (source) => new CellTransformation(ts, context, scope, result).transform(source);
}

class CellTransformation {
  readonly #factory: ts.NodeFactory;
  readonly #nodes: CellNodes;
  /** The cell's imports, which exist in `exports` only. */
  readonly #imports = new Set<ts.Symbol>();

  constructor(
    readonly ts: TypeScript,
    readonly context: ts.TransformationContext,
    readonly scope: CellScope,
    readonly result: TransformedCell,
  ) {
    this.#factory = context.factory;
    this.#nodes = new CellNodes(ts, context.factory);
  }

  transform(source: ts.SourceFile): ts.SourceFile {
    for (const symbol of localsOf(source)) {
      if (symbol.flags & this.ts.SymbolFlags.Alias) this.#imports.add(symbol);
    }
    const last = source.statements.filter((statement) => !this.ts.isExportDeclaration(statement)).at(-1);
    const hoisted = nestedVariables(this.ts, source).map((name) => this.#variable(name));
    const statements = source.statements.flatMap((statement) => {
      if (statement === last && this.ts.isExpressionStatement(statement) && !isSilent(statement, source)) {
        return [this.#lastExpression(statement)];
      }
      if (this.ts.isFunctionDeclaration(statement) && statement.body && statement.name) {
        hoisted.push(this.#constant(statement.name));
      }
      return this.#topLevel(statement);
    });
    return this.#factory.updateSourceFile(source, [...hoisted, ...statements]);
  }

  #lastExpression(statement: ts.ExpressionStatement): ts.Statement {
    this.result.lastExpression = lastExpressionKey;
    const value = this.#visitExpression(statement.expression);
    return this.#nodes.expressionStatement(
      this.#nodes.assign(this.#nodes.exported(lastExpressionKey), value),
      statement,
    );
  }

  #topLevel(statement: ts.Statement): ts.Statement[] {
    const { ts } = this;
    if (ts.isImportDeclaration(statement)) return this.#import(statement);
    if (ts.isExportDeclaration(statement)) return [];
    if (ts.isExportAssignment(statement)) {
      const value = this.#visitExpression(statement.expression);
      return [
        this.#nodes.expressionStatement(
          this.#nodes.assign(this.#nodes.exported("default"), value),
          statement,
        ),
      ];
    }
    if (isAmbient(ts, statement)) return [];
    const unnamed = this.#unnamedDefault(statement);
    if (unnamed) return [unnamed];
    const plain = this.#visitStatement(this.#withoutExport(statement));
    if (ts.isVariableStatement(statement)) {
      if (isDisposed(ts, statement.declarationList)) return [plain];
      const isConstant = (statement.declarationList.flags & ts.NodeFlags.Const) !== 0;
      const names = statement.declarationList.declarations.flatMap(({ name }) => boundNames(ts, name));
      return [plain, ...names.map((name) => (isConstant ? this.#constant(name) : this.#variable(name)))];
    }
    if (
      ts.isClassDeclaration(statement) ||
      ts.isEnumDeclaration(statement) ||
      ts.isModuleDeclaration(statement)
    ) {
      const { name } = statement;
      return name && ts.isIdentifier(name) && this.#hasValue(name) ? [plain, this.#constant(name)] : [plain];
    }
    return [plain];
  }

  // Constants, functions and classes are copied to `exports`.
  #constant(name: ts.Identifier): ts.Statement {
    const value = this.#factory.createIdentifier(name.text);
    return this.#factory.createExpressionStatement(this.#define(name.text, value));
  }

  // `exports.name = value`. An accessor of an earlier variable is replaced, not assigned.
  #define(name: string, value: ts.Expression): ts.Expression {
    if (!this.scope.isOuterVariable(name)) return this.#nodes.assign(this.#nodes.exported(name), value);
    return this.#help("__constant", [...this.#nodes.property(name), value]);
  }

  // A `let` or `var` stays a local variable, so that loops are fast; other cells use it through an accessor.
  #variable(name: ts.Identifier): ts.Statement {
    const parts = [
      ...this.#nodes.property(name.text),
      this.#nodes.getter(name.text),
      this.#nodes.setter(name.text),
    ];
    return this.#factory.createExpressionStatement(this.#help("__variable", parts));
  }

  #help(helper: Helper, args: readonly ts.Expression[]): ts.Expression {
    const factory = this.#factory;
    this.result.helpers.add(helper);
    return factory.createCallExpression(factory.createIdentifier(helper), undefined, args);
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
    const assigned = this.#nodes.assign(this.#nodes.exported("default"), this.#visitExpression(value));
    return this.#nodes.expressionStatement(assigned, statement);
  }

  #hasValue(name: ts.Identifier): boolean {
    const symbol = this.scope.checker.getSymbolAtLocation(name);
    return symbol !== undefined && (symbol.flags & this.ts.SymbolFlags.Value) !== 0;
  }

  // Every declaration of a cell is exported, so the keywords `export` and `default` are dropped.
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
    const required = factory.createCallExpression(factory.createIdentifier(ownNames.require), undefined, [
      this.#specifier(statement.moduleSpecifier),
    ]);
    if (clause === undefined) return [this.#nodes.expressionStatement(required, statement)];
    const assign = (name: ts.Identifier, value: ts.Expression): ts.Statement =>
      this.#nodes.expressionStatement(this.#define(name.text, value), statement);
    const helped = (helper: Helper): ts.Expression => this.#help(helper, [required]);
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

  #specifier(specifier: ts.Expression): ts.Expression {
    const path = this.ts.isStringLiteral(specifier) ? this.scope.aliases.get(specifier.text) : undefined;
    return path === undefined ? specifier : this.#factory.createStringLiteral(path);
  }

  // An unresolved import counts as a value, since the cell runs where type errors are only warnings.
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
      return this.#isReference(node) && this.#isExported(node) ? this.#nodes.reference(node) : node;
    if (ts.isMetaProperty(node) && node.keywordToken === ts.SyntaxKind.ImportKeyword) {
      this.result.helpers.add("__importMeta");
      return this.#factory.createIdentifier("__importMeta");
    }
    if (ts.isStringLiteral(node) && isSpecifier(ts, node)) return this.#specifier(node);
    if (ts.isShorthandPropertyAssignment(node)) return this.#shorthand(node);
    if (ts.isFunctionExpression(node) || ts.isArrowFunction(node)) return this.#named(node);
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && this.#isExported(node.expression)) {
      const visited = ts.visitEachChild(node, this.#visit, this.context);
      return this.#factory.updateCallExpression(
        visited,
        this.#nodes.withoutThis(visited.expression),
        visited.typeArguments,
        visited.arguments,
      );
    }
    if (ts.isTaggedTemplateExpression(node) && ts.isIdentifier(node.tag) && this.#isExported(node.tag)) {
      const visited = ts.visitEachChild(node, this.#visit, this.context);
      return this.#factory.updateTaggedTemplateExpression(
        visited,
        this.#nodes.withoutThis(visited.tag),
        visited.typeArguments,
        visited.template,
      );
    }
    return ts.visitEachChild(node, this.#visit, this.context);
  };

  // `const swish = jl.jit((x) => ...)`: JavaScript names a function only where it is the variable's value itself, so the
  // function is written as `{ swish: (x) => ... }.swish`, whose name is "swish".
  #named(node: ts.FunctionExpression | ts.ArrowFunction): ts.Node {
    const visited = this.ts.visitEachChild(node, this.#visit, this.context);
    const name = declaredName(this.ts, node);
    if (name === undefined) return visited;
    const factory = this.#factory;
    const object = factory.createObjectLiteralExpression([factory.createPropertyAssignment(name, visited)]);
    return factory.createPropertyAccessExpression(object, name);
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
    const target = this.#nodes.reference(node.name);
    const value = initial ? this.#nodes.assign(target, this.#visitExpression(initial)) : target;
    return factory.createPropertyAssignment(node.name.text, value);
  }

  // True for an identifier that reads or writes a variable, false for the name of a member, a label or a declaration.
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
    if (this.#imports.has(symbol)) return true;
    return symbol.declarations?.some((one) => this.scope.isOuterScope(one.getSourceFile())) ?? false;
  }
}

/** The variable that is made from a function without a name by `jl.jit` and its like; undefined for any other function. */
function declaredName(ts: TypeScript, node: ts.FunctionExpression | ts.ArrowFunction): string | undefined {
  const call = node.parent;
  if (node.name || !call || !ts.isCallExpression(call) || call.arguments[0] !== node) return undefined;
  const { expression: callee, parent } = call;
  const called = ts.isPropertyAccessExpression(callee) ? callee.name : callee;
  if (!ts.isIdentifier(called) || !namedByFunction.has(called.text)) return undefined;
  const target =
    ts.isVariableDeclaration(parent) && parent.initializer === call
      ? parent.name
      : ts.isBinaryExpression(parent) && parent.operatorToken.kind === ts.SyntaxKind.EqualsToken
        ? parent.left
        : undefined;
  // A property __proto__ is the object's prototype.
  return target && ts.isIdentifier(target) && target.text !== "__proto__" ? target.text : undefined;
}

function isSilent(statement: ts.Statement, source: ts.SourceFile): boolean {
  return statement.getText(source).endsWith(";");
}

function isAmbient(ts: TypeScript, statement: ts.Statement): boolean {
  if (!ts.canHaveModifiers(statement)) return false;
  return ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.DeclareKeyword) ?? false;
}

/** True for `using` and `await using`. Later cells cannot use these names: the end of the cell disposes of the values. */
export function isDisposed(ts: TypeScript, { flags }: ts.VariableDeclarationList): boolean {
  const kind = flags & ts.NodeFlags.BlockScoped;
  return kind === ts.NodeFlags.Using || kind === ts.NodeFlags.AwaitUsing;
}

/** Lists the identifiers that a binding declares. */
export function boundNames(ts: TypeScript, name: ts.BindingName): ts.Identifier[] {
  if (ts.isIdentifier(name)) return [name];
  return name.elements.flatMap((element) =>
    ts.isOmittedExpression(element) ? [] : boundNames(ts, element.name),
  );
}
