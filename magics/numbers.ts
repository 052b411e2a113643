// %%nan and %%digits: where numbers go wrong, and where they lose digits.
import { atMost, observe, textOption } from "./expansion.js";
import { type Magic, UsageError } from "./magic.js";

/** `%%nan` and `%%digits`. */
export const numberMagics: readonly Magic[] = [
  {
    name: "nan",
    kinds: ["cell"],
    usage: "[--allow inf]",
    options: [
      {
        name: "--allow",
        value: "inf",
        choices: ["inf"],
        doc: "Infinities are intended: only a NaN ends the cell.",
      },
    ],
    doc: `Ends the cell at the first operation that makes a NaN or an infinity of operands without one there.

The error has the operation's line, also inside of compiled, mapped and differentiated functions, the element's index,
its operands and how many elements are such; for a derivative, the operation of the forward pass. Operations run one by
one. %config nan = stop does the same for every cell.

    %%nan
    jl.grad((x: jl.Tensor) => x.sqrt().sum())(jl.zeros([2]))`,
    expand: (args) => {
      atMost("%nan", args, 0);
      const allow = textOption(args, "allow");
      if (allow !== undefined && allow !== "inf")
        throw new UsageError(`%%nan: --allow takes inf, not ${JSON.stringify(allow)}.`);
      return observe("nan", { allow });
    },
  },
  {
    name: "digits",
    kinds: ["cell"],
    usage: "",
    options: [],
    doc: `Shows how many digits of the cell's results hold, and which operations lose them.

Each operation also runs in float64, on the elements that it got and on those that it would have got without errors: the
table has the error that it adds, the error that it inherits, and the leading bits of its operands that cancel, each of the
worst element. Sums, differences, products and quotients of float64 run with twice its digits. Functors that name their
types, fused expressions and raw kernels are not followed: their results count as exact. jl.digits(f, x) returns the same as data.

    %%digits
    const y = x.add(1e8).sub(1e8)`,
    expand: (args) => {
      atMost("%digits", args, 0);
      return observe("digits");
    },
  },
];
