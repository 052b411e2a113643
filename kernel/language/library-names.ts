// Finds a name in jitlab's library by its declarations: a function, one of its groups such as jl.linalg, or a method.
import type { OpenCell } from "./open-cell.js";
import type { TypeScript, ts } from "./typescript.js";

/** Whether a name is meant as it is written, or in another case: zeros_like, MSELoss. */
export type NameMatch = "exact" | "similar";

const comparable = (name: string) => name.toLowerCase().replaceAll("_", "");

/** Returns where the library whose declarations begin in `index` has a name; undefined if it does not. */
export function libraryPath(
  ts: TypeScript,
  { checker, program }: OpenCell,
  index: string,
  { name, match }: { readonly name: string; readonly match: NameMatch },
): string | undefined {
  const file = program.getSourceFile(index);
  const library = file && checker.getSymbolAtLocation(file);
  if (library === undefined) return undefined;
  const fits = (one: ts.Symbol) =>
    match === "exact" ? one.name === name : comparable(one.name) === comparable(name);
  const find = (symbols: readonly ts.Symbol[], path: string) => {
    const found = symbols.find(fits);
    return found && `${path}.${found.name}${isCalled(ts, checker, found) ? "(...)" : ""}`;
  };
  const exportsOf = (module: ts.Symbol) =>
    checker.getExportsOfModule(module).filter((one) => isValue(ts, checker, one));
  const values = exportsOf(library);
  const groups = values.filter((one) => resolved(ts, checker, one).flags & ts.SymbolFlags.ValueModule);
  const tensor = values.find((one) => one.name === "Tensor");
  const methods = tensor
    ? checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(resolved(ts, checker, tensor)))
    : [];
  const paths = [
    find(values, "jl"),
    ...groups.map((group) => find(exportsOf(resolved(ts, checker, group)), `jl.${group.name}`)),
    find(methods, "x"),
  ];
  return paths.find((path) => path !== undefined);
}

/** The functions of a module or of the namespace of one; none for any other type. */
export function functionsOfModule(ts: TypeScript, checker: ts.TypeChecker, type: ts.Type): string[] {
  const { symbol } = type;
  if (symbol === undefined || !(symbol.flags & ts.SymbolFlags.ValueModule)) return [];
  return checker
    .getPropertiesOfType(type)
    .filter((one) => isCalled(ts, checker, one))
    .map((one) => one.name)
    .sort();
}

function resolved(ts: TypeScript, checker: ts.TypeChecker, symbol: ts.Symbol): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

function isValue(ts: TypeScript, checker: ts.TypeChecker, symbol: ts.Symbol): boolean {
  return (resolved(ts, checker, symbol).flags & ts.SymbolFlags.Value) !== 0;
}

function isCalled(ts: TypeScript, checker: ts.TypeChecker, symbol: ts.Symbol): boolean {
  return checker.getTypeOfSymbol(resolved(ts, checker, symbol)).getCallSignatures().length > 0;
}
