// %%compile, %program, %guards and %%compare: compiled programs and cells.
import { atMost, observe, textOption } from "./expansion.js";
import { Lexer } from "./lexer.js";
import { type Expansion, type Magic, type MagicArguments, UsageError } from "./magic.js";
import { callIn, isName, literal, typedExpression } from "./scan.js";

const backends = ["eager", "steps", "fused"];

/** `%%compile`, `%program`, `%guards` and `%%compare`. */
export const programMagics: readonly Magic[] = [
  {
    name: "compile",
    kinds: ["cell"],
    usage: "[--no-exact]",
    options: [{ name: "--no-exact", doc: "Rounds less, like `exact: false` of jl.compile." }],
    doc: `Runs the cell's tensor operations as one compiled program, in few kernels.

They are deferred until the cell ends, first awaits something, or reads elements. Then the cell's value, its top-level
variables and its writes are computed, with the bits of the separate calls.
One line compares kernels, bytes moved and peak memory with the separate calls.

    %%compile
    const y = x.sin().mul(2).add(x)`,
    expand: (args) => {
      atMost("%compile", args, 0);
      return observe("compile", { exact: args.options["no-exact"] !== true });
    },
  },
  {
    name: "program",
    kinds: ["line"],
    usage: "f | f(x, ...)",
    options: [],
    rawArguments: true,
    completes: ["expression"],
    doc: `Shows the last call of a compiled function; with arguments, calls it first.

Shows its operations with source positions, dtypes and shapes, the kernel of each, which results are stored, and the
traffic and memory of the kernels and of the separate calls. A picture has a box for each kernel with its
operations, and arcs with the bytes that kernels leave for others; results with a dot are stored, and a line marks where
elements were read.

    const step = jl.compile((x, rate) => x.sin().mul(rate).add(x))
    %program step(x, 0.1)`,
    expand: expandProgram,
  },
  {
    name: "guards",
    kinds: ["line"],
    usage: "f",
    options: [],
    rawArguments: true,
    completes: ["expression"],
    doc: `Shows the programs of a compiled function, their inputs, and why new ones were made.

A call reuses a program with the same operations, dtypes and shape relations; sizes and scalars may differ. Every call
without a matching program, and every read of elements before the end, is listed with its source position.

    %guards step`,
    expand: (args) => {
      const { text } = typedExpression(args.raw);
      if (!isName(text))
        throw new UsageError("%guards needs a compiled function: %guards step. See %guards?");
      return { prologue: `$magic.guards(${literal(text)}, ${text});`, keepBody: false };
    },
  },
  {
    name: "compare",
    kinds: ["cell"],
    usage: "[--backends B,B,... | --devices D,D,... | --grad]",
    options: [
      {
        name: "--backends",
        short: "-b",
        value: "B,B,...",
        doc: "How to run the cell: eager, steps (deferred, one kernel per operation), fused; default: eager,fused.",
      },
      {
        name: "--devices",
        short: "-d",
        value: "D,D,...",
        doc: "The devices to run the cell on, as separate calls, such as cpu,cuda,wasm.",
      },
      { name: "--grad", doc: "Compare the derivatives of a functor's call with differences in float64." },
    ],
    doc: `Runs the cell as separate calls and as a compiled program, and compares time, launches, memory and results.

Top-level const and let variables, or the value of a cell that is one expression, are compared element by element:
equal bits, or the largest difference in units in the last place, and its index. Each run draws the same random
numbers. The cell runs several times in a function: its names are not kept, and it should not write to earlier tensors.

With --devices it runs on each device instead, and the results are compared. Where some differ, it runs once more to
find the first operation that differs, by itself, and its source position. Tensors that it reads from the notebook's
variables are copied, and writes to them are not kept. Functions such as exp may differ by a few units in the last place.

With --grad the cell is one call of a functor. Its derivatives by each floating argument are compared with differences of
values, both in float64, element by element.

    %%compare
    const y = x.sub(x.max()).exp()
    const z = y.div(y.sum())`,
    expand: expandCompare,
  },
];

function expandProgram({ raw }: MagicArguments): Expansion {
  const { text } = typedExpression(raw);
  const name = /^[\w$.]+/.exec(text)?.[0] ?? "";
  // Unfinished input is expanded too, so that completion works inside of it.
  const isCall = text.startsWith("(", name.length);
  if (!isName(name) || !(isCall || name === text)) {
    throw new UsageError(
      "%program needs a compiled function, or a call of one: %program step(x, 0.1). See %program?",
    );
  }
  const call = isCall ? `, () => ${text}` : "";
  return { prologue: `$magic.program(${literal(name)}, ${name}${call});`, keepBody: false };
}

function expandCompare(args: MagicArguments, body = ""): Expansion {
  atMost("%compare", args, 0);
  if (args.options.grad === true) return comparingGradients(args, body);
  const devices = listOption(args, "devices");
  if (devices) {
    if (listOption(args, "backends"))
      throw new UsageError("%%compare: pass one of --backends and --devices.");
    if (devices.length < 2 || devices.includes(""))
      throw new UsageError("%%compare: --devices needs two or more devices: --devices cpu,wasm.");
    return comparing(`$magic.compareDevices(${literal(devices)}, () => {`, body);
  }
  const chosen = listOption(args, "backends") ?? ["eager", "fused"];
  const wrong = chosen.find((name) => !backends.includes(name));
  if (wrong !== undefined) {
    throw new UsageError(`%%compare: --backends takes ${backends.join(", ")}, not ${JSON.stringify(wrong)}.`);
  }
  return comparing(`$magic.compare(${literal(chosen)}, () => {`, body);
}

function comparingGradients(args: MagicArguments, body: string): Expansion {
  if (listOption(args, "devices") ?? listOption(args, "backends"))
    throw new UsageError("%%compare: pass --grad without --backends and --devices.");
  const call = callIn(body);
  if (call === undefined)
    throw new UsageError("%%compare: with --grad the cell is one call of a functor, such as huber(x, y).");
  const { name, list } = call;
  return { prologue: `$magic.compareGradients(${literal(name)}, ${name}, [${list}]);`, keepBody: false };
}

function listOption(args: MagicArguments, name: string): string[] | undefined {
  return textOption(args, name)
    ?.split(",")
    .map((one) => one.trim());
}

function comparing(run: string, body: string): Expansion {
  const names = declaredNames(body);
  if (names.length === 0) {
    if (isExpression(body))
      return {
        prologue: `${run} const $value =`,
        keepBody: true,
        epilogue: "; return { value: $value }; });",
      };
    throw new UsageError(
      "%%compare: the cell declares nothing at its top level. Name what to compare: const y = ...",
    );
  }
  return {
    prologue: run,
    keepBody: true,
    epilogue: `return { ${names.join(", ")} }; });`,
  };
}

/** True for one expression, over any number of lines. */
function isExpression(body: string): boolean {
  const code = body.replace(/^(?:\s|\/\/[^\n]*\n)+/, "");
  if (code === "" || typedExpression(code).statement) return false;
  const lexer = new Lexer(code);
  while (lexer.position < code.length) {
    const { position, atTopLevel, before } = lexer;
    const startsAnother = /^\n\s*[\p{ID_Start}$_\d"'{]/u.test(code.slice(position));
    if (atTopLevel && before === "operand" && startsAnother) return false;
    lexer.next();
  }
  return true;
}

/** The names that `const x = ...` and `let x = ...` declare outside every bracket. */
function declaredNames(body: string): string[] {
  const lexer = new Lexer(body);
  const names = new Set<string>();
  while (lexer.position < body.length) {
    const { position, atTopLevel } = lexer;
    const rest = body.slice(position);
    const found = /^(?:const|let)\s+([\p{ID_Start}$_][\p{ID_Continue}$]*)/u.exec(rest);
    const isWord = position === 0 || !/[\p{ID_Continue}$.]/u.test(body.charAt(position - 1));
    if (found && atTopLevel && isWord) names.add(found[1] as string);
    lexer.next();
  }
  return [...names];
}
