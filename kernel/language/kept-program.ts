// A program and its checker that serve many cells: creating them takes longer than checking a short cell. Cells and layers
// of declarations are modules, so they add nothing to the globals that a checker collects when it is created, and the same
// checker can check later ones. A cell that adds to the globals, or that needs a file outside the program, takes a new
// program.
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { type Layer, type Layers, layerText } from "./declarations.js";
import type { OpenCell } from "./open-cell.js";
import type { TypeScript, ts } from "./typescript.js";

/** A program, and the files that matter to later cells. */
export interface ProgramParts {
  readonly program: ts.Program;
  readonly checker: ts.TypeChecker;
  /** The notebook's folder. */
  readonly folder: string;
  /** The scope around all layers. */
  readonly globals: ts.SourceFile;
  /** The files of cells and layers; their imports are the ones that later cells may use. */
  readonly modules: readonly ts.SourceFile[];
  /** How many cells and layers were opened in it: TypeScript keeps what it found in a file by the file's path. */
  readonly opened: { count: number };
  /** False once a user's file in the program has changed. */
  readonly isCurrent: () => boolean;
}

// A checker's memory grows with each file.
const filesPerProgram = 400;

type Resolution = ts.ResolvedModuleWithFailedLookupLocations;

interface Resolutions {
  set(name: string, mode: ts.ResolutionMode, resolution: Resolution): void;
  forEach(visit: (resolution: Resolution, name: string) => void): void;
}

// Internal parts of TypeScript that its declarations omit.
interface Internals {
  createModeAwareCache(): Resolutions;
  bindSourceFile(file: ts.SourceFile, options: ts.CompilerOptions): void;
}
interface ProgramInternals {
  readonly resolvedModules?: Map<string, Resolutions>;
}
interface Bindable {
  path: string;
  resolvedPath: string;
  originalFileName: string;
  imports: readonly ts.StringLiteralLike[];
  moduleAugmentations: readonly never[];
  ambientModuleNames: readonly never[];
  parent: ts.Node;
}

/** A program for more than one cell. */
export class KeptProgram {
  readonly #resolutions = new Map<string, Resolution>();
  readonly #scopes = new Map<Layer, { readonly outer: ts.SourceFile; readonly file: ts.SourceFile }>();
  readonly #scopeFiles = new WeakSet<ts.SourceFile>();

  constructor(
    readonly ts: TypeScript,
    readonly parts: ProgramParts,
  ) {
    const { resolvedModules } = parts.program as ProgramInternals;
    for (const { path } of parts.modules as unknown as readonly Bindable[]) {
      resolvedModules?.get(path)?.forEach((resolution, name) => {
        if (resolution.resolvedModule || isBuiltin(name)) this.#resolutions.set(name, resolution);
      });
    }
  }

  /** True for a file that holds earlier cells' declarations. */
  isOuterScope(file: ts.SourceFile): boolean {
    return file === this.parts.globals || this.#scopeFiles.has(file);
  }

  /** Opens a cell in the program; undefined if it needs a new program. */
  open(text: string, layers: Layers): OpenCell | undefined {
    const { program, checker, globals, isCurrent } = this.parts;
    if (this.parts.opened.count >= filesPerProgram || !isCurrent()) return undefined;
    let outer = globals;
    for (const layer of layers) {
      const scope = this.#scope(layer, outer);
      if (scope === undefined) return undefined;
      outer = scope;
    }
    const source = this.#module(`__cell${this.parts.opened.count}__.ts`, text, outer, isAbsoluteName);
    return source && { program, checker, source };
  }

  // The checker resolves a scope's names in the scopes around it once, so a scope is reused only inside the same ones.
  #scope(layer: Layer, outer: ts.SourceFile): ts.SourceFile | undefined {
    const known = this.#scopes.get(layer);
    if (known?.outer === outer) return known.file;
    const file = this.#module(`__scope${this.parts.opened.count}__.d.ts`, layerText(layer), outer);
    if (file === undefined) return undefined;
    this.#scopes.set(layer, { outer, file });
    this.#scopeFiles.add(file);
    return file;
  }

  // Parses a text and adds it to the program, as TypeScript does with its own files.
  #module(
    name: string,
    text: string,
    outer: ts.SourceFile,
    isKnown: (name: string) => boolean = () => true,
  ): ts.SourceFile | undefined {
    const { ts } = this;
    const { program, folder } = this.parts;
    const options = program.getCompilerOptions();
    const path = join(folder, name);
    const languageVersion = options.target ?? ts.ScriptTarget.ES2022;
    const file = ts.createSourceFile(path, text, { languageVersion }, false, ts.ScriptKind.TS);
    if (addsToGlobals(ts, file)) return undefined;
    const imports = importedNames(ts, file);
    if (!imports.every(({ text: one }) => this.#resolutions.has(one) && isKnown(one))) return undefined;
    this.parts.opened.count++;
    const bindable = file as unknown as Bindable;
    Object.assign(bindable, { path, resolvedPath: path, originalFileName: path, imports, parent: outer });
    Object.assign(bindable, { moduleAugmentations: [], ambientModuleNames: [] });
    (ts as unknown as Internals).bindSourceFile(file, options);
    this.#resolve(file, path, imports);
    return file;
  }

  #resolve(file: ts.SourceFile, path: string, imports: readonly ts.StringLiteralLike[]): void {
    const { program } = this.parts;
    const resolutions = (this.ts as unknown as Internals).createModeAwareCache();
    for (const literal of imports) {
      const resolution = this.#resolutions.get(literal.text);
      const mode = program.getModeForUsageLocation(file, literal);
      if (resolution) resolutions.set(literal.text, mode, resolution);
    }
    (program as ProgramInternals).resolvedModules?.set(path, resolutions);
  }
}

// A cell's relative imports are resolved each time: they may name a new file.
function isAbsoluteName(name: string): boolean {
  return !/^[./]/.test(name);
}

function addsToGlobals(ts: TypeScript, file: ts.SourceFile): boolean {
  const references = [file.referencedFiles, file.typeReferenceDirectives, file.libReferenceDirectives];
  if (references.some((list) => list.length > 0)) return true;
  return file.statements.some(
    (statement) =>
      ts.isNamespaceExportDeclaration(statement) ||
      (ts.isModuleDeclaration(statement) &&
        (!ts.isIdentifier(statement.name) || (statement.flags & ts.NodeFlags.GlobalAugmentation) !== 0)),
  );
}

// Lists the modules that a file names in imports, exports, types and calls.
function importedNames(ts: TypeScript, file: ts.SourceFile): ts.StringLiteralLike[] {
  const names: ts.StringLiteralLike[] = [];
  const add = (name: ts.Node | undefined): void => {
    if (name && ts.isStringLiteralLike(name)) names.push(name);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) add(node.moduleSpecifier);
    else if (ts.isExternalModuleReference(node)) add(node.expression);
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) add(node.argument.literal);
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      add(node.arguments[0]);
    }
    ts.forEachChild(node, visit);
  };
  if (/\b(?:import|from)\b/.test(file.text)) visit(file);
  return names;
}
