// %device and %memory: the default device, and the memory that tensors occupy.
import { atMost, statement } from "./expansion.js";
import type { Magic } from "./magic.js";

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
    kinds: ["line"],
    usage: "",
    options: [],
    doc: "Shows the memory of reachable tensors on each device, of garbage that it finds, and the memory kept for reuse.",
    expand: (args) => {
      atMost("memory", args, 0);
      return statement("memory");
    },
  },
];
