// Writes runtime/tensor/functions.ts and runtime/functor/script/math-functions.ts: one documented export and one pair of
// methods per op record, because a module cannot export names that it learns at run time, and because methods that
// TypeScript derives from the table cost each cell tens of milliseconds. The build runs it, so adding an op edits one file.
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { writeChanged } from "./write-changed.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");

// The dtype of a result, by the rule of its record, from the common dtype of the operands. If the record has argument roles
// or options with other rules, only a predicate's is known.
const predicates = ["toBool", "floatsToBool", "orderedToBool"];
const results = {
  toFloat: (common) => `Floated<${common}>`,
  toRealFloat: (common) => `Floated<${common}>`,
  toReal: (common) => `RealPart<${common}>`,
  toFloatReal: (common) => `RealPart<Floated<${common}>>`,
  sameAsInput: (common) => common,
};
for (const rule of [
  "ordered",
  "realNumbers",
  "floatsOnly",
  "floatsOrComplex",
  "integersOnly",
  "integersOrBool",
])
  results[rule] = results.sameAsInput;

// The operand types, by the rule.
const real = "real numbers; integers become float32";
const accepted = {
  ordered: "real numbers",
  realNumbers: "real numbers, no bool",
  toFloat: "numbers; integers become float32",
  toRealFloat: real,
  toFloatReal: "numbers; the result is real",
  toReal: "numbers; the result is real",
  toComplex: real,
  floatsOnly: "floating dtypes",
  floatsOrComplex: "floating or complex dtypes",
  orderedToBool: "real numbers",
  integersOnly: "integers",
  integersOrBool: "integers or bool",
};

/** Regenerates the file; returns true if it changed. */
export async function writeFunctions() {
  const { ops, rules } = await opRecords();
  const entries = Object.keys(ops)
    .flatMap((of) => {
      const { aliases = [], formula, arity, options, without } = ops[of];
      const doc = formula ? `${ops[of].doc.replace(/\.$/, "")}: ${formula}.` : ops[of].doc;
      const entry = { of, name: of, doc, arity, without, options: options && optionsName(of) };
      return [entry, ...aliases.map((name) => ({ ...entry, name, doc: `${doc} The same as ${of}.` }))];
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const tables = entries.flatMap(({ name, of, options, without }) => {
    if (name !== of) return [];
    if (without) return [namedType(name, Object.keys(without))];
    return options ? [optionsType(options, name, ops[name].options)] : [];
  });
  const lines = entries.map((entry) => {
    const { name, of, arity, without, options } = entry;
    const own = options ? `OpOptions & ${options}` : "OpOptions";
    const parts = {
      1: ["<D extends DTypeName>", ["a: Tensor<D>"], "D"],
      2: ["<A extends Operand, B extends Operand>", ["a: A", "b: B"], "CommonOf<A, B>"],
      3: [
        "",
        ["a: Operand", ...(without ? omissible(of, "OpOptions & ") : ["b: Operand", "c: Operand"])],
        "AnyDType",
      ],
    };
    const [generics, before, common] = parts[arity];
    const type = `${generics}(${[...before, `options?: ${own}`].join(", ")}) => ${tensorOf(ops[of], common)}`;
    return `${comment(entry, ops[of])}\nexport const ${name}: ${type} = opFunction("${of}");`;
  });
  const methods = entries.map(({ name, of, doc, arity, without, options }) => {
    const own = options ? `OpOptions & ${options}` : "OpOptions";
    const parts = {
      1: ["", [], "D"],
      2: ["<B extends Operand>", ["b: B"], "Common<D, B>"],
      3: ["", without ? omissible(of, "OpOptions & ") : ["b: Operand", "c: Operand"], "AnyDType"],
    };
    const [generics, before, common] = parts[arity];
    const parameters = [...before, `options?: ${own}`].join(", ");
    const operands = without ? omissible(of, "") : before.map((one) => one.replace(/: B$/, ": Operand"));
    const inPlace = [...operands, ...(options ? [`options?: ${options}`] : [])].join(", ");
    return [
      `/** ${doc} */`,
      `${name}${generics}(${parameters}): ${tensorOf(ops[of], common)};`,
      `/** ${doc} Written into the tensor itself. */`,
      `${name}_(${inPlace}): this;`,
    ].join("\n  ");
  });
  const text = `// The function and the methods of every op record. Written by scripts/functions.mjs from runtime/ops; edit the records instead.
import type { DTypeName } from "../base/dtype.js";
import type { Scalar } from "../ops/op.js";
import type { AnyDType, Divided, Floated, RealPart } from "./element-types.js";
import type { Common, CommonOf, Operand } from "./operand-types.js";
import { type OpOptions, opFunction } from "./operations.js";
import type { Tensor } from "./tensor.js";

${tables.join("\n")}

${lines.join("\n")}

/** Every operation as a method; one with an underscore writes into its tensor and returns it. */
export interface OpMethods<D extends DTypeName> {
  ${methods.join("\n  ")}
}

// The class stands below this file, so its methods are declared from here.
declare module "./tensor.js" {
  interface Tensor<out D extends DTypeName = AnyDType> extends OpMethods<D> {}
}
`;
  const written = [
    writeChanged(join(root, "runtime", "tensor", "functions.ts"), text),
    writeChanged(join(root, "runtime", "functor", "script", "math-functions.ts"), mathFunctions(ops, rules)),
  ];
  return written.includes(true);
}

/** The operations as functions of numbers; those with complex results have no such form. */
function mathFunctions(ops, rules) {
  const float64 = { name: "float64", kind: "float" };
  const methods = Object.keys(ops)
    .sort()
    .filter((name) => ops[name].rule !== "toComplex")
    .map((name) => {
      const { doc, arity, operands, rule } = ops[name];
      const list = ["a", "b", "c"]
        .slice(0, arity)
        .map((letter, i) => `${letter}: ${operands?.[i] === "bool" ? "boolean" : "number"}`);
      const result = rules[rule](float64).out?.name === "bool" ? "boolean" : "number";
      return `  /** ${doc} */\n  ${name}(${list.join(", ")}): ${result};`;
    });
  return `// The functions of jl.math. Written by scripts/functions.mjs from runtime/ops; edit the records instead.

/** Every operation as a function of numbers: in a functor that of the kernel's device, elsewhere the definition in float64. */
export interface MathFunctions {
${methods.join("\n")}
  /** The position of the element along a dimension of the result; negative ones count from the last. In functors only. */
  index(dimension: number): number;
  /** The size of the result along a dimension; negative ones count from the last. In functors only. */
  extent(dimension: number): number;
  /** A normal random number with mean 0 and deviation 1, in functors from the generator of \`jl.randn\`. */
  normal(): number;
}
`;
}

/** A function's documentation: its description, operands and options, and an example. */
function comment({ doc, arity }, { rule, operands = [], options = {}, without, example, numpy, ulp }) {
  const taken = accepted[rule] ?? "any dtype";
  const operand = (letter, i) => {
    if (operands[i] === "bool") return `@param ${letter} a condition: bool, or numbers of which 0 is false`;
    if (operands[i] === "int32") return `@param ${letter} whole numbers`;
    if (i === 1 && without)
      return `@param b as a; shapes broadcast. Or b and c by name: { ${Object.keys(without).join(", ")} }`;
    return `@param ${letter} ${i === 0 ? taken : "as a; shapes broadcast"}`;
  };
  const own = Object.entries(options).map(([name, { doc }]) => `${name}: ${doc.replace(/\.$/, "")}`);
  const lines = [
    doc,
    ...accuracy(ulp),
    "",
    ...["a", "b", "c"].slice(0, arity).map(operand),
    `@param options ${[...own, "out: the tensor to write into"].join("; ")}`,
    `@example ${example}`,
    ...(numpy ? [`@see ${numpy}`] : []),
  ];
  return ["/**", ...lines.map((line) => ` * ${line}`.trimEnd()), " */"].join("\n");
}

/** The stated accuracy, unless results are exact. */
function accuracy({ float32, float64 }) {
  if (float32 === 0 && float64 === 0) return [];
  const [single, double] = [float32, float64].map((units) => (units === 0 ? "none" : `${units} ULP`));
  if (single === double) return [`Largest error: ${single} (units in the last place).`];
  return [`Largest error: ${single} (units in the last place) in float32, ${double} in float64.`];
}

/** The op records themselves, from the sources. */
async function opRecords() {
  const { build } = await import("esbuild");
  const { outputFiles } = await build({
    stdin: {
      contents: 'export { ops } from "./index.ts"; export { rules } from "./rules.ts";',
      resolveDir: join(root, "runtime", "ops"),
    },
    bundle: true,
    platform: "node",
    format: "esm",
    write: false,
    logLevel: "warning",
  });
  return await import(
    `data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`
  );
}

/** The type of an operation's result, given the type of its operands' common dtype. */
function tensorOf({ rule, operands, options }, common) {
  if (predicates.includes(rule)) return 'Tensor<"bool">';
  if (operands || !(rule in results)) return "Tensor";
  const forms = Object.values(options ?? {}).flatMap((option) => Object.values(option.choices ?? {}));
  const result = forms.some((form) => form.rule) ? `Divided<${common}>` : results[rule](common);
  return `Tensor<${result}>`.replace("Tensor<AnyDType>", "Tensor");
}

function optionsName(name) {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}Options`;
}

/** Two operands that may be omitted, or named by options. */
function omissible(name, also) {
  return [
    `b?: Operand | null | (${also}${optionsName(name)})`.replace(/\((\w+)\)$/, "$1"),
    "c?: Operand | null",
  ];
}

/** The type of the options that name the second and the third operand. */
function namedType(name, keys) {
  const fields = keys.map(
    (key, i) => `  /** The operand ${"bc"[i]}. */\n  readonly ${key}?: Operand | null;`,
  );
  return [
    `/** The operands of ${name} after the first, by name. */`,
    `export interface ${optionsName(name)} {`,
    ...fields,
    "}",
  ].join("\n");
}

/** The type of an operation's own options, each with its documentation. */
function optionsType(type, name, options) {
  const fields = Object.entries(options).map(([key, option]) => {
    const choices = "choices" in option && Object.keys(option.choices).map((choice) => `"${choice}"`);
    const value = choices ? choices.join(" | ") : typeof option.default === "boolean" ? "boolean" : "Scalar";
    return `  /** ${option.doc} */\n  readonly ${key}?: ${value};`;
  });
  return [`/** Options of ${name}. */`, `export interface ${type} {`, ...fields, "}"].join("\n");
}
