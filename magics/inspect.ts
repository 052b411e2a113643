// %inspect: a kernel's user lines, generated source, PTX and machine code side by side.
import { deviceKinds } from "../runtime/device/kinds.js";
import { leadingOptions } from "./expansion.js";
import { type Magic, type MagicOption, UsageError } from "./magic.js";
import { literal, typedExpression } from "./scan.js";

const options: readonly MagicOption[] = [
  {
    name: "--arch",
    short: "-a",
    value: "A",
    doc: "The architecture to compile for, such as sm_90; default: the device's own.",
  },
  {
    name: "--device",
    short: "-d",
    value: "D",
    choices: deviceKinds,
    doc: "With a name: the target device, which may be absent; default: the current device.",
  },
  {
    name: "--counters",
    short: "-c",
    doc: "With a call: profiles its launches with Nsight Compute, in a process of its own.",
  },
  {
    name: "--kernel",
    short: "-k",
    value: "N",
    doc: "The number of the kernel to show, if a call launches several; without a call, of those of this process.",
  },
];

/** `%inspect`. */
export const inspectMagics: readonly Magic[] = [
  {
    name: "inspect",
    kinds: ["line"],
    usage: "[--counters] [--arch A] [--device D] [--kernel N] [f(x, ...) | f [dtypes ...]]",
    options,
    rawArguments: true,
    completes: ["expression"],
    doc: `Shows a kernel in columns: your lines, the generated source and machine code (SASS), and PTX, folded.

A line under the pointer lights the lines that belong to it in the other columns, which scroll along; so do the arrow
keys in a column, and left and right change the column. Above are registers, occupancy, spills, and of a call the
bytes, the time and where the kernel came from. Code of another architecture than this machine's needs NVRTC and
nvdisasm but no GPU. On the cpu device there is the host's assembly. Alone it lists the kernels of this process.

With --counters Nsight Compute (ncu) profiles the launches on a GPU: what share of its memory and arithmetic they used,
and at which lines their warps waited, and for what.

    %inspect x.mul(y).sin()
    %inspect saxpy float64 --arch sm_90
    %inspect --counters x.mul(y).sin()
    %inspect --kernel 3`,
    expand: (args) => {
      const { options: given, rest } = leadingOptions("inspect", args.raw, options);
      const { text, awaits, statement } = typedExpression(rest);
      if (awaits) throw new UsageError("%inspect takes a call without await. See %inspect?");
      const named = /^(?:[\w$.]+(?:\s+[\w$-]+)*)?$/.exec(text) ? namedRequest(text) : {};
      const { target, dtypes, trailing = {} } = named;
      const { arch, device, kernel } = { ...given, ...trailing };
      if (kernel !== undefined && !/^[1-9]\d*$/.test(String(kernel)))
        throw new UsageError(`%inspect: --kernel takes a number from 1 on, not ${JSON.stringify(kernel)}.`);
      if (given.counters === true || trailing.counters === true) {
        if (target !== undefined)
          throw new UsageError("%inspect: --counters needs a call: %inspect --counters f(x).");
        const settings = literal({ kernel: kernel === undefined ? undefined : Number(kernel) });
        const counted = statement ? `{ ${text}; }` : `(${text})`;
        return { prologue: `await $magic.inspectCounters(${settings}, () => ${counted});`, keepBody: false };
      }
      const request = {
        target,
        dtypes,
        arch,
        device,
        kernel: kernel === undefined ? undefined : Number(kernel),
      };
      const call = target === undefined ? `, () => ${statement ? `{ ${text}; }` : `(${text})`}` : "";
      return { prologue: `$magic.inspect(${literal(request)}${call});`, keepBody: false };
    },
  },
];

/** `f float32 --arch sm_90`: options may follow a name. */
function namedRequest(text: string): {
  target?: string;
  dtypes?: string[];
  trailing?: Record<string, string | true>;
} {
  const [target, ...words] = text.split(/\s+/) as [string, ...string[]];
  const at = words.findIndex((word) => word.startsWith("-"));
  const dtypes = at < 0 ? words : words.slice(0, at);
  if (at < 0) return { target, dtypes };
  const { options: trailing, rest } = leadingOptions("inspect", words.slice(at).join(" "), options);
  if (rest !== "")
    throw new UsageError(`%inspect: unexpected argument ${JSON.stringify(rest)}. See %inspect?`);
  return { target, dtypes, trailing };
}
