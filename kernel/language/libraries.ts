// What does not change from one notebook to the next: the files of libraries as TypeScript has read and parsed them, and
// which files they import. It is by far the most of what there is to read, and it may come ready made.
import type { TypeScript, ts } from "./typescript.js";

/** A file's text, and the version that it is the text of. */
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

  constructor(readonly ts: TypeScript) {
    // TypeScript would parse everything anew where the notebook's options differ; declarations read the same with all.
    const getKeyForCompilationSettings = () => "any" as ts.DocumentRegistryBucketKey;
    this.documents = { ...ts.createDocumentRegistry(true), getKeyForCompilationSettings };
  }
}
