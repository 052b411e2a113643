// The `var`s inside a cell's blocks and loops: each declares a variable of the cell, too.
import type { TypeScript, ts } from "./typescript.js";

/** The symbols of a file's own scope. */
export function localsOf(source: ts.SourceFile): Iterable<ts.Symbol> {
  return (source as unknown as { locals?: Map<string, ts.Symbol> }).locals?.values() ?? [];
}

/** The names of these variables, unless a `var` outside of blocks declares them as well. */
export function nestedVariables(ts: TypeScript, source: ts.SourceFile): ts.Identifier[] {
  return [...localsOf(source)].flatMap((symbol) => {
    const [declaration, ...more] = symbol.declarations ?? [];
    if (!declaration || !(symbol.flags & ts.SymbolFlags.FunctionScopedVariable)) return [];
    const { name } = declaration as ts.VariableDeclaration;
    const isOuter = (one: ts.Node) => ts.findAncestor(one, ts.isVariableStatement)?.parent === source;
    return [declaration, ...more].some(isOuter) || !ts.isIdentifier(name) ? [] : [name];
  });
}

/** Their declarations for later cells: TypeScript's own .d.ts text leaves them out. */
export function nestedDeclarations(ts: TypeScript, checker: ts.TypeChecker, source: ts.SourceFile): string {
  const { NoTruncation, UseAliasDefinedOutsideCurrentScope } = ts.TypeFormatFlags;
  const lines = nestedVariables(ts, source).map((name) => {
    const type = checker.getWidenedType(checker.getTypeAtLocation(name));
    const text = checker.typeToString(type, name, NoTruncation | UseAliasDefinedOutsideCurrentScope);
    return `\ndeclare let ${name.text}: ${text};`;
  });
  return lines.join("");
}
