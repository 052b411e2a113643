// The Magic record. A magic is a source-to-source expansion: ordinary TypeScript that calls a function in the child, so that
// cells with magics are checked, run and interrupted, and report errors, like all cells. Records are plain data and pure
// functions: the language process reads them without loading a device, a compiler or the runtime.

/** One option of a magic, for parsing, help and completion. */
export interface MagicOption {
  /** `--device`, with an optional short form `-d`. */
  readonly name: string;
  readonly short?: string;
  /** Placeholder of its value, such as `D`; absent for a flag. */
  readonly value?: string;
  /** The values to complete, if there are few. */
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
 * Expanded TypeScript. A cell magic that observes its cell has a one-line `prologue` and keeps the body unchanged, so line
 * numbers and completion work as in the cell; one that replaces the body (`%%kernel`, `%%bash`) omits it.
 */
export interface Expansion {
  /**
   * TypeScript that replaces the magic's line: one line if the body is kept, otherwise any number, all mapped to the magic's
   * line.
   */
  readonly prologue: string;
  /** True: the body follows the prologue as ordinary TypeScript. */
  readonly keepBody: boolean;
  /** One line of TypeScript after a kept body, for magics that put the body into a function (`%%timeit`). */
  readonly epilogue?: string;
}

/** The kind of the words after a magic's name, for completion. */
export type ArgumentKind = "op" | "dtype" | "device" | "path" | "magic" | "setting" | "expression";

/** One magic. */
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
  /** The kind of the positional words, for completion. */
  readonly completes?: readonly ArgumentKind[];
  /** Words to complete in a body that is not TypeScript. */
  readonly bodyWords?: readonly string[];
  /** The first sentence is the summary. */
  readonly doc: string;
  /** Expands a use to TypeScript; throws UsageError with one line for bad arguments. */
  expand(args: MagicArguments, body: string | undefined): Expansion;
}

/** An error in a magic's use: one line, shown without a traceback, as in IPython. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
