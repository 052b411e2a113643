// %timings, %%timings and %%profile: the cost of compiling and of launching.
import { atMost, observe, statement, textOption } from "./expansion.js";
import type { Magic } from "./magic.js";

/** `%timings`, `%%timings` and `%%profile`. */
export const timingsMagics: readonly Magic[] = [
  {
    name: "timings",
    kinds: ["line", "cell"],
    usage: "[name] [--no-plot]",
    options: [{ name: "--no-plot", doc: "Show only the table." }],
    completes: ["op"],
    doc: `Shows the time of each kernel: generate, look up, compile, load, first launch, warm launches, device time.

%timings lists the kernels of this process, or of one op or functor; %%timings the kernels of the cell, with device
times. A figure compares the phases of the first call with one warm launch. Programs of compiled functions have a
separate table: planning, compiling their kernels together, launching.

    %timings
    %timings gcd`,
    expand: (args, body) => {
      const plot = args.options["no-plot"] !== true;
      if (body !== undefined) {
        atMost("%timings", args, 0);
        return observe("timings", { plot });
      }
      atMost("timings", args, 1);
      return statement("timings", { name: args.positional[0], plot });
    },
  },
  {
    name: "profile",
    kinds: ["cell"],
    usage: "[--trace FILE] [--no-plot]",
    options: [
      {
        name: "--trace",
        value: "FILE",
        doc: "Also write a Chrome trace, for chrome://tracing or ui.perfetto.dev.",
      },
      { name: "--no-plot", doc: "Show only the table." },
    ],
    doc: `Shows a timeline of the cell: compiling, loading and launching kernels, copies to and from the host, the device.

A program of a compiled function spans its kernels.

    %%profile --trace trace.json
    x.exp().sum`,
    expand: (args) => {
      atMost("%profile", args, 0);
      return observe("profile", { plot: args.options["no-plot"] !== true, trace: textOption(args, "trace") });
    },
  },
];
