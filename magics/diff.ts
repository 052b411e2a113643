// %diff: the changes between versions of a functor, or between its kernels for two dtypes or layouts.
import { deviceKinds } from "../runtime/device/kinds.js";
import { statement, textOption } from "./expansion.js";
import { type Magic, UsageError } from "./magic.js";

/** `%diff`. */
export const diffMagics: readonly Magic[] = [
  {
    name: "diff",
    kinds: ["line"],
    usage: "f@2 f@3 | f float32 float64 | f contiguous strided2",
    options: [
      {
        name: "--sass",
        short: "-s",
        doc: "Compare the machine code (on the cpu device the assembly) without its addresses.",
      },
      {
        name: "--device",
        short: "-d",
        value: "D",
        choices: deviceKinds,
        doc: "The target device, which may be absent; default: the current device.",
      },
      {
        name: "--arch",
        short: "-a",
        value: "A",
        doc: "The architecture to compile for, such as sm_90; default: the device's own.",
      },
    ],
    completes: ["op", "dtype"],
    doc: `Shows the changes between two versions of a functor, or between its kernels for two dtypes or layouts.

%history f lists the versions, which %%kernel, %%cuda and %%reduction cells make. Of versions the texts are compared, of
dtypes and layouts the generated sources.

    %diff saxpy@1 saxpy@2
    %diff saxpy float32 float64 --sass`,
    expand: (args) => {
      const { positional: words } = args;
      if (words.length !== 2 && words.length !== 3)
        throw new UsageError(
          "%diff needs two versions, or a functor and two dtypes or layouts: %diff f@1 f@2. See %diff?",
        );
      return statement("diff", {
        words,
        sass: args.options.sass === true,
        device: textOption(args, "device"),
        arch: textOption(args, "arch"),
      });
    },
  },
];
