// %roofline and %%roofline: launches under the speeds of their device's memory and arithmetic.
import { atMost, leadingOptions, observe } from "./expansion.js";
import { type Magic, type MagicOption, UsageError } from "./magic.js";
import { literal, typedExpression } from "./scan.js";

const options: readonly MagicOption[] = [{ name: "--no-plot", doc: "Show only the table." }];

/** `%roofline` and `%%roofline`. */
export const rooflineMagics: readonly Magic[] = [
  {
    name: "roofline",
    kinds: ["line", "cell"],
    usage: "[--no-plot] [f(x, ...)]",
    options,
    rawArguments: true,
    completes: ["expression"],
    doc: `Shows what bounds each kernel: the device's memory or its arithmetic.

Each kernel is a dot: its floating-point operations for each byte that it reads and writes, and its operations per second.
The lines above are the device's speeds, measured once: of a large copy, of one in a cache, and of fused multiply-adds. A kernel
near a line cannot become much faster without less to do. %roofline measures a call, %%roofline the cell; alone,
%roofline shows all that it measured in this session.

The operations are counted in the machine code, as Nsight Compute counts them. Loops whose length is unknown count once:
the table says ≥.

    %roofline x.mul(y).add(z)
    %roofline`,
    expand: (args, body) => {
      const { options: given, rest } = leadingOptions(
        body === undefined ? "roofline" : "%roofline",
        args.raw,
        options,
      );
      const plot = given["no-plot"] !== true;
      const { text, awaits, statement } = typedExpression(rest);
      if (body !== undefined) {
        atMost("%roofline", { ...args, positional: text === "" ? [] : [text] }, 0);
        return observe("roofline", { plot });
      }
      if (awaits) throw new UsageError("%roofline measures a call without await. See %roofline?");
      const call = text === "" ? "" : `, () => ${statement ? `{ ${text}; }` : `(${text})`}`;
      return { prologue: `$magic.roofline(${literal({ plot })}${call});`, keepBody: false };
    },
  },
];
