// `display()` and its relatives, as cells call them, and how a value becomes a MIME bundle. The conventions are Deno's:
// an object with a method under Symbol.for("Jupyter.display") displays itself, and a library needs no import for it.
import { randomUUID } from "node:crypto";
import { inspect, types } from "node:util";
import { isPromise } from "./built-ins.js";
import { currentCell } from "./cell-context.js";
import type { MimeBundle } from "./channel.js";
import { reportAsText } from "./error-report.js";
import type { Output } from "./output.js";

const displaySymbol = Symbol.for("Jupyter.display");
const pngSignature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** Options of `display()`. */
export interface DisplayOptions {
  /** The value is a MIME bundle, such as `{ "text/html": "<b>bold</b>" }`. */
  readonly raw?: boolean;
  /** A name under which later displays can replace this one. */
  readonly display_id?: string;
  /** Replaces the displays with that name instead of adding one. */
  readonly update?: boolean;
}

/** The result of `display()`; it shows nothing as a cell's last value. */
export class DisplayHandle {
  constructor(
    private readonly show: (value: unknown, options: DisplayOptions) => void,
    readonly id: string,
  ) {}

  /** Replaces the display by another value. */
  update(value: unknown, options: { readonly raw?: boolean } = {}): void {
    this.show(value, { ...options, display_id: this.id, update: true });
  }

  [displaySymbol](): MimeBundle {
    return {};
  }
}

/** The display functions of one notebook. */
export class Displays {
  constructor(private readonly output: Output) {}

  /** Shows a value below the cell. */
  readonly display = (value: unknown, options: DisplayOptions = {}): DisplayHandle => {
    const id = options.display_id ?? randomUUID();
    const bundle = options.raw ? checkedBundle(value) : this.bundleOf(value);
    const send = (data: MimeBundle) => this.output.display(data, {}, id, options.update ?? false);
    if (isPromise(bundle)) {
      const { displays } = currentCell();
      displays[displays.length] = bundle.then(send);
    } else {
      send(bundle);
    }
    return new DisplayHandle(this.display, id);
  };

  /** Removes the cell's output; with `wait`, not before the next output arrives. */
  readonly clearOutput = (options: { readonly wait?: boolean } = {}): void => {
    this.output.clear(options.wait ?? false);
  };

  /** Returns the MIME bundle of any value: its own, or the text that the console would print. */
  bundleOf(value: unknown): MimeBundle | Promise<MimeBundle> {
    try {
      const method = (value as Record<symbol, unknown> | null | undefined)?.[displaySymbol];
      if (typeof method !== "function") return elementIn(value) ?? { ...pictureIn(value), ...asText(value) };
      const bundle: unknown = method.call(value);
      if (!isPromise(bundle)) return checkedBundle(bundle);
      return bundle.then(checkedBundle).catch((error: unknown) => this.failed(value, error));
    } catch (error) {
      return this.failed(value, error);
    }
  }

  // A display that throws loses its output; the cell continues.
  private failed(value: unknown, error: unknown): MimeBundle {
    this.output.print("stderr", reportAsText("The value's own display failed", error));
    return asText(value, messageOf(error));
  }
}

/** The picture if a value is the bytes of a PNG, such as `plot.png()`. */
function pictureIn(value: unknown): MimeBundle {
  const isPng = value instanceof Uint8Array && pngSignature.every((byte, i) => value[i] === byte);
  return isPng ? { "image/png": Buffer.from(value).toString("base64") } : {};
}

/** The markup of an element of a document, as Observable Plot and other libraries make them. */
function elementIn(value: unknown): MimeBundle | undefined {
  if (typeof value !== "object" || value === null || types.isProxy(value)) return undefined;
  const { outerHTML, nodeType } = value as { outerHTML?: unknown; nodeType?: unknown };
  if (typeof outerHTML !== "string" || nodeType !== 1) return undefined;
  const name = /^<([\w-]+)/.exec(outerHTML)?.[1] ?? "element";
  const isSvg = name.toLowerCase() === "svg";
  // A picture of its own needs the name space, which a page knows.
  const svg = /^<svg\b[^>]*\bxmlns=/i.test(outerHTML)
    ? outerHTML
    : outerHTML.replace(/^<svg\b/i, '$& xmlns="http://www.w3.org/2000/svg"');
  return {
    "text/html": outerHTML,
    ...(isSvg && { "image/svg+xml": svg }),
    "text/plain": `<${name}> element`,
  };
}

/** A value whose display is one MIME type, as the tagged templates make them. */
export function markup(
  mime: string,
): (template: TemplateStringsArray | string, ...values: unknown[]) => object {
  return (template, ...values) => {
    const text = typeof template === "string" ? template : String.raw({ raw: template }, ...values);
    return { [displaySymbol]: () => ({ [mime]: text }) };
  };
}

/** The console's text of a value. If that fails as the value's display did, `printed` is the message that stderr has. */
function asText(value: unknown, printed?: string): MimeBundle {
  try {
    return { "text/plain": inspect(value, { colors: false }) };
  } catch (error) {
    const message = messageOf(error);
    const why = message === printed ? "" : `: ${message}`;
    return { "text/plain": `[a value that cannot be inspected${why}]` };
  }
}

const messageOf = (error: unknown): string => String((error as Error | undefined)?.message);

// Makes a bundle that JSON can carry: bytes become base64, and bad values are errors in the user's cell.
function checkedBundle(bundle: unknown): MimeBundle {
  if (typeof bundle !== "object" || bundle === null || Array.isArray(bundle)) {
    throw new TypeError(`A MIME bundle is an object such as { "text/html": "..." }, not ${inspect(bundle)}.`);
  }
  const entries = Object.entries(bundle).map(([mime, value]: [string, unknown]) => {
    if (!/^[\w\-+.]+\/[\w\-+.]+$/.test(mime)) throw new TypeError(`"${mime}" is not a MIME type.`);
    if (value instanceof Uint8Array) return [mime, Buffer.from(value).toString("base64")];
    return [mime, JSON.parse(JSON.stringify(value ?? null)) as unknown];
  });
  return Object.fromEntries(entries) as MimeBundle;
}
