// jl.jit: a function on tensors from a functor's text. The last function of the text is the entry; its signature says
// what are inputs, captured parameters and outputs.
import { optionsOf, textOf } from "./arguments.js";
import { getDevice, targetOf } from "./device/index.js";
import { type CallOptions, dispatch, forget, loadedInputs } from "./dispatch.js";
import { type DType, type DTypeName, dtypeOf, dtypes } from "./dtype.js";
import { CompileError, didYouMean, JitlabError } from "./errors.js";
import {
  type Argument,
  type ArgumentType,
  type Functor,
  makeFunctor,
  type Parameter,
  type TextPlace,
} from "./functor.js";
import { checkFunctor, explainCompileError } from "./functor-error.js";
import { codeOf, type Operand } from "./operand.js";
import { tagFunctor } from "./operations.js";
import type { Scalar } from "./ops/op.js";
import { type CppFunction, type CppParameter, entryProblem, functionsOf } from "./signature.js";
import { emptyTensor, outputOf, Tensor } from "./tensor.js";

/** How a functor's text becomes a function. */
export interface JitOptions {
  /** The function's name; default: the entry's. */
  readonly name?: string | undefined;
  /** Captured parameters and their defaults; a call may override them without a new kernel. */
  readonly params?: Readonly<Record<string, Scalar>> | undefined;
  /** The result's dtype: as declared ("same", the default), bool, float (integers compute in float32) or a dtype. */
  readonly returns?: "same" | "bool" | "float" | DTypeName | undefined;
  /** Lets the compiler contract a*b+c into one rounding. */
  readonly fma?: boolean | undefined;
  /** Where the text stands, for compile errors. */
  readonly place?: TextPlace | undefined;
}

/** The last argument of a call: values of captured parameters beside these options. */
export interface JitCallOptions {
  readonly out?: Tensor | readonly Tensor[];
  /** The result's shape; needed where there are no inputs. */
  readonly shape?: readonly number[];
  readonly dtype?: DTypeName;
  readonly device?: string;
}

/** An argument of a call: a tensor, a scalar, or the options as the last one. */
export type JitArgument = Tensor | Scalar | (JitCallOptions & { readonly [parameter: string]: unknown });

/** What jl.jit returns: call it with its inputs in order; several outputs come as an array. */
export interface JitFunction<R = Tensor> {
  (...args: JitArgument[]): R;
  readonly name: string;
  /** The functor's text. */
  readonly source: string;
  /** Captured parameters with their defaults. */
  readonly parameters: Readonly<Record<string, Scalar>>;
  /** Has a compiler parse the text without instantiating it; throws CompileError that points at the line. */
  check(device?: string): void;
  /** Frees its loaded kernels; the next call of each asks the cache again. */
  unload(): void;
}

// A text of this many characters computes for longer than its elements take to arrive.
const heavyText = 2000;
const callOptions: readonly string[] = ["out", "shape", "dtype", "device"];
const refusedNames: readonly string[] = [...callOptions, "re", "im"];

/** A function on tensors from a functor's CUDA C++ text; compiled for each dtype, layout and device at its first call. */
export function jit<R = Tensor>(source: string, options: JitOptions = {}): JitFunction<R> {
  const functor = parseFunctor(source, options);
  const failed = new Set<string>();
  // What a dtype's error does not say: how the functor fared with others.
  const failure = (operands: readonly Operand[], given: CallOptions | undefined, error: CompileError) => {
    const tensors = operands.filter((operand) => operand instanceof Tensor).map(({ dtype }) => dtype.name);
    const types = [...new Set([...tensors, ...(given?.dtype ? [given.dtype.name] : [])])].join(", ");
    const other = [...failed].filter((one) => one !== types);
    failed.add(types);
    const works = [...new Set(loadedInputs(functor))];
    const help = [
      other.length > 0 ? `It failed for ${other.join(" and for ")} too.` : "",
      works.length > 0 ? `It works for ${works.join(" and for ")}.` : "",
    ];
    return explainCompileError(functor, error, types, help.join(" ").trim());
  };
  const call = (...args: JitArgument[]): Tensor | readonly Tensor[] => {
    const { operands, given } = splitArguments(functor, args);
    const outputs = told(
      () => dispatch(functor, operands, emptyTensor, given),
      (error) => failure(operands, given, error),
    );
    return outputs.length === 1 ? (outputs[0] as Tensor) : outputs;
  };
  Object.defineProperties(call, {
    name: { value: functor.name },
    source: { value: source, enumerable: true },
    parameters: {
      value: Object.fromEntries(functor.parameters.map((parameter) => [parameter.name, parameter.value])),
      enumerable: true,
    },
    check: {
      value: (device?: string) =>
        told(
          () => checkFunctor(functor, device === undefined ? getDevice().target : targetOf(device)),
          (error) => explainCompileError(functor, error),
        ),
    },
    unload: { value: () => forget(functor) },
  });
  return tagFunctor(call, () => functor) as unknown as JitFunction<R>;
}

function told<T>(run: () => T, explained: (error: CompileError) => CompileError): T {
  try {
    return run();
  } catch (error) {
    throw error instanceof CompileError ? explained(error) : error;
  }
}

function splitArguments(
  functor: Functor,
  args: readonly JitArgument[],
): { operands: readonly Operand[]; given: Parameters<typeof dispatch>[3] } {
  const last = args.at(-1);
  const hasOptions =
    typeof last === "object" && last !== null && !(last instanceof Tensor) && !("re" in last);
  const operands = (hasOptions ? args.slice(0, -1) : args) as readonly Operand[];
  if (operands.length !== functor.inputs.length) {
    throw new JitlabError(
      "argument-count",
      `${functor.name} takes ${functor.inputs.length} inputs (${functor.inputNames.join(", ")}), but got ${operands.length}.`,
      functor.parameters.length > 0
        ? `Parameters are passed by name in a last argument: { ${functor.parameters.map((p) => `${p.name}: ...`).join(", ")} }.`
        : "",
    );
  }
  if (!hasOptions) return { operands, given: withDefaults(functor, operands, {}) };
  const { out, shape, dtype, device, ...parameters } = last as JitCallOptions & Record<string, Scalar>;
  for (const name of Object.keys(parameters)) {
    if (functor.parameters.some((parameter) => parameter.name === name)) continue;
    const known = [...functor.parameters.map((parameter) => parameter.name), ...callOptions];
    throw new JitlabError(
      "unknown-parameter",
      `${functor.name} has no parameter ${JSON.stringify(name)}.`,
      `${didYouMean(name, known)} It takes ${known.join(", ")}.`.trim(),
    );
  }
  const outputs = out === undefined ? undefined : ((Array.isArray(out) ? out : [out]) as readonly Tensor[]);
  if (outputs && outputs.length !== functor.results.length) {
    throw new JitlabError(
      "argument-count",
      `${functor.name} has ${functor.results.length} outputs, but out holds ${outputs.length}.`,
      "Give one tensor per output.",
    );
  }
  const call = {
    out: outputs?.map(outputOf),
    parameters,
    shape,
    dtype: dtype && dtypeOf(dtype),
    device: device ? getDevice(device) : undefined,
  };
  return { operands, given: withDefaults(functor, operands, call) };
}

/** Without tensor inputs the shape must be given, and the default device and float32 step in. */
function withDefaults(
  functor: Functor,
  operands: readonly Operand[],
  call: NonNullable<Parameters<typeof dispatch>[3]>,
): Parameters<typeof dispatch>[3] {
  if (operands.some((operand) => operand instanceof Tensor) || call.out) return call;
  for (const operand of operands) codeOf(operand, functor.name);
  if (call.shape === undefined) {
    throw new JitlabError(
      "no-tensor",
      `${functor.name}: none of the arguments is a tensor, so the result's shape is unknown.`,
      "Pass a tensor, or { shape: [...] } as the last argument.",
    );
  }
  return { ...call, dtype: call.dtype ?? dtypes.float32, device: call.device ?? getDevice() };
}

/** The functor of a text; throws `bad-functor` where its signature cannot be used. */
export function parseFunctor(source: string, given: JitOptions): Functor {
  textOf("jit", "the functor's text", source);
  const options = optionsOf("jit", given);
  const functions = functionsOf(source);
  const entry = functions.at(-1);
  if (!entry) {
    throw badFunctor(
      "The text defines no function.",
      "Write for example: template <typename T> T twice(T x) { return x + x; }",
    );
  }
  const problem = entryProblem(functions);
  if (problem !== "") throw badFunctor(`${problem}.`, "");
  const name = options.name ?? entry.name;
  const template = /template\s*<\s*(?:typename|class)\s+(\w+)\s*>/.exec(source);
  const typeName = entry.template ? (template?.[1] ?? "T") : undefined;
  const typeOf = (type: string, what: string) => argumentType(type, typeName, what);
  const captured = capturedOf(entry, options, name);
  const signature: Argument[] = [];
  const inputs: ArgumentType[] = [];
  const inputNames: string[] = [];
  const parameters: Parameter[] = [];
  const results: ArgumentType[] = [];
  for (const parameter of entry.parameters) {
    const type = typeOf(parameter.type.replace(/\bconst\b/g, "").trim(), `${name}'s ${parameter.name}`);
    if (parameter.output) {
      signature.push({ role: "output", index: results.push(type) - 1 });
    } else if (captured.has(parameter.name)) {
      const value = captured.get(parameter.name) as Scalar;
      signature.push({
        role: "parameter",
        index: parameters.push({ name: parameter.name, type, value }) - 1,
      });
    } else {
      signature.push({ role: "input", index: inputs.push(type) - 1 });
      inputNames.push(parameter.name);
    }
  }
  if (results.length === 0) results.push(typeOf(entry.returns, `${name}'s result`));
  return makeFunctor({
    name,
    entry: entry.name,
    inputs,
    inputNames,
    parameters,
    results,
    signature,
    template: entry.template,
    text: () => source.trimEnd(),
    needs: () => [],
    resolve: resolverOf(results, options.returns ?? "same"),
    fma: options.fma ?? false,
    heavy: () => source.length > heavyText,
    converts: false,
    user: true,
    place: options.place,
  });
}

function resolverOf(
  results: readonly ArgumentType[],
  returns: NonNullable<JitOptions["returns"]>,
): Functor["resolve"] {
  const forced = returns === "same" || returns === "float" ? undefined : dtypeOf(returns);
  return (common) => {
    const wide =
      returns === "float" && common.kind !== "float" && common.kind !== "complex" ? dtypes.float32 : common;
    const outputs = results.map((type) => forced ?? (type === "T" ? wide : type));
    return { compute: dtypes[wide.compute], outputs };
  };
}

function capturedOf(entry: CppFunction, options: JitOptions, name: string): Map<string, Scalar> {
  const captured = new Map<string, Scalar>();
  const candidates = entry.parameters.filter((parameter) => !parameter.output);
  for (const parameter of candidates) {
    const written = parameter.default === undefined ? undefined : defaultOf(parameter);
    if (written !== undefined) captured.set(parameter.name, written);
  }
  for (const [key, value] of Object.entries(options.params ?? {})) {
    if (!candidates.some((parameter) => parameter.name === key)) {
      const names = candidates.map((parameter) => parameter.name);
      throw new JitlabError(
        "unknown-parameter",
        `${name} has no parameter ${JSON.stringify(key)}.`,
        `${didYouMean(key, names)} Its parameters are ${names.join(", ")}.`.trim(),
      );
    }
    captured.set(key, value);
  }
  for (const key of captured.keys()) {
    if (refusedNames.includes(key)) {
      throw new JitlabError(
        "bad-parameter",
        `${name}: a parameter cannot be called ${key}.`,
        "Calls use that name; choose another.",
      );
    }
  }
  return captured;
}

function defaultOf(parameter: CppParameter): Scalar {
  const text = parameter.default ?? "";
  if (text === "true" || text === "false") return text === "true";
  const value = Number(text.replace(/(?<=[\d.])[fFlLuU]+$/, "").replace(/^\w+\((.*)\)$/, "$1"));
  if (text.trim() !== "" && !Number.isNaN(value)) return value;
  throw badFunctor(
    `The default ${JSON.stringify(text)} of ${parameter.name} is not a number.`,
    "Write a literal.",
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
  const plain = type.replace(/\s+/g, " ").replace(/\s*&$/, "").trim();
  if (plain === typeName) return "T";
  const known = Object.hasOwn(cppTypes, plain) ? cppTypes[plain] : undefined;
  if (known) return known;
  throw badFunctor(
    `${what} has the type ${JSON.stringify(plain)}, which is no element type.`,
    `Use ${typeName ?? "T with template <typename T>"}, or one of ${Object.keys(cppTypes).join(", ")}.`,
  );
}

function badFunctor(what: string, help: string): JitlabError {
  return new JitlabError("bad-functor", what, help);
}
