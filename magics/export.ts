// %export: the launches of an expression as a folder that stands alone.
import { leadingOptions } from "./expansion.js";
import { type Magic, type MagicOption, UsageError } from "./magic.js";
import { literal, typedExpression } from "./scan.js";

const options: readonly MagicOption[] = [
  {
    name: "--folder",
    short: "-f",
    value: "F",
    doc: "The folder to write; default: a new one named after the call.",
  },
  {
    name: "--launches",
    short: "-l",
    value: "N,N-N",
    doc: "The numbers of the launches to export; default: all, up to 100.",
  },
  {
    name: "--no-inputs",
    doc: "Leaves out inputs and results of more than 1 MiB; the program makes random inputs.",
  },
  { name: "--yes", short: "-y", doc: "Writes more than 1 GiB." },
];

/** `%export`. */
export const exportMagics: readonly Magic[] = [
  {
    name: "export",
    kinds: ["line"],
    usage: "[--folder F] [--launches N,N-N] [--no-inputs] [--yes] f(x, ...)",
    options,
    rawArguments: true,
    completes: ["expression"],
    doc: `Writes the launches of an expression to a folder that stands alone.

It has the kernels as they were compiled, their inputs and results, and a short program in C that repeats the launches:
\`make && ./run\` there compares every bit and prints the time. \`make gdb\` and \`make perf\` debug and profile it; on a
GPU \`make ncu\`, \`make sanitize\` and \`make gdb\` run Nsight Compute, compute-sanitizer and cuda-gdb.

    %export x.mul(y).sin()
    %export --folder slow-step step(x, 0.1)`,
    expand: (args) => {
      const { options: given, rest } = leadingOptions("export", args.raw, options);
      const { text, statement, awaits } = typedExpression(rest);
      if (text === "") throw new UsageError("%export needs a call: %export x.mul(y).sin(). See %export?");
      if (awaits) throw new UsageError("%export takes a call without await. See %export?");
      const settings = {
        title: text,
        folder: given.folder,
        launches: typeof given.launches === "string" ? launchNumbers(given.launches) : undefined,
        inputs: given["no-inputs"] === true ? "random" : "recorded",
        all: given.yes === true,
      };
      const run = statement ? `{ ${text}; }` : `(${text})`;
      return { prologue: `$magic.exportLaunch(${literal(settings)}, () => ${run});`, keepBody: false };
    },
  },
];

const mostNumbers = 1000;

/** The numbers of `1,3-5`. */
function launchNumbers(text: string): number[] {
  const numbers = text.split(",").flatMap((part) => {
    const [, from, to = from] = /^\s*(\d+)(?:-(\d+))?\s*$/.exec(part) ?? [];
    const [first, last] = [Number(from), Number(to)];
    if (!(last >= first && last - first < mostNumbers))
      throw new UsageError(`%export: --launches takes numbers such as 1,3-5, not ${JSON.stringify(text)}.`);
    return Array.from({ length: last - first + 1 }, (_, i) => first + i);
  });
  return numbers;
}
