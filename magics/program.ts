// %%compile, %program, %guards and %%compare: compiled programs, and a cell as one.
import { atMost, observe, textOption } from "./expansion.js";
import { Lexer } from "./lexer.js";
import { type Expansion, type Magic, type MagicArguments, UsageError } from "./magic.js";
import { literal, typedExpression } from "./scan.js";

const backends = ["eager", "steps", "fused"];

/** `%%compile`, `%program`, `%guards` and `%%compare`. */
export const programMagics: readonly Magic[] = [
  {
    name: "compile",
    kinds: ["cell"],
    usage: "[--no-exact]",
    options: [{ name: "--no-exact", doc: "Rounds less, as `exact: false` of jl.compile does." }],
    doc: `Runs the cell's tensor operations as one compiled program, in few kernels.

They are deferred until the cell ends, first awaits something, or looks at elements. Then the value of the cell, what it
bound at its top level and what it wrote are computed, with the bits of the separate calls.
One line tells what that took, beside the separate calls: kernels, bytes moved, and the most memory held.

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
    doc: `Shows what the last call of a compiled function ran; with arguments, calls it first.

Its operations with their places, dtypes and shapes; the kernel of each; what goes to memory; and what the kernels
move and hold beside what the separate calls would. A picture joins the operations that read each other, each in the
color of its kernel; larger dots go to memory, and a line stands where elements were looked at.

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
    doc: `Shows the programs of a compiled function, what each needs, and why others had to be made.

A call finds the program whose operations, dtypes and ways of sharing a shape are its own; sizes and scalars may differ.
Every call that found none, and every look at elements in the middle of the function, is told with its place.

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
    usage: "[--backends B,B,...]",
    options: [
      {
        name: "--backends",
        short: "-b",
        value: "B,B,...",
        doc: "How to run the cell: eager, steps (deferred, one kernel an operation), fused; default: eager,fused.",
      },
    ],
    doc: `Runs the cell as separate calls and as a compiled program, and compares time, launches, memory and results.

What the cell declares at its top level with const or let is compared element by element: equal bits, or the largest
difference in units of the last place, and where. Each run draws the same random numbers. The cell runs several
times in a function of its own: its names are gone afterwards, and it should not write to tensors from before.

    %%compare
    const y = x.sub(x.max()).exp()
    const z = y.div(y.sum())`,
    expand: expandCompare,
  },
];

function expandProgram({ raw }: MagicArguments): Expansion {
  const { text } = typedExpression(raw);
  const name = /^[\w$.]+/.exec(text)?.[0] ?? "";
  // What is not closed yet is expanded too, so that completion works inside of it.
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
  const chosen = (textOption(args, "backends") ?? "eager,fused").split(",").map((name) => name.trim());
  const wrong = chosen.find((name) => !backends.includes(name));
  if (wrong !== undefined) {
    throw new UsageError(`%%compare: --backends takes ${backends.join(", ")}, not ${JSON.stringify(wrong)}.`);
  }
  const names = declaredNames(body);
  if (names.length === 0) {
    throw new UsageError(
      "%%compare: the cell declares nothing at its top level. Name what to compare: const y = ...",
    );
  }
  return {
    prologue: `$magic.compare(${literal(chosen)}, () => {`,
    keepBody: true,
    epilogue: `return { ${names.join(", ")} }; });`,
  };
}

function isName(text: string): boolean {
  return /^[\p{ID_Start}$_][\p{ID_Continue}$]*(?:\.[\p{ID_Start}$_][\p{ID_Continue}$]*)*$/u.test(text);
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
