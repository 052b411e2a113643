// %%reduction: the body joins accumulators in CUDA C++, bound in the notebook as a reduction.
import { didYouMean } from "../runtime/base/errors.js";
import { literalValue } from "../runtime/functor/declaration.js";
import { type CppFunction, functionsOf } from "../runtime/functor/signature.js";
import { textOption } from "./expansion.js";
import { bindable, functorWords, hover, results } from "./kernel.js";
import { type Expansion, type Magic, type MagicArguments, UsageError } from "./magic.js";
import { literal } from "./scan.js";

const example = "template <typename T> T combine(T a, T b) { return a * b; }";
const partNames = ["combine", "map", "finish"] as const;

/** `%%reduction`. */
export const reductionMagics: readonly Magic[] = [
  {
    name: "reduction",
    kinds: ["cell"],
    usage: "name [field=value ...] [--identity V] [--returns R]",
    bodyWords: [...functorWords, ...partNames],
    options: [
      { name: "--identity", value: "V", doc: "The result for no elements, for a single value." },
      {
        name: "--returns",
        value: "R",
        choices: results,
        doc: "The result's dtype: same (default), bool, float or the name of a dtype.",
      },
    ],
    doc: `Defines a reduction along dimensions from CUDA C++ over scalars.

The body's function \`combine\` joins two accumulators. The optional \`map\` makes an accumulator from an element, and
\`finish\` the result from the last one. An accumulator is one value or several: then the line names each with its value
for no elements, 0n for a 64-bit integer, and the functions take them in this order and return them by reference.
Joining must be commutative and associative.

    %%reduction product --identity 1
    template <typename T> T combine(T a, T b) { return a * b; }

    product(x, 0, { keepdim: true })

    %%reduction meanOfSquares count=0n sum=0
    template <typename T> void combine(int64 n, T s, int64 n2, T s2, int64& count, T& sum) { count = n + n2; sum = s + s2; }
    template <typename T> void map(T x, int64& count, T& sum) { count = 1; sum = x * x; }
    template <typename T> T finish(int64 count, T sum) { return sum / T(count); }

\`jl.reduction\` makes it from TypeScript: jl.reduction((a, b) => a * b, { identity: 1 }).`,
    expand: expandReduction,
  },
];

function expandReduction(args: MagicArguments, body = ""): Expansion {
  if (body.trim() === "") {
    throw new UsageError(
      `%%reduction is a cell magic, but the cell body is empty. Write for example: ${example}`,
    );
  }
  const { name, identity } = words(args);
  const returns = textOption(args, "returns");
  if (returns !== undefined && !results.includes(returns)) {
    throw new UsageError(
      `%%reduction: --returns takes ${results.join(", ")}, not ${JSON.stringify(returns)}. ${didYouMean(returns, results)}`.trim(),
    );
  }
  const functions = functionsOf(body);
  if (!functions.some((one) => one.name === "combine")) {
    throw new UsageError(`%%reduction: the body defines no function combine. Write for example: ${example}`);
  }
  const [combine, map, finish] = partNames.map((part) => partOf(body, functions, part));
  const options = [
    `name: ${literal(name)}`,
    `identity: ${identity}`,
    ...(map === undefined ? [] : [`map: ${literal(map)}`]),
    ...(finish === undefined ? [] : [`finish: ${literal(finish)}`]),
    ...(returns === undefined ? [] : [`returns: ${literal(returns)}`]),
  ];
  const definition = `$magic.reduction(${literal(combine)}, { ${options.join(", ")} })`;
  return { prologue: `${hover(body)}\nconst ${name} = ${definition};`, keepBody: false };
}

/** The body with the lines of other parts blanked, because a text's last function is its entry. */
function partOf(body: string, functions: readonly CppFunction[], part: string): string | undefined {
  if (!functions.some((one) => one.name === part)) return undefined;
  const lines = body.split("\n");
  for (const [i, one] of functions.entries()) {
    if (one.name === part || !(partNames as readonly string[]).includes(one.name)) continue;
    const end = (functions[i + 1]?.line ?? lines.length + 1) - 1;
    lines.fill("", one.line - 1, end);
  }
  return lines.join("\n").trimEnd();
}

/** The name, and the identity as TypeScript: one value, or fields by `field=value`. */
function words(args: MagicArguments): { name: string; identity: string } {
  const fields: string[] = [];
  let name: string | undefined;
  for (const word of args.positional) {
    const [, key, text] = /^([A-Za-z_]\w*)=([\s\S]*)$/.exec(word) ?? [];
    if (key !== undefined && text !== undefined) fields.push(`${key}: ${identityOf(key, text)}`);
    else if (name === undefined) name = word;
    else throw new UsageError(`%%reduction takes one name, but got ${name} and ${word}.`);
  }
  if (name === undefined || !/^[A-Za-z_]\w*$/.test(name)) {
    throw new UsageError("%%reduction needs a name: %%reduction product --identity 1");
  }
  const one = textOption(args, "identity");
  if ((one === undefined) === (fields.length === 0)) {
    throw new UsageError(
      "%%reduction needs the result for no elements: --identity 0, or each value by name, such as count=0n sum=0.",
    );
  }
  const identity = one === undefined ? `{ ${fields.join(", ")} }` : identityOf("--identity", one);
  return { name: bindable("%%reduction", name), identity };
}

function identityOf(key: string, text: string): string {
  if (/^-?(?:\d+n|Infinity)$/.test(text)) return text;
  const value = literalValue(text);
  if (value !== undefined) return `${value}`;
  throw new UsageError(
    `%%reduction: ${key} must be a number, true or false, or 0n for an integer of 64 bits, not ${JSON.stringify(text)}.`,
  );
}
