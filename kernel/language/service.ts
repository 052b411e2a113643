// The language service without its process: it expands magics, converts cells, keeps their declarations, and answers
// completion, hover and completeness in positions of the user's text.
import { expandCell } from "../../magics/expand.js";
import type { Magic } from "../../magics/magic.js";
import { CellProgram } from "./cell-program.js";
import { completeness } from "./completeness.js";
import { completions } from "./completion.js";
import type { CellContext, PreparedCell, Vocabulary } from "./context.js";
import { Converter, linesBeforeMapped, syntaxErrors } from "./converter.js";
import { accept, type Layers, valueNames } from "./declarations.js";
import { inspection } from "./inspection.js";
import type { Completeness, Completions, Conversion, Diagnostic, Inspection } from "./language.js";
import type { Libraries } from "./libraries.js";
import { initialState, type LanguageState, type TypeCheck } from "./service-state.js";
import { Lines, mapToCell, spanInCell } from "./source-map.js";
import type { TextMessage } from "./text-message.js";
import type { TypeScript } from "./typescript.js";

/** A service's folders and magics. */
export interface ServiceSettings {
  /** The notebook's folder. */
  readonly cwd: string;
  /** The folder of the package jitlab. */
  readonly packageRoot: string;
  readonly libraries: Libraries;
  readonly magics: readonly Magic[];
  readonly vocabulary: Vocabulary;
}

interface AcceptedCell {
  readonly filename: string;
  readonly before: Layers;
  readonly names: readonly string[];
}

const forgettable = 256;

/** One notebook's language. */
export class LanguageService {
  readonly #ts: TypeScript;
  readonly #program: CellProgram;
  readonly #converter: Converter;
  readonly #accepted: AcceptedCell[] = [];
  #names: { readonly layers: Layers; readonly values: ReadonlySet<string> } | undefined;

  constructor(
    readonly settings: ServiceSettings,
    public state: LanguageState = initialState,
  ) {
    this.#ts = settings.libraries.ts;
    this.#program = new CellProgram(settings.libraries, settings.cwd, settings.packageRoot);
    this.#converter = new Converter(this.#ts, this.#program);
  }

  convert(code: string, filename: string): Conversion {
    const prepared = this.#prepare(code);
    const { cell } = prepared;
    if (cell.problems.length > 0) {
      const lines = new Lines(code);
      return failed(
        cell.problems.map(({ start, end, message }) => diagnosticAt(lines, start, end, message, 0)),
      );
    }
    const { layers, typecheck } = this.state;
    const converted = this.#converter.convert(prepared.text, layers, typecheck !== "on");
    const syntax = this.#diagnostics(
      prepared,
      converted.messages.filter((one) => one.syntax),
    );
    const types = this.#diagnostics(
      prepared,
      converted.messages.filter((one) => !one.syntax),
    );
    const { output } = converted;
    if (output === undefined) {
      this.#converter.unbound.notRun(filename, converted.names);
      return failed([...syntax, ...types]);
    }
    const declarations = output.declarations.map((one) => ({ ...one, cell: filename }));
    this.#accept(filename, accept(layers, declarations), converted.names);
    return {
      js: output.js,
      sourceMap: mapToCell(output.map, cell, prepared.shift, filename, linesBeforeMapped),
      hasTopLevelAwait: output.hasTopLevelAwait,
      lastExpression: output.lastExpression,
      files: output.files,
      errors: [],
      warnings: typecheck === "warn" ? types : [],
    };
  }

  /** Creates the first program, which reads Node's and jitlab's types, so that the first cell need not wait for it. */
  warmUp(): void {
    this.#program.warmUp(this.state.layers);
  }

  /** Leaves its program to services in other folders. */
  keepWarm(): void {
    this.#program.keepWarm();
  }

  complete(code: string, cursor: number): Completions {
    return completions(this.#context(code), cursor);
  }

  inspect(code: string, cursor: number, detail: number): Inspection | undefined {
    return inspection(this.#context(code), cursor, detail);
  }

  isComplete(code: string): Completeness {
    return completeness(this.#prepare(code), (text) => this.#converter.parse(text));
  }

  /** Removes the declarations of a cell and of every cell after it. */
  forget(filename: string): void {
    const index = this.#accepted.findLastIndex((one) => one.filename === filename);
    const removed = index < 0 ? [] : this.#accepted.splice(index);
    for (const one of removed) this.#converter.unbound.notRun(one.filename, one.names);
    const [first] = removed;
    if (first) this.state = { ...this.state, layers: first.before };
  }

  reset(): void {
    for (const one of this.#accepted) this.#converter.unbound.lost(one.filename, one.names);
    this.#accepted.length = 0;
    this.state = { ...this.state, layers: [] };
  }

  typecheck(mode: TypeCheck): void {
    this.state = { ...this.state, typecheck: mode };
  }

  close(): void {
    this.#program.close();
  }

  #context(code: string): CellContext {
    const { magics, cwd, vocabulary } = this.settings;
    const prepared = this.#prepare(code);
    const open = () => this.#program.open(`${prepared.text}\nexport {};`, this.state.layers);
    const variables = this.#declared();
    return { ts: this.#ts, program: this.#program, prepared, magics, vocabulary, cwd, variables, open };
  }

  #accept(filename: string, layers: Layers, names: readonly string[]): void {
    this.#accepted.push({ filename, before: this.state.layers, names });
    this.#converter.unbound.bound(names);
    if (this.#accepted.length > forgettable) this.#accepted.shift();
    this.state = { ...this.state, layers };
  }

  #prepare(code: string): PreparedCell {
    const cell = expandCell(
      code,
      this.settings.magics,
      (name) => isGlobal(name) || this.#declared().has(name),
    );
    // A cell that parses both as a block and as an object is an object, as in other consoles.
    if (/^\s*\{/.test(cell.text) && !/;\s*$/.test(cell.text)) {
      const text = `(${cell.text}\n)`;
      if (syntaxErrors(this.#converter.parse(text)).length === 0) return { cell, text, shift: 1 };
    }
    return { cell, text: cell.text, shift: 0 };
  }

  #declared(): ReadonlySet<string> {
    const { layers } = this.state;
    if (this.#names?.layers !== layers) this.#names = { layers, values: valueNames(layers) };
    return this.#names.values;
  }

  #diagnostics({ cell, shift }: PreparedCell, messages: readonly TextMessage[]): Diagnostic[] {
    const lines = new Lines(cell.code);
    return messages.map(({ start, end, message, code }) => {
      const span = spanInCell(cell, Math.max(0, start - shift), Math.max(0, end - shift));
      return diagnosticAt(lines, span.start, span.end, message, code);
    });
  }
}

const words = new Set(
  "true false null undefined this new typeof void await delete async function class super".split(" "),
);

function isGlobal(name: string): boolean {
  return words.has(name) || name in globalThis || name === "require" || name === "exports";
}

function diagnosticAt(lines: Lines, start: number, end: number, message: string, code: number): Diagnostic {
  const { line, column } = lines.positionAt(start);
  const length = Math.max(1, Math.min(end, lines.endOfLine(line)) - start);
  return { line, column, length, message, code };
}

function failed(errors: readonly Diagnostic[]): Conversion {
  return {
    js: "",
    sourceMap: "",
    hasTopLevelAwait: false,
    lastExpression: undefined,
    files: {},
    errors,
    warnings: [],
  };
}
