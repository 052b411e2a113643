// Reads from a cell's syntax, without types, the names that it declares and whether it awaits.
import { boundNames, isDisposed } from "./cell-transform.js";
import type { Declaration } from "./declarations.js";
import type { TypeScript, ts } from "./typescript.js";

/** A text's own declarations. */
export interface Outline {
  /** Declared names whose declarations TypeScript writes. */
  readonly names: readonly string[];
  /** Declarations known from the syntax alone. */
  readonly declarations: readonly Declaration[];
  readonly awaits: boolean;
}

/** Outlines a parsed text. */
export function outlineOf(ts: TypeScript, source: ts.SourceFile): Outline {
  const names = new Set<string>();
  const declarations: Declaration[] = [];
  let awaits = false;
  const declare = (name: ts.Node | undefined): void => {
    if (name && ts.isIdentifier(name)) names.add(name.text);
  };
  const variables = (list: ts.VariableDeclarationList): void => {
    if (isDisposed(ts, list)) return;
    for (const variable of list.declarations) {
      const imported = list.flags & ts.NodeFlags.Const ? importedByAwait(ts, variable) : undefined;
      if (imported) declarations.push(...imported);
      else for (const name of boundNames(ts, variable.name)) declare(name);
    }
  };
  // Inside blocks only `var` declares a name of the cell; inside functions nothing does.
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) || ts.isClassLike(node) || ts.isModuleDeclaration(node)) {
      if (ts.isClassLike(node)) for (const part of node.heritageClauses ?? []) visit(part);
      return;
    }
    if (ts.isAwaitExpression(node) || (ts.isForOfStatement(node) && node.awaitModifier)) awaits = true;
    if (ts.isVariableDeclarationList(node)) {
      if ((node.flags & ts.NodeFlags.AwaitUsing) === ts.NodeFlags.AwaitUsing) awaits = true;
      if (!(node.flags & ts.NodeFlags.BlockScoped)) variables(node);
    }
    ts.forEachChild(node, visit);
  };
  for (const statement of source.statements) {
    if (isExported(ts, statement)) {
      // Already exported by its own modifier.
      if (!ts.isVariableStatement(statement)) visit(statement);
      else for (const variable of statement.declarationList.declarations) visit(variable);
      continue;
    }
    if (ts.isVariableStatement(statement)) {
      if (statement.declarationList.flags & ts.NodeFlags.BlockScoped) variables(statement.declarationList);
    } else if (ts.isImportDeclaration(statement)) {
      const clause = statement.importClause;
      declare(clause?.name);
      const bindings = clause?.namedBindings;
      if (bindings && ts.isNamespaceImport(bindings)) declare(bindings.name);
      else for (const element of bindings?.elements ?? []) declare(element.name);
    } else if (!isGlobalAugmentation(ts, statement)) {
      declare((statement as { name?: ts.Node }).name);
    }
    visit(statement);
  }
  return { names: [...names], declarations, awaits };
}

// Declares `const fs = await import("fs")` as an import: its type, a whole module, is long and may use names that only the
// module knows.
function importedByAwait(
  ts: TypeScript,
  { name, initializer }: ts.VariableDeclaration,
): Declaration[] | undefined {
  if (!initializer || !ts.isAwaitExpression(initializer) || !ts.isCallExpression(initializer.expression))
    return;
  const { expression, arguments: args } = initializer.expression;
  const [specifier] = args;
  if (expression.kind !== ts.SyntaxKind.ImportKeyword || !specifier || !ts.isStringLiteral(specifier)) return;
  const from = JSON.stringify(specifier.text);
  const declaration = (local: string, binding: string): Declaration => ({
    text: `import ${binding} from ${from};`,
    declares: { name: local, value: true, type: true },
    references: [],
  });
  if (ts.isIdentifier(name)) return [declaration(name.text, `* as ${name.text}`)];
  if (!ts.isObjectBindingPattern(name)) return;
  const declarations = name.elements.map((element) => {
    const { propertyName, dotDotDotToken, initializer: fallback } = element;
    if (!ts.isIdentifier(element.name) || dotDotDotToken || fallback) return undefined;
    if (propertyName && !ts.isIdentifier(propertyName)) return undefined;
    const local = element.name.text;
    return declaration(local, `{ ${propertyName ? `${propertyName.text} as ` : ""}${local} }`);
  });
  return declarations.every((one): one is Declaration => one !== undefined) ? declarations : undefined;
}

function isExported(ts: TypeScript, statement: ts.Statement): boolean {
  if (!ts.canHaveModifiers(statement)) return false;
  return ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false;
}

function isGlobalAugmentation(ts: TypeScript, statement: ts.Statement): boolean {
  return ts.isModuleDeclaration(statement) && (statement.flags & ts.NodeFlags.GlobalAugmentation) !== 0;
}
