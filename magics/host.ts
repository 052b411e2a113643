// The interface through which magics use the process that runs cells. The executor implements it; tests use a fake.

/** MIME type to value: text, base64 text for binary types, or JSON. */
export type MimeBundle = Readonly<Record<string, unknown>>;

/** The text and the displays of a cell whose output was captured. */
export interface Captured {
  readonly stdout: string;
  readonly stderr: string;
  readonly outputs: readonly { readonly data: MimeBundle; readonly metadata: MimeBundle }[];
}

/** Names a display, so that it can be updated. */
export interface DisplayName {
  readonly id: string;
  /** True: changes an existing display; false: creates one. */
  readonly update: boolean;
}

/** A bar that the front end draws. */
export interface ProgressBar {
  /** The bar as a MIME bundle. */
  readonly view: MimeBundle;
  /** Sets it to `done`, with this text after it. */
  step(done: number, words: string): void;
  /** Removes it from the front end. */
  close(): void;
}

/** Which cell runs. */
export interface CellIdentity {
  /** The cell's id, equal in every run. */
  readonly name: string;
  /** The run's id, different in every run. */
  readonly run: string;
  /** Its name in errors, such as `In[3]`. */
  readonly file: string;
}

/** The running cell, for magics. */
export interface CellHost {
  identity(): CellIdentity;
  /** Sends display_data for the current cell, or changes the display that has the same name. */
  display(data: MimeBundle, metadata?: MimeBundle, named?: DisplayName): void;
  /** Opens a bar from 0 to `max`; undefined if the front end has no widgets. */
  progressBar(max: number): ProgressBar | undefined;
  /** Writes to the cell's stdout; the text brings its own line ends. */
  print(text: string): void;
  /** Writes to the cell's stderr. */
  printError(text: string): void;
  /**
   * Runs `fn` when the current cell has finished or thrown, before its reply; the last one registered runs first.
   * `failed` is true when the cell threw.
   */
  after(fn: (failed: boolean) => void | Promise<void>): void;
  /**
   * Runs `fn` at the end of the current cell's code, with the value of its last expression, before that is shown; with
   * await, at the first await and without a value.
   */
  ending(fn: (value: unknown) => void): void;
  /** The notebook's variables: the object that cells write their declarations to. */
  readonly locals: Record<string, unknown>;
  /**
   * Sends a request to the parent: `{ kind: "reset" }`, `{ kind: "forget" }`, `{ kind: "typecheck", mode }`, `{ kind:
   * "load", text }`, `{ kind: "defined", definition }`, `{ kind: "run", cells }`.
   */
  request(parentRequest: unknown): void;
  /** Sets how errors are shown: `Context`, `Plain`, `Verbose` or `Minimal`. */
  showErrors(mode: string): void;
  /** Drops a loaded TypeScript module, so that its next import runs it again. */
  unloadModule(path: string): void;
  /** Captures this cell's output, instead of sending it, until the returned function is called. */
  capture(): () => Captured;
  /** The cells so far, as the user wrote them, with their numbers, the current one last. */
  history(): readonly { readonly number: number; readonly code: string }[];
  /** The functors that cells defined in a process that has died, as `{ kind: "defined", definition }` told them. */
  definitions(): readonly string[];
}
