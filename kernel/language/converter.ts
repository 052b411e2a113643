// Converts a cell: checks it once against the declarations of earlier cells, and takes JavaScript, source map and
// declarations from one emit. Does not handle magics: its input is plain TypeScript.

import { advised } from "./advice.js";
import { helperText } from "./cell-helpers.js";
import type { CellProgram } from "./cell-program.js";
import { cellTransformer, type TransformedCell } from "./cell-transform.js";
import { declarationsOf } from "./declaration-text.js";
import { cellsWithType, type Declaration, type Layers } from "./declarations.js";
import { convertImportedFiles } from "./imported-files.js";
import { nestedDeclarations } from "./nested-variables.js";
import type { OpenCell } from "./open-cell.js";
import { type Outline, outlineOf } from "./outline.js";
import { pathAliases } from "./path-aliases.js";
import { placeOf } from "./place.js";
import { advisedSyntax } from "./syntax-advice.js";
import { type Habit, tensorHabits } from "./tensor-habits.js";
import { type TextMessage, wholeCharacters } from "./text-message.js";
import type { TypeScript, ts } from "./typescript.js";
import { UnboundNames } from "./unbound-names.js";

/** A converted text; without `output` if it has errors. */
export interface ConvertedText {
  readonly messages: readonly TextMessage[];
  /** The names that the text declares, as far as it can be parsed. */
  readonly names: readonly string[];
  readonly output: ConvertedOutput | undefined;
}

/** The result of compiling a text. */
export interface ConvertedOutput {
  readonly js: string;
  /** TypeScript's source map from `js`, after its first line, to the text. */
  readonly map: string;
  readonly hasTopLevelAwait: boolean;
  readonly lastExpression: string | undefined;
  readonly declarations: readonly Declaration[];
  readonly files: Readonly<Record<string, string>>;
}

/** A checked cell, and the cells whose type of a name is in use. */
interface Checked {
  readonly cell: OpenCell;
  readonly declared: (name: string) => readonly string[];
}

const moduleNotFound = 2307;
const unknownName: readonly number[] = [2304, 2552];

// The remedies that TypeScript keeps beside its messages: a forgotten `await`, and the name of a missing argument.
const remedies: readonly number[] = [2773, 6210];

/** Lines of `js` before the mapped ones. */
export const linesBeforeMapped = 1;

/** Converts texts in sequence. */
export class Converter {
  /** The names that cells declared and that have no value now. */
  readonly unbound = new UnboundNames();

  constructor(
    readonly ts: TypeScript,
    readonly program: CellProgram,
  ) {}

  /** Converts a text inside the declarations of `layers`. With `allowTypeErrors`, a text with type errors has output too. */
  convert(text: string, layers: Layers, allowTypeErrors: boolean): ConvertedText {
    const parsed = this.parse(text);
    const wrong = syntaxErrors(parsed);
    if (wrong.length > 0) {
      return {
        messages: advisedSyntax(
          wrong.map((one) => this.#message(one, text)),
          text,
        ),
        names: outlineOf(this.ts, parsed).names,
        output: undefined,
      };
    }
    const outline = outlineOf(this.ts, parsed);
    const cell = this.program.openQuickly(`${text}\nexport { ${outline.names.join(", ")} };`, layers);
    const own = new Set(outline.names);
    const declared = (name: string) => [
      ...cellsWithType(layers, name),
      ...(own.has(name) ? ["this cell"] : []),
    ];
    const imported = convertImportedFiles(this.program, cell);
    const typeErrors = eachNameOnce(this.program.typeErrors(cell, cell.source));
    const messages = [
      ...[...typeErrors, ...tensorHabits(this.ts, cell)]
        .filter((one) => (one.start ?? 0) <= text.length)
        .map((one) => this.#message(one, text, { cell, declared })),
      ...imported.messages,
    ];
    // The module may be installed before the cell runs again.
    if (messages.some(({ code }) => code === moduleNotFound)) this.program.forgetResolutions();
    if (messages.length > 0 && !allowTypeErrors) return { messages, names: outline.names, output: undefined };
    return {
      messages,
      names: outline.names,
      output: { ...this.#emit(cell, outline), files: imported.files },
    };
  }

  /** Parses a text as a module, in which `await` may stand anywhere. */
  parse(text: string): ts.SourceFile {
    return this.ts.createSourceFile("cell.ts", text, {
      languageVersion: this.ts.ScriptTarget.ES2022,
      setExternalModuleIndicator: (file) => {
        (file as { externalModuleIndicator?: unknown }).externalModuleIndicator = true;
      },
    });
  }

  /** A diagnostic of a checked cell, or of the syntax of a text that was not checked. */
  #message(diagnostic: ts.Diagnostic | Habit, text: string, checked?: Checked): TextMessage {
    const cell = checked?.cell;
    const start = Math.min(diagnostic.start ?? 0, text.length);
    const end = Math.min(start + (diagnostic.length ?? 0), text.length);
    const { code } = diagnostic;
    const message = wholeCharacters(this.ts.flattenDiagnosticMessageText(diagnostic.messageText, "\n"));
    const unbound = (name: string) => this.unbound.advice(name);
    const span = { text, start, end, unbound, cellsWithType: checked?.declared ?? (() => []) };
    const place = placeOf(this.program, span, cell);
    const related = ("relatedInformation" in diagnostic && diagnostic.relatedInformation) || [];
    const remedy = related
      .filter((one) => remedies.includes(one.code))
      .map((one) => `\n${this.ts.flattenDiagnosticMessageText(one.messageText, "\n")}`);
    return { start, end, message: advised(message, code, place) + remedy.join(""), code, syntax: !cell };
  }

  #emit(cell: OpenCell, outline: Outline): Omit<ConvertedOutput, "files"> {
    const { ts, program } = this;
    const result: TransformedCell = { lastExpression: undefined, helpers: new Set() };
    const scope = {
      checker: cell.checker,
      isOuterScope: (file: ts.SourceFile) => program.isOuterScope(file),
      isOuterVariable: (name: string) => program.isOuterVariable(name),
      aliases: pathAliases(program, cell.checker, cell.source),
    };
    const before = [cellTransformer(ts, scope, result)];
    const after = [withoutExports(ts)];
    const emitted = { js: "", map: "", declarations: "" };
    const write: ts.WriteFileCallback = (path, text) => {
      if (path.endsWith(".d.ts")) emitted.declarations = text;
      else if (path.endsWith(".map")) emitted.map = text;
      else emitted.js = text;
    };
    // Writes a type that cannot be named as well as possible, instead of reporting an error.
    const force = true;
    (cell.program.emit as (...args: unknown[]) => ts.EmitResult)(
      cell.source,
      write,
      undefined,
      false,
      { before, after },
      force,
    );
    const nested = nestedDeclarations(ts, cell.checker, cell.source);
    const helpers = [...result.helpers].map((name) => `const ${name} = ${helperText[name]};`);
    const body = emitted.js.replace(/\/\/# sourceMappingURL=.*\s*$/, "").replace(/^#!/, "//");
    return {
      js: body.trim() === "" ? "" : `"use strict";${helpers.join("")}\n${body}`,
      map: emitted.map,
      hasTopLevelAwait: outline.awaits,
      lastExpression: result.lastExpression,
      declarations: [...outline.declarations, ...declarationsOf(ts, emitted.declarations + nested)],
    };
  }
}

// An unknown name is reported at its first place: the errors at the others say the same.
function eachNameOnce(errors: readonly ts.Diagnostic[]): ts.Diagnostic[] {
  const seen = new Set<unknown>();
  return errors.filter(({ code, messageText }) => {
    const repeated = unknownName.includes(code) && seen.has(messageText);
    seen.add(messageText);
    return !repeated;
  });
}

/** Syntax errors of a parsed text. */
export function syntaxErrors(source: ts.SourceFile): readonly ts.DiagnosticWithLocation[] {
  return (source as unknown as { parseDiagnostics: readonly ts.DiagnosticWithLocation[] }).parseDiagnostics;
}

function withoutExports(ts: TypeScript): ts.TransformerFactory<ts.SourceFile> {
  return (context) => (source) => {
    const statements = source.statements.filter((statement) => !ts.isExportDeclaration(statement));
    return context.factory.updateSourceFile(source, statements);
  };
}
