// The Magic record. A magic is a source-to-source expansion: ordinary TypeScript that calls a function in the child, so
// that there is one way to run, check, interrupt and report a cell. Records are plain data and pure functions: the
// language worker reads them without loading a device, a compiler or the runtime.

/** One option of a magic, for parsing, help and completion. */
export interface MagicOption {
  /** `--device`, with an optional short form `-d`. */
  readonly name: string;
  readonly short?: string;
  /** Placeholder of its value, such as `D`; absent for a flag. */
  readonly value?: string;
  /** The values to complete, where they are few. */
  readonly choices?: readonly string[];
  readonly doc: string;
}

/** The parsed words after a magic's name. */
export interface MagicArguments {
  /** The text after the name, untouched. */
  readonly raw: string;
  readonly positional: readonly string[];
  /** Values of options by long name without dashes; `true` for a flag. */
  readonly options: Readonly<Record<string, string | true>>;
}

/**
 * Expanded TypeScript. A cell magic that observes its cell gives a one-line `prologue` and keeps the body as it is, so
 * line numbers and completion follow from the cell; one that replaces the body (`%%kernel`, `%%bash`) gives none of it.
 */
export interface Expansion {
  /**
   * TypeScript that stands where the magic's line stood: one line where the body is kept; otherwise it may have several,
   * which all stand for the magic's line.
   */
  readonly prologue: string;
  /** True: the body follows the prologue as ordinary TypeScript. */
  readonly keepBody: boolean;
  /** One line of TypeScript after a kept body, for magics that put the body into a function (`%%timeit`). */
  readonly epilogue?: string;
}

/** What the words after a magic's name are, for completion. */
export type ArgumentKind = "op" | "dtype" | "path" | "magic" | "setting" | "expression";

/** Everything about one magic. */
export interface Magic {
  /** Without percent signs. */
  readonly name: string;
  /** `line` for `%name`, `cell` for `%%name`. */
  readonly kinds: readonly ("line" | "cell")[];
  /** The words after the name, as help shows them: `[name] [key=default ...]`. */
  readonly usage: string;
  readonly options: readonly MagicOption[];
  /** True: the words are not split into options (shell commands, TypeScript expressions). */
  readonly rawArguments?: boolean;
  /** What the positional words are, for completion. */
  readonly completes?: readonly ArgumentKind[];
  /** Words to complete in a body that is no TypeScript. */
  readonly bodyWords?: readonly string[];
  /** The first sentence is the summary. */
  readonly doc: string;
  /** The TypeScript that a use expands to; throws UsageError with one line for bad arguments. */
  expand(args: MagicArguments, body: string | undefined): Expansion;
}

/** A one-line complaint about a magic's use, shown without a traceback, as IPython does. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
