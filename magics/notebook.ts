// Magics about the notebook: its variables and its cells.
import { parseArguments } from "./arguments.js";
import { atMost, call, observe, statement, value } from "./expansion.js";
import { type Magic, type MagicArguments, UsageError } from "./magic.js";
import { literal, typedExpression } from "./scan.js";

const historyOptions = [{ name: "--numbers", short: "-n", doc: "Print each cell's number." }];

/** `%who`, `%whos`, `%reset`, `%load`, `%history`, `%precompile` and `%%capture`. */
export const notebookMagics: readonly Magic[] = [
  {
    name: "who",
    kinds: ["line"],
    usage: "[type ...]",
    options: [],
    doc: "Prints the names of the notebook's variables, or of those of the given types, such as Tensor or function.",
    expand: (args) => statement("who", args.positional),
  },
  {
    name: "whos",
    kinds: ["line"],
    usage: "[type ...]",
    options: [],
    doc: "Lists the notebook's variables with their types and values, or those of the given types.",
    expand: (args) => statement("whos", args.positional),
  },
  {
    name: "reset",
    kinds: ["line"],
    usage: "[-f]",
    options: [{ name: "--force", short: "-f", doc: "Accepted for compatibility: it never asks." }],
    doc: "Deletes all variables and declarations of the notebook; kernels stay compiled.",
    expand: (args) => {
      atMost("reset", args, 0);
      return statement("reset");
    },
  },
  {
    name: "load",
    kinds: ["line"],
    usage: "FILE",
    options: [],
    completes: ["path"],
    doc: "Replaces the cell by the text of a file.",
    expand: (args) => statement("load", onePath("load", args)),
  },
  {
    name: "history",
    kinds: ["line"],
    usage: "[N] [-n] | f | f(x, ...)",
    options: historyOptions,
    rawArguments: true,
    doc: `Prints the cells so far, or the last N of them; of a functor, its versions.

Each %%kernel, %%cuda and %%reduction cell that changes a functor makes a version: its lines, registers and instructions.
With a call each version is called with these arguments, and its time and results are compared; it should not write to them.

    %history saxpy(x, y)`,
    expand: ({ raw }) => {
      const { text } = typedExpression(raw);
      const name = /^[A-Za-z_$][\w$]*(?=$|\()/.exec(text)?.[0];
      if (name !== undefined) {
        const call = name === text ? "" : `, ${name}, (${name}) => (${text})`;
        return { prologue: `$magic.versions(${literal(name)}${call});`, keepBody: false };
      }
      const args = parseArguments({ name: "history", options: historyOptions }, raw, "%");
      atMost("history", args, 1);
      const count = args.positional[0];
      if (count !== undefined && !/^[1-9]\d*$/.test(count)) {
        throw new UsageError(`%history: N must be a positive integer, not ${JSON.stringify(count)}.`);
      }
      const last = count === undefined ? undefined : Number(count);
      return statement("history", { last, numbers: args.options.numbers === true });
    },
  },
  {
    name: "precompile",
    kinds: ["line"],
    usage: "f [f ...] [dtypes ...] [--device D]",
    options: [{ name: "--device", short: "-d", value: "D", doc: "Default: the current device." }],
    completes: ["op", "dtype"],
    doc: `Compiles ops, functors, reductions and raw kernels before they are needed, several at once.

The default dtype is float32; raw kernels have declared dtypes.

    %precompile add mul digamma float32 float64`,
    expand: (args) => {
      if (args.positional.length === 0) {
        throw new UsageError(
          "%precompile needs ops or functors: %precompile add digamma float32. See %precompile?",
        );
      }
      return statement("precompile", args.positional, args.options);
    },
  },
  {
    name: "capture",
    kinds: ["cell"],
    usage: "[name] [--no-stdout] [--no-stderr] [--no-display]",
    options: [
      { name: "--no-stdout", doc: "Let stdout through." },
      { name: "--no-stderr", doc: "Let stderr through." },
      { name: "--no-display", doc: "Let displays through." },
    ],
    doc: "Runs the cell and captures its output, as name.stdout, name.stderr, name.outputs and name.show().",
    expand: (args) => {
      atMost("%capture", args, 1);
      const name = args.positional[0];
      if (name !== undefined && !/^[A-Za-z_$][\w$]*$/.test(name)) {
        throw new UsageError(`%%capture: ${JSON.stringify(name)} is not a name that TypeScript accepts.`);
      }
      const options = Object.fromEntries(
        Object.keys(args.options).map((key) => [key.replace("no-", ""), false]),
      );
      if (name === undefined) return observe("capture", options);
      return { prologue: `const ${name} = ${call("capture", options)};`, keepBody: true };
    },
  },
];

/** The magic's one argument, a path. */
export function onePath(name: string, args: MagicArguments): string {
  atMost(name, args, 1);
  const path = args.positional[0];
  if (path === undefined) throw new UsageError(`%${name} needs a file: %${name} FILE. See %${name}?`);
  return path;
}

/** `%cd`, `%pwd` and `%env`: the child's folder and environment. */
export const processMagics: readonly Magic[] = [
  {
    name: "cd",
    kinds: ["line"],
    usage: "[FOLDER]",
    options: [],
    completes: ["path"],
    rawArguments: true,
    doc: "Changes the current folder and prints it: no argument for the home folder, - for the previous one.",
    expand: (args) => statement("cd", unquoted(args.raw)),
  },
  {
    name: "pwd",
    kinds: ["line"],
    usage: "",
    options: [],
    doc: "Returns the current folder.",
    expand: (args) => {
      atMost("pwd", args, 0);
      return value("pwd");
    },
  },
  {
    name: "env",
    kinds: ["line"],
    usage: "[NAME[=VALUE]]",
    options: [],
    rawArguments: true,
    doc: `Returns the environment variables, or one of them, or sets one.

    %env JITLAB_DEBUG
    %env JITLAB_DEBUG=1`,
    expand: (args) => {
      const match = /^([^\s=]+)(?:\s*=\s*|\s+)?([\s\S]*)$/.exec(args.raw.trim());
      if (!match) return value("env");
      const [whole, name, text = ""] = match;
      if (whole === name) return value("env", name);
      return statement("setEnv", name, text);
    },
  },
];

function unquoted(raw: string): string {
  const text = raw.trim();
  return /^(["']).*\1$/.test(text) ? text.slice(1, -1) : text;
}
