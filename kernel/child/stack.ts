// Rewrites stack traces for the notebook: positions in a cell's JavaScript become the cell's lines, and frames of the kernel
// and of Node's internals are dropped. This applies to every `error.stack`, also in user code.
import { SourceMap, type SourceMapPayload } from "node:module";
import { fileURLToPath } from "node:url";
import { libraryScripts } from "../../runtime/base/user-frames.js";
import { parseJson, pinned } from "./built-ins.js";
import { errorMode } from "./error-mode.js";
import type { Place } from "./excerpt.js";
import { guardName } from "./guard-state.js";

interface Source {
  readonly code: string;
  readonly js: string;
  /** JSON until a stack trace needs it. */
  map: string | SourceMap | undefined;
}

const sources = pinned(new Map<string, Source>());

// Frames that are captured; ten, as usual, would be gone before those of an async function's callers are reached.
const frames = 40;

// Everything below this folder is this package's own code.
const packageFolder = fileURLToPath(new URL("../..", import.meta.url));

/** Registers a cell or a TypeScript file, so that stack traces can name its lines. */
export function registerSource(filename: string, code: string, js: string, sourceMap: string): void {
  sources.set(filename, { code, js, map: sourceMap === "" ? undefined : sourceMap });
}

/** A place in a cell or file where the text of a function stands; the library translates functions and reads this. */
export interface FunctionHome {
  /** True for a cell: `exports.name` in its functions is a variable of the notebook. */
  readonly isCell: boolean;
  /** The JavaScript around the text, and where in it the text begins. */
  readonly js: string;
  readonly start: number;
  /** The user's own place of a position in the text, counted from 1, and the user's own line. */
  place(offset: number): { file: string; line: number; column: number; text: string | undefined };
}

/** The places where a text stands. */
export function functionHomes(text: string): FunctionHome[] {
  const homes: FunctionHome[] = [];
  for (const [file, source] of sources) {
    for (let start = source.js.indexOf(text); start >= 0; start = source.js.indexOf(text, start + 1)) {
      const place = (offset: number) => {
        const before = source.js.slice(0, start + offset).split("\n");
        const { line, column } = originalPosition(source, before.length - 1, before.at(-1)?.length ?? 0);
        return { file, line: line + 1, column: column + 1, text: source.code.split("\n")[line] };
      };
      homes.push({ isCell: source.code !== "", js: source.js, start, place });
    }
  }
  return homes;
}

/** Makes `error.stack` read as described above from now on. */
export function installStackTraces(): void {
  Error.stackTraceLimit = frames;
  Error.prepareStackTrace = (error, sites) => {
    const lines = [header(error)];
    const all = errorMode() === "Verbose";
    let belowGuard = false;
    for (const [i, site] of sites.entries()) {
      const file = site.getFileName() ?? "";
      if (file === guardName) belowGuard = true;
      // Callers of the guard belong to the kernel; async callers of the cell's code come last.
      if (belowGuard && !isAsync(site) && !all) continue;
      const internal = isInternal(file) || (isBuiltIn(site) && isInternal(sites[i + 1]?.getFileName() ?? ""));
      if (all || !internal) lines.push(`    at ${describe(site, file)}`);
    }
    return lines.join("\n");
  };
}

/** The topmost place of a stack trace that lies in a cell, and that cell's text. */
export function cellPlace(stack: string): { readonly code: string; readonly place: Place } | undefined {
  for (const match of stack.matchAll(/^ {4}at .*?(In\[[^\]]*\]):(\d+):(\d+)\)?$/gm)) {
    const source = sources.get(match[1] ?? "");
    if (source) {
      const place = { line: Number(match[2]) - 1, column: Number(match[3]) - 1, length: 1 };
      return { code: source.code, place };
    }
  }
  return undefined;
}

function isAsync(site: NodeJS.CallSite): boolean {
  return (site as unknown as { isAsync(): boolean }).isAsync();
}

function header(error: Error): string {
  try {
    return Error.prototype.toString.call(error);
  } catch {
    return "Error";
  }
}

// A method of the language, such as `Array.map (<anonymous>)`; it belongs to its caller.
function isBuiltIn(site: NodeJS.CallSite): boolean {
  return site.getFileName() === null && !isAsync(site) && site.toString().endsWith(" (<anonymous>)");
}

function isInternal(file: string): boolean {
  return ["node:", libraryScripts, guardName, packageFolder, `file://${packageFolder}`].some((start) =>
    file.startsWith(start),
  );
}

function describe(site: NodeJS.CallSite, file: string): string {
  const text = site.toString();
  const [line, column] = [site.getLineNumber(), site.getColumnNumber()];
  const source = sources.get(file);
  if (source === undefined || line === null || column === null) return text;
  const mapped = originalPosition(source, line - 1, column - 1);
  return text.replace(`${file}:${line}:${column}`, `${file}:${mapped.line + 1}:${mapped.column + 1}`);
}

function originalPosition(source: Source, line: number, column: number) {
  if (source.map === undefined) return { line, column };
  source.map = typeof source.map === "string" ? parseMap(source.map) : source.map;
  const entry = source.map?.findEntry(line, column);
  if (entry === undefined || !("originalLine" in entry)) return { line, column };
  return { line: entry.originalLine, column: entry.originalColumn };
}

function parseMap(json: string): SourceMap | undefined {
  try {
    return new SourceMap(parseJson(json) as SourceMapPayload);
  } catch {
    return undefined; // without a map, positions are those of the JavaScript
  }
}
