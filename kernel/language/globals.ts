// Declarations of the names that every cell can use without an import. The child provides their values.

import { missingDeclarations } from "./node-globals.js";

/** The outermost scope of a notebook. */
export const globalDeclarations = `export {};
${missingDeclarations()}/** The global that expanded magics call. */
declare const $magic: import("jitlab/magics").MagicRuntime;

/** A display that can be replaced later. */
interface DisplayHandle {
  readonly id: string;
  /** Replaces the display by another value. */
  update(value: unknown, options?: { raw?: boolean }): void;
}
interface DisplayOptions {
  /** The value is a MIME bundle, such as \`{ "text/html": "<b>bold</b>" }\`. */
  raw?: boolean;
  /** A name under which later displays can replace this one. */
  display_id?: string;
  /** Replaces the displays with that name instead of adding one. */
  update?: boolean;
}
/** A value that displays itself: its method \`Symbol.for("Jupyter.display")\` returns a MIME bundle. */
interface Displayable {
  [method: symbol]: () => Record<string, unknown> | Promise<Record<string, unknown>>;
}
/** Shows a value below the cell: a tensor, a figure, an object with \`Symbol.for("Jupyter.display")\`, or any other. */
declare function display(value: unknown, options?: DisplayOptions): DisplayHandle;
/** HTML to show: html\`<b>\${text}</b>\`. */
declare function html(template: TemplateStringsArray | string, ...values: unknown[]): Displayable;
/** Markdown to show: md\`**\${text}**\`. */
declare function md(template: TemplateStringsArray | string, ...values: unknown[]): Displayable;
/** An SVG image to show. */
declare function svg(template: TemplateStringsArray | string, ...values: unknown[]): Displayable;
/** Removes the cell's output; with \`wait\`, not before the next output arrives. */
declare function clearOutput(options?: { wait?: boolean }): void;
/** Asks the user for a line of text; with \`password\`, the text stays hidden. */
declare function prompt(message?: string, options?: { password?: boolean }): string;
/** Asks a question whose answer is yes or no. */
declare function confirm(message?: string): boolean;

/** Optional parts of a comm's message beside its data. */
interface CommExtras {
  metadata?: Record<string, unknown>;
  buffers?: readonly Uint8Array[];
}
interface CommEvent {
  readonly data: any;
  readonly metadata: any;
  readonly buffers: readonly Uint8Array[];
}
/** A two-way channel to code in the front end, such as a widget. */
interface Comm {
  readonly id: string;
  readonly target: string;
  /** Called with each message of the front end. */
  onMessage: ((event: CommEvent) => unknown) | undefined;
  /** Called when the front end closes the comm. */
  onClose: ((event: CommEvent) => unknown) | undefined;
  send(data: unknown, extras?: CommExtras): void;
  close(data?: unknown, extras?: CommExtras): void;
}
/** Channels to code in the front end. */
declare const comms: {
  /** Opens a comm to the code that the front end registered under \`target\`. */
  open(target: string, data?: unknown, extras?: CommExtras): Comm;
  /** Calls \`handler\` when the front end opens a comm of a target. */
  register(target: string, handler: (comm: Comm, event: CommEvent) => unknown): void;
};
/** The value that a cell showed last. */
declare let _: any;
/** The value that was shown before \`_\`. */
declare let __: any;
/** The value that was shown before \`__\`. */
declare let ___: any;
/** The values that cells showed, by the cell's number; large ones only while they are among the last three. */
declare let Out: Readonly<Record<number, any>>;
/** The cells' texts, by number. */
declare let In: readonly string[];
/** A functor from CUDA C++, as %%kernel makes it: functor\`template <typename T> T twice(T x) { return x + x; }\`. */
declare const functor: typeof import("jitlab").functor;
`;
