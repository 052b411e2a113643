// %device and %memory: the default device, and the memory that tensors occupy.
import { atMost, observe, statement } from "./expansion.js";
import { type Magic, UsageError } from "./magic.js";

/** `%device` and `%memory`. */
export const deviceMagics: readonly Magic[] = [
  {
    name: "device",
    kinds: ["line"],
    usage: "[name]",
    options: [],
    completes: ["device"],
    doc: `Shows the devices and which one is the default, or makes another the default.

    %device
    %device cpu
    %device cuda:1`,
    expand: (args) => {
      atMost("device", args, 1);
      return statement("device", args.positional[0]);
    },
  },
  {
    name: "memory",
    kinds: ["line", "cell"],
    usage: "[--collect]",
    options: [
      {
        name: "--collect",
        doc: "For %%memory: frees garbage before each block, so that the peak is what using could reach.",
      },
    ],
    doc: `Shows the memory of reachable tensors on each device; as %%memory, which lines of the cell take it.

%memory also finds garbage, and shows it and the memory that is kept for reuse. %%memory draws what is owned over the cell,
and shows the peak, the lines that hold it, what is reachable at the end, and the garbage, which using or dispose() would
free at once.

    %%memory
    const y = x.add(1).mul(2)`,
    expand: (args, body) => {
      atMost(body === undefined ? "memory" : "%memory", args, 0);
      const collect = args.options.collect === true;
      if (body !== undefined) return observe("memory", { collect });
      if (collect) throw new UsageError("%memory: --collect belongs to %%memory.");
      return statement("memory");
    },
  },
];
