// %time, %timeit and %bench: they wait for the device inside the timed region, and separate compiling from running.
import { splitOutside } from "../runtime/functor/signature.js";
import { leadingOptions } from "./expansion.js";
import { type Expansion, type Magic, type MagicArguments, type MagicOption, UsageError } from "./magic.js";
import { literal, typedExpression } from "./scan.js";

const timeitOptions: readonly MagicOption[] = [
  { name: "--loops", short: "-n", value: "N", doc: "Loops per run; default: enough for 0.2 s." },
  { name: "--repeat", short: "-r", value: "R", doc: "Runs; default 7." },
  { name: "--precision", short: "-p", value: "P", doc: "Significant digits; default 3." },
  { name: "--quiet", short: "-q", doc: "Print nothing." },
  {
    name: "--output",
    short: "-o",
    doc: "Return an object with loops, repeat, best, worst, average, stdev and allRuns.",
  },
];

const benchOptions: readonly MagicOption[] = [
  {
    name: "--with",
    short: "-w",
    value: '"x = E; ..."',
    doc: "Variables to make before each size, from the size n.",
  },
  {
    name: "--sizes",
    short: "-s",
    value: "N,N,...",
    doc: "The sizes n; default 1e3,1e4,1e5,1e6,1e7 with --with.",
  },
];

/** `%time`, `%timeit` and `%bench`. */
export const timeMagics: readonly Magic[] = [
  {
    name: "time",
    kinds: ["line", "cell"],
    usage: "[expression]",
    options: [],
    rawArguments: true,
    completes: ["expression"],
    doc: `Times one run of an expression, a statement or a cell, and returns the expression's value.

The device is synchronized before the clock stops. A Compile line shows the time spent on kernels that were not
loaded before; it is a Load line if all of them came from disk.

    %time x.exp()
    const y = %time x.exp()`,
    expand: expandTime,
  },
  {
    name: "timeit",
    kinds: ["line", "cell"],
    usage: "[-n N] [-r R] [-p P] [-q] [-o] expression",
    options: timeitOptions,
    rawArguments: true,
    completes: ["expression"],
    doc: `Times many runs of an expression; as %%timeit, of a cell, with set-up code on the magic's line.

The first call, which compiles, is made before and reported separately; the device is synchronized inside each run.
If kernels ran, it also shows their bandwidth as a percentage of the device's copy speed.`,
    expand: expandTimeit,
  },
  {
    name: "bench",
    kinds: ["line"],
    usage: '[--with "x = E; ..."] [--sizes N,N,...] expression ; expression ...',
    options: benchOptions,
    rawArguments: true,
    completes: ["expression"],
    doc: `Compares and plots the time of expressions, over sizes n if --with makes variables from n.

An assignment keeps the milliseconds of a call by expression; over sizes, a list of them, which line() draws.

    %bench x.exp() ; x.sin()
    %bench --with "x = jl.rand([n])" x.exp() ; x.mul(x).add(1)
    const times = %bench x.exp() ; x.sin()`,
    expand: expandBench,
  },
];

function expandTime(args: MagicArguments, body?: string): Expansion {
  if (body !== undefined) {
    if (args.raw.trim() !== "") {
      throw new UsageError("Can't use statement directly after '%%time'!");
    }
    return { prologue: '$magic.begin("time", {});', keepBody: true };
  }
  const expression = typedExpression(args.raw);
  if (expression.text === "") throw new UsageError("%time needs an expression: %time x.exp(). See %time?");
  if (expression.statement) {
    const prologue = `$magic.begin("time", {}); ${expression.text}; $magic.end("time");`;
    return { prologue, keepBody: false };
  }
  return expressionCall("time", "", `${arrow(expression)} ${grouped(expression.text)}`, expression);
}

function expandTimeit(args: MagicArguments, body?: string): Expansion {
  const { options, rest } = leadingOptions("timeit", args.raw, timeitOptions);
  const settings = literal({
    loops: count("--loops (-n)", options.loops),
    repeat: count("--repeat (-r)", options.repeat),
    precision: count("--precision (-p)", options.precision),
    quiet: options.quiet,
    output: options.output,
  });
  const expression = typedExpression(rest);
  if (body !== undefined) {
    const awaits = expression.awaits || /\bawait\b/.test(body);
    const [method, open] = awaits
      ? ["await $magic.timeitAsync", "async () => {"]
      : ["$magic.timeit", "() => {"];
    const setup = expression.text === "" ? "" : `${expression.text}; `;
    return {
      prologue: `${method}(${settings}, ${open} ${setup}return ${open}`,
      keepBody: true,
      epilogue: "}; })",
    };
  }
  if (expression.text === "")
    throw new UsageError("%timeit needs an expression: %timeit x.exp(). See %timeit?");
  const code = expression.statement ? `{ ${expression.text}; }` : grouped(expression.text);
  return expressionCall("timeit", settings, `() => ${arrow(expression)} ${code}`, expression);
}

function expandBench(args: MagicArguments): Expansion {
  const { options, rest } = leadingOptions("bench", args.raw, benchOptions);
  const cases = splitOutside(rest, ";")
    .map((piece) => typedExpression(piece).text)
    .filter((text) => text !== "");
  if (cases.length === 0)
    throw new UsageError("%bench needs expressions: %bench x.exp() ; x.sin(). See %bench?");
  const made = typeof options.with === "string" ? options.with : "";
  const setup = splitOutside(made, ";")
    .map((piece) => piece.trim())
    .filter((piece) => piece !== "")
    .map((piece) => {
      if (!/^[A-Za-z_$][\w$]*\s*=[^=]/.test(piece)) {
        throw new UsageError(
          `%bench: --with takes name = expression, separated by ;, not ${JSON.stringify(piece)}.`,
        );
      }
      return `const ${piece}; `;
    });
  const settings = literal({ labels: cases, sizes: sizes(options.sizes, setup.length > 0) });
  const list = cases.map((text) => `() => ${grouped(text)}`).join(", ");
  const argument = setup.length > 0 || options.sizes !== undefined ? "n: number" : "";
  return {
    prologue: `await $magic.bench(${settings}, (${argument}) => { ${setup.join("")}return [${list}]; });`,
    keepBody: false,
  };
}

// An expression as an arrow function's body; parentheses, so that an object literal is not a block.
function grouped(expression: string): string {
  return `(${expression})`;
}

function arrow(expression: { awaits: boolean }): string {
  return expression.awaits ? "async () =>" : "() =>";
}

function expressionCall(
  method: string,
  settings: string,
  closure: string,
  expression: { awaits: boolean; silent: boolean },
): Expansion {
  const name = expression.awaits ? `await $magic.${method}Async` : `$magic.${method}`;
  const list = settings === "" ? closure : `${settings}, ${closure}`;
  return { prologue: `${name}(${list})${expression.silent ? ";" : ""}`, keepBody: false };
}

function count(name: string, given: string | true | undefined): number | undefined {
  if (given === undefined) return undefined;
  const number = Number(given);
  if (!Number.isSafeInteger(number) || number < 1) {
    throw new UsageError(`%timeit: ${name} must be a positive integer, not ${JSON.stringify(given)}.`);
  }
  return number;
}

function sizes(given: string | true | undefined, hasSetup: boolean): number[] | undefined {
  if (given === undefined) return hasSetup ? [1e3, 1e4, 1e5, 1e6, 1e7] : undefined;
  const list = String(given).split(",").map(Number);
  if (list.some((n) => !Number.isSafeInteger(n) || n < 1)) {
    throw new UsageError(
      `%bench: --sizes must be positive integers separated by commas, not ${JSON.stringify(given)}.`,
    );
  }
  return list;
}
