// The language side of the kernel as the parent sees it: a process that knows the notebook's declarations but none
// of its values, so that completion and hover work while a cell runs. Positions are UTF-16 offsets into the cell as the
// user wrote it, magics included; the server converts from and to the protocol's code points.

/** A message about a place in the user's cell. */
export interface Diagnostic {
  /** Zero-based line and column (UTF-16) in the cell. */
  readonly line: number;
  readonly column: number;
  /** UTF-16 length of the marked text on that line, at least 1. */
  readonly length: number;
  readonly message: string;
  /** TypeScript's code, such as 2322; 0 for a magic's usage error, whose name is UsageError. */
  readonly code: number;
}

/** A magic's request to the parent, carried out when the cell has ended. */
export type ParentRequest =
  /** Notes a functor for the next process that runs cells, should this one die. */
  { readonly kind: "defined"; readonly definition: string } | LaterRequest;

/** A request that the main process carries out when the running cell has ended. */
export type LaterRequest =
  | { readonly kind: "reset" }
  /** Removes the declarations of the running cell. */
  | { readonly kind: "forget" }
  | { readonly kind: "typecheck"; readonly mode: "on" | "warn" | "off" }
  | { readonly kind: "load"; readonly text: string }
  /** Runs cells as part of the running one, without showing their values, until one fails. */
  | { readonly kind: "run"; readonly cells: readonly { readonly code: string; readonly name: string }[] };

/** A cell as JavaScript for the child, or why it cannot run. */
export interface Conversion {
  /**
   * CommonJS text that runs as a function body with `__exports` and `__require`; empty if the cell does nothing. Imports are
   * `__require` calls, `import()` stays as it is; what the cell declares becomes properties of `__exports`, accessors for `let`
   * and `var`.
   */
  readonly js: string;
  /** Source map (version 3, JSON) from `js` to the cell's own lines. */
  readonly sourceMap: string;
  readonly hasTopLevelAwait: boolean;
  /** The key of `__exports` that holds the last expression's value; undefined for a trailing `;` or no expression. */
  readonly lastExpression: string | undefined;
  /** JavaScript of .ts files that the cell imports, by absolute path. */
  readonly files: Readonly<Record<string, string>>;
  /** Errors stop the cell; warnings are printed to stderr and it runs. */
  readonly errors: readonly Diagnostic[];
  readonly warnings: readonly Diagnostic[];
}

/** One completion. */
export interface Completion {
  readonly text: string;
  /** A protocol type for the icon: function, class, module, keyword, property, magic, ... */
  readonly type: string;
}

/** The completions at a position, and the span that they replace. */
export interface Completions {
  readonly start: number;
  readonly end: number;
  readonly matches: readonly Completion[];
}

/** The hover text at a position. */
export interface Inspection {
  readonly text: string;
  readonly markdown: string;
}

/** A cell's state while it is typed. */
export interface Completeness {
  readonly status: "complete" | "incomplete" | "invalid" | "unknown";
  readonly indent: string;
}

/** The language service; every call is answered in order. */
export interface Language {
  /**
   * Converts a cell named `filename`. On success its declarations become visible to the next cell at once;
   * `forget` removes them if the cell never ran.
   */
  convert(code: string, filename: string): Promise<Conversion>;
  /** Removes the declarations of the cell named `filename` and of every cell after it; ignores unknown names. */
  forget(filename: string): Promise<void>;
  complete(code: string, cursor: number): Promise<Completions>;
  inspect(code: string, cursor: number, detail: number): Promise<Inspection | undefined>;
  isComplete(code: string): Promise<Completeness>;
  /** Deletes all declarations, after the child was restarted or %reset ran. */
  reset(): Promise<void>;
  /** How type errors are treated from the next cell on. */
  typecheck(mode: "on" | "warn" | "off"): Promise<void>;
  /**
   * Kills the process, whatever it does, and starts a new one with the accepted declarations;
   * pending calls reject with an error named `Interrupted`.
   */
  interrupt(): void;
  close(): Promise<void>;
}
