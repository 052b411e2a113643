// The names that every cell can use without an import, as declarations: the executor puts their values beside the
// notebook's own variables. Also what ES2023 has on Node 20 and the checker's library does not know.

/** The outermost scope of a notebook. */
export const globalDeclarations = `export {};
/** What magics expand to. */
declare const $magic: import("jitlab/magics").MagicRuntime;

/** What is shown, to be replaced later. */
interface DisplayHandle {
  readonly id: string;
  /** Shows another value in the same place. */
  update(value: unknown, options?: { raw?: boolean }): void;
}
interface DisplayOptions {
  /** The value is a MIME bundle, such as \`{ "text/html": "<b>bold</b>" }\`. */
  raw?: boolean;
  /** Names the display, so that later ones can replace it. */
  display_id?: string;
  /** Replaces the displays of that name instead of adding one. */
  update?: boolean;
}
/** Something that shows itself: it has a method under \`Symbol.for("Jupyter.display")\` that gives a MIME bundle. */
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
/** Removes the cell's output; with \`wait\`, when the next output comes. */
declare function clearOutput(options?: { wait?: boolean }): void;
/** Asks the user for a line of text; with \`password\`, what is typed is not shown. */
declare function prompt(message?: string, options?: { password?: boolean }): string;
/** Asks a question whose answer is yes or no. */
declare function confirm(message?: string): boolean;

/** What travels over a comm beside its data. */
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
  /** Says what happens when the front end opens a comm of a target. */
  register(target: string, handler: (comm: Comm, event: CommEvent) => unknown): void;
};
/** A functor from CUDA C++, as %%kernel makes it: cuda\`template <typename T> T twice(T x) { return x + x; }\`. */
declare const cuda: typeof import("jitlab").cuda;
`;

const arrays = ["Array<T>", "ReadonlyArray<T>"];
const typedArrays = [
  "Int8",
  "Uint8",
  "Uint8Clamped",
  "Int16",
  "Uint16",
  "Int32",
  "Uint32",
  "Float32",
  "Float64",
];

/** Change-by-copy methods of arrays, as a script that adds to the global interfaces. */
export const libraryDeclarations = [
  ...arrays.map(
    (name) => `interface ${name} {
  /** A reversed copy. */
  toReversed(): T[];
  /** A sorted copy. */
  toSorted(compare?: (a: T, b: T) => number): T[];
  /** A copy with \`deleteCount\` elements from \`start\` on replaced by \`items\`. */
  toSpliced(start: number, deleteCount?: number, ...items: T[]): T[];
  /** A copy with one element replaced. */
  with(index: number, value: T): T[];
}`,
  ),
  ...[...typedArrays.map((name) => [name, "number"]), ["BigInt64", "bigint"], ["BigUint64", "bigint"]].map(
    ([name, element]) => `interface ${name}Array {
  /** A reversed copy. */
  toReversed(): ${name}Array;
  /** A sorted copy. */
  toSorted(compare?: (a: ${element}, b: ${element}) => number): ${name}Array;
  /** A copy with one element replaced. */
  with(index: number, value: ${element}): ${name}Array;
}`,
  ),
].join("\n");
