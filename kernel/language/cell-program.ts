// The program that TypeScript sees: one cell, the layers of earlier declarations as its outer scopes, and the files that
// they import. One language service serves conversion, completion and hover, so that nothing is parsed twice.
import { statSync } from "node:fs";
import { join } from "node:path";
import type { Layer, Layers } from "./declarations.js";
import { globalDeclarations, libraryDeclarations } from "./globals.js";
import type { Libraries } from "./libraries.js";
import { isLibraryFile, moduleResolver } from "./module-resolver.js";
import { cellOptions } from "./options.js";
import type { TypeScript, ts } from "./typescript.js";

/** A cell's text in its program. */
export interface OpenCell {
  readonly program: ts.Program;
  readonly checker: ts.TypeChecker;
  readonly source: ts.SourceFile;
}

interface VirtualFile {
  text: string;
  version: string;
}

const spareLayers = 16;

/** The files of a notebook as a TypeScript program that follows the cells. */
export class CellProgram {
  readonly cellFile: string;
  readonly service: ts.LanguageService;
  readonly options: ts.CompilerOptions;
  readonly #virtual = new Map<string, VirtualFile>();
  readonly #annotated: boolean;
  readonly #libraryFile: string;
  readonly #globalsFile: string;
  readonly #documented = new Set<string>();
  readonly #layerFiles: string[] = [];
  #shownLayers: Layers = [];
  #versions = 0;
  #linked: ts.Program | undefined;

  readonly ts: TypeScript;

  constructor(
    readonly libraries: Libraries,
    readonly cwd: string,
    readonly packageRoot: string,
  ) {
    const { ts, documents } = libraries;
    this.ts = ts;
    this.cellFile = join(cwd, "__cell__.ts");
    this.#libraryFile = join(cwd, "__library__.d.ts");
    this.#globalsFile = join(cwd, "__globals__.d.ts");
    const { compiler, annotated } = cellOptions(ts, cwd, packageRoot);
    this.options = compiler;
    this.#annotated = annotated;
    this.#write(this.#libraryFile, libraryDeclarations);
    this.#write(this.#globalsFile, globalDeclarations);
    this.#write(this.cellFile, "export {};");
    this.service = ts.createLanguageService(this.#host(), documents);
  }

  /** True for a file that holds earlier cells' declarations. */
  isOuterScope(file: ts.SourceFile): boolean {
    return file.fileName === this.#globalsFile || this.#layerFiles.includes(file.fileName);
  }

  /** True for the name of an earlier cell's `let` or `var`. */
  isOuterVariable(name: string): boolean {
    const declared = this.#shownLayers.findLast((layer) =>
      layer.some(({ declares }) => declares?.name === name && declares.value),
    );
    return (
      declared?.some(({ declares, text }) => declares?.name === name && /^declare let\b/m.test(text)) ?? false
    );
  }

  /** Puts a text into the cell, with `layers` around it. */
  open(text: string, layers: Layers): OpenCell {
    this.#showLayers(layers);
    this.#write(this.cellFile, text);
    const program = this.service.getProgram();
    const source = program?.getSourceFile(this.cellFile);
    if (program === undefined || source === undefined) throw new Error("TypeScript made no program.");
    const checker = program.getTypeChecker();
    if (this.#linked !== program) this.#link(program);
    return { program, checker, source };
  }

  /** The type errors of the cell, or of a file that it imports. */
  typeErrors({ program }: OpenCell, file: ts.SourceFile): ts.Diagnostic[] {
    return program
      .getSemanticDiagnostics(file)
      .filter((error) => this.#annotated || !isLeniency(this.ts, error));
  }

  /** Reads the documentation in library files, which are read without it to start sooner; false where it was read. */
  readDocumentation(files: Iterable<ts.SourceFile>): boolean {
    const known = this.#documented.size;
    for (const { fileName } of files) {
      if (isLibraryFile(fileName, this.packageRoot)) this.#documented.add(fileName);
    }
    return this.#documented.size > known;
  }

  /** Makes the next cell look for its modules again, even if its text is the same. */
  forgetResolutions(): void {
    this.#virtual.delete(this.cellFile);
  }

  close(): void {
    this.service.dispose();
  }

  // The checker looks a name up in a source file and then in its parent: the scope around it.
  #link(program: ts.Program): void {
    const files = [this.#globalsFile, ...this.#layerFiles, this.cellFile].map((name) =>
      program.getSourceFile(name),
    );
    files.reduce((outer, inner) => {
      if (outer && inner) (inner as { parent: ts.Node }).parent = outer;
      return inner;
    });
    this.#linked = program;
  }

  // TypeScript starts over when the set of root files changes, so empty layers stand ready.
  #showLayers(layers: Layers): void {
    const count = Math.max(
      this.#layerFiles.length,
      Math.ceil((layers.length + 1) / spareLayers) * spareLayers,
    );
    for (let depth = 0; depth < count; depth++) {
      const name = join(this.cwd, `__layer${depth}__.d.ts`);
      this.#layerFiles[depth] = name;
      const layer = layers[depth] ?? [];
      if (layer !== this.#shownLayers[depth] || !this.#virtual.has(name)) this.#write(name, layerText(layer));
    }
    this.#shownLayers = layers;
  }

  #write(path: string, text: string): void {
    if (this.#virtual.get(path)?.text === text) return;
    this.#virtual.set(path, { text, version: `v${++this.#versions}` });
  }

  // Files outside node_modules may be edited while the notebook runs.
  #version(path: string): string {
    const virtual = this.#virtual.get(path);
    if (virtual) return virtual.version;
    if (isLibraryFile(path, this.packageRoot)) return this.#documented.has(path) ? "documented" : "1";
    const stat = statSync(path, { throwIfNoEntry: false });
    return stat ? `${stat.mtimeMs}:${stat.size}` : "0";
  }

  #snapshot(path: string): ts.IScriptSnapshot | undefined {
    const { ts } = this;
    const virtual = this.#virtual.get(path);
    if (virtual) return ts.ScriptSnapshot.fromString(virtual.text);
    const version = this.#version(path);
    const { files } = this.libraries;
    const known = files.get(path);
    if (known?.version === version) return known.snapshot;
    const text = ts.sys.readFile(path);
    if (text === undefined) return undefined;
    const snapshot = ts.ScriptSnapshot.fromString(version === "1" ? withoutDocumentation(text) : text);
    files.set(path, { version, snapshot });
    return snapshot;
  }

  #host(): ts.LanguageServiceHost {
    const { ts, options } = this;
    const resolution: ts.ModuleResolutionHost = {
      fileExists: ts.sys.fileExists,
      readFile: ts.sys.readFile,
      directoryExists: ts.sys.directoryExists,
      getDirectories: ts.sys.getDirectories,
      ...(ts.sys.realpath ? { realpath: ts.sys.realpath } : {}),
    };
    const resolve = moduleResolver(ts, options, resolution, this.packageRoot, this.libraries.imports);
    return {
      ...resolution,
      fileExists: (path) => this.#virtual.has(path) || ts.sys.fileExists(path),
      readFile: (path) => this.#virtual.get(path)?.text ?? ts.sys.readFile(path),
      readDirectory: ts.sys.readDirectory,
      useCaseSensitiveFileNames: () => true,
      getCompilationSettings: () => options,
      getScriptFileNames: () => [this.#libraryFile, this.#globalsFile, ...this.#layerFiles, this.cellFile],
      getScriptVersion: (path) => this.#version(path),
      getScriptSnapshot: (path) => this.#snapshot(path),
      getCurrentDirectory: () => this.cwd,
      getDefaultLibFileName: (settings) => ts.getDefaultLibFilePath(settings),
      resolveModuleNameLiterals: (literals, containingFile) =>
        literals.map(({ text }) => resolve(text, containingFile)),
    };
  }
}

// A third of the time that reading a library takes goes to its documentation; offsets stay as they are.
function withoutDocumentation(text: string): string {
  return text.replace(/^([^\S\n]*)\/\*\*(?!\/)/gm, "$1/* ");
}

/** True for what noImplicitAny finds, but for an index of a tensor, which has none. */
function isLeniency(ts: TypeScript, { code, messageText }: ts.Diagnostic): boolean {
  const implicit = code >= 7005 && code <= 7057 && !(code >= 7026 && code <= 7030);
  return implicit && !ts.flattenDiagnosticMessageText(messageText, "").includes("index type 'Tensor'");
}

function layerText(layer: Layer): string {
  return ["export {};", ...layer.map((declaration) => declaration.text)].join("\n");
}
