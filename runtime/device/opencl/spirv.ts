// What a module of SPIR-V asks of its device, from its first instructions: a refusal names it before anything runs.
import { DeviceError } from "../../base/errors.js";
import type { DeviceFacts } from "./facts.js";

const magic = 0x07230203;
const headerWords = 5;
const OpCapability = 17;
const OpExtension = 10;
const OpExtInstImport = 11;

// The capabilities that not every device has, the fact that tells, and what to do.
const optional: readonly {
  readonly capability: number;
  readonly fact: "hasFloat64" | "hasLongAtomics";
  readonly what: string;
  readonly help: string;
}[] = [
  {
    capability: 10,
    fact: "hasFloat64",
    what: "arithmetic in float64",
    help: 'Use float32, such as x.to("float32"), or the cpu device. A few functions of float32 compute in float64 too.',
  },
  {
    capability: 12,
    fact: "hasLongAtomics",
    what: "atomic additions of int64",
    help: "Use the cpu device for this operation.",
  },
];

/** The numbers of the capabilities that a module declares. */
export function capabilitiesOf(binary: Uint8Array): number[] {
  const view = new DataView(binary.buffer, binary.byteOffset, binary.byteLength);
  const words = Math.floor(binary.byteLength / 4);
  const word = (i: number) => view.getUint32(i * 4, true);
  if (words < headerWords || word(0) !== magic)
    throw new DeviceError(
      "code-refused",
      "The compiled code is not SPIR-V.",
      "Clear the kernel cache: `jitlab cache clear`.",
    );
  const found: number[] = [];
  for (let at = headerWords; at + 1 < words; ) {
    const [length, code] = [word(at) >>> 16, word(at) & 0xffff];
    if (code === OpCapability) found.push(word(at + 1));
    // Extensions come after all capabilities.
    if (length === 0 || code === OpExtension || code === OpExtInstImport) break;
    at += length;
  }
  return found;
}

/** Throws DeviceError `unsupported` if a kernel needs what the device lacks. */
export function checkNeeds(device: string, facts: DeviceFacts, symbol: string, binary: Uint8Array): void {
  const needed = capabilitiesOf(binary);
  for (const { capability, fact, what, help } of optional)
    if (needed.includes(capability) && !facts[fact])
      throw new DeviceError(
        "unsupported",
        `The device ${device} (${facts.name}) has no ${what}, which the kernel ${symbol} needs.`,
        help,
      );
}
