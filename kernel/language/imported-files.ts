// The TypeScript files and local ES modules that a cell imports, directly or indirectly: checked with the cell, and converted
// to CommonJS for the child.
import type { CellProgram } from "./cell-program.js";
import { isLibraryFile } from "./module-resolver.js";
import { isEsModule, loadsLater, moduleFile, moduleScript, specifiersOf } from "./module-script.js";
import type { OpenCell } from "./open-cell.js";
import { pathAliases } from "./path-aliases.js";
import type { TextMessage } from "./text-message.js";
import type { TypeScript, ts } from "./typescript.js";

/** The converted files by absolute path, and their errors, reported at the cell's import. */
export interface ImportedFiles {
  readonly files: Readonly<Record<string, string>>;
  readonly messages: readonly TextMessage[];
}

/** Converts the files that a cell imports. */
export function convertImportedFiles(program: CellProgram, cell: OpenCell): ImportedFiles {
  const { ts } = program;
  const files: Record<string, string> = {};
  const messages: TextMessage[] = [];
  const visit = (file: ts.SourceFile, from: ts.Node): void => {
    for (const specifier of specifiersOf(file)) {
      const target = moduleFile(cell.checker, specifier);
      if (!target || target.fileName in files || !isConverted(program, cell, target)) continue;
      const place = file === cell.source ? specifier : from;
      files[target.fileName] = moduleScript(ts, target, pathAliases(program, cell.checker, target));
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

// Node itself loads CommonJS, JSON, packages, and what awaits while it loads, with all that imports it.
function isConverted({ ts, packageRoot }: CellProgram, cell: OpenCell, file: ts.SourceFile): boolean {
  if (file.isDeclarationFile || isLibraryFile(file.fileName, packageRoot)) return false;
  if (/\.[cm]?tsx?$/.test(file.fileName)) return true;
  return /\.m?jsx?$/.test(file.fileName) && isEsModule(file) && !loadsLater(ts, cell.checker, file);
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
