// Library files as TypeScript has read and parsed them, and the files that they import: equal for every notebook, by far the
// largest part to read, and part of a snapshot.
import type { ProgramParts } from "./kept-program.js";
import type { TypeScript, ts } from "./typescript.js";

/** A file's text and version. */
export interface ReadFile {
  readonly version: string;
  readonly snapshot: ts.IScriptSnapshot;
}

/** The libraries of one TypeScript. */
export class Libraries {
  /** Parsed files. */
  readonly documents: ts.DocumentRegistry;
  /** Read files, by path. */
  readonly files = new Map<string, ReadFile>();
  /** The modules that libraries import, by importing folder and name. */
  readonly imports = new Map<string, ts.ResolvedModuleWithFailedLookupLocations>();

  /** A program for cells in any folder whose options are these, so that a notebook need not create its first one. */
  warm: { readonly options: string; readonly parts: ProgramParts } | undefined;

  /** How many versions virtual files have had: equal ones of one path would share a parsed file, also between programs. */
  virtualVersions = 0;

  constructor(readonly ts: TypeScript) {
    // TypeScript would parse everything again for other options, but declarations parse the same with all options.
    const getKeyForCompilationSettings = () => "any" as ts.DocumentRegistryBucketKey;
    this.documents = { ...ts.createDocumentRegistry(true), getKeyForCompilationSettings };
  }
}
