// %tune: measures the forms of kernels and stores the best.
import { leadingOptions } from "./expansion.js";
import { type Magic, type MagicOption, UsageError } from "./magic.js";
import { literal, typedExpression } from "./scan.js";

const options: readonly MagicOption[] = [{ name: "--no-plot", doc: "Show the table only." }];

/** `%tune`. */
export const tuneMagics: readonly Magic[] = [
  {
    name: "tune",
    kinds: ["line"],
    usage: "[--no-plot] [expression]",
    options,
    rawArguments: true,
    completes: ["expression"],
    doc: `Measures the forms of the kernels that an expression launches, and stores the best of each in the cache.

A form divides the work in another way and gives equal bits. The expression runs once; its kernels are measured on
memory of their own. Alone, it tunes the launches of more than 16384 elements that this process made. %timings and
%cache show what was chosen.

    %tune x.mul(y).sin()
    %tune`,
    expand: (args) => {
      const { options: given, rest } = leadingOptions("tune", args.raw, options);
      const settings = literal({ plot: given["no-plot"] !== true });
      const { text, statement, awaits } = typedExpression(rest);
      if (awaits) throw new UsageError("%tune measures a call without await. See %tune?");
      const call = text === "" ? "" : `, () => ${statement ? `{ ${text}; }` : `(${text})`}`;
      return { prologue: `$magic.tune(${settings}${call});`, keepBody: false };
    },
  },
];
