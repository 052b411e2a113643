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

type Stored = Pick<LoadRequest, "source" | "symbol" | "op" | "variant" | "dtypes" | "division"> & {
  readonly fma: boolean;
  readonly argumentBytes: number;
};

interface Written extends Pick<Run, "elements" | "operands" | "regions"> {
  readonly block: string;
  readonly forms: readonly { readonly name: string; readonly request: Stored }[];
}

/** The text of a run, packed. */
export function runText({ elements, operands, regions, block, forms }: Run): Uint8Array {
  const written: Written = {
    elements,
    operands,
    regions,
    block: Buffer.from(block).toString("base64"),
    forms: forms.map(({ name, request }) => ({ name, request: storedOf(request()) })),
  };
  return compression().deflateSync(JSON.stringify(written), { level: 1 });
}

function storedOf(request: LoadRequest): Stored {
  const { source, symbol, op, variant, dtypes, division, fma = false, argumentBytes } = request;
  return { source, symbol, op, variant, dtypes, division, fma, argumentBytes: argumentBytes as number };
}

/** The run of a text of {@link runText}, on a device. */
export function runFrom(packed: Uint8Array, device: Device): Run {
  const { block, forms, ...rest } = JSON.parse(compression().inflateSync(packed).toString()) as Written;
  const { target } = device;
  const requests = forms.map(({ name, request }, i) => ({
    name,
    request: (): LoadRequest => ({ ...request, target, isChosen: i > 0 }),
  }));
  return { ...rest, device, block: Buffer.from(block, "base64"), forms: requests };
}
