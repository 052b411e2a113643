// %%kernel: the body is a functor in CUDA C++, bound in the notebook as a typed function.

import { dtypes } from "../runtime/base/dtype.js";
import { didYouMean, JitlabError } from "../runtime/base/errors.js";
import { constants } from "../runtime/functor/constants.js";
import {
  type Declaration,
  type DeclaredArgument,
  declarationOf,
  literalValue,
} from "../runtime/functor/declaration.js";
import { call } from "./expansion.js";
import { type Expansion, type Magic, type MagicArguments, UsageError } from "./magic.js";

const example = "template <typename T> T twice(T x) { return x + x; }";

/** Words for completion: C++, and the math functions of every device. */
export const cppWords = (
  "template typename return const if else for while bool int unsigned float double int8 uint8 int16 int32 int64 " +
  "abs acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp2 expm1 fabs floor fma fmax " +
  "fmin fmod frexp hypot isfinite isinf isnan ldexp lgamma log log10 log1p log2 max min nextafter pow remainder rint " +
  "round rsqrt signbit sin sinh sqrt tan tanh tgamma trunc jl"
).split(" ");
/** The same with the functors' constants. */
export const functorWords: readonly string[] = [...cppWords, ...Object.keys(constants)];

/** The names of the dtypes. */
export const dtypeNames: readonly string[] = Object.keys(dtypes);
/** The names of a functor's results. */
export const results: readonly string[] = [...new Set(["same", "bool", "float", ...dtypeNames])];

// Words that cannot name a TypeScript constant.
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
    usage: "[name] [key=default ...] [--returns R] [--fma] [--slopes S] [--grad]",
    bodyWords: functorWords,
    options: [
      {
        name: "--returns",
        value: "R",
        choices: results,
        doc: "The result's dtype: same (default), bool, float or the name of a dtype.",
      },
      { name: "--fma", doc: "Let the compiler contract a*b+c, which rounds once." },
      {
        name: "--slopes",
        value: "S",
        doc: 'The derivatives by inputs, instead of those that follow from the text: "x: cos(x); y: result / y".',
      },
      { name: "--grad", doc: "Show the kernel of its derivatives." },
    ],
    doc: `Defines a function on tensors from CUDA C++ over scalars.

The body defines one or more functions; the last one is the entry. It is compiled to a kernel at the first call with
each dtype, layout and device, and bound as \`name\` (default: the entry's name). Parameters with key=default are
passed by name at each call, without recompiling; several results are reference parameters. A functor may call C's
math functions, constants such as M_PI, and every operation of the library: \`jl::gcd(a, b)\`.

    %%kernel lerp alpha=0.5
    template <typename T> T lerp(T x, T y, T alpha) { return x + alpha * (y - x); }

    lerp(a, b, { alpha: 0.25 })

A syntax error is shown here, at its line; an error of one dtype at the first call with it. A new definition replaces
the function and frees only its loaded kernels. In a .ts file, jitlab's tagged template \`functor\` makes the same
function; \`jl.jit\` makes it from TypeScript:

    const lerp = jl.jit((x, y, alpha = 0.5) => x + alpha * (y - x));`,
    expand: expandKernel,
  },
];

function expandKernel(args: MagicArguments, body = ""): Expansion {
  if (body.trim() === "") {
    throw new UsageError(
      `%%kernel is a cell magic, but the cell body is empty. Write for example: ${example}`,
    );
  }
  const { name, params } = words(args);
  const declaration = declared(body, name, params);
  bindable("%%kernel", declaration.name);
  const { returns } = args.options;
  if (returns !== undefined && !results.includes(String(returns))) {
    throw new UsageError(
      `%%kernel: --returns takes ${results.join(", ")}, not ${JSON.stringify(returns)}. ${didYouMean(String(returns), results)}`.trim(),
    );
  }
  const of = (role: DeclaredArgument["role"]) => declaration.arguments.filter((one) => one.role === role);
  const [captured, outputs] = [of("parameter"), of("output")];
  const types = [
    tuple(of("input")),
    captured.length > 0
      ? `{ ${captured.map((one) => `${one.name}: ${typeof one.value}`).join("; ")} }`
      : "{}",
    outputs.length > 1 ? tuple(outputs) : "[0]",
  ];
  const options = {
    name: declaration.name,
    params:
      captured.length > 0 ? Object.fromEntries(captured.map((one) => [one.name, one.value])) : undefined,
    returns,
    fma: args.options.fma,
    slopes: slopesOf(args),
  };
  const definition = call("kernel", body, options).replace("(", `<${types.join(", ")}>(`);
  const shown = args.options.grad
    ? `\n${call("show", "source", { target: declaration.name, dtypes: [], derivative: true })};`
    : "";
  return { prologue: `${hover(body)}\nconst ${declaration.name} = ${definition};${shown}`, keepBody: false };
}

/** The option --slopes: expressions by the names of inputs. */
function slopesOf(args: MagicArguments): Record<string, string> | undefined {
  const text = args.options.slopes;
  if (typeof text !== "string") return undefined;
  const slopes: Record<string, string> = {};
  for (const part of text.split(";").filter((one) => one.trim() !== "")) {
    const [, input, expression] = /^\s*([A-Za-z_]\w*)\s*:\s*(\S[\s\S]*?)\s*$/.exec(part) ?? [];
    if (input === undefined || expression === undefined) {
      throw new UsageError(`%%kernel: --slopes takes "x: cos(x); y: 1", not ${JSON.stringify(text)}.`);
    }
    slopes[input] = expression;
  }
  return slopes;
}

/** Parses the body's declaration; throws UsageError with one line. */
function declared(
  body: string,
  name: string | undefined,
  params: Readonly<Record<string, Default>>,
): Declaration {
  try {
    return declarationOf(body, { name, params, firstLine: 2 });
  } catch (error) {
    if (!(error instanceof JitlabError)) throw error;
    throw new UsageError(`%%kernel: ${error.what}${error.help === "" ? "" : ` ${error.help}`}`);
  }
}

type Default = number | bigint | boolean;

/** The words of the magic's line: at most one name, and defaults by `key=value`. */
function words(args: MagicArguments): { name: string | undefined; params: Record<string, Default> } {
  const params: Record<string, Default> = {};
  let name: string | undefined;
  for (const word of args.positional) {
    const [, key, text] = /^([^=]*)=([\s\S]*)$/.exec(word) ?? [];
    if (key === undefined || text === undefined) {
      if (/[()]/.test(`${name}${word}`))
        throw new UsageError(
          "%%kernel takes a name without parameters, such as %%kernel scale: the body declares them.",
        );
      if (name !== undefined) throw new UsageError(`%%kernel takes one name, but got ${name} and ${word}.`);
      name = word;
      continue;
    }
    if (Object.hasOwn(params, key)) throw new UsageError(`%%kernel: ${key} has two defaults. Pass one.`);
    const value = literalValue(text);
    if (value === undefined) {
      throw new UsageError(
        `%%kernel: the default of ${key} must be a number, true or false, not ${JSON.stringify(text)}.`,
      );
    }
    params[key] = value;
  }
  return { name, params };
}

/** The name of a constant; throws UsageError for a TypeScript keyword. */
export function bindable(magic: string, name: string): string {
  if (!reserved.has(name)) return name;
  throw new UsageError(`${magic}: ${name} is a TypeScript keyword; use another name: ${magic} my_${name}`);
}

// Labels carry the parameters' names to hover and signature help; the runtime's type maps each 0 to an operand.
function tuple(parameters: readonly DeclaredArgument[]): string {
  return `[${parameters.map((p) => `${safeLabel(p.name)}: 0`).join(", ")}]`;
}

/** A parameter's name that is valid in TypeScript. */
export function safeLabel(name: string): string {
  return reserved.has(name) || name === "" ? `_${name}` : name;
}

/** The documentation comment of the constant: hover shows the body's own code. */
export function hover(body: string): string {
  const lines = body.replaceAll("*/", "*\u200b/").trimEnd().split("\n");
  return ["/**", " * ```cuda", ...lines.map((line) => ` * ${line}`), " * ```", " */"].join("\n");
}
