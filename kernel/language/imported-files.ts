// The .ts files that a cell imports, directly or indirectly: checked with the cell, and converted to CommonJS for the
// child.
import type { CellProgram } from "./cell-program.js";
import type { OpenCell } from "./open-cell.js";
import type { TextMessage } from "./text-message.js";
import type { TypeScript, ts } from "./typescript.js";

/** The converted files by absolute path, and their errors, reported at the cell's import. */
export interface ImportedFiles {
  readonly files: Readonly<Record<string, string>>;
  readonly messages: readonly TextMessage[];
}

const converted = new WeakMap<ts.SourceFile, string>();

/** Converts the .ts files that a cell imports. */
export function convertImportedFiles(program: CellProgram, cell: OpenCell): ImportedFiles {
  const { ts } = program;
  const files: Record<string, string> = {};
  const messages: TextMessage[] = [];
  const visit = (file: ts.SourceFile, from: ts.Node): void => {
    for (const specifier of specifiersOf(file)) {
      const target = moduleFile(cell.checker, specifier);
      if (!target || target.isDeclarationFile || !/\.[cm]?tsx?$/.test(target.fileName)) continue;
      if (target.fileName in files) continue;
      const place = file === cell.source ? specifier : from;
      files[target.fileName] = commonJs(ts, target);
      const syntax = cell.program.getSyntacticDiagnostics(target);
      for (const diagnostic of [...syntax, ...program.typeErrors(cell, target)]) {
        messages.push(messageAt(ts, place, cell.source, target, diagnostic));
      }
      visit(target, place);
    }
  };
  visit(cell.source, cell.source);
  return { files, messages };
}

function specifiersOf(file: ts.SourceFile): readonly ts.StringLiteralLike[] {
  return (file as unknown as { imports?: readonly ts.StringLiteralLike[] }).imports ?? [];
}

function moduleFile(checker: ts.TypeChecker, specifier: ts.Node): ts.SourceFile | undefined {
  const declaration = checker.getSymbolAtLocation(specifier)?.valueDeclaration;
  return declaration && "fileName" in declaration ? (declaration as ts.SourceFile) : undefined;
}

function messageAt(
  ts: TypeScript,
  place: ts.Node,
  cell: ts.SourceFile,
  file: ts.SourceFile,
  diagnostic: ts.Diagnostic,
): TextMessage {
  const { line, character } = file.getLineAndCharacterOfPosition(diagnostic.start ?? 0);
  const text = ts.flattenDiagnosticMessageText(diagnostic.messageText, "\n");
  return {
    start: place.getStart(cell),
    end: place.end,
    message: `${file.fileName}:${line + 1}:${character + 1}: ${text}`,
    code: diagnostic.code,
    syntax: false,
  };
}

function commonJs(ts: TypeScript, file: ts.SourceFile): string {
  const known = converted.get(file);
  if (known !== undefined) return known;
  const { outputText } = ts.transpileModule(file.text, {
    fileName: file.fileName,
    compilerOptions: {
      module: ts.ModuleKind.CommonJS,
      target: ts.ScriptTarget.ES2022,
      esModuleInterop: true,
      inlineSourceMap: true,
      inlineSources: true,
    },
  });
  converted.set(file, outputText);
  return outputText;
}
