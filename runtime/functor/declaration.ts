// Reads the declaration of a functor's text: which of the entry's parameters are inputs, captured parameters and results.
// jl.jit, its tagged template and %%kernel use it; %%kernel does so before the text reaches the library.
import { type DType, dtypes } from "../base/dtype.js";
import { didYouMean, JitlabError, show } from "../base/errors.js";
import type { Scalar } from "../ops/op.js";
import type { ArgumentType } from "./functor.js";
import { isScalar, scalarParts } from "./operand.js";
import { braceProblem, type CppFunction, type CppParameter, functionsOf } from "./signature.js";
import { type UnsetValue, unsetValue } from "./unset-values.js";

/** One parameter of a functor's entry function. */
export interface DeclaredArgument {
  readonly name: string;
  readonly role: "input" | "parameter" | "output";
  readonly type: ArgumentType;
  /** The default of a captured parameter. */
  readonly value?: Scalar;
}

/** The declaration of a functor's text. */
export interface Declaration {
  /** The functor's name for users. */
  readonly name: string;
  /** The C++ function that a kernel calls: the text's last one. */
  readonly entry: string;
  readonly template: boolean;
  readonly arguments: readonly DeclaredArgument[];
  /** The types of the results: of the output parameters, or of the one returned value. */
  readonly results: readonly ArgumentType[];
}

/** The properties of a functor that its text does not contain. */
export interface DeclarationOptions {
  readonly name?: string | undefined;
  /** Captured parameters and their defaults. */
  readonly params?: Readonly<Record<string, Scalar>> | undefined;
  /** The line number of the text's first line, for messages. */
  readonly firstLine?: number | undefined;
}

/** The names of a call's options, which share one object with the values of captured parameters. */
export const callOptionNames: readonly string[] = ["out", "shape", "dtype", "device", "generator"];
const reservedNames: readonly string[] = [...callOptionNames, "re", "im"];
const example = "template <typename T> T twice(T x) { return x + x; }";

/** Reads a functor's text; throws `bad-functor`, `bad-parameter` or `unknown-parameter` if it is invalid. */
export function declarationOf(source: string, options: DeclarationOptions = {}): Declaration {
  const functions = functionsOf(source);
  const entry = functions.at(-1);
  if (!entry) throw badFunctor("The text defines no function", `Write for example: ${example}`);
  checkText(source, functions, entry, options.firstLine ?? 1);
  const name = functorName(options.name ?? entry.name);
  const values = capturedOf(entry, options.params ?? {}, name);
  const list = entry.parameters.map((parameter): DeclaredArgument => {
    const type = argumentType(parameter.type, entry.template, `${name}'s ${parameter.name}`);
    if (parameter.output) return { name: parameter.name, role: "output", type };
    const value = values.get(parameter.name);
    if (value !== undefined && type !== "T") scalarParts(value, type, `${name}: ${parameter.name}`);
    return value === undefined
      ? { name: parameter.name, role: "input", type }
      : { name: parameter.name, role: "parameter", type, value };
  });
  const outputs = list.filter(({ role }) => role === "output").map(({ type }) => type);
  const results =
    outputs.length > 0 ? outputs : [argumentType(entry.returns, entry.template, `${name}'s result`)];
  return { name, entry: entry.name, template: entry.template !== undefined, arguments: list, results };
}

/** A number or boolean as C++ writes it: `1`, `-0.5f`, `T(0.5f)`, `int(3)`, `true`; undefined for any other expression. */
export function literalValue(text: string): number | bigint | boolean | undefined {
  const plain = text.trim();
  if (plain === "true" || plain === "false") return plain === "true";
  const inner = /^(?:[A-Za-z_]\w*\s*)?\(([\s\S]*)\)$/.exec(plain);
  if (inner) return literalValue(inner[1] ?? "");
  const [, sign, digits = ""] = /^([-+]?)\s*((?:\d|\.\d).*)$/.exec(plain) ?? [];
  const suffix = /^0[xX]/.test(digits) ? /[lLuU]+$/ : /[fFlLuU]+$/;
  const number = digits.replace(suffix, "");
  const value = number === "" ? Number.NaN : Number(number);
  if (Number.isNaN(value)) return undefined;
  const exact = /^\d+$/.test(number) && !Number.isSafeInteger(value) ? BigInt(number) : value;
  return sign === "-" ? -exact : exact;
}

/** The name of a functor in kernels; throws `bad-functor` if C++ does not accept it. */
export function functorName(name: string): string {
  if (/^[A-Za-z_]\w*$/.test(name)) return name;
  throw badFunctor(`${show(name)} is not a name that C++ accepts`, "Use letters, digits and underscores.");
}

/** Rejects the name of a captured parameter if it is a call's option. */
export function checkParameterName(functor: string, name: string): void {
  if (!reservedNames.includes(name)) return;
  throw new JitlabError(
    "bad-parameter",
    `${functor}: a parameter cannot be called ${name}.`,
    "That name is an option of calls; choose another.",
  );
}

function checkText(source: string, functions: readonly CppFunction[], entry: CppFunction, firstLine: number) {
  const { name, returns } = entry;
  const braces = braceProblem(source, firstLine);
  if (braces !== "") throw badFunctor(braces, "Write each brace with its partner.");
  if (functions.some((one) => /\b__global__\b/.test(one.returns))) {
    throw badFunctor(
      `${name} is a __global__ kernel`,
      `A functor computes one element, and jitlab makes the kernel around it: ${example}`,
    );
  }
  const earlier = functions.find((one) => one !== entry && one.name === name);
  if (earlier) {
    const [first, last] = [earlier, entry].map(({ line }) => line + firstLine - 1);
    throw badFunctor(
      `${name} is defined twice, at lines ${first} and ${last}`,
      "The last function is the entry and needs a name of its own.",
    );
  }
  const unset = unsetValue(source, functions);
  if (unset) throw badFunctor(...unsetText(name, unset, firstLine));
  if (returns === "void") {
    if (entry.parameters.some((parameter) => parameter.output)) return;
    throw badFunctor(
      `${name} returns void and has no reference parameter`,
      "Return a value, or write results to parameters such as T& out.",
    );
  }
  if (!entry.hasReturn) {
    const { nearReturn } = entry;
    const what = `${name} returns ${returns}, but its body has no return statement`;
    if (!nearReturn) throw badFunctor(what, "Return the element's value.");
    const { word, line } = nearReturn;
    throw badFunctor(`${what}: line ${line + firstLine - 1} has ${word}`, 'Did you mean "return"?');
  }
}

function unsetText(
  functor: string,
  { name, isResult, isSetSomewhere, line }: UnsetValue,
  firstLine: number,
): [what: string, help: string] {
  const place = `line ${line + firstLine - 1}`;
  const [what, help] = isResult
    ? [`its result ${name}`, `Set it on every path: ${name} = 0.`]
    : [name, `Give it a value where it is declared, such as T ${name} = 0.`];
  if (!isSetSomewhere) return [`${functor}: ${what} is never set, at ${place}`, help];
  return [`${functor}: ${what} may have no value at ${place}`, help];
}

function capturedOf(
  entry: CppFunction,
  params: Readonly<Record<string, Scalar>>,
  name: string,
): Map<string, Scalar> {
  const captured = new Map<string, Scalar>();
  const candidates = entry.parameters.filter((parameter) => !parameter.output);
  for (const parameter of candidates) {
    if (parameter.default !== undefined) captured.set(parameter.name, defaultOf(parameter));
  }
  for (const [key, value] of Object.entries(params)) {
    if (!candidates.some((parameter) => parameter.name === key))
      throw unknownParameter(name, key, candidates);
    if (!isScalar(value)) {
      throw new JitlabError(
        "bad-parameter",
        `${name}: ${key} is ${show(value)}.`,
        "Its default is a number.",
      );
    }
    captured.set(key, value);
  }
  for (const key of captured.keys()) checkParameterName(name, key);
  return captured;
}

function unknownParameter(name: string, key: string, known: readonly CppParameter[]): JitlabError {
  const names = known.map((parameter) => parameter.name);
  const hint = didYouMean(key, names);
  const list = names.length === 0 ? "It has none." : `Its parameters are ${names.join(", ")}.`;
  return new JitlabError(
    "unknown-parameter",
    `${name} has no parameter ${JSON.stringify(key)}.`,
    hint === "" ? `${list} Declare it in the signature, for example: T ${key}` : `${hint} ${list}`,
  );
}

function defaultOf(parameter: CppParameter): Scalar {
  const value = literalValue(parameter.default ?? "");
  if (value !== undefined) return value;
  throw badFunctor(
    `The default ${JSON.stringify(parameter.default)} of ${parameter.name} is not a number`,
    "Write a literal, such as 0.5 or true.",
  );
}

const cppTypes: Readonly<Record<string, DType>> = {
  bool: dtypes.bool,
  char: dtypes.int8,
  "signed char": dtypes.int8,
  int8: dtypes.int8,
  int8_t: dtypes.int8,
  "unsigned char": dtypes.uint8,
  uint8: dtypes.uint8,
  uint8_t: dtypes.uint8,
  short: dtypes.int16,
  int16: dtypes.int16,
  int16_t: dtypes.int16,
  int: dtypes.int32,
  int32: dtypes.int32,
  int32_t: dtypes.int32,
  "unsigned short": dtypes.uint16,
  uint16: dtypes.uint16,
  uint16_t: dtypes.uint16,
  unsigned: dtypes.uint32,
  "unsigned int": dtypes.uint32,
  uint32: dtypes.uint32,
  uint32_t: dtypes.uint32,
  "unsigned long long": dtypes.uint64,
  uint64: dtypes.uint64,
  uint64_t: dtypes.uint64,
  long: dtypes.int64,
  "long long": dtypes.int64,
  int64: dtypes.int64,
  int64_t: dtypes.int64,
  float: dtypes.float32,
  double: dtypes.float64,
  "complex<float>": dtypes.complex64,
  "complex<double>": dtypes.complex128,
};

function argumentType(type: string, typeName: string | undefined, what: string): ArgumentType {
  const plain = type
    .replace(/\bconst\b/g, "")
    .replace(/\s+/g, " ")
    .replace(/\s*&$/, "")
    .trim();
  if (plain === typeName) return "T";
  const known = Object.hasOwn(cppTypes, plain) ? cppTypes[plain] : undefined;
  if (known) return known;
  throw badFunctor(
    `${what} has the type ${JSON.stringify(plain)}, which is not an element type`,
    `Use ${typeName ?? "T with template <typename T>"}, or one of ${Object.keys(cppTypes).join(", ")}.`,
  );
}

function badFunctor(what: string, help: string): JitlabError {
  return new JitlabError("bad-functor", `${what}.`, help);
}
