// The program that TypeScript checks: one cell, the layers of earlier declarations as its outer scopes, and the files that
// they import. Conversion, completion and hover share one language service, so nothing is parsed twice.
import { statSync } from "node:fs";
import { join } from "node:path";
import { type Layers, layerText } from "./declarations.js";
import { globalDeclarations } from "./globals.js";
import { KeptProgram } from "./kept-program.js";
import type { Libraries } from "./libraries.js";
import { isLibraryFile, moduleResolver } from "./module-resolver.js";
import type { OpenCell } from "./open-cell.js";
import { cellOptions } from "./options.js";
import { withoutRareModules } from "./rare-modules.js";
import type { TypeScript, ts } from "./typescript.js";

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
  readonly #globalsFile: string;
  readonly #documented = new Set<string>();
  readonly #layerFiles: string[] = [];
  #shownLayers: Layers = [];
  #linked: ts.Program | undefined;
  #kept: KeptProgram | undefined;
  #cellLayers: Layers = [];

  readonly ts: TypeScript;

  constructor(
    readonly libraries: Libraries,
    readonly cwd: string,
    readonly packageRoot: string,
  ) {
    const { ts, documents } = libraries;
    this.ts = ts;
    this.cellFile = join(cwd, "__cell__.ts");
    this.#globalsFile = join(cwd, "__globals__.d.ts");
    const { compiler, annotated } = cellOptions(ts, cwd, packageRoot);
    this.options = compiler;
    this.#annotated = annotated;
    this.#write(this.#globalsFile, globalDeclarations);
    this.#write(this.cellFile, "export {};");
    this.service = ts.createLanguageService(this.#host(), documents);
    const { warm } = libraries;
    if (warm?.options === this.#optionsText())
      this.#kept = new KeptProgram(ts, { ...warm.parts, folder: cwd });
  }

  /** Opens the first program, unless the libraries bring one. */
  warmUp(layers: Layers): void {
    if (this.#kept === undefined) this.open("export {};", layers);
  }

  /** Leaves the current program to notebooks in other folders. */
  keepWarm(): void {
    if (this.#kept) this.libraries.warm = { options: this.#optionsText(), parts: this.#kept.parts };
  }

  #optionsText(): string {
    return JSON.stringify(this.options);
  }

  /** True for a file that holds earlier cells' declarations. */
  isOuterScope(file: ts.SourceFile): boolean {
    if (file.fileName === this.#globalsFile || this.#layerFiles.includes(file.fileName)) return true;
    return this.#kept?.isOuterScope(file) ?? false;
  }

  /** True for the name of an earlier cell's `let` or `var` variable. */
  isOuterVariable(name: string): boolean {
    const declared = this.#cellLayers.findLast((layer) =>
      layer.some(({ declares }) => declares?.name === name && declares.value),
    );
    return (
      declared?.some(({ declares, text }) => declares?.name === name && /^declare let\b/m.test(text)) ?? false
    );
  }

  /** Opens a text as a cell inside `layers`, in the program of an earlier cell where possible. */
  openQuickly(text: string, layers: Layers): OpenCell {
    const opened = this.#kept?.open(text, layers);
    if (opened === undefined) return this.open(text, layers);
    this.#cellLayers = layers;
    return opened;
  }

  /** Opens a text as the language service's cell inside `layers`. */
  open(text: string, layers: Layers): OpenCell {
    this.#cellLayers = layers;
    this.#showLayers(layers);
    this.#write(this.cellFile, text);
    const program = this.service.getProgram();
    const source = program?.getSourceFile(this.cellFile);
    if (program === undefined || source === undefined) throw new Error("TypeScript made no program.");
    const checker = program.getTypeChecker();
    if (this.#linked !== program) this.#link(program);
    if (this.#kept?.parts.program !== program) this.#kept = this.#keep(program, checker);
    return { program, checker, source };
  }

  /** Type errors of the cell, or of a file that it imports. */
  typeErrors({ program }: OpenCell, file: ts.SourceFile): ts.Diagnostic[] {
    return program
      .getSemanticDiagnostics(file)
      .filter((error) => this.#annotated || !isLeniency(this.ts, error));
  }

  /** Reads library files again with their documentation, which the first reading drops for speed; false if it has them. */
  readDocumentation(files: Iterable<ts.SourceFile>): boolean {
    const known = this.#documented.size;
    for (const { fileName } of files) {
      if (isLibraryFile(fileName, this.packageRoot)) this.#documented.add(fileName);
    }
    return this.#documented.size > known;
  }

  /** Makes the next cell resolve its modules again, even if its text is the same. */
  forgetResolutions(): void {
    this.#virtual.delete(this.cellFile);
  }

  close(): void {
    this.service.dispose();
  }

  // The checker looks up a name in a source file and then in its parent, the enclosing scope.
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

  #keep(program: ts.Program, checker: ts.TypeChecker): KeptProgram | undefined {
    const globals = program.getSourceFile(this.#globalsFile);
    if (globals === undefined) return undefined;
    const files = program.getSourceFiles();
    const modules = files.filter(({ fileName }) => this.#virtual.has(fileName));
    const others = files.filter((file) => !modules.includes(file)).map(({ fileName }) => fileName);
    const local = others.filter((path) => !isLibraryFile(path, this.packageRoot));
    const versions = local.map((path) => this.#version(path));
    const isCurrent = () => local.every((path, i) => this.#version(path) === versions[i]);
    return new KeptProgram(this.ts, {
      program,
      checker,
      folder: this.cwd,
      globals,
      modules,
      opened: { count: 0 },
      isCurrent,
    });
  }

  // TypeScript starts over when the set of root files changes, so spare empty layers are always part of it.
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
    this.#virtual.set(path, { text, version: `v${++this.libraries.virtualVersions}` });
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
    const whole = ts.sys.readFile(path);
    if (whole === undefined) return undefined;
    const text = path.endsWith("/@types/node/index.d.ts") ? withoutRareModules(whole) : whole;
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
      getScriptFileNames: () => [this.#globalsFile, ...this.#layerFiles, this.cellFile],
      getScriptVersion: (path) => this.#version(path),
      getScriptSnapshot: (path) => this.#snapshot(path),
      getCurrentDirectory: () => this.cwd,
      getDefaultLibFileName: (settings) => ts.getDefaultLibFilePath(settings),
      resolveModuleNameLiterals: (literals, containingFile) =>
        literals.map(({ text }) => resolve(text, containingFile)),
    };
  }
}

// Documentation takes a third of the time to read a library. Offsets stay the same.
function withoutDocumentation(text: string): string {
  return text.replace(/^([^\S\n]*)\/\*\*(?!\/)/gm, "$1/* ");
}

/** True for errors that cells ignore: missing annotations, and a number's dtype that changes. Indexing a tensor stays one. */
function isLeniency(
  ts: TypeScript,
  { code, messageText, file, start = 0, length = 0 }: ts.Diagnostic,
): boolean {
  const message = ts.flattenDiagnosticMessageText(messageText, "");
  if (code === 2322)
    return dtypesOfNumbers.test(message) && /^\s*=/.test(file?.text.slice(start + length) ?? "");
  // The target is older than Node, whose expressions have the flag.
  if (code === 1501) return hasFlag(file?.text.slice(start, start + length) ?? "");
  // A statement such as `!function () { ... }()` or `!void 0` tests nothing.
  if ([1345, 2872, 2873].includes(code)) return /(?:^|[;{}\n])\s*!$/.test(file?.text.slice(0, start) ?? "");
  const implicit = code >= 7005 && code <= 7057 && !(code >= 7026 && code <= 7030);
  return implicit && !/index type 'Tensor\b/.test(message);
}

function hasFlag(flag: string): boolean {
  try {
    return new RegExp("", flag).flags === flag;
  } catch {
    return false;
  }
}

// `x = x.to("float64")`: the elements are numbers before and after.
const numbers = "(?:u?int(?:8|16|32)|b?float(?:16|32|64))";
const dtypesOfNumbers = new RegExp(
  `^Type 'Tensor<"${numbers}">' is not assignable to type 'Tensor<"${numbers}">'`,
);
