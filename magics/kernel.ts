// %%kernel: the body is a functor in CUDA C++, bound in the notebook as a typed function.
import { didYouMean } from "../runtime/errors.js";
import { type CppFunction, type CppParameter, entryProblem, functionsOf } from "../runtime/signature.js";
import { call } from "./expansion.js";
import { type Expansion, type Magic, type MagicArguments, UsageError } from "./magic.js";

const example = "template <typename T> T twice(T x) { return x + x; }";

// What a functor is written with: CUDA C++ and the math functions that every device has.
const functorWords = (
  "template typename return const if else for while bool int unsigned float double int8 uint8 int16 int32 int64 " +
  "abs acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp2 expm1 fabs floor fma fmax " +
  "fmin fmod frexp hypot isfinite isinf isnan ldexp lgamma log log10 log1p log2 max min nextafter pow remainder rint " +
  "round rsqrt signbit sin sinh sqrt tan tanh tgamma trunc"
).split(" ");

/** The names of the dtypes. */
export const dtypeNames: readonly string[] =
  "bool uint8 int8 int16 int32 int64 float16 bfloat16 float32 float64 complex64 complex128".split(" ");
const results = [...new Set(["same", "bool", "float", ...dtypeNames])];

// Words that name the last argument's own options, and words that no TypeScript constant can have as a name.
const optionNames = ["out", "shape", "dtype", "device", "re", "im"];
const reserved = new Set(
  (
    "arguments await break case catch class const continue debugger default delete do else enum eval export extends " +
    "false finally for function if implements import in instanceof interface let new null of package private protected " +
    "public return static super switch this throw true try typeof var void while with yield"
  ).split(" "),
);

/** `%%kernel`. */
export const kernelMagics: readonly Magic[] = [
  {
    name: "kernel",
    kinds: ["cell"],
    usage: "[name] [key=default ...] [--returns R] [--fma]",
    bodyWords: functorWords,
    options: [
      {
        name: "--returns",
        value: "R",
        choices: results,
        doc: "The result's dtype: same (default), bool, float or the name of a dtype.",
      },
      { name: "--fma", doc: "Let the compiler contract a*b+c into one rounding." },
    ],
    doc: `Defines a function on tensors from CUDA C++ over scalars.

The body defines one or several functions; the last one is the entry. It becomes a kernel for every dtype,
layout and device that it is called with, compiled at the first call, and is bound as \`name\` (the entry's
own name unless given). Parameters named by key=default are captured at each call and do not recompile;
several results are reference parameters.

    %%kernel lerp alpha=0.5
    template <typename T> T lerp(T x, T y, T alpha) { return x + alpha * (y - x); }

    lerp(a, b, { alpha: 0.25 })

An error of syntax is shown here, at its own line; an error of one dtype at the first call with it. A new
definition replaces the function and frees its loaded kernels, and no others. In a .ts file the tagged template
\`cuda\` of jitlab makes the same function.`,
    expand: expandKernel,
  },
];

function expandKernel(args: MagicArguments, body = ""): Expansion {
  if (body.trim() === "") {
    throw new UsageError(
      `%%kernel is a cell magic, but the cell body is empty. Write for example: ${example}`,
    );
  }
  const entry = entryOf(body);
  const { name, defaults } = words(args, entry);
  const { returns } = args.options;
  if (returns !== undefined && !results.includes(String(returns))) {
    throw new UsageError(
      `%%kernel: --returns takes ${results.join(", ")}, not ${JSON.stringify(returns)}. ${didYouMean(String(returns), results)}`.trim(),
    );
  }
  const captured = new Map<string, number | boolean>();
  for (const parameter of entry.parameters) {
    const given = defaults.get(parameter.name) ?? parameter.default;
    if (given !== undefined) captured.set(parameter.name, defaultValue(parameter.name, given));
  }
  const inputs = entry.parameters.filter((p) => !p.output && !captured.has(p.name));
  const outputs = entry.parameters.filter((p) => p.output);
  const types = [
    tuple(inputs),
    captured.size > 0 ? `{ ${[...captured].map(([key, v]) => `${key}: ${typeof v}`).join("; ")} }` : "{}",
    outputs.length > 1 ? tuple(outputs) : "[0]",
  ];
  const options = {
    name,
    params: captured.size > 0 ? Object.fromEntries(captured) : undefined,
    returns,
    fma: args.options.fma,
  };
  const definition = call("kernel", body, options).replace("(", `<${types.join(", ")}>(`);
  return { prologue: `${hover(body)}\nconst ${name} = ${definition};`, keepBody: false };
}

function entryOf(body: string): CppFunction {
  const functions = functionsOf(body);
  const entry = functions.at(-1);
  if (entry === undefined) {
    throw new UsageError(`%%kernel found no function in the cell body. Write for example: ${example}`);
  }
  const problem = entryProblem(functions, 2);
  if (problem !== "") throw new UsageError(`%%kernel: ${problem}.`);
  return entry;
}

function words(args: MagicArguments, entry: CppFunction): { name: string; defaults: Map<string, string> } {
  const defaults = new Map<string, string>();
  let name: string | undefined;
  const candidates = entry.parameters.filter((p) => !p.output).map((p) => p.name);
  for (const word of args.positional) {
    const equals = word.indexOf("=");
    if (equals < 0) {
      if (name !== undefined) throw new UsageError(`%%kernel takes one name, but got ${name} and ${word}.`);
      name = word;
      continue;
    }
    const key = word.slice(0, equals);
    if (!candidates.includes(key)) {
      throw new UsageError(
        `%%kernel ${entry.name} has no parameter ${key}. ${didYouMean(key, candidates)} Its parameters are ${candidates.join(", ")}.`.replace(
          / {2,}/g,
          " ",
        ),
      );
    }
    if (optionNames.includes(key)) {
      throw new UsageError(
        `%%kernel: ${key} is the name of a call's option; give the parameter another name.`,
      );
    }
    defaults.set(key, word.slice(equals + 1));
  }
  name ??= entry.name;
  if (!/^[A-Za-z_$][\w$]*$/.test(name)) {
    throw new UsageError(`%%kernel: ${JSON.stringify(name)} is not a name that TypeScript accepts.`);
  }
  if (reserved.has(name)) {
    throw new UsageError(`%%kernel: ${name} is a word of TypeScript; give another name: %%kernel my_${name}`);
  }
  return { name, defaults };
}

// A default as the user or the signature wrote it: 1, -0.5f, 1e-3, true.
function defaultValue(name: string, text: string): number | boolean {
  if (text === "true" || text === "false") return text === "true";
  const number = Number(text.replace(/(?<=[\d.])[fFlLuU]+$/, "").replace(/^T\((.*)\)$/, "$1"));
  if (text.trim() === "" || Number.isNaN(number)) {
    throw new UsageError(
      `%%kernel: the default of ${name} must be a number, true or false, not ${JSON.stringify(text)}.`,
    );
  }
  return number;
}

// Labels carry the parameters' names to hover and signature help; the runtime's type maps each 0 to an operand.
function tuple(parameters: readonly CppParameter[]): string {
  return `[${parameters.map((p) => `${safeLabel(p.name)}: 0`).join(", ")}]`;
}

function safeLabel(name: string): string {
  return reserved.has(name) || name === "" ? `_${name}` : name;
}

// The documentation comment of the constant: hover shows the functor's own code.
function hover(body: string): string {
  const lines = body.replaceAll("*/", "*\u200b/").trimEnd().split("\n");
  return ["/**", " * ```cuda", ...lines.map((line) => ` * ${line}`), " * ```", " */"].join("\n");
}
