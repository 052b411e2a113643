// A module's file as CommonJS, for the child to read again whenever it changes: Node keeps an ES module that it has loaded.
import { outlineOf } from "./outline.js";
import { isSpecifier } from "./specifier.js";
import type { TypeScript, ts } from "./typescript.js";

const converted = new WeakMap<ts.SourceFile, string>();

/** CommonJS of a module; `aliases` has the files of specifiers that Node does not know. */
export function moduleScript(
  ts: TypeScript,
  file: ts.SourceFile,
  aliases: ReadonlyMap<string, string> = new Map(),
): string {
  const known = converted.get(file);
  if (known !== undefined) return known;
  const { outputText } = ts.transpileModule(file.text, {
    // TypeScript leaves the imports of an .mjs file as they are.
    fileName: file.fileName.replace(/\.m(?=[jt]sx?$)/, "."),
    compilerOptions: {
      module: ts.ModuleKind.CommonJS,
      target: ts.ScriptTarget.ES2022,
      esModuleInterop: true,
      allowJs: true,
      inlineSourceMap: true,
      inlineSources: true,
    },
    transformers: { before: [withOwnNames(ts, aliases)] },
  });
  // On the first line, so that the map from lines to those of the file stays right.
  const usesMeta = outputText.includes(metaName);
  const script = usesMeta ? outputText.replace(/^"use strict";/, `$&${metaText}`) : outputText;
  converted.set(file, script);
  return script;
}

/** True for a file that only Node itself can load: it, or what it imports, awaits something before it has loaded. */
export function loadsLater(
  ts: TypeScript,
  checker: ts.TypeChecker,
  file: ts.SourceFile,
  seen = new Set<ts.SourceFile>(),
): boolean {
  if (seen.has(file) || file.isDeclarationFile || file.fileName.includes("/node_modules/")) return false;
  seen.add(file);
  if (outlineOf(ts, file).awaits) return true;
  return specifiersOf(file).some((specifier) => {
    const target = moduleFile(checker, specifier);
    return target !== undefined && loadsLater(ts, checker, target, seen);
  });
}

/** The specifiers of the modules that a file imports. */
export function specifiersOf(file: ts.SourceFile): readonly ts.StringLiteralLike[] {
  return (file as unknown as { imports?: readonly ts.StringLiteralLike[] }).imports ?? [];
}

/** The file that a specifier stands for. */
export function moduleFile(checker: ts.TypeChecker, specifier: ts.Node): ts.SourceFile | undefined {
  const declaration = checker.getSymbolAtLocation(specifier)?.valueDeclaration;
  return declaration && "fileName" in declaration ? (declaration as ts.SourceFile) : undefined;
}

/** True for a JavaScript file with imports or exports. */
export function isEsModule(file: ts.SourceFile): boolean {
  const { externalModuleIndicator, commonJsModuleIndicator } = file as unknown as Record<string, unknown>;
  return externalModuleIndicator !== undefined && commonJsModuleIndicator === undefined;
}

// The names of a CommonJS file's scope, which an ES module may declare.
const scopeNames = new Set(["exports", "require", "module", "__filename", "__dirname"]);
const metaName = "__importMeta";
const metaText = `const ${metaName} = { filename: __filename, dirname: __dirname, url: require("node:url").pathToFileURL(__filename).href };`;

// `import.meta` becomes an object; `const __dirname = ...` becomes `const __dirname_ = ...` wherever it is used.
function withOwnNames(
  ts: TypeScript,
  aliases: ReadonlyMap<string, string>,
): ts.TransformerFactory<ts.SourceFile> {
  return (context) => (source) => {
    const { factory } = context;
    const declared = new Set(source.statements.flatMap((statement) => declaredNames(ts, statement)));
    const renamed = (name: string) => factory.createIdentifier(`${name}_`);
    const visit = (node: ts.Node): ts.Node => {
      if (ts.isStringLiteral(node) && isSpecifier(ts, node))
        return factory.createStringLiteral(aliases.get(node.text) ?? node.text);
      if (ts.isMetaProperty(node) && node.keywordToken === ts.SyntaxKind.ImportKeyword)
        return factory.createIdentifier(metaName);
      if (ts.isShorthandPropertyAssignment(node) && declared.has(node.name.text))
        return factory.createPropertyAssignment(node.name, renamed(node.name.text));
      if (ts.isBindingElement(node) && !node.propertyName && isObjectMember(ts, node)) {
        const name = ts.isIdentifier(node.name) && declared.has(node.name.text) ? node.name : undefined;
        const visited = ts.visitEachChild(node, visit, context);
        return factory.updateBindingElement(visited, undefined, name, visited.name, visited.initializer);
      }
      if (ts.isExportSpecifier(node) && !node.parent.parent.moduleSpecifier) {
        const { text } = node.propertyName ?? node.name;
        return declared.has(text) ? factory.createExportSpecifier(false, `${text}_`, node.name) : node;
      }
      if (!ts.isIdentifier(node)) return ts.visitEachChild(node, visit, context);
      return declared.has(node.text) && !isMemberName(ts, node) ? renamed(node.text) : node;
    };
    return factory.updateSourceFile(
      source,
      source.statements.map((statement) => visit(statement) as ts.Statement),
    );
  };
}

// What a statement declares of the scope's names. An exported variable is a property of `exports` and no variable.
function declaredNames(ts: TypeScript, statement: ts.Statement): string[] {
  const modifiers = (ts.canHaveModifiers(statement) && ts.getModifiers(statement)) || [];
  const isNamedExport =
    modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) &&
    !modifiers.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword);
  if (isNamedExport) return [];
  const names: string[] = [];
  const add = (name: ts.Node | undefined): void => {
    if (name === undefined) return;
    if (ts.isIdentifier(name)) names.push(name.text);
    else ts.forEachChild(name, (element) => add((element as { name?: ts.Node }).name));
  };
  if (ts.isVariableStatement(statement)) {
    for (const { name } of statement.declarationList.declarations) add(name);
  } else if (
    ts.isFunctionDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isEnumDeclaration(statement)
  ) {
    add(statement.name);
  }
  return names.filter((name) => scopeNames.has(name));
}

function isMemberName(ts: TypeScript, node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isVariableDeclaration(parent) || ts.isParameter(parent) || ts.isFunctionDeclaration(parent))
    return false;
  if (ts.isClassDeclaration(parent) || ts.isEnumDeclaration(parent)) return false;
  const roles = parent as { name?: ts.Node; propertyName?: ts.Node };
  return ts.isBindingElement(parent) ? roles.propertyName === node : roles.name === node;
}

// `const { module } = x` reads a property with the name of the variable.
function isObjectMember(ts: TypeScript, node: ts.BindingElement): boolean {
  return ts.isObjectBindingPattern(node.parent) && node.dotDotDotToken === undefined;
}
