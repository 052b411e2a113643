// %device and %memory: the default device, and the memory that tensors occupy.
import { atMost, leadingOptions, observe, statement } from "./expansion.js";
import { type Magic, type MagicOption, UsageError } from "./magic.js";
import { callIn, literal, typedExpression } from "./scan.js";

const memoryOptions: readonly MagicOption[] = [
  {
    name: "--timeline",
    doc: "For %memory and a call: its memory by line, and what using, donate and jl.checkpoint save, each measured.",
  },
  {
    name: "--collect",
    doc: "For %%memory: frees garbage before each block, so that the peak is what using could reach.",
  },
];

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
    usage: "[--timeline f(x, ...)] [--collect]",
    options: memoryOptions,
    rawArguments: true,
    completes: ["expression"],
    doc: `Shows the memory of reachable tensors on each device; as %%memory, which lines of the cell take it.

%memory also finds garbage, and shows it and the memory that is kept for reuse. %%memory draws what is owned over the cell,
by line, and shows the peak, the lines that hold it, what is reachable at the end, and the garbage, which using or dispose()
would free at once.

%memory --timeline draws the same of a call, apart from its garbage. The function runs several times on copies of its
arguments. jl.memoryTimeline(f, x) returns the same as data.

    %%memory
    const y = x.add(1).mul(2)

    %memory --timeline step(x, 0.1)`,
    expand: ({ raw }, body) => {
      const name = body === undefined ? "memory" : "%memory";
      const { options, rest } = leadingOptions(name, raw, memoryOptions);
      const { text } = typedExpression(rest);
      const [timeline, collect] = [options.timeline === true, options.collect === true];
      if (timeline && body !== undefined)
        throw new UsageError("%%memory: --timeline belongs to %memory: %memory --timeline f(x).");
      if (collect && body === undefined) throw new UsageError("%memory: --collect belongs to %%memory.");
      if (timeline) {
        const call = callIn(text);
        if (call === undefined)
          throw new UsageError("%memory: --timeline needs a call of a function: %memory --timeline f(x).");
        const { name: callee, list } = call;
        const owner = /^(.*)\./.exec(callee)?.[1];
        const fn = owner === undefined ? callee : `${callee}.bind(${owner})`;
        return { prologue: `$magic.memoryOfCall(${literal(callee)}, ${fn}, [${list}]);`, keepBody: false };
      }
      if (text !== "")
        throw new UsageError(`%${name}: unexpected argument ${JSON.stringify(text)}. See %${name}?`);
      return body === undefined ? statement("memory") : observe("memory", { collect });
    },
  },
];
