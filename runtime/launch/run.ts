// A launch of a kernel that may be tuned, without its memory; and as text for the cache, with the forms of the kernel rendered,
// so that another process can measure them without the code that called it.
import { compression } from "../base/builtins.js";
import type { Device } from "../device/device.js";
import type { Form, LoadRequest } from "./load-request.js";

/** What an operand is of: memory by its number, from a byte on. */
export interface RunOperand {
  readonly region: number;
  readonly offset: number;
}

/** Memory of some operands, which begins so many bytes behind a multiple of 256. */
export interface RunRegion {
  readonly bytes: number;
  readonly late: number;
  readonly dtype: string;
}

/** A launch without its memory. */
export interface Run {
  readonly device: Device;
  readonly forms: readonly Form[];
  readonly elements: number;
  readonly block: Uint8Array;
  /** In the order of the addresses at the beginning of the block. */
  readonly operands: readonly RunOperand[];
  readonly regions: readonly RunRegion[];
}

/** A request whose source is `title`, the lines of all forms, and `own`. */
type Stored = Pick<LoadRequest, "symbol" | "op" | "variant" | "dtypes" | "division"> & {
  readonly fma: boolean;
  readonly argumentBytes: number;
  readonly title: string;
  readonly own: string;
};

interface Written extends Pick<Run, "elements" | "operands" | "regions"> {
  readonly block: string;
  /** The lines behind the title that the sources of all forms begin with. */
  readonly lines: string;
  readonly forms: readonly { readonly name: string; readonly request: Stored }[];
}

/** The text of a run, packed. */
export function runText({ elements, operands, regions, block, forms }: Run): Uint8Array {
  const requests = forms.map(({ request }) => request());
  const lines = commonLines(requests.map(({ source }) => source));
  const written: Written = {
    elements,
    operands,
    regions,
    block: Buffer.from(block).toString("base64"),
    lines,
    forms: forms.map(({ name }, i) => ({ name, request: storedOf(requests[i] as LoadRequest, lines) })),
  };
  return compression().deflateSync(JSON.stringify(written), { level: 1 });
}

/** What texts have in common behind their first line, in whole lines: the headers, most of a kernel's text. */
function commonLines(sources: readonly string[]): string {
  const [own = [], ...others] = sources.map((source) => source.split("\n"));
  let end = 1;
  while (end < own.length && others.every((other) => other[end] === own[end])) end++;
  return own
    .slice(1, end)
    .map((line) => `${line}\n`)
    .join("");
}

function storedOf(request: LoadRequest, lines: string): Stored {
  const { source, symbol, op, variant, dtypes, division, fma = false, argumentBytes } = request;
  const begin = source.indexOf("\n") + 1;
  const [title, own] = [source.slice(0, begin), source.slice(begin + lines.length)];
  return { title, own, symbol, op, variant, dtypes, division, fma, argumentBytes: argumentBytes as number };
}

/** The run of a text of {@link runText}, on a device. */
export function runFrom(packed: Uint8Array, device: Device): Run {
  const { block, forms, lines, ...rest } = JSON.parse(
    compression().inflateSync(packed).toString(),
  ) as Written;
  const { target } = device;
  const requests = forms.map(({ name, request: { title, own, ...facts } }, i) => ({
    name,
    request: (): LoadRequest => ({ ...facts, source: `${title}${lines}${own}`, target, isChosen: i > 0 }),
  }));
  return { ...rest, device, block: Buffer.from(block, "base64"), forms: requests };
}
