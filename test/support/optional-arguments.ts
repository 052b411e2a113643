// The functions and methods of the library whose options stand behind optional arguments, from their declarations.
import { join } from "node:path";
import type * as TS from "typescript-6";
import { loadTypeScript } from "../../dist/kernel/language/typescript.js";

const ts = loadTypeScript();

/** A function, such as `eye` or `linalg.norm`, or a method, such as `x.sort`. */
export interface OptionsBehind {
  readonly name: string;
  /** How many arguments are required. */
  readonly required: number;
  /** Whether its types take the options behind the required arguments. */
  readonly takesEarly: boolean;
}

/** Lists them. */
export function optionsBehindOptional(): OptionsBehind[] {
  const index = join(import.meta.dirname, "..", "..", "dist", "runtime", "index.d.ts");
  const program = ts.createProgram([index], {
    target: ts.ScriptTarget.ES2022,
    lib: ["lib.esnext.d.ts"],
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    types: ["node"],
    strict: true,
    skipLibCheck: true,
  });
  const checker = program.getTypeChecker();
  const file = program.getSourceFile(index)!;
  const found: OptionsBehind[] = [];
  const visit = (path: string, symbol: TS.Symbol) => {
    const resolved = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    if (resolved.flags & ts.SymbolFlags.ValueModule) {
      for (const one of checker.getExportsOfModule(resolved)) visit(`${path}${symbol.name}.`, one);
    } else if (resolved.flags & ts.SymbolFlags.Class && symbol.name === "Tensor") {
      for (const one of checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(resolved)))
        visit("x.", one);
    } else if (resolved.flags & (ts.SymbolFlags.Function | ts.SymbolFlags.Method | ts.SymbolFlags.Variable)) {
      const signatures = checker.getTypeOfSymbol(resolved).getCallSignatures();
      for (const signature of signatures) {
        const behind = optionsOf(signature);
        if (behind === undefined) continue;
        const { options, required } = behind;
        const takesEarly = signatures.some((other) => {
          const place = other.parameters[required];
          const type = place && checker.getTypeOfSymbol(place);
          return type !== undefined && requiredOf(other) <= required + 1 && takes(type, options);
        });
        found.push({ name: `${path}${symbol.name}`, required, takesEarly });
      }
    }
  };
  const takes = (type: TS.Type, options: TS.Type): boolean => {
    const parts = type.isUnion() ? type.types : [type];
    const names = checker.getPropertiesOfType(checker.getNonNullableType(options)).map(({ name }) => name);
    return parts.some((part) => isOptions(part) && names.every((name) => part.getProperty(name)));
  };
  const isOptions = (type: TS.Type): boolean => {
    const members = checker.getPropertiesOfType(type);
    const isObject = (type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) !== 0;
    return (
      isObject &&
      members.length > 0 &&
      type.getCallSignatures().length === 0 &&
      members.every(({ flags }) => flags & ts.SymbolFlags.Optional)
    );
  };
  const isOptional = (parameter: TS.Symbol) => {
    const { valueDeclaration } = parameter;
    return (
      valueDeclaration !== undefined &&
      ts.isParameter(valueDeclaration) &&
      checker.isOptionalParameter(valueDeclaration)
    );
  };
  const requiredOf = ({ parameters }: TS.Signature) => parameters.filter((one) => !isOptional(one)).length;
  const optionsOf = (signature: TS.Signature) => {
    const last = signature.parameters.at(-1);
    if (last === undefined || !isOptional(last)) return undefined;
    const options = checker.getNonNullableType(checker.getTypeOfSymbol(last));
    const required = requiredOf(signature);
    if (!isOptions(options) || signature.parameters.length - required < 2) return undefined;
    return { options, required };
  };
  for (const symbol of checker.getExportsOfModule(checker.getSymbolAtLocation(file)!)) visit("", symbol);
  return found;
}
