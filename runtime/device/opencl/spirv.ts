// What a module of SPIR-V asks of its device, from its instructions: a refusal names it before anything runs.
import { DeviceError } from "../../base/errors.js";
import type { DeviceFacts } from "./facts.js";

const magic = 0x07230203;
const headerWords = 5;
const OpCapability = 17;
const OpFunction = 54;
const OpFunctionCall = 57;

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
    help: 'Use float32, such as x.to("float32"), or the cpu device. In a functor in C++ write T(0.5): 0.5 is a float64.',
  },
  {
    capability: 12,
    fact: "hasLongAtomics",
    what: "atomic additions of int64",
    help: "Use the cpu device for this operation.",
  },
];

interface Instruction {
  readonly code: number;
  /** The words behind the first one. */
  readonly operands: readonly number[];
}

/** The instructions of a module that declare capabilities, begin functions and call them. */
function instructionsOf(binary: Uint8Array): Instruction[] {
  const view = new DataView(binary.buffer, binary.byteOffset, binary.byteLength);
  const words = Math.floor(binary.byteLength / 4);
  const word = (i: number) => view.getUint32(i * 4, true);
  if (words < headerWords || word(0) !== magic)
    throw new DeviceError(
      "code-refused",
      "The compiled code is not SPIR-V.",
      "Clear the kernel cache: `jitlab cache clear`.",
    );
  const found: Instruction[] = [];
  for (let at = headerWords; at < words; ) {
    const [length, code] = [word(at) >>> 16, word(at) & 0xffff];
    if (length === 0 || at + length > words) break;
    if (code === OpCapability || code === OpFunction || code === OpFunctionCall)
      found.push({ code, operands: Array.from({ length: length - 1 }, (_, i) => word(at + 1 + i)) });
    at += length;
  }
  return found;
}

/** True if a function calls itself, at once or through others. */
function isRecursive(instructions: readonly Instruction[]): boolean {
  const calls = new Map<number, number[]>();
  let own: number[] = [];
  for (const { code, operands } of instructions) {
    // The type of the result comes first, its number second, and what is called third.
    if (code === OpFunction) {
      own = [];
      calls.set(operands[1] as number, own);
    }
    if (code === OpFunctionCall) own.push(operands[2] as number);
  }
  const done = new Set<number>();
  const open = new Set<number>();
  const returns = (id: number): boolean => {
    if (open.has(id)) return true;
    if (done.has(id)) return false;
    open.add(id);
    const found = (calls.get(id) ?? []).some(returns);
    open.delete(id);
    done.add(id);
    return found;
  };
  return [...calls.keys()].some(returns);
}

/** Throws DeviceError `unsupported` if a kernel needs what the device lacks. */
export function checkNeeds(device: string, facts: DeviceFacts, symbol: string, binary: Uint8Array): void {
  const instructions = instructionsOf(binary);
  if (isRecursive(instructions))
    throw new DeviceError(
      "unsupported",
      `A function of the kernel ${symbol} calls itself, which OpenCL forbids; drivers end the process.`,
      "Write it as a loop, or use the cpu device.",
    );
  const needed = instructions.flatMap(({ code, operands }) => (code === OpCapability ? operands : []));
  for (const { capability, fact, what, help } of optional)
    if (needed.includes(capability) && !facts[fact])
      throw new DeviceError(
        "unsupported",
        `The device ${device} (${facts.name}) has no ${what}, which the kernel ${symbol} needs.`,
        help,
      );
}
