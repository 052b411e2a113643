// The Magic record. A magic is a source-to-source expansion: ordinary TypeScript that calls a function in the child, so
// that there is one way to run, check, interrupt and report a cell.

/** One option of a magic, for parsing, help and completion. */
export interface MagicOption {
  /** `--device`, with an optional short form `-d`. */
  readonly name: string;
  readonly short?: string;
  /** Placeholder of its value, such as `D`; absent for a flag. */
  readonly value?: string;
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
  /** One line of TypeScript that stands where the magic's line stood. */
  readonly prologue: string;
  /** True: the body follows the prologue as ordinary TypeScript. */
  readonly keepBody: boolean;
}

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
  /** The first sentence is the summary. */
  readonly doc: string;
  /** The TypeScript that a use expands to; throws UsageError with one line for bad arguments. */
  expand(args: MagicArguments, body: string | undefined): Expansion;
}

/** A one-line complaint about a magic's use, shown without a traceback, as IPython does. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
