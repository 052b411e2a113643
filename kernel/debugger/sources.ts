// The sources that run, as the front end names them. A script of the inspector is a cell such as `In[3]`, or a TypeScript file that cells
// import; the front end knows a cell by a path made of its text's hash, the same however often it runs.
import type { Debugger } from "node:inspector";
import { SourceMap, type SourceMapPayload } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { RunMessage } from "../child/channel.js";
import { decodeMappings } from "../language/source-map.js";
import { murmurHash2 } from "./cell-hash.js";

/** A place in a source; lines and columns count from 1. */
export interface SourcePlace {
  readonly path: string;
  readonly line: number;
  readonly column: number;
}

/** A place in a script; lines and columns count from 0. */
export interface ScriptPlace {
  readonly lineNumber: number;
  readonly columnNumber: number;
}

interface Script {
  readonly path: string;
  /** JSON until a debugger needs it. */
  map: string | SourceMap | undefined;
}

/** The start of a cell's path. */
export const pathPrefix = join(tmpdir(), `jitlab_${process.pid}`, "/");
/** The end of a cell's path. */
export const pathSuffix = ".ts";

/** The cells and files of a kernel. */
export class Sources {
  private readonly scripts = new Map<string, Script>();
  private readonly texts = new Map<string, string>();

  /** Records a text that is not a file, and returns its path. */
  add(code: string): string {
    const path = `${pathPrefix}${murmurHash2(code)}${pathSuffix}`;
    this.texts.set(path, code);
    return path;
  }

  /** Records the code that a cell is about to run, and returns the paths. */
  addCell({ filename, code, sourceMap, files }: RunMessage): string[] {
    const path = this.add(code);
    this.scripts.set(filename, { path, map: sourceMap });
    for (const [file, js] of Object.entries(files)) {
      // The inspector names scripts of files by their URLs.
      this.scripts.set(pathToFileURL(file).href, { path: file, map: inlineMap(js) });
    }
    return [path, ...Object.keys(files)];
  }

  /** The text of a source. */
  textOf(path: string): string | undefined {
    return this.texts.get(path) ?? payloadOf(this.scripts.get(pathToFileURL(path).href))?.sourcesContent?.[0];
  }

  /** The scripts that run a source. */
  scriptsOf(path: string): string[] {
    return [...this.scripts].filter(([, script]) => script.path === path).map(([name]) => name);
  }

  /** The source position of a script position; undefined for other scripts. */
  sourcePlace(name: string, { lineNumber, columnNumber = 0 }: Debugger.Location): SourcePlace | undefined {
    const script = this.scripts.get(name);
    if (script === undefined) return undefined;
    if (typeof script.map === "string") script.map = script.map === "" ? undefined : parsedMap(script.map);
    const entry = script.map?.findEntry(lineNumber, columnNumber);
    const mapped = entry !== undefined && "originalLine" in entry;
    const [line, column] = mapped ? [entry.originalLine, entry.originalColumn] : [lineNumber, columnNumber];
    return { path: script.path, line: line + 1, column: column + 1 };
  }

  /** The first script position for a line of its source, or for the next line with code. */
  scriptPlace(name: string, line: number): ScriptPlace | undefined {
    const payload = payloadOf(this.scripts.get(name));
    if (payload === undefined) return { lineNumber: line - 1, columnNumber: 0 };
    let found: (ScriptPlace & { readonly original: number }) | undefined;
    decodeMappings(payload.mappings).forEach((segments, lineNumber) => {
      for (const { generatedColumn, position } of segments) {
        if (position.line < line - 1 || (found && position.line >= found.original)) continue;
        found = { lineNumber, columnNumber: generatedColumn, original: position.line };
      }
    });
    return found && { lineNumber: found.lineNumber, columnNumber: found.columnNumber };
  }
}

function payloadOf(script: Script | undefined): SourceMapPayload | undefined {
  const map = script?.map;
  if (typeof map !== "string") return map?.payload;
  return map === "" ? undefined : (JSON.parse(map) as SourceMapPayload);
}

function parsedMap(json: string): SourceMap {
  return new SourceMap(JSON.parse(json) as SourceMapPayload);
}

function inlineMap(js: string): string {
  const encoded = /\n\/\/# sourceMappingURL=data:application\/json;base64,(\S+)\s*$/.exec(js)?.[1];
  return encoded === undefined ? "" : Buffer.from(encoded, "base64").toString();
}
